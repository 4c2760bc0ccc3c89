package draw

import (
	"strings"

	"github.com/b6db88e4/ratesim/sim"
)

// Picture is a finished run, measured and ready to be drawn piece by piece on one time axis. The
// pieces are lines of exactly Layout.Width cells.
type Picture struct {
	From sim.Time // the instant at the lanes' left end; 0 unless the grids show a part of a run

	style   *Style
	layout  Layout
	results []*sim.Result
	columns []columns
	span    sim.Time
	strips  []strip
	scale   int64 // requests in a column that fill a bar, for all lanes alike; at least 1
}

// NewPicture measures results, whose grids cover the same span. It keeps the results and does not
// change them.
func NewPicture(style *Style, layout Layout, results ...*sim.Result) *Picture {
	p := &Picture{style: style, layout: layout, results: results, span: longest(results)}
	for _, r := range results {
		p.columns = append(p.columns, newColumns(&r.Grid, layout.Lane))
	}
	p.scale = p.commonScale()
	p.strips = p.measureStrips()
	return p
}

// commonScale is the most requests in a column, of the traffic and of what went ahead. Where the
// traffic is more than twice what limiters that held something back let through, the scale is
// theirs, since at the traffic's they would all look alike.
func (p *Picture) commonScale() int64 {
	var traffic, limited int64
	for i := range p.columns {
		c := &p.columns[i]
		var most, held int64
		for col := range p.layout.Lane {
			most = max(most, c.went(col))
			held = max(held, c.denied[col], c.delayed[col], c.degraded[col])
			traffic = max(traffic, c.arrived(col))
		}
		traffic = max(traffic, most)
		if held > 0 {
			limited = max(limited, most)
		}
	}
	if limited > 0 && limited < traffic/2 {
		return limited
	}
	return max(traffic, 1)
}

// arrived is how many requests arrived in a column. What is sent again does not count.
func (c *columns) arrived(col int) int64 {
	if c.wanted != nil {
		return c.wanted[col]
	}
	n := plus(plus(plus(c.admitted[col], c.delayed[col]), c.denied[col]), c.degraded[col])
	if c.again != nil {
		n -= min(c.again[col], n)
	}
	return n
}

// went is how many requests went ahead in a column.
func (c *columns) went(col int) int64 { return plus(c.admitted[col], c.released[col]) }

// cell is one character of a drawing.
type cell struct {
	glyph rune
	role  Role
}

// paint writes cells with one pair of escape sequences for each stretch of one role, not for each
// cell.
func (s *Style) paint(cells []cell) string {
	var b strings.Builder
	for start := 0; start < len(cells); {
		end, role := start, cells[start].role
		var text strings.Builder
		for ; end < len(cells) && (cells[end].role == role || cells[end].glyph == ' '); end++ {
			text.WriteRune(cells[end].glyph)
		}
		b.WriteString(s.Paint(role, text.String()))
		start = end
	}
	return b.String()
}

// blank is a row of n empty cells.
func blank(n int) []cell {
	cells := make([]cell, n)
	for i := range cells {
		cells[i] = cell{' ', Plain}
	}
	return cells
}

// put writes text into cells from at on, as far as they reach. Every rune must be one cell wide.
func put(cells []cell, at int, text string, role Role) {
	for _, r := range text {
		if at >= 0 && at < len(cells) {
			cells[at] = cell{r, role}
		}
		at++
	}
}

// line joins a gutter, a lane and the numbers on its right to a line of full width. The gutter and
// the numbers are painted already and fill their room.
func (p *Picture) line(gutter, lane, numbers string) string {
	if p.layout.Right == 0 {
		return gutter + lane + spaces(p.layout.Gap)
	}
	if numbers == "" {
		numbers = spaces(p.layout.Right)
	}
	return gutter + lane + spaces(p.layout.Gap) + numbers
}

// gutter paints a text into the gutter, after one free cell.
func (p *Picture) gutter(text string, role Role) string {
	return " " + p.style.Paint(role, p.style.Fit(text, p.layout.Gutter-2)) + " "
}

// Narrow is the picture without the numbers on the lanes' right. Its columns stay where they are.
func (p *Picture) Narrow() *Picture {
	q := *p
	q.layout.Width -= q.layout.Right
	q.layout.Right = 0
	return &q
}
