package draw

// Legend explains the marks of lanes drawn on so many rows, and only those that occur, on as many
// lines as it takes.
func (p *Picture) Legend(rows int) []string {
	var items []string
	occur := p.marks(max(rows, 1))
	for _, m := range p.meanings() {
		if glyph, ok := m.occurring(occur); ok {
			items = append(items, p.style.Paint(m.role, string(glyph))+" "+p.style.Paint(Faint, m.text))
		}
	}
	lines := flow(items, "   ", p.layout.Width-2)
	for i, line := range lines {
		lines[i] = p.fill(" " + line)
	}
	return lines
}

// marks are the glyphs that occur in the lanes and the traffic, each with whether it does.
func (p *Picture) marks(rows int) map[rune]bool {
	occur := map[rune]bool{}
	add := func(drawn [][]cell) {
		for _, row := range drawn {
			for _, c := range row {
				occur[c.glyph] = true
			}
		}
	}
	for i := range p.columns {
		add(p.lane(&p.columns[i], rows))
	}
	if len(p.columns) > 0 {
		add(p.traffic(max(rows-1, 1)))
	}
	return occur
}

// meaning explains marks that mean the same, of which the legend shows one.
type meaning struct {
	glyphs []rune // from low bars to full ones
	role   Role
	text   string
}

// occurring is the highest of the meaning's glyphs that occurs.
func (m meaning) occurring(occur map[rune]bool) (rune, bool) {
	for i := len(m.glyphs) - 1; i >= 0; i-- {
		if occur[m.glyphs[i]] {
			return m.glyphs[i], true
		}
	}
	return 0, false
}

// meanings are all marks, in the order of the legend.
func (p *Picture) meanings() []meaning {
	g := p.style.glyphs
	one := func(glyph rune) []rune { return []rune{glyph} }
	full := "went ahead"
	if p.scale > 1 {
		full += " (full bar: " + compact(p.scale, 9) + ")"
	}
	return []meaning{
		{g.bars, Admitted, full},
		{one(g.beyond), Offered, "more than " + compact(p.scale, 9)},
		{one(g.wait), Waited, "has to wait"},
		{g.releases, Waited, "went ahead after a wait"},
		{one(g.denied), Denied, "denied"},
		{one(g.many), Denied, "more than " + compact(p.few(), 9) + " denied"},
		{one(g.both), Denied, "some wait, some denied"},
		{one(g.cheap), Cheap, "got a cheap answer instead"},
		{one(g.mixed), Denied, "some went ahead, some did not"},
		{one(g.edge), Faint, "window edge"},
	}
}

// flow joins items to lines of at most so many cells.
func flow(items []string, between string, cells int) []string {
	var lines []string
	line := ""
	for _, item := range items {
		if line != "" && width(line)+width(between)+width(item) > cells {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += between
		}
		line += item
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
