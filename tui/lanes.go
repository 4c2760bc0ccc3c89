package tui

import (
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// lanes are the time axis, the traffic and the lanes, with the numbers on their right.
func (m *Model) lanes() []string {
	l, head := m.drawn.layout, m.playhead(m.drawn.layout.lane)
	labels, ruler := m.drawn.board.Axis(head)
	gutter := strings.Repeat(" ", l.gutter)
	lines := []string{gutter + labels + " " + m.heads(), gutter + ruler}
	for row, traffic := range m.drawn.board.Traffic(m.trafficHead(head)) {
		label := gutter
		if row == l.traffic-1 {
			label = m.label(" ", "traffic", draw.Faint)
		}
		lines = append(lines, label+traffic)
	}
	shown := m.shown()
	for at := l.first; at < l.first+l.lanes; at++ {
		lines = append(lines, m.lane(at, shown[at], head)...)
	}
	return lines
}

// trafficHead is the playhead in the traffic, which is shown even where the rest is not.
func (m *Model) trafficHead(head draw.Playhead) draw.Playhead {
	head.Hide = false
	return head
}

// lane is the lane of one limiter, which is at a position of the board.
func (m *Model) lane(at, limiter int, head draw.Playhead) []string {
	l, selected := m.drawn.layout, limiter == m.selected
	var fill *draw.Filling
	if selected {
		fill = m.filling(l.lane)
	}
	drawn := m.drawn.board.Lane(at, head, fill)
	named := max(len(drawn)-2, 0)
	for row := range drawn {
		switch {
		case row == named && selected:
			drawn[row] = m.label(m.glyph("▸", ">"), m.scene.plan.Limiters[limiter].Name, draw.Title) + drawn[row] + " " + m.numbers(limiter)
		case row == named:
			drawn[row] = m.label(" ", m.scene.plan.Limiters[limiter].Name, draw.Plain) + drawn[row] + " " + m.numbers(limiter)
		default:
			drawn[row] = strings.Repeat(" ", l.gutter) + drawn[row]
		}
	}
	return drawn
}

// label is what stands left of a lane: a mark and a name.
func (m *Model) label(mark, name string, role draw.Role) string {
	return m.style.Paint(draw.Title, mark) + " " + m.style.Paint(role, m.style.Fit(name, m.drawn.layout.gutter-3)) + " "
}

// heads are the headings of the numbers.
func (m *Model) heads() string {
	names := []string{"admit", "delay", "deny"}
	if m.width >= roomFrom {
		names = []string{"admitted", "delayed", "denied", "room", "peak"}
	}
	line := ""
	for i, n := range numberCells(m.width) {
		line += right(names[i], n)
		if i == 2 {
			line += m.changeHead()
		}
	}
	return m.style.Paint(draw.Faint, line)
}

// numbers are those on the right of a lane, up to the playhead.
func (m *Model) numbers(limiter int) string {
	widths := numberCells(m.width)
	t := m.scene.tally(limiter, m.head)
	line := m.count(t.Admitted, widths[0], draw.Admitted) + m.count(t.Delayed, widths[1], draw.Waited) +
		m.count(t.Denied, widths[2], draw.Denied) + m.changeOf(limiter, t)
	if len(widths) > 3 {
		line += m.room(limiter, widths[3])
	}
	if len(widths) > 4 {
		line += m.peak(limiter, widths[4])
	}
	return line
}

// count is a number in its column, a zero in grey.
func (m *Model) count(n int64, width int, role draw.Role) string {
	if n == 0 {
		role = draw.Faint
	}
	return m.style.Paint(role, right(m.style.Count(n, width-1), width))
}

// room is how much of its capacity a limiter would let through at the playhead.
func (m *Model) room(limiter, width int) string {
	const bar = 6
	entry := &m.scene.plan.Limiters[limiter]
	if m.scene.tracks == nil || !m.scene.kept(m.head.at) || entry.Spec.Worst(entry.Policy) < 0 {
		return m.style.Paint(draw.Faint, right(m.glyph("–", "-"), width))
	}
	left := m.state(limiter).Remaining
	meter := m.meter(float64(left)/float64(entry.Spec.Capacity(entry.Policy)), bar)
	solid := strings.TrimRight(meter, m.glyph("─", "-"))
	return strings.Repeat(" ", width-bar-6) + m.style.Paint(draw.Level, solid) + m.style.Paint(draw.Rule, meter[len(solid):]) +
		right(m.style.Count(left, 5), 6)
}

// state is what the shown client's limiter holds at the playhead.
func (m *Model) state(limiter int) sim.State {
	return m.scene.tracks[limiter].State(m.head.at, m.head.seq)
}

// peak is that of the whole run, as a multiple of the limit.
func (m *Model) peak(limiter, width int) string {
	if m.scene.results == nil || m.hides() {
		return m.style.Paint(draw.Faint, right(m.glyph("–", "-"), width))
	}
	s := &m.scene.results[limiter].Summary
	text, role := m.style.Ratio(s.PeakRatio), draw.Plain
	if s.PeakIsLowerBound {
		text = m.glyph("≥", ">=") + text
	}
	mark := m.glyph("✓", "ok")
	if s.Peak > m.scene.plan.Limiters[limiter].Policy.Limit.N {
		mark, role = m.glyph("✗", "!!"), draw.Bad
	}
	return m.style.Paint(role, right(text+" "+mark, width))
}

// charts are the level charts with the playhead through them.
func (m *Model) charts() []string {
	l := m.drawn.layout
	var drawn [][]string
	for _, c := range m.drawn.charts {
		if c.plot == nil {
			drawn = append(drawn, []string{"", m.label(" ", "", draw.Faint) + m.style.Paint(draw.Faint, "lets everything through: no level to chart")})
			continue
		}
		drawn = append(drawn, c.plot.Lines(m.playhead(c.lane)))
	}
	switch len(drawn) {
	case 0:
		return padded(nil, l.chart)
	case 1:
		return padded(drawn[0], l.chart)
	}
	return padded(beside(padded(drawn[0], l.chart), l.width/2, drawn[1]), l.chart)
}

// right fills text with spaces on its left.
func right(text string, width int) string {
	return strings.Repeat(" ", max(width-cells(text), 0)) + text
}

// verdict is what a limiter decided about a request that is kept.
func (s *scene) verdict(limiter, seq int) algorithms.Verdict {
	return s.steps.Lanes[limiter].Verdicts[seq]
}
