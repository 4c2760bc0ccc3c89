package draw

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SVGOptions say how a text becomes a picture.
type SVGOptions struct {
	Title string // in the window's bar, and the picture's name to a screen reader
	Dark  bool   // a dark window; the text should be drawn by a Style of the same
}

// The geometry of a picture, in its own pixels. A cell's height is a multiple of eight, so that the
// eighths of block elements fall on whole pixels.
const (
	cellWidth  = 8
	cellHeight = 16
	baseline   = 12 // of a text, from the top of its cell
	fontSize   = 13.3
	margin     = 16
	bar        = 30 // height of the window's bar
)

// SVG draws text, as it would be sent to a terminal, as a picture of a terminal's window. Every
// character stands at the place of its cell whatever font the viewer has; box drawing, blocks and
// Braille are drawn as shapes, so that they join. Colours come from the text's escape sequences;
// any other escape sequence is left out.
func SVG(text string, o SVGOptions) string {
	theme := newTheme(o.Dark)
	screen := parseScreen(text, theme)
	width := screen.columns*cellWidth + 2*margin
	height := len(screen.rows)*cellHeight + bar + margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(o.Title))
	writeWindow(&b, o, theme, width, height)
	fmt.Fprintf(&b, `<g transform="translate(%d %d)" font-family="%s" font-size="%v">`+"\n", margin, bar, fonts, fontSize)
	screen.writeShapes(&b)
	screen.writeTexts(&b)
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// fonts are tried in this order; every system has one of them.
const fonts = "ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"

// writeWindow draws the window that the text stands in.
func writeWindow(b *strings.Builder, o SVGOptions, t theme, width, height int) {
	fmt.Fprintf(b, `<rect x=".5" y=".5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>`+"\n", width-1, height-1, t.back, t.frame)
	for i := range 3 {
		fmt.Fprintf(b, `<circle cx="%d" cy="15" r="5" fill="%s"/>`+"\n", 20+i*18, t.frame)
	}
	fmt.Fprintf(b, `<text x="%d" y="19" text-anchor="middle" font-family="%s" font-size="12" fill="%s">%s</text>`+"\n",
		width/2, fonts, t.muted, escape(o.Title))
}

// writeShapes writes what is drawn as shapes: for each colour one path that is filled and one that
// is stroked. Shapes that touch then belong to one path, and no seam shows between them.
func (s *screen) writeShapes(b *strings.Builder) {
	var layers []*layer
	for row, cells := range s.rows {
		for start := 0; start < len(cells); {
			c, n := cells[start], alike(cells[start:])
			x, y := float64(c.column*cellWidth), float64(row*cellHeight)
			if c.ink.back != "" {
				of(&layers, c.ink.back).fill.WriteString(box(x, y, float64(n*c.width*cellWidth), cellHeight))
			}
			if c.shaped {
				r, _ := single(c.text)
				fill, stroke := shape(r, x, y, n)
				of(&layers, c.ink.fore).fill.WriteString(fill)
				of(&layers, c.ink.fore).stroke.WriteString(stroke)
			}
			start += n
		}
	}
	for _, l := range layers {
		if l.fill.Len() > 0 {
			fmt.Fprintf(b, `<path fill="%s" d="%s"/>`+"\n", l.colour, l.fill.String())
		}
		if l.stroke.Len() > 0 {
			fmt.Fprintf(b, `<path fill="none" stroke="%s" stroke-width="1.3" d="%s"/>`+"\n", l.colour, l.stroke.String())
		}
	}
}

// alike is how many cells from the first on may be drawn as one: they look the same, and shapes
// stretch.
func alike(cells []screenCell) int {
	n := 1
	for n < len(cells) && cells[n].text == cells[0].text && cells[n].ink == cells[0].ink && (!cells[0].shaped || stretches(cells[0].text)) {
		n++
	}
	return n
}

// layer holds the shapes of one colour.
type layer struct {
	colour       string
	fill, stroke strings.Builder
}

// of is the colour's layer; layers are in the order in which their colours first occur.
func of(layers *[]*layer, colour string) *layer {
	for _, l := range *layers {
		if l.colour == colour {
			return l
		}
	}
	l := &layer{colour: colour}
	*layers = append(*layers, l)
	return l
}

// writeTexts writes the characters that have no shape: a text element for each stretch of one
// colour, with the place of every character in it.
func (s *screen) writeTexts(b *strings.Builder) {
	for row, cells := range s.rows {
		for start := 0; start < len(cells); {
			end := start + 1
			for end < len(cells) && cells[end].joins(cells[end-1]) {
				end++
			}
			writeText(b, row, cells[start:end])
			start = end
		}
	}
}

// writeText writes cells of one colour that follow one another.
func writeText(b *strings.Builder, row int, cells []screenCell) {
	var places, text strings.Builder
	for i, c := range cells {
		if !c.written() {
			continue // writes nothing; joins leaves such a cell by itself
		}
		if i > 0 {
			places.WriteByte(' ')
		}
		fmt.Fprintf(&places, "%d", c.column*cellWidth)
		text.WriteString(c.text)
	}
	if text.Len() == 0 {
		return
	}
	weight := ""
	if cells[0].ink.bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(b, `<text x="%s" y="%d" fill="%s"%s>%s</text>`+"\n",
		places.String(), row*cellHeight+baseline, cells[0].ink.fore, weight, escape(text.String()))
}

// joins reports whether c may stand in one text element with the cell before it. A character of
// several code points stands alone, since an element counts places by code point.
func (c screenCell) joins(before screenCell) bool {
	_, one := single(c.text)
	_, oneBefore := single(before.text)
	return one && oneBefore && c.ink == before.ink && c.written() && before.written() && c.column == before.column+before.width
}

// written reports whether a cell has a character to write, and not a space or a shape.
func (c screenCell) written() bool { return !c.shaped && c.text != " " }

// single is the only code point of text.
func single(text string) (rune, bool) {
	r, size := utf8.DecodeRuneInString(text)
	return r, size == len(text)
}

// escape writes text for XML, without the characters that XML does not allow.
func escape(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, text)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
