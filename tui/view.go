package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// View is what is on screen: exactly as many lines as the window has, none wider than it.
func (m Model) View() string { return m.drawn.screen }

// compose puts the screen together.
func (m *Model) compose() string {
	var lines []string
	switch {
	case m.width < minWidth || m.height < minHeight:
		lines = m.tooSmall()
	case m.mode == helping:
		lines = m.helpPage()
	case m.mode == picking:
		lines = m.pickPage()
	case m.scene == nil:
		lines = []string{m.title(), " " + m.style.Paint(draw.Faint, m.waiting())}
	default:
		lines = m.board()
	}
	return fit(lines, m.width, m.height)
}

// fit makes exactly height lines of at most width cells.
func fit(lines []string, width, height int) string {
	var b strings.Builder
	for i := range height {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i < len(lines) {
			b.WriteString(ansi.Truncate(lines[i], width, ""))
		}
	}
	return b.String()
}

// tooSmall says what to do about a window that is too small.
func (m *Model) tooSmall() []string {
	text := fmt.Sprintf("This window is %d by %d. The interactive program needs %d by %d: make it larger, or leave with q and use ratesim run.",
		m.width, m.height, minWidth, minHeight)
	return draw.Wrap(text, max(m.width, 1))
}

// board is the run: the title, where the playhead stands, the lanes, and what is below them.
func (m *Model) board() []string {
	l := m.drawn.layout
	lines := []string{m.title(), m.transport()}
	lines = append(append(lines, m.drawn.around...), m.lanes()...)
	if l.gap > 0 {
		lines = append(lines, m.caret())
	}
	if m.fills() {
		lines = append(lines, m.below(l.width, l.chart+l.text)...)
	} else {
		lines = append(lines, m.charts()...)
		lines = append(lines, m.below(l.width, l.text)...)
	}
	if q := m.question(); q != "" {
		return append(padded(lines, l.height-1), " "+m.style.Paint(draw.Title, q))
	}
	return append(padded(lines, l.height-l.help), m.helpLines(l.help)...)
}

// caret points at the playhead from below the lanes: where every column has something in it, only
// this and the ruler show it without colour.
func (m *Model) caret() string {
	col := m.playhead(m.drawn.layout.lane).Column
	if col < 0 || col >= m.drawn.layout.lane {
		return ""
	}
	return strings.Repeat(" ", m.drawn.layout.gutter+col) + m.style.Paint(draw.Title, m.glyph("▲", "^"))
}

// fills reports whether what is below the lanes needs the charts' room too.
func (m *Model) fills() bool {
	text := m.drawn.layout.text
	switch {
	case m.panel != "" || m.guessing():
		return false
	case m.mode == editing:
		return short(text)
	}
	return text < 12 && (m.pane == measurePane || m.pane == changePane)
}

// padded adds empty lines up to n, or cuts what is beyond.
func padded(lines []string, n int) []string {
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines[:n]
}

// title is the first line: what is run, and under which limit.
func (m *Model) title() string {
	facts := ""
	if m.scene != nil {
		facts = m.style.Paint(draw.Faint, m.baselineText()) + m.factsOf(m.scene.plan) + " "
	}
	return m.spread(" "+m.style.Paint(draw.Title, m.style.Text(m.setup.title)), facts)
}

// factsOf are what a plan's limiters have in common.
func (m *Model) factsOf(plan *sim.Plan) string {
	rated := slices.DeleteFunc(slices.Clone(plan.Limiters), func(l sim.Limiter) bool { return l.Spec.Holds })
	if len(rated) == 0 {
		return "no limit"
	}
	first := rated[0].Policy
	limit, burst, bursts := true, true, false
	capacity := first.Capacity()
	for _, l := range rated {
		limit = limit && l.Policy.Limit == first.Limit
		if l.Spec.Bursts {
			burst, bursts, capacity = burst && (!bursts || l.Policy.Capacity() == capacity), true, l.Policy.Capacity()
		}
	}
	text := "limits differ"
	if limit {
		text = "limit " + m.style.Rate(first.Limit)
	}
	if bursts && burst {
		text += m.dot() + fmt.Sprintf("burst %d", capacity)
	}
	return text
}

