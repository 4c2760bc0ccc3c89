package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// A click selects a lane and moves the playhead, the wheel zooms; nothing does unless asked for.
func TestMouse(t *testing.T) {
	click := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
	}
	wheel := tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp}
	for _, asked := range []bool{false, true} {
		m := opened(t, openScenario(t, Options{Style: plainStyle(), Mouse: asked}, "boundary", scenarios.Overrides{}), 120, 40)
		l := m.drawn.layout
		lane := titleLines + axisLines + l.traffic + 5*l.rows
		at := l.gutter + m.port.column(59_900_000_000, l.lane)
		after := send(m, click(at, lane))
		if want := map[bool]int{false: 0, true: 5}[asked]; after.selected != want {
			t.Errorf("asked for %v: selected %d, want %d", asked, after.selected, want)
		}
		if want := map[bool]int{false: -1, true: 99}[asked]; after.head.seq != want {
			t.Errorf("asked for %v: at request %d, want %d", asked, after.head.seq, want)
		}
		if want := map[bool]sim.Time{false: m.port.span, true: m.port.span / 2}[asked]; send(m, wheel).port.span != want {
			t.Errorf("asked for %v: the wheel shows %d", asked, send(m, wheel).port.span)
		}
		if named := send(m, click(3, lane)); named.head != m.head {
			t.Error("a click on a name moves the playhead")
		}
	}
}
