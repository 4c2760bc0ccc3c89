package draw

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// screen is a text as a terminal would show it.
type screen struct {
	rows    [][]screenCell
	columns int
}

// screenCell is a character on a screen.
type screenCell struct {
	text          string
	column, width int
	ink           ink
	shaped        bool // drawn as a shape, not written
}

// ink is how a character is drawn. Colours are #rrggbb; no background is the window's.
type ink struct {
	fore, back string
	bold       bool
}

// theme are the colours of a window.
type theme struct{ back, fore, frame, muted string }

func newTheme(dark bool) theme {
	if dark {
		return theme{back: "#14171C", fore: "#D8DCE2", frame: "#343A44", muted: "#8A919C"}
	}
	return theme{back: "#FFFFFF", fore: "#1F2328", frame: "#D0D7DE", muted: "#656D76"}
}

// parseScreen reads a text with its escape sequences.
func parseScreen(text string, t theme) *screen {
	s := &screen{}
	pen := pen{theme: t, ink: ink{fore: t.fore}}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		row, column := []screenCell(nil), 0
		for line != "" {
			text, cells := next(line)
			if cells > 0 {
				row = append(row, screenCell{text, column, cells, pen.shown(), hasShape(text)})
				column += cells
			} else {
				pen.apply(text)
			}
			line = line[len(text):]
		}
		s.rows = append(s.rows, row)
		s.columns = max(s.columns, column)
	}
	return s
}

// next is the first escape sequence or character of a line, and the cells it takes.
func next(line string) (string, int) {
	if line[0] < ' ' {
		seq, _, n, _ := ansi.DecodeSequence(line, ansi.NormalState, nil)
		return line[:max(n, len(seq), 1)], 0
	}
	cluster, cells := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
	return line[:max(len(cluster), 1)], cells
}

// pen is what the next character is drawn with.
type pen struct {
	theme   theme
	ink     ink
	reverse bool
}

// shown is the ink with reversed colours where that is set.
func (p *pen) shown() ink {
	if !p.reverse {
		return p.ink
	}
	out := p.ink
	out.fore, out.back = p.ink.back, p.ink.fore
	if out.fore == "" {
		out.fore = p.theme.back
	}
	return out
}

// apply takes a sequence that selects colours (SGR); others change nothing.
func (p *pen) apply(seq string) {
	body, ok := strings.CutPrefix(seq, "\x1b[")
	if body, ok2 := strings.CutSuffix(body, "m"); ok && ok2 {
		var codes []int
		for _, field := range strings.FieldsFunc(body+";", func(r rune) bool { return r == ';' || r == ':' }) {
			n, err := strconv.Atoi(field)
			if err != nil {
				return
			}
			codes = append(codes, n)
		}
		if len(codes) == 0 {
			codes = []int{0}
		}
		for len(codes) > 0 {
			codes = codes[p.set(codes):]
		}
	}
}

// set carries out the first of codes and reports how many it took.
func (p *pen) set(codes []int) int {
	switch c := codes[0]; {
	case c == 0:
		p.ink, p.reverse = ink{fore: p.theme.fore}, false
	case c == 1:
		p.ink.bold = true
	case c == 22:
		p.ink.bold = false
	case c == 7, c == 27:
		p.reverse = c == 7
	case c >= 30 && c <= 37, c >= 90 && c <= 97:
		p.ink.fore = indexed(c%10 + c/90*8)
	case c == 39:
		p.ink.fore = p.theme.fore
	case c >= 40 && c <= 47, c >= 100 && c <= 107:
		p.ink.back = indexed(c%10 + c/100*8)
	case c == 49:
		p.ink.back = ""
	case c == 38 || c == 48:
		colour, n := extended(codes)
		if colour != "" && c == 38 {
			p.ink.fore = colour
		} else if colour != "" {
			p.ink.back = colour
		}
		return n
	}
	return 1
}

// extended reads 38;5;n and 38;2;r;g;b, and how many codes that takes.
func extended(codes []int) (string, int) {
	switch {
	case len(codes) >= 3 && codes[1] == 5:
		return indexed(codes[2]), 3
	case len(codes) >= 5 && codes[1] == 2:
		return fmt.Sprintf("#%02X%02X%02X", codes[2]&0xff, codes[3]&0xff, codes[4]&0xff), 5
	}
	return "", len(codes)
}

// indexed is a colour of the palette of 256: 16 named ones, a cube of 6×6×6, 24 greys.
func indexed(n int) string {
	named := [16]string{
		"#1F2328", "#C4432B", "#2B8A57", "#A67C00", "#2F6FB3", "#9A4C86", "#2A8C96", "#B8BEC8",
		"#6E7681", "#F0703A", "#3FBF7F", "#F0E442", "#56B4E9", "#CC79A7", "#4FC1CC", "#F5F7FA",
	}
	switch {
	case n >= 0 && n < 16:
		return named[n]
	case n >= 16 && n < 232:
		n -= 16
		return fmt.Sprintf("#%02X%02X%02X", cube(n/36), cube(n/6%6), cube(n%6))
	case n >= 232 && n < 256:
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02X%02X%02X", grey, grey, grey)
	}
	return ""
}

// cube is the intensity of step n of 6.
func cube(n int) int {
	if n == 0 {
		return 0
	}
	return 55 + 40*n
}
