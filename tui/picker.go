package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// picker is the page on which a lesson or a scenario is picked.
type picker struct {
	at     int // among the items that the filter leaves
	filter string
}

// item is a lesson or a scenario to be picked.
type item struct {
	title, name string // name is the built-in scenario's
	about       string
	lesson      int // its number, or −1
}

// items are the lessons, then the built-in scenarios.
func items() []item {
	var out []item
	for i, l := range lessons() {
		out = append(out, item{l.title, l.scenario, l.about, i})
	}
	for _, b := range scenarios.Builtins() {
		out = append(out, item{b.Title, b.Name, b.Watch, -1})
	}
	return out
}

// matching are the items with all words of the filter in them.
func (p picker) matching() []item {
	return slices.DeleteFunc(items(), func(it item) bool {
		text := strings.ToLower(it.title + " " + it.name + " " + it.about)
		for word := range strings.FieldsSeq(strings.ToLower(p.filter)) {
			if !strings.Contains(text, word) {
				return true
			}
		}
		return false
	})
}

// openedMsg is a scenario that has been read.
type openedMsg struct {
	name   string
	lesson int
	setup  *setup
	err    error
}

// pick opens the page.
func (m Model) pick() Model {
	m = m.stopped()
	m.mode, m.panel = picking, ""
	return m
}

// stopped is the model with nothing playing.
func (m Model) stopped() Model {
	if m.play.playing {
		return m.stop()
	}
	return m
}

// toItem moves the cursor.
func (m Model) toItem(by int) Model {
	n := len(m.picker.matching())
	if n > 0 {
		m.picker.at = min(max(m.picker.at+by, 0), n-1)
	}
	return m
}

// open reads what the cursor is on.
func (m Model) open() (Model, tea.Cmd) {
	all := m.picker.matching()
	if len(all) == 0 {
		return m, nil
	}
	it := all[min(m.picker.at, len(all)-1)]
	return m, read(it.name, it.lesson)
}

// read is the command that reads a built-in scenario, for a lesson or not.
func read(name string, lesson int) tea.Cmd {
	return func() tea.Msg {
		l, err := scenarios.Load(name, nil)
		if err != nil {
			return openedMsg{name: name, err: err}
		}
		var over scenarios.Overrides
		if lesson >= 0 {
			over.Algorithms = lessons()[lesson].limiters
		}
		s, err := newSetup(l, over)
		return openedMsg{name, lesson, s, err}
	}
}

// opened begins what has been read.
func (m Model) opened(msg openedMsg) (Model, tea.Cmd) {
	if msg.err != nil {
		m.note = reason(msg.err)
		return m, nil
	}
	picker := m.picker
	m = m.opening(msg.setup)
	m.picker = picker
	if msg.lesson >= 0 {
		m.lesson = lessonState{number: msg.lesson, stage: predicting}
	}
	return m, m.simulation()
}

// filtering takes a key while the filter is typed.
func (m Model) filtering(msg tea.KeyMsg) (Model, tea.Cmd) {
	switch msg.String() {
	case "enter":
		if len(m.picker.matching()) == 0 {
			return m, nil
		}
		m.ask = asking{}
		return m.open()
	case "esc":
		m.ask, m.picker = asking{}, picker{}
		return m, nil
	case "up":
		return m.toItem(-1), nil
	case "down":
		return m.toItem(1), nil
	}
	m.ask.line = m.ask.line.typed(msg)
	m.picker = picker{filter: m.ask.line.text}
	return m, nil
}

// pickPage is the page: what there is, and what the one under the cursor is about.
func (m *Model) pickPage() []string {
	lines := []string{
		m.spread(" "+m.style.Paint(draw.Title, "ratesim")+m.style.Paint(draw.Faint, "   how rate limiters behave"), m.style.Paint(draw.Faint, m.note)+" "),
		m.filterLine(),
	}
	height := m.height - len(lines) - 1
	all := m.picker.matching()
	if len(all) == 0 {
		lines = append(lines, m.style.Paint(draw.Faint, " Nothing has all of these words in it. esc shows everything."))
		return append(padded(lines, m.height-1), m.helpLines(1)...)
	}
	at := min(m.picker.at, len(all)-1)
	list := m.list(all, at, height)
	const width = 46
	about := m.aboutItem(all[at], m.width-width-3, height)
	return append(padded(append(lines, beside(list, width, about)...), m.height-1), m.helpLines(1)...)
}

func (m *Model) filterLine() string {
	if m.ask.kind == askFilter {
		return " / " + m.showLine(m.ask.line)
	}
	if m.picker.filter != "" {
		return m.style.Paint(draw.Faint, " / "+m.style.Text(m.picker.filter))
	}
	return ""
}

// list is the items in sight, under their headings.
func (m *Model) list(all []item, at, height int) []string {
	var lines []string
	cursor := 0
	for i, it := range all {
		if i == 0 || (it.lesson < 0) != (all[i-1].lesson < 0) {
			heading := "Lessons"
			if it.lesson < 0 {
				heading = "Scenarios"
			}
			if i > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, " "+m.style.Paint(draw.Faint, heading))
		}
		mark, role := "  ", draw.Plain
		if i == at {
			mark, role, cursor = m.glyph("▸", ">")+" ", draw.Title, len(lines)
		}
		lines = append(lines, " "+m.style.Paint(draw.Title, mark)+m.style.Paint(role, m.style.Fit(it.title, 41)))
	}
	first := min(max(cursor-height/2, 0), max(len(lines)-height, 0))
	return lines[first:min(first+height, len(lines))]
}

// aboutItem is what an item is about.
func (m *Model) aboutItem(it item, width, height int) []string {
	lines := append(append([]string{""}, m.wrapped(draw.Title, it.title, width, 0)...), "")
	lines = append(lines, m.wrapped(draw.Plain, it.about, width, 0)...)
	if it.lesson < 0 {
		for _, b := range scenarios.Builtins() {
			if b.Name == it.name {
				lines = append(lines, "")
				lines = append(lines, m.source(b.Source, width)...)
			}
		}
		lines = append(lines, "", m.style.Paint(draw.Faint, "ratesim run "+it.name))
	} else {
		lines = append(append(lines, ""), m.wrapped(draw.Faint, "You predict, then it plays, then you see.", width, 0)...)
	}
	return lines[:min(len(lines), height)]
}

// source is the body of a scenario's file, from its duration on.
func (m *Model) source(file []byte, width int) []string {
	var out []string
	for text := range strings.SplitSeq(string(file), "\n") {
		if strings.HasPrefix(text, "expect:") {
			break
		}
		if len(out) > 0 || strings.HasPrefix(text, "duration:") || strings.HasPrefix(text, "limit:") || strings.HasPrefix(text, "start:") {
			out = append(out, m.style.Paint(draw.Faint, m.style.Cut(m.style.Text(text), width)))
		}
	}
	return out
}