// transport is the second line: where the playhead stands and how it moves.
func (m *Model) transport() string {
	state := m.glyph("‖", "=") + " paused "
	if m.play.playing {
		state = m.glyph("▶", ">") + " playing"
	}
	s := m.scene
	parts := []string{
		m.style.Paint(draw.Title, state),
		m.style.Paint(draw.Title, m.style.Exact(m.now())) + m.style.Paint(draw.Faint, " of "+m.style.Exact(s.plan.Duration)),
		m.ordinal() + m.style.Paint(draw.Faint, " of "+m.style.Count(s.decided(m.selected), 9)+m.called()),
		m.style.Paint(draw.Faint, "speed "+factor(m.play.speed, m.glyph("×", "x"))),
	}
	return m.spread(" "+strings.Join(parts, "   "), m.style.Paint(draw.Faint, m.status())+" ")
}

// now is the instant of the playhead; while playing, to a thousandth of what is on screen, since the
// rest would only flicker.
func (m *Model) now() sim.Time {
	step := sim.Time(1)
	for m.play.playing && step*10 <= m.port.span/1000 {
		step *= 10
	}
	return m.head.at / step * step
}

// ordinal is how many requests are behind the playhead.
func (m *Model) ordinal() string {
	if m.kept(m.head.at) {
		return m.style.Count(int64(m.head.seq+1), 9)
	}
	return m.glyph("≥", ">=") + m.style.Count(int64(m.head.seq+1), 9)
}

// called is what limiters decide.
func (m *Model) called() string {
	if m.scene.plan.System != nil {
		return " calls"
	}
	return " requests"
}

// status is what else there is to say, at the end of the second line.
func (m *Model) status() string {
	switch {
	case m.note != "":
		return m.note
	case m.run.running:
		return m.waiting()
	case !m.kept(m.port.from + m.port.span):
		return strings.ToLower(m.notKept()[:1]) + strings.TrimSuffix(m.notKept()[1:], ".")
	}
	parts := []string{m.whose()}
	if m.port.span < m.scene.plan.Duration {
		parts = append(parts, m.overview(min(20, m.width/6)))
	}
	return strings.TrimSpace(strings.Join(parts, "   "))
}

// notKept says that the run is longer than what is kept of it.
func (m *Model) notKept() string {
	return fmt.Sprintf("Only the first %s%s are kept one by one.", m.style.Count(int64(m.calls().len()), 9), m.called())
}

// whose says whose levels are shown, if there is more than one client.
func (m *Model) whose() string {
	plan := m.scene.plan
	if plan.Clients.Len() < 2 || !m.scene.perClient(m.selected) {
		return ""
	}
	return "levels of " + m.style.Cut(m.style.Text(plan.Clients.Name(m.scene.client)), 16)
}

// waiting says how far a run has come.
func (m *Model) waiting() string {
	return fmt.Sprintf("simulating %s %d %%", m.meter(m.run.part, 10), int(m.run.part*100))
}

// overview shows which part of the run is on screen.
func (m *Model) overview(width int) string {
	whole := port{0, m.scene.plan.Duration}
	from := whole.column(m.port.from, width)
	last := max(from, whole.column(m.port.from+m.port.span-1, width))
	return "view " + strings.Repeat(m.glyph("─", "-"), from) + strings.Repeat(m.glyph("━", "="), last-from+1) +
		strings.Repeat(m.glyph("─", "-"), width-1-last)
}

// meter is a bar of so many cells, filled in part; never empty or full unless the part is.
func (m *Model) meter(part float64, width int) string {
	n := int(part*float64(width) + 0.5)
	if part > 0 {
		n = max(n, 1)
	}
	if part < 1 {
		n = min(n, width-1)
	}
	n = min(max(n, 0), width)
	return strings.Repeat(m.glyph("━", "="), n) + strings.Repeat(m.glyph("─", "-"), width-n)
}

// spread puts one text at the left and one at the right. The left one is cut if both do not fit.
func (m *Model) spread(left, right string) string {
	room := m.width - cells(right) - 1
	if room < 10 {
		return ansi.Truncate(left, m.width, m.glyph("…", ".."))
	}
	left = ansi.Truncate(left, room, m.glyph("…", ".."))
	return left + strings.Repeat(" ", m.width-cells(left)-cells(right)) + right
}

// glyph is the character, or what stands for it where only ASCII may be used.
func (m *Model) glyph(unicode, ascii string) string {
	if m.style.ASCII() {
		return ascii
	}
	return unicode
}

// dot stands between two facts.
func (m *Model) dot() string { return m.glyph(" · ", " - ") }

// beside puts two columns of text side by side: the left one width cells wide.
func beside(left []string, width int, right []string) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		if i < len(left) {
			out[i] = ansi.Truncate(left[i], width, "")
		}
		if i < len(right) {
			out[i] += strings.Repeat(" ", width-cells(out[i])) + right[i]
		}
	}
	return out
}
