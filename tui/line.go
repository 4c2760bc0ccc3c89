package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// line is a line of text being typed. It is a value.
type line struct {
	text string
	at   int // runes before the cursor
}

// newLine is a line with a text to begin with and the cursor at its end.
func newLine(text string) line { return line{text, len([]rune(text))} }

// maxTyped is the most characters that a line takes.
const maxTyped = 200

// typed is the line after a key.
func (l line) typed(msg tea.KeyMsg) line {
	runes := []rune(l.text)
	before, after := runes[:l.at], runes[l.at:]
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace:
		if len(runes)+len(msg.Runes) <= maxTyped && !msg.Alt {
			return line{string(before) + string(msg.Runes) + string(after), l.at + len(msg.Runes)}
		}
	case tea.KeyBackspace:
		if l.at > 0 {
			return line{string(before[:l.at-1]) + string(after), l.at - 1}
		}
	case tea.KeyDelete:
		if len(after) > 0 {
			return line{string(before) + string(after[1:]), l.at}
		}
	case tea.KeyLeft:
		return line{l.text, max(l.at-1, 0)}
	case tea.KeyRight:
		return line{l.text, min(l.at+1, len(runes))}
	case tea.KeyHome, tea.KeyCtrlA:
		return line{l.text, 0}
	case tea.KeyEnd, tea.KeyCtrlE:
		return newLine(l.text)
	case tea.KeyCtrlU:
		return line{string(after), 0}
	}
	return l
}

// show is the line with its cursor.
func (m *Model) showLine(l line) string {
	runes := []rune(l.text)
	return m.style.Text(string(runes[:l.at])) + m.glyph("▏", "_") + m.style.Text(string(runes[l.at:]))
}
