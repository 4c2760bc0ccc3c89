package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/sim"
)

// When moves and choices are possible.

func denies(m *Model) bool {
	return ready(m) && m.scene.nextRefused(m.selected, 0) >= 0
}

func hasEdges(m *Model) bool {
	return ready(m) && m.scene.windowed(m.selected)
}

func zoomed(m *Model) bool { return ready(m) && m.port.span < m.scene.plan.Duration }

func several(m *Model) bool { return ready(m) && len(m.shown()) > 1 }

func someOff(m *Model) bool { return ready(m) && m.someOff() }

// someOff reports whether a limiter is switched off.
func (m *Model) someOff() bool { return slices.Contains(m.off, true) }

func otherClient(m *Model) bool {
	return ready(m) && m.head.seq >= 0 && m.scene.perClient(m.selected) && m.calls().client[m.head.seq] != m.scene.client
}

// to puts the playhead somewhere and brings it on screen. Moving by hand ends playing.
func (m Model) to(h head) Model {
	m = m.stop()
	m.head = h
	m.port = m.port.showing(h.at, m.scene.plan.Duration)
	return m
}

// back goes to the request before: the last one, if the playhead has moved on since.
func (m Model) back() Model {
	if m.calls().between(m.head) {
		return m.to(m.calls().on(m.head.seq))
	}
	return m.to(m.calls().on(m.head.seq - 1))
}

// byColumn moves by columns, to the last request in the column if it has one.
func (m Model) byColumn(columns int) Model {
	n := m.drawn.layout.lane
	col := min(max(m.port.column(m.head.at, n)+columns, -1), n)
	if col >= 0 && col < n {
		return m.toColumn(col)
	}
	step := max(m.port.span/sim.Time(n), 1)
	start := min(max(m.head.at+step*sim.Time(columns), 0), m.scene.plan.Duration)
	return m.within(start, start+step)
}

// toColumn moves to a column that is on screen.
func (m Model) toColumn(col int) Model {
	n := m.drawn.layout.lane
	return m.within(m.port.start(col, n), m.port.start(col+1, n))
}

// within moves to the last request in a stretch of time, or to its start if it has none.
func (m Model) within(start, end sim.Time) Model {
	c := m.calls()
	if seq := c.index(end) - 1; seq >= 0 && c.at[seq] >= start {
		return m.to(c.on(seq))
	}
	return m.to(c.upTo(start))
}

// nextDenial goes to the next call that the selected limiter refused.
func (m Model) nextDenial() Model {
	if seq := m.scene.nextRefused(m.selected, m.head.seq+1); seq >= 0 {
		return m.to(m.calls().on(seq))
	}
	m.note = "no denial after this"
	return m
}

// lastDenial goes to the denial before.
func (m Model) lastDenial() Model {
	from := m.head.seq - 1
	if m.calls().between(m.head) {
		from = m.head.seq
	}
	if seq := m.scene.lastRefused(m.selected, from); seq >= 0 {
		return m.to(m.calls().on(seq))
	}
	m.note = "no denial before this"
	return m
}

// nextEdge goes to the next window edge of the selected limiter, just before what happens there.
func (m Model) nextEdge() Model {
	edge := m.scene.tracks[m.selected].NextEdge(m.head.at, m.head.seq)
	if edge >= m.scene.plan.Duration {
		m.note = "no window edge after this"
		return m
	}
	return m.to(m.calls().justBefore(edge))
}

// lastEdge goes to the window edge before.
func (m Model) lastEdge() Model {
	if edge := m.scene.tracks[m.selected].LastEdge(m.head.at); edge >= 0 {
		return m.to(m.calls().justBefore(edge))
	}
	m.note = "no window edge before this"
	return m
}

// zoom halves or doubles what is on screen, around the playhead. A column is at least a nanosecond.
func (m Model) zoom(by int) Model {
	span := m.port.span * 2
	if by < 0 {
		span = max(m.port.span/2, m.closest())
	}
	if m.port.span > m.scene.plan.Duration/2 && by > 0 {
		span = m.scene.plan.Duration
	}
	at := m.head.at
	if at < m.port.from || at > m.port.from+m.port.span {
		at = m.port.from + m.port.span/2 // the playhead has been left behind
	}
	m.port = m.port.zoomed(span, at, m.scene.plan.Duration).within(m.scene.plan.Duration)
	return m
}

// closest is the shortest span that may be on screen.
func (m *Model) closest() sim.Time {
	return min(sim.Time(max(m.drawn.layout.lane, 1)), m.scene.plan.Duration)
}

// closeUp shows the requests around the playhead one by one, or the whole run again.
func (m Model) closeUp() Model {
	const around = 8 // requests on either side
	whole := port{0, m.scene.plan.Duration}
	if m.port != whole {
		m.port = whole
		return m
	}
	c := m.calls()
	first, last := max(m.head.seq-around, 0), min(m.head.seq+around, c.len()-1)
	span := m.scene.plan.Duration / 64
	if first <= last {
		if length := c.at[last] - c.at[first]; length > 0 {
			span = min(span, length*3/2)
		}
	}
	span = max(span, m.closest())
	m.port = port{m.head.at - span/2, span}.within(m.scene.plan.Duration)
	return m
}

// pan moves the view by a quarter; the playhead stays.
func (m Model) pan(by sim.Time) Model {
	m.port.from += by * max(m.port.span/4, 1)
	m.port = m.port.within(m.scene.plan.Duration)
	return m
}

// speed makes playing faster or slower.
func (m Model) speed(by int) Model {
	m.play.speed = min(max(m.play.speed+by, slowest), fastest)
	return m
}

// choose selects another limiter.
func (m Model) choose(by int) Model {
	shown := m.shown()
	at := slices.Index(shown, m.selected) + by
	return m.on(shown[(at+len(shown))%len(shown)])
}

// on selects a limiter. The playhead stays at its instant, on the same call if the limiter decides it
// then.
func (m Model) on(limiter int) Model {
	m.head, m.selected = m.headOf(limiter), limiter
	return m
}

// switchOff takes the selected limiter off the board, unless it is the last.
func (m Model) switchOff() Model {
	off := m.selected
	m = m.choose(1)
	m.off = slices.Clone(m.off)
	m.off[off] = true
	return m
}

// switchOn shows all limiters.
func (m Model) switchOn() Model {
	m.off = make([]bool, len(m.off))
	return m
}

// nextPane changes what stands below the lanes, leaving out what has nothing to say.
func (m Model) nextPane() Model {
	for {
		m.pane = (m.pane + 1) % panes
		switch {
		case m.pane == answerPane && !short(m.drawn.layout.text): // the explanation has it
		case m.pane == changePane && m.base == nil:
		case m.pane == measurePane && m.drawn.layout.wide: // is there already
		default:
			return m
		}
	}
}

// followClient shows the levels of the client that sent the request under the playhead.
func (m Model) followClient() (Model, tea.Cmd) {
	client := m.calls().client[m.head.seq]
	m.note = "levels of " + m.style.Text(m.scene.plan.Clients.Name(client))
	return m, follow(m.scene, client)
}
