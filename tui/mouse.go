package tui

import tea "github.com/charmbracelet/bubbletea"

// moused takes a click or a turn of the wheel. Everything that it does a key does as well.
func (m Model) moused(msg tea.MouseMsg) (Model, tea.Cmd) {
	if !m.opts.Mouse || msg.Action != tea.MouseActionPress || m.ask.kind != askNothing {
		return m, nil
	}
	switch {
	case m.mode == picking:
		return m.mousedList(msg), nil
	case m.mode == watching && ready(&m) && !m.guessing():
		return m.mousedBoard(msg), nil
	}
	return m, nil
}

// mousedList moves the cursor of the picker by the wheel.
func (m Model) mousedList(msg tea.MouseMsg) Model {
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return m.toItem(-1)
	case tea.MouseButtonWheelDown:
		return m.toItem(1)
	}
	return m
}

// mousedBoard zooms by the wheel. A click on a lane selects it, and where it has columns moves the
// playhead there.
func (m Model) mousedBoard(msg tea.MouseMsg) Model {
	l := m.drawn.layout
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return m.zoom(-1)
	case tea.MouseButtonWheelDown:
		return m.zoom(1)
	case tea.MouseButtonLeft:
		bottom := l.above + axisLines + l.traffic + l.boardLines() + l.gap
		if at := m.laneAt(msg.Y); at >= 0 {
			m = m.on(m.shown()[at])
		}
		if !m.fills() && !l.wide {
			bottom += l.chart
		}
		if col := msg.X - l.gutter; col >= 0 && col < l.lane && msg.Y >= l.above && msg.Y < bottom {
			return m.toColumn(col)
		}
	}
	return m
}

// laneAt is the position of the limiter whose lane is on a line of the screen, or −1.
func (m *Model) laneAt(y int) int {
	l, shown := &m.drawn.layout, m.shown()
	bottom := l.above + axisLines + l.traffic
	if y < bottom {
		return -1
	}
	for at := l.first; at < l.first+l.lanes; at++ {
		if bottom += l.rows + l.stripsOf(shown[at] == m.selected); y < bottom {
			return at
		}
	}
	return -1
}
