package draw

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// sgr is an escape sequence that selects colours: the only one a page may hold.
var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestAnyPageFitsAndIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style, cells := anyStyle().Draw(t, "style"), rapid.IntRange(60, 250).Draw(t, "width")
		text := anyPage().Draw(t, "page").Render(cells, style)
		if !strings.HasSuffix(text, "\n") {
			t.Fatalf("does not end with a line break: %q", text)
		}
		for _, line := range strings.Split(text, "\n") {
			if w := width(line); w > cells {
				t.Fatalf("a line of %d cells on a page of %d: %q", w, cells, line)
			}
			for _, r := range sgr.ReplaceAllString(line, "") {
				if unicode.IsControl(r) || style.ascii && r > '~' {
					t.Fatalf("%q in %q", r, line)
				}
			}
		}
	})
}

func TestAnyPieceFillsItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style, cells := anyStyle().Draw(t, "style"), rapid.IntRange(60, 250).Draw(t, "width")
		results := anyPage().Draw(t, "page").Results
		p := NewPicture(style, NewLayout(cells, longest(results), names(results)...), results...)
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		pieces := [][]string{p.Axis(), p.Traffic(rows), p.Legend(rows), p.StripLegend(), p.Summary(), p.Remarks()}
		for i := range results {
			pieces = append(pieces, p.Lane(i, rows), p.Strips(i), p.Chart(i, 3+rows))
			if got := len(p.Lane(i, rows)); got != rows {
				t.Fatalf("a lane of %d rows is %d lines", rows, got)
			}
			if got := len(p.Chart(i, 3+rows)); p.HasLevel(i) && got != 4+rows {
				t.Fatalf("a chart of height %d is %d lines", 3+rows, got)
			}
		}
		for _, piece := range pieces {
			for _, line := range piece {
				if w := width(line); w != cells {
					t.Fatalf("a line of %d cells instead of %d: %q", w, cells, line)
				}
			}
		}
	})
}

func TestADenialIsNeverHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style, cells := anyStyle().Draw(t, "style"), rapid.IntRange(60, 250).Draw(t, "width")
		r := anyResult(minute).Draw(t, "result")
		p := NewPicture(style, NewLayout(cells, r.Grid.Span, r.Name), r)
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		drawn := p.lane(&p.columns[0], rows)
		g := style.glyphs
		marks := string([]rune{g.denied, g.many, g.both, g.mixed})
		for i, n := range r.Grid.Denied {
			first, last := share(i, r.Grid.Len(), p.layout.Lane)
			for col := first; n > 0 && col <= last; col++ {
				if mark := drawn[rows-1][col].glyph; !strings.ContainsRune(marks, mark) {
					t.Fatalf("%d denied in bucket %d, but column %d shows %q", n, i, col, mark)
				}
			}
		}
	})
}

func names(results []*sim.Result) []string {
	var out []string
	for _, r := range results {
		out = append(out, r.Name)
	}
	return out
}

func TestSameInputSameBytes(t *testing.T) {
	style := NewStyle(Options{Profile: termenv.TrueColor, Dark: true})
	s := scenes()[0]
	pg := s.at(t, 100)
	if first := pg.Render(100, style); first != pg.Render(100, style) {
		t.Error("two drawings of one page differ")
	}
}

func TestNoColourWithoutAProfile(t *testing.T) {
	for _, s := range scenes() {
		if text := s.at(t, 80).Render(80, NewStyle(Options{Profile: termenv.Ascii, Dark: true})); strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s has escape sequences", s.name)
		}
	}
}

func TestAWidthOutOfRangeIsTheNearest(t *testing.T) {
	s, style := scenes()[0], NewStyle(Options{Profile: termenv.Ascii})
	pg := s.at(t, MinWidth)
	if pg.Render(3, style) != pg.Render(MinWidth, style) || pg.Render(9999, style) != pg.Render(MaxWidth, style) {
		t.Error("a width out of range is not the nearest one in range")
	}
}
