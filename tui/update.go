package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Update takes a message.
func (m Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := m.take(msg)
	m = m.redraw()
	m, why := m.wonder()
	m, measures := m.measure()
	return m, tea.Batch(cmd, why, measures)
}

// take is Update before anything is drawn.
func (m Model) take(msg tea.Msg) (Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		return m, nil
	case tea.KeyMsg:
		return m.pressed(msg)
	case tea.MouseMsg:
		return m.moused(msg)
	case tickMsg:
		return m.ticked(msg)
	case snapshotMsg:
		return m.arrived(msg)
	case tracksMsg:
		return m.followed(msg), nil
	case rebuiltMsg:
		return m.rebuilt(msg)
	case savedMsg:
		return m.wrote(msg), nil
	case openedMsg:
		return m.opened(msg)
	case explainedMsg:
		return m.found(msg), nil
	case measuredMsg:
		return m.taken(msg), nil
	case comparedMsg:
		return m.held(msg), nil
	case changeMsg:
		return m.foundChange(msg), nil
	}
	return m, nil
}

// pressed does what a key does at present.
func (m Model) pressed(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.note, m.panel = "", ""
	if m.ask.kind != askNothing {
		return m.answered(msg)
	}
	if m.mode == helping {
		m.mode = watching
		if msg.String() != "ctrl+c" {
			return m, nil
		}
	}
	for _, a := range m.actions() {
		if key.Matches(msg, a.Binding) {
			return a.do(m)
		}
	}
	if m.mode == editing && editable(&m) && msg.Type == tea.KeyRunes && len(msg.Runes) == 1 && msg.Runes[0] >= '0' && msg.Runes[0] <= '9' {
		m = m.prompt(askValue, "")
		return m.answered(msg)
	}
	return m, nil
}
