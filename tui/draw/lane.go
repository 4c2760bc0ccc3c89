package draw

import "math"

// Lane draws one limiter on so many rows, at least one: rows of bars for what went ahead, and below
// them a row of marks for what had to wait or was denied. With a single row bars and marks share
// it, and marks come first: a column in which something was denied always says so.
func (p *Picture) Lane(i, rows int) []string {
	rows = max(rows, 1)
	r, c := p.results[i], &p.columns[i]
	drawn := p.lane(c, rows)
	named := max(rows-2, 0) // the lowest row of bars
	out := make([]string, rows)
	for row := range out {
		gutter, numbers := spaces(p.layout.Gutter), ""
		switch row {
		case named:
			gutter = p.gutter(r.Name, Title)
			numbers = p.numbers(r)
		case rows - 1:
			gutter, numbers = p.remarks(r)
		}
		out[row] = p.line(gutter, p.style.paint(drawn[row]), numbers)
	}
	return out
}

// Traffic draws all requests as they arrived, before any limiter saw them, like a lane without
// marks.
func (p *Picture) Traffic(rows int) []string {
	if len(p.results) == 0 {
		return nil
	}
	bars := p.traffic(max(rows, 1))
	out := make([]string, len(bars))
	for row := range out {
		gutter := spaces(p.layout.Gutter)
		if row == len(bars)-1 {
			gutter = p.gutter(p.offered(), Faint)
		}
		out[row] = p.line(gutter, p.style.paint(bars[row]), "")
	}
	return out
}

// traffic draws the cells of Traffic, top row first.
func (p *Picture) traffic(rows int) [][]cell {
	bars := make([][]cell, rows)
	for row := range bars {
		bars[row] = blank(p.layout.Lane)
	}
	for col := range p.layout.Lane {
		p.bar(bars, col, p.columns[0].arrived(col), p.style.glyphs.bars, Offered)
	}
	return bars
}

// offered says how many requests there were.
func (p *Picture) offered() string {
	n := p.results[0].Summary.Offered
	if s := p.results[0].Summary.System; s.Requests > 0 {
		n = s.Requests
	}
	return requests(n)
}

// requests writes how many requests there were, in few cells.
func requests(n int64) string {
	if n == 1 {
		return "1 request"
	}
	return compact(n, 5) + " requests"
}

// lane draws a limiter's cells, top row first.
func (p *Picture) lane(c *columns, rows int) [][]cell {
	drawn := p.ground(c, rows)
	for col := range p.layout.Lane {
		bars := drawn[:max(rows-1, 1)]
		if count, glyphs, role := p.ahead(c, col); count > 0 {
			p.bar(bars, col, count, glyphs, role)
		}
		if mark, ok := p.mark(c, col, rows); ok {
			drawn[rows-1][col] = mark
		}
	}
	return drawn
}

// ground is an empty lane: the line that bars stand on, and the windows' edges.
func (p *Picture) ground(c *columns, rows int) [][]cell {
	g := p.style.glyphs
	edges := c.showEdges()
	drawn := make([][]cell, rows)
	for row := range drawn {
		drawn[row] = blank(p.layout.Lane)
		for col := range drawn[row] {
			switch {
			case edges && c.edge[col]:
				drawn[row][col] = cell{g.edge, Faint}
			case rows > 1 && row == rows-1:
				drawn[row][col] = cell{g.base, Rule}
			}
		}
	}
	return drawn
}

// showEdges reports whether window edges are worth drawing: some, with room between them.
func (c *columns) showEdges() bool {
	edges := 0
	for _, is := range c.edge {
		if is {
			edges++
		}
	}
	return edges > 0 && edges <= len(c.edge)/5
}

// ahead is what a column's bar stands for: how many requests, and whether most had waited.
func (p *Picture) ahead(c *columns, col int) (int64, []rune, Role) {
	if c.released[col] > c.admitted[col] {
		return c.went(col), p.style.glyphs.releases, Waited
	}
	return c.went(col), p.style.glyphs.bars, Admitted
}

// bar draws a bar from the bottom up. Whatever is not nothing shows: its height is rounded up.
func (p *Picture) bar(rows [][]cell, col int, count int64, glyphs []rune, role Role) {
	if count <= 0 {
		return
	}
	steps := len(glyphs)
	full := float64(steps * len(rows))
	height := int(math.Ceil(float64(min(count, p.scale)) / float64(p.scale) * full))
	for row := len(rows) - 1; row >= 0 && height > 0; row-- {
		rows[row][col] = cell{glyphs[min(height, steps)-1], role}
		height -= steps
	}
	if count > p.scale {
		rows[0][col].glyph = p.style.glyphs.beyond
	}
}

// mark is the mark of a column, if it has one: for what did not go ahead at once.
func (p *Picture) mark(c *columns, col, rows int) (cell, bool) {
	g := p.style.glyphs
	denied, delayed := c.denied[col], c.delayed[col]
	switch {
	case denied > 0 && rows == 1 && (delayed > 0 || c.went(col) > 0):
		return cell{g.mixed, Denied}, true
	case denied > 0 && delayed > 0:
		return cell{g.both, Denied}, true
	case denied > p.few():
		return cell{g.many, Denied}, true
	case denied > 0:
		return cell{g.denied, Denied}, true
	case c.degraded[col] > 0 && rows == 1 && c.went(col) > 0:
		return cell{g.mixed, Cheap}, true
	case c.degraded[col] > 0:
		return cell{g.cheap, Cheap}, true
	case delayed > 0 && (rows > 1 || c.went(col) == 0):
		return cell{g.wait, Waited}, true
	}
	return cell{}, false
}

// few is the most denials in a column that get the smaller mark: half of what fills a bar.
func (p *Picture) few() int64 { return max(p.scale/2, 1) }
