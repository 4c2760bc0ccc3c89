package draw

// Board is a picture whose lanes are kept as cells, so that a playhead can be laid over them again
// and again without measuring anything. It is never changed.
type Board struct {
	style         *Style
	traffic       [][]cell
	lanes, empty  [][][]cell // by limiter and row; empty is a lane in which nothing happens
	strips        [][][]cell // by limiter, as the picture has them
	labels, ruler []cell
}

// Playhead is the column up to which a board is played.
type Playhead struct {
	Column int  // of the lanes; −1 before the first, the lanes' width after the last
	Hide   bool // show nothing of what comes after it, instead of showing it faintly
}

// Filling marks what fills a window at the playhead.
type Filling struct {
	From    int    // the column at which the window begins
	Columns []bool // by column: holds a request that counts
}

// Board prepares lanes on so many rows, and the traffic on as many rows as asked for.
func (p *Picture) Board(rows, trafficRows int) *Board {
	b := &Board{style: p.style}
	for i := range p.columns {
		b.lanes = append(b.lanes, p.lane(&p.columns[i], max(rows, 1)))
		b.empty = append(b.empty, p.ground(&p.columns[i], max(rows, 1)))
		var strips [][]cell
		for k := range p.strips {
			strips = append(strips, p.stripCells(&p.strips[k], i))
		}
		b.strips = append(b.strips, strips)
	}
	if len(p.columns) > 0 {
		b.traffic = p.traffic(max(trafficRows, 1))
	}
	b.labels, b.ruler = p.style.axisCells(p.From, p.span, p.layout.Lane)
	return b
}

// Axis is the time axis with the playhead on its ruler.
func (b *Board) Axis(head Playhead) (labels, ruler string) {
	marks := append([]cell(nil), b.ruler...)
	if head.Column >= 0 && head.Column < len(marks) {
		marks[head.Column] = cell{b.style.glyphs.headTop, Title}
	}
	return b.style.paint(b.labels), b.style.paint(marks)
}

// Traffic is all requests, as they arrive up to the playhead.
func (b *Board) Traffic(head Playhead) []string {
	out := make([]string, len(b.traffic))
	for row, cells := range b.traffic {
		out[row] = b.style.paint(b.overlay(cells, blank(len(cells)), head))
	}
	return out
}

// Lane is the lane of limiter i with the playhead through it. fill may be nil.
func (b *Board) Lane(i int, head Playhead, fill *Filling) []string {
	rows := b.lanes[i]
	out := make([]string, len(rows))
	for row := range rows {
		cells := rows[row]
		if fill != nil && row == len(rows)-1 {
			cells = b.filled(cells, head, fill, len(rows) == 1)
		}
		out[row] = b.style.paint(b.overlay(cells, b.empty[i][row], head))
	}
	return out
}

// Strips are the strips of limiter i with the playhead through them, without what stands beside them.
func (b *Board) Strips(i int, head Playhead) []string {
	out := make([]string, len(b.strips[i]))
	for row, cells := range b.strips[i] {
		out[row] = b.style.paint(b.overlay(cells, blank(len(cells)), head))
	}
	return out
}

// filled marks in a lane's lowest row what fills the window. Nothing denied is marked over.
func (b *Board) filled(cells []cell, head Playhead, fill *Filling, single bool) []cell {
	g := b.style.glyphs
	out := append([]cell(nil), cells...)
	for col := max(fill.From, 0); col <= min(head.Column, len(out)-1); col++ {
		c := &out[col]
		free := c.glyph == ' ' || c.glyph == g.base || c.glyph == g.edge
		switch {
		case fill.Columns[col] && (free || single && c.role != Denied):
			*c = cell{g.fill, Level}
		case c.glyph == g.base:
			c.role = Level
		}
	}
	return out
}

// overlay lays the playhead over a row: what comes after it is faint or not there.
func (b *Board) overlay(cells, empty []cell, head Playhead) []cell {
	g := b.style.glyphs
	out := append([]cell(nil), cells...)
	for col := max(head.Column+1, 0); col < len(out); col++ {
		if head.Hide {
			out[col] = empty[col]
		} else if out[col].role != Rule {
			out[col].role = Faint
		}
	}
	if head.Column >= 0 && head.Column < len(out) {
		if c := &out[head.Column]; c.glyph == ' ' || c.glyph == g.base || c.glyph == g.edge {
			*c = cell{g.head, Title}
		}
	}
	return out
}

// Plot is a level chart kept as cells. It is never changed.
type Plot struct {
	picture *Picture
	gutters []string
	rows    [][]cell // the axis first, then the lanes' columns
}

// Plot prepares the level chart of limiter i on height+1 lines; nil if it has no level. Chart says
// how it reads.
func (p *Picture) Plot(i, height int) *Plot {
	if !p.HasLevel(i) {
		return nil
	}
	height = max(height, 3)
	r, c := p.results[i], &p.columns[i]
	scale := newGaugeScale(r, height)
	tight, loose := scale.rows(c.high), scale.rows(c.low)
	if scale.restsFull {
		tight, loose = loose, tight
	}
	plot := &Plot{picture: p, rows: p.plot(scale, tight)}
	p.spread(plot.rows, tight, loose)
	for row := range plot.rows {
		plot.gutters = append(plot.gutters, p.chartGutter(r, scale, row))
	}
	return plot
}

// Lines is the chart with the playhead through it.
func (pl *Plot) Lines(head Playhead) []string {
	b := Board{style: pl.picture.style}
	head.Column = max(head.Column+1, 0) // after the axis, which no playhead hides
	out := make([]string, len(pl.rows))
	for row, cells := range pl.rows {
		cells = b.overlay(cells, blank(len(cells)), head)
		out[row] = pl.picture.line(pl.gutters[row], pl.picture.style.paint(cells), "")
	}
	return out
}

// Count writes n in at most so many cells, at least 5: in full with thousands, in full without, or
// to three digits with k, M, G, T, P or E.
func (s *Style) Count(n int64, cells int) string { return compact(n, cells) }

// Cut shortens cleaned text to at most so many cells, with an ellipsis.
func (s *Style) Cut(text string, cells int) string { return s.cut(text, cells) }

// Ratio writes a peak as a multiple of the limit, which rounding never moves onto 1.00.
func (s *Style) Ratio(value float64) string { return s.ratio(value) }

// ASCII reports whether only 7-bit characters may be used.
func (s *Style) ASCII() bool { return s.ascii }
