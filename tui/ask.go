package tui

import tea "github.com/charmbracelet/bubbletea"

// asking is a question that is answered by typing.
type asking struct {
	kind askKind
	line line
}

// askKind says what is asked for.
type askKind uint8

const (
	askNothing   askKind = iota
	askValue             // of the editor's field
	askFile              // to save to
	askOverwrite         // whether to overwrite that file
	askFilter            // of the picker
)

// prompt begins a question.
func (m Model) prompt(kind askKind, text string) Model {
	m.ask = asking{kind, newLine(text)}
	return m
}

// answered takes a key while something is asked.
func (m Model) answered(msg tea.KeyMsg) (Model, tea.Cmd) {
	kind := m.ask.kind
	switch {
	case msg.String() == "ctrl+c":
		return m, tea.Interrupt
	case msg.String() == "ctrl+z":
		return m, tea.Suspend
	case kind == askOverwrite:
		return m.overwrite(msg)
	case kind == askFilter:
		return m.filtering(msg)
	case msg.Type == tea.KeyEsc:
		m.ask = asking{}
		return m, nil
	case msg.Type != tea.KeyEnter:
		m.ask.line = m.ask.line.typed(msg)
		return m, nil
	}
	was := m.ask
	m.ask = asking{}
	if kind == askFile {
		return m.save(was.line.text, false)
	}
	out, cmd := m.change(m.field(), was.line.text)
	if out.editor.mistake != "" {
		out.ask = was // to be mended, not typed again
	}
	return out, cmd
}
