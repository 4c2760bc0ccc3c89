package draw

import "github.com/b6db88e4/ratesim/sim"

// A column of a table says one measure of every limiter.
type column struct {
	head string
	cell func(*sim.Result) value
}

// value is what stands in a table's cell.
type value struct {
	text string
	role Role
}

// group is a few columns that belong together, under one heading.
type group struct {
	name    string
	columns []column
}

// gap is the cells between two groups of columns, and at least between two pieces of text.
const gap = 2

// inner is the cells between two columns of a group.
func (p *Picture) inner() int {
	if p.layout.Width < rightFrom {
		return 1
	}
	return gap
}

// tables packs groups side by side into as few tables as the width allows, those of each of several
// lists for themselves. Each table begins with the limiters' names. A group is split only when it is
// too wide by itself.
func (p *Picture) tables(lists ...[]group) []string {
	var out []string
	for _, groups := range lists {
		tables := p.pack(groups)
		if len(out) > 0 && len(tables) > 0 {
			out = append(out, spaces(p.layout.Width))
		}
		out = append(out, tables...)
	}
	return out
}

func (p *Picture) pack(groups []group) []string {
	var out []string
	room := p.layout.Width - p.layout.Gutter
	var packed []group
	used := 0
	flush := func() {
		if len(packed) > 0 {
			if len(out) > 0 {
				out = append(out, spaces(p.layout.Width))
			}
			out = append(out, p.table(packed)...)
		}
		packed, used = nil, 0
	}
	for _, g := range p.split(groups, room) {
		if w := p.groupWidth(g); used+w > room {
			flush()
		}
		packed, used = append(packed, g), used+p.groupWidth(g)
	}
	flush()
	return out
}

// split cuts groups that are wider than room.
func (p *Picture) split(groups []group, room int) []group {
	var out []group
	for _, g := range groups {
		for p.groupWidth(g) > room && len(g.columns) > 1 {
			n := len(g.columns) - 1
			for n > 1 && p.groupWidth(group{g.name, g.columns[:n]}) > room {
				n--
			}
			out = append(out, group{g.name, g.columns[:n]})
			g.columns = g.columns[n:]
		}
		out = append(out, g)
	}
	return out
}

// table draws groups side by side: a line with their names, one with the columns' heads, and one
// for each limiter.
func (p *Picture) table(groups []group) []string {
	names, heads := spaces(p.layout.Gutter), spaces(p.layout.Gutter)
	for _, g := range groups {
		names += p.style.Paint(Faint, right(p.style.cut(g.name, p.groupWidth(g)-gap), p.groupWidth(g)))
		for i, c := range g.columns {
			heads += p.style.Paint(Faint, right(c.head, p.columnWidths(g)[i]))
		}
	}
	out := []string{p.fill(names), p.fill(heads)}
	for _, r := range p.results {
		line := p.gutter(r.Name, Plain)
		for _, g := range groups {
			for i, c := range g.columns {
				v := c.cell(r)
				line += p.style.Paint(v.role, right(p.style.cut(v.text, p.columnWidths(g)[i]), p.columnWidths(g)[i]))
			}
		}
		out = append(out, p.fill(line))
	}
	return out
}

// columnWidths are the widths of a group's columns, gaps before them included. The group's name
// may make the first one wider.
func (p *Picture) columnWidths(g group) []int {
	widths, sum := make([]int, len(g.columns)), 0
	for i, c := range g.columns {
		widths[i] = width(c.head)
		for _, r := range p.results {
			widths[i] = max(widths[i], width(c.cell(r).text))
		}
		widths[i] += p.inner()
		sum += widths[i]
	}
	widths[0] += gap - p.inner()
	sum += gap - p.inner()
	widths[0] += max(width(g.name)+gap-sum, 0)
	return widths
}

func (p *Picture) groupWidth(g group) int {
	sum := 0
	for _, w := range p.columnWidths(g) {
		sum += w
	}
	return sum
}

// fill adds spaces up to the picture's width.
func (p *Picture) fill(line string) string { return line + spaces(p.layout.Width-width(line)) }
