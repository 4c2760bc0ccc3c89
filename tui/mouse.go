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
		top := titleLines + axisLines + l.traffic
		bottom := top + l.rows*l.lanes + l.gap
		if row := (msg.Y - top) / l.rows; msg.Y >= top && row < l.lanes {
			m.selected = m.shown()[l.first+row]
		}
		if !m.fills() && !l.wide {
			bottom += l.chart
		}
		if col := msg.X - l.gutter; col >= 0 && col < l.lane && msg.Y >= titleLines && msg.Y < bottom {
			return m.toColumn(col)
		}
	}
	return m
}
