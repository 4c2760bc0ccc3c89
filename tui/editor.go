package tui

import (
	"errors"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// editor is the pane in which a scenario is changed.
type editor struct {
	at      int                 // the field
	draft   *scenarios.Scenario // as changed so far; nil: as shown
	mistake string              // what is wrong with the last change
}

// rebuiltMsg is a changed scenario made ready to run, or what is wrong with it.
type rebuiltMsg struct {
	run   int
	setup *setup
	err   error
}

// editable reports whether there is a scenario to change.
func editable(m *Model) bool { return ready(m) && m.setup.scenario != nil && !m.guessing() }

// edit opens the editor.
func (m Model) edit() Model {
	m.mode, m.panel = editing, ""
	m.editor.at = min(m.editor.at, len(m.fields())-1)
	return m
}

// leave closes what is open.
func (m Model) leave() Model {
	m.mode = watching
	m.editor.mistake = ""
	return m
}

// draft is the scenario as changed so far.
func (m *Model) draft() *scenarios.Scenario {
	if m.editor.draft != nil {
		return m.editor.draft
	}
	return m.setup.scenario
}

// fields are what can be changed of the selected limiter and its traffic.
func (m *Model) fields() []field {
	l := &m.scene.plan.Limiters[m.selected]
	return fields(m.draft(), l.Name, l.Spec)
}

// field is the one that the cursor is on.
func (m *Model) field() field {
	all := m.fields()
	return all[min(m.editor.at, len(all)-1)]
}

// toField moves the cursor.
func (m Model) toField(by int) Model {
	n := len(m.fields())
	m.editor.at = (min(m.editor.at, n-1) + by + n) % n
	m.editor.mistake = ""
	return m
}

// nudge moves the value under the cursor to the next round one.
func (m Model) nudge(by int) (Model, tea.Cmd) {
	f := m.field()
	if value := f.step(f.value, by); value != f.value {
		return m.change(f, value)
	}
	return m, nil
}

// change writes a value into the scenario and has it run.
func (m Model) change(f field, value string) (Model, tea.Cmd) {
	draft := cloned(m.draft())
	if err := f.set(draft, strings.TrimSpace(value)); err != nil {
		m.editor.mistake = f.name + ": " + reason(err)
		return m, nil
	}
	return m.rerun(draft)
}

// rerun has a changed scenario run in the background. What is on screen becomes the baseline, if
// there is none yet.
func (m Model) rerun(draft *scenarios.Scenario) (Model, tea.Cmd) {
	if m.base == nil && m.scene.done {
		m.base = m.scene
	}
	m.editor.draft, m.editor.mistake = draft, ""
	m.run = pending{number: m.run.number + 1, running: true, setup: m.setup}
	number, from := m.run.number, m.setup
	return m, func() tea.Msg {
		s, err := from.changed(draft)
		return rebuiltMsg{number, s, err}
	}
}

// rebuilt takes a changed scenario and begins its run.
func (m Model) rebuilt(msg rebuiltMsg) (Model, tea.Cmd) {
	if msg.run != m.run.number {
		return m, nil
	}
	if msg.err != nil {
		m.editor.mistake, m.editor.draft = reason(msg.err), nil
		m.run.running = false
		return m, nil
	}
	m.run.setup = msg.setup
	return m, m.simulation()
}

// undo takes all changes back.
func (m Model) undo() (Model, tea.Cmd) { return m.rerun(m.setup.opened) }

// undoable reports whether there are changes.
func undoable(m *Model) bool { return editable(m) && !same(m.draft(), m.setup.opened) }

// try makes the smallest change that would have admitted the request under the playhead.
func (m Model) try() (Model, tea.Cmd) {
	change := m.smallest()
	for _, f := range m.fields() {
		switch {
		case f.name == "burst" && change.Burst > 0 && m.scene.plan.Limiters[m.selected].Spec.Bursts:
			return m.change(f, strconv.FormatInt(change.Burst, 10))
		case f.name == "limit" && change.Burst == 0 && change.Limit > 0:
			limit := m.scene.plan.Limiters[m.selected].Policy.Limit
			limit.N = change.Limit
			return m.change(f, scenarios.FormatRate(limit))
		}
	}
	return m, nil
}

// triable reports whether such a change is known.
func triable(m *Model) bool {
	e := m.scene
	if !editable(m) || e == nil || m.current() == nil {
		return false
	}
	c := m.smallest()
	return c.Burst > 0 || c.Limit > 0
}

// untried says why there is nothing to try.
const untried = "No single change is sure to admit a call here: under another limit other calls come, since what is refused is sent again at other times. Change the limit with e, and compare with what was."

// surroundedDenial reports whether the playhead is on a refused call of a limiter with a system around it.
func surroundedDenial(m *Model) bool {
	return editable(m) && m.scene.plan.System != nil && m.head.seq >= 0 && refuses(m.scene.verdict(m.selected, m.head.seq))
}

// reason is the first line of an error; of a wrong scenario, its first mistake without the place.
func reason(err error) string {
	var file *scenarios.FileError
	if errors.As(err, &file) && len(file.Mistakes) > 0 {
		return file.Mistakes[0].Message
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// editorPane is the editor: the fields, as many as fit, and what is wrong.
func (m *Model) editorPane(width, height int) []string {
	var lines []string
	all := m.fields()
	at := min(m.editor.at, len(all)-1)
	room := height
	if m.editor.mistake != "" {
		room--
	}
	first := min(max(at-room/2, 0), max(len(all)-room, 0))
	for i := first; i < min(first+room, len(all)); i++ {
		lines = append(lines, m.cut(m.fieldLine(all[i], i == at), width))
	}
	if m.editor.mistake != "" {
		lines = append(lines, m.cut(" "+m.style.Paint(draw.Bad, m.style.Text(m.editor.mistake)), width))
	}
	return lines
}

// fieldLine is a field: its name, its value, and what it means.
func (m *Model) fieldLine(f field, at bool) string {
	mark, role, value := "  ", draw.Plain, m.style.Text(f.value)
	if f.value == "" {
		value = m.glyph("–", "-")
	}
	if at {
		mark, role = m.glyph("▸", ">")+" ", draw.Title
		if m.ask.kind == askValue {
			value = m.showLine(m.ask.line)
		} else {
			value = m.glyph("‹ ", "< ") + value + m.glyph(" ›", " >")
		}
	}
	return " " + m.style.Paint(draw.Title, mark) + m.style.Paint(role, m.style.Fit(f.name, 14)) +
		m.style.Paint(role, m.style.Fit(value, max(16, cells(value)+1))) + " " + m.style.Paint(draw.Faint, m.style.Text(f.meaning))
}
