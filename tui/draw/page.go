package draw

import (
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/sim"
)

// Page is a finished run as it is printed. All text in it may come from a file: it is cleaned here.
type Page struct {
	Title  string
	Lesson string // paragraphs are separated by blank lines
	Limit  string // the limit that the limiters have in common, as text; may be empty

	Around []string // what stands around the limiters, a few words each

	Results []*sim.Result

	Watch string // what to look for
	Seen  Mark   // whether it came to pass

	Notes []string // what else there is to say, a line each

	Rows   int // rows of a lane; 0 chooses by the number of limiters
	Height int // lines of a chart above its lowest; 0 chooses, less draws none
}

// Mark says whether what a page says to watch for came to pass.
type Mark uint8

// What is known of it.
const (
	Unknown Mark = iota // nothing was expected, or it was not judged
	Seen
	NotSeen
)

// Render draws the page for a terminal of so many cells. No line is wider, and none has spaces at
// its end. The text ends with a newline.
func (pg Page) Render(cells int, style *Style) string {
	names := make([]string, len(pg.Results))
	for i, r := range pg.Results {
		names[i] = r.Name
	}
	p := NewPicture(style, NewLayout(cells, longest(pg.Results), names...), pg.Results...)
	var b strings.Builder
	for i, section := range [][]string{pg.header(p), pg.lanes(p), p.Summary(), pg.charts(p), pg.footer(p)} {
		if i > 0 && len(section) > 0 {
			b.WriteByte('\n')
		}
		for _, line := range section {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return b.String()
}

// longest is the longest of the spans that results are recorded over.
func longest(results []*sim.Result) sim.Time {
	var span sim.Time
	for _, r := range results {
		span = max(span, r.Grid.Span)
	}
	return span
}

// lanes are the axis, the traffic, a lane for each limiter, and the legend.
func (pg Page) lanes(p *Picture) []string {
	if len(pg.Results) == 0 {
		return nil
	}
	rows := pg.rows()
	out := append(append(p.Axis(), p.Traffic(max(rows-1, 1))...), "")
	for i := range pg.Results {
		out = append(append(out, p.Lane(i, rows)...), p.Strips(i)...)
		if len(p.strips) > 0 {
			out = append(out, "") // so that the strips above and the bars below do not run together
		}
	}
	return slices.Concat(out, p.Legend(rows), p.StripLegend(), p.Remarks())
}

// rows is how many rows a lane has: more where there are few.
func (pg Page) rows() int {
	switch n := len(pg.Results); {
	case pg.Rows > 0:
		return pg.Rows
	case n <= 2:
		return 4
	case n <= 4:
		return 3
	}
	return 2
}

// charts are the level charts under an axis of their own.
func (pg Page) charts(p *Picture) []string {
	if pg.Height < 0 {
		return nil
	}
	var out []string
	charted := 0
	for i := range pg.Results {
		if p.HasLevel(i) {
			charted++
		}
	}
	if charted == 0 {
		return nil
	}
	out = append(out, p.levelHeading()...)
	p = p.Narrow()
	out = append(out, p.Axis()...)
	for i := range pg.Results {
		out = append(out, p.Chart(i, pg.height(charted))...)
	}
	return out
}

// height is how many lines a chart has above its lowest.
func (pg Page) height(charts int) int {
	switch {
	case pg.Height > 0:
		return pg.Height
	case charts <= 2:
		return 7
	case charts <= 4:
		return 5
	}
	return 3
}
