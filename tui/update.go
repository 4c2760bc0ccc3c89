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
		return m.typed(msg)
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
	case toldMsg:
		return m.heard(msg, false), nil
	case changeMsg:
		return m.foundChange(msg), nil
	}
	return m, nil
}

// typed takes keys. Characters that are read from the terminal together, as those of a key held down
// on a slow line are, come in one message: each is a key of its own, unless they were pasted.
func (m Model) typed(msg tea.KeyMsg) (Model, tea.Cmd) {
	if msg.Type != tea.KeyRunes || len(msg.Runes) < 2 || msg.Paste {
		return m.pressed(msg)
	}
	var all []tea.Cmd
	for i, r := range msg.Runes {
		if i > 0 {
			m = m.redraw() // what a key does may depend on what the one before brought on screen
		}
		one := msg
		one.Runes = []rune{r}
		var cmd tea.Cmd
		m, cmd = m.pressed(one)
		all = append(all, cmd)
	}
	return m, tea.Batch(all...)
}

// pressed does what a key does at present.
func (m Model) pressed(msg tea.KeyMsg) (Model, tea.Cmd) {
	m.note, m.panel = "", ""
	if m.ask.kind != askNothing {
		return m.answered(msg)
	}
	if m.mode == helping {
		m.mode = m.under
		if k := msg.String(); k != "ctrl+c" && k != "ctrl+z" {
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
