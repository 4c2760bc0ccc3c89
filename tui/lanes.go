package tui

import (
	"slices"
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
		if row == l.traffic-1 && m.scene.plan.System != nil {
			traffic += " " + m.style.Paint(draw.Faint, right(m.style.Count(m.scene.wanted(m.selected, m.head), 9)+" requests", l.right))
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
	if l.stripsOf(selected) > 0 {
		drawn = append(drawn, m.strips(at, limiter, head)...)
	}
	return drawn
}

// strips are the small lanes of what is around one limiter, which is at a position of the board.
func (m *Model) strips(at, limiter int, head draw.Playhead) []string {
	drawn, kinds := m.drawn.board.Strips(at, head), m.scene.strips
	for i := range drawn {
		text := m.style.Paint(draw.Faint, right(m.stripText(kinds[i], limiter), m.drawn.layout.right))
		gutter := m.drawn.gutters[at][i]
		if m.hides() { // the largest value is still to come
			gutter = " " + m.style.Paint(draw.Faint, m.style.Fit(kinds[i].String(), m.drawn.layout.gutter-2)) + " "
		}
		drawn[i] = gutter + drawn[i] + " " + text
	}
	return drawn
}

// label is what stands left of a lane: a mark and a name.
func (m *Model) label(mark, name string, role draw.Role) string {
	return m.style.Paint(draw.Title, mark) + " " + m.style.Paint(role, m.style.Fit(name, m.drawn.layout.gutter-3)) + " "
}

// number is a column of numbers on the right of the lanes.
type number struct {
	head  string
	width int
	of    func(m *Model, limiter, width int, t sim.Tally) string // t is up to the playhead
}

// numberColumns are the numbers on the right of the lanes: what was decided up to the playhead, and where
// there is room the room left, or what came of it, and the peak.
func (m *Model) numberColumns() []number {
	width, names := 6, []string{"admit", "delay", "deny", "cheap"}
	switch {
	case m.width >= peakFrom:
		width, names = 10, []string{"admitted", "delayed", "denied", "cheap"}
	case m.width >= roomFrom:
		width, names = 8, []string{"admitted", "delayed", "denied", "cheap"}
	}
	out := []number{
		tallied(names[0], width, draw.Admitted, func(t sim.Tally) int64 { return t.Admitted }),
		tallied(names[1], width, draw.Waited, func(t sim.Tally) int64 { return t.Delayed }),
	}
	if !m.allDegrade() {
		out = append(out, tallied(names[2], width, draw.Denied, func(t sim.Tally) int64 { return t.Denied }))
	}
	if m.someDegrade() {
		out = append(out, tallied(names[3], width, draw.Cheap, func(t sim.Tally) int64 { return t.Degraded }))
	}
	if m.base != nil {
		out = append(out, number{"change", changeWidth, func(m *Model, limiter, _ int, t sim.Tally) string { return m.changeOf(limiter, t) }})
	}
	if m.width >= roomFrom {
		out = append(out, m.roomColumn())
	}
	if m.width >= peakFrom {
		out = append(out, number{"peak", 10, func(m *Model, limiter, width int, _ sim.Tally) string { return m.peak(limiter, width) }})
	}
	return out
}

// roomColumn is the room that each limiter has left, or with a system around it, where that is not one
// number, how many requests have succeeded.
func (m *Model) roomColumn() number {
	switch {
	case m.scene.plan.System != nil:
		return number{"succeeded", 11, func(m *Model, limiter, width int, _ sim.Tally) string { return m.succeeded(limiter, width) }}
	case m.width >= peakFrom:
		return number{"room", 16, func(m *Model, limiter, width int, _ sim.Tally) string { return m.room(limiter, width) }}
	}
	return number{"room", 14, func(m *Model, limiter, width int, _ sim.Tally) string { return m.room(limiter, width) }}
}

// tallied is a column of counts.
func tallied(head string, width int, role draw.Role, of func(sim.Tally) int64) number {
	return number{head, width, func(m *Model, _, width int, t sim.Tally) string { return m.count(of(t), width, role) }}
}

// someDegrade and allDegrade report whether what limiters refuse gets a cheap answer.
func (m *Model) someDegrade() bool { return slices.ContainsFunc(m.shown(), m.scene.degrades) }
func (m *Model) allDegrade() bool {
	return !slices.ContainsFunc(m.shown(), func(limiter int) bool { return !m.scene.degrades(limiter) })
}

// numbersWidth is how wide the numbers on the right of the lanes are.
func (m *Model) numbersWidth() int {
	sum := 0
	for _, n := range m.numberColumns() {
		sum += n.width
	}
	return sum
}

// heads are the headings of the numbers.
func (m *Model) heads() string {
	line := ""
	for _, n := range m.numberColumns() {
		line += right(n.head, n.width)
	}
	return m.style.Paint(draw.Faint, line)
}

// numbers are those on the right of a lane, up to the playhead.
func (m *Model) numbers(limiter int) string {
	line, t := "", m.scene.tally(limiter, m.headOf(limiter))
	for _, n := range m.numberColumns() {
		line += n.of(m, limiter, n.width, t)
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
	if m.scene.tracks == nil || !m.kept(m.head.at) || entry.Spec.Worst(entry.Policy) < 0 {
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
	if m.scene.results == nil || m.hides() || m.scene.plan.Limiters[limiter].Spec.Holds { // which is no rate
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
