package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/tui/draw"
)

// action is what a key does. All that is known of keys follows from these: what they do, the line of
// help, which changes with what is possible, and the page of all keys.
type action struct {
	key.Binding        // the keys, and for the page of all keys what they are called and do
	hint        string // for the line of help, "key what"; empty if another action's hint covers it; after a ~, for where there is room
	able        func(*Model) bool
	do          func(Model) (Model, tea.Cmd)
}

// group is a few actions that belong together.
type group struct {
	name    string
	actions []action
}

// act makes an action. keys are separated by spaces, "space" is the space key.
func act(keys, shown, what, hint string, able func(*Model) bool, do func(Model) (Model, tea.Cmd)) action {
	names := strings.Fields(keys)
	for i, name := range names {
		if name == "space" {
			names[i] = " "
		}
	}
	return action{key.NewBinding(key.WithKeys(names...), key.WithHelp(shown, what)), hint, able, do}
}

// plain makes what a key does of a change that needs no command.
func plain(change func(Model) Model) func(Model) (Model, tea.Cmd) {
	return func(m Model) (Model, tea.Cmd) { return change(m), nil }
}

// always, ready, open: when an action is possible.
func always(*Model) bool  { return true }
func ready(m *Model) bool { return m.scene != nil && m.roomy() }

// roomy reports whether the window is large enough for the run.
func (m *Model) roomy() bool { return m.width >= minWidth && m.height >= minHeight }

// groups are the actions at present, in the order of the page of all keys. The line of help shows
// the hints of the first groups first. While something is edited, the keys that it does not need do
// what they do otherwise.
func (m *Model) groups() []group {
	all := []group{playing(), moving(), zooming(), choosing(), comparing(), changing(), leaving()}
	mode := m.mode
	if mode == helping {
		mode = m.under
	}
	switch {
	case mode == picking:
		return []group{pickingKeys(), quitting()}
	case mode == editing:
		return append([]group{editingKeys()}, all...)
	case m.guessing():
		return []group{m.teaching(), playing(), quitting()}
	case m.lesson.stage == revealed:
		return append([]group{m.teaching()}, all...)
	}
	return all
}

func playing() group {
	return group{"Play", []action{
		act("space", "space", "play, pause", "space play", func(m *Model) bool { return ready(m) && !m.play.playing && m.lesson.stage != predicting }, Model.start),
		act("space", "", "", "space pause", func(m *Model) bool { return ready(m) && m.play.playing }, plain(Model.stop)),
		act("> .", "> <", "twice, half as fast", "~<> speed", ready, plain(func(m Model) Model { return m.speed(1) })),
		act("< ,", "", "half as fast", "", ready, plain(func(m Model) Model { return m.speed(-1) })),
	}}
}

func moving() group {
	return group{"Move", []action{
		act("right l", "→← lh", "next request, previous", "←→ step", ready, plain(func(m Model) Model { return m.to(m.calls().on(m.head.seq + 1)) })),
		act("left h", "", "to the request before", "", ready, plain(Model.back)),
		act("shift+right L", "⇧→← LH", "on, back by a column", "", ready, plain(func(m Model) Model { return m.byColumn(1) })),
		act("shift+left H", "", "back by a column", "", ready, plain(func(m Model) Model { return m.byColumn(-1) })),
		act("n d", "nN dD", "next denial, previous", "nN denial", denies, plain(Model.nextDenial)),
		act("N D", "", "to the denial before", "", denies, plain(Model.lastDenial)),
		act("w", "w W", "next window edge, previous", "~wW edge", hasEdges, plain(Model.nextEdge)),
		act("W", "", "to the window edge before", "", hasEdges, plain(Model.lastEdge)),
		act("home g", "g G", "start, end; also home, end", "", ready, plain(func(m Model) Model { return m.to(m.calls().on(-1)) })),
		act("end G", "", "to the end", "", ready, plain(func(m Model) Model { return m.to(m.calls().on(m.calls().len())) })),
	}}
}

func zooming() group {
	return group{"Zoom", []action{
		act("+ =", "+ −", "twice, half as close", "+− zoom", ready, plain(func(m Model) Model { return m.zoom(-1) })),
		act("-", "", "half as close", "", zoomed, plain(func(m Model) Model { return m.zoom(1) })),
		act("z", "z", "close up, and back", "", ready, plain(Model.closeUp)),
		act("0", "0", "the whole run", "", zoomed, plain(func(m Model) Model { m.port = port{0, m.scene.plan.Duration}; return m })),
		act("[", "[ ]", "move the view back, on", "~[] pan", zoomed, plain(func(m Model) Model { return m.pan(-1) })),
		act("]", "", "move the view on", "", zoomed, plain(func(m Model) Model { return m.pan(1) })),
	}}
}

func choosing() group {
	return group{"Choose", []action{
		act("down j", "↓↑ jk", "next algorithm, previous", "↑↓ select", several, plain(func(m Model) Model { return m.choose(1) })),
		act("up k", "", "the algorithm before", "", several, plain(func(m Model) Model { return m.choose(-1) })),
		act("x", "x X", "algorithm off, all on", "~x off", several, plain(Model.switchOff)),
		act("X", "", "all algorithms on", "~X all on", someOff, plain(Model.switchOn)),
		act("c", "c", "levels of this client", "~c client", otherClient, Model.followClient),
		act("tab", "tab", "what stands at the bottom", "~tab more", ready, plain(Model.nextPane)),
	}}
}

func comparing() group {
	return group{"Compare", []action{
		act("b", "b B", "keep a baseline, drop it", "~b baseline", func(m *Model) bool { return ready(m) && m.scene.done }, Model.setBaseline),
		act("B", "", "drop the baseline", "", func(m *Model) bool { return ready(m) && m.base != nil }, plain(Model.dropBaseline)),
		act("f", "f F", "next difference, previous", "~fF changed", flipped, plain(func(m Model) Model { return m.toFlip(1) })),
		act("F", "", "the difference before", "", flipped, plain(func(m Model) Model { return m.toFlip(-1) })),
	}}
}

func changing() group {
	return group{"Change", []action{
		act("e", "e", "change limit, options, traffic", "e change", editable, plain(Model.edit)),
		act("t", "t", "smallest change that admits", "t try", triable, Model.try),
		act("t", "", "", "", surroundedDenial, plain(func(m Model) Model { m.panel = untried; return m })),
		act("u", "u", "undo all changes", "~u undo", undoable, Model.undo),
		act("s", "s", "save as a scenario file", "~s save", editable, plain(Model.askWhere)),
		act("y", "y", "copy the command line", "~y copy", editable, Model.copyCommand),
	}}
}

func leaving() group {
	return group{"Program", []action{
		act("o", "o", "open a lesson or a scenario", "o open", always, plain(Model.pick)),
		allKeys(), suspend(), interrupt(), quit("q"),
	}}
}

// quitting is what is always there.
func quitting() group {
	return group{"Program", []action{
		act("o", "o", "open a lesson or a scenario", "o open", func(m *Model) bool { return m.mode != picking }, plain(Model.pick)),
		allKeys(), suspend(), interrupt(), quit("q"),
	}}
}

func quit(key string) action {
	return act(key, key, "quit; so does ctrl+c", key+" quit", always, func(m Model) (Model, tea.Cmd) { return m, tea.Quit })
}

func allKeys() action {
	return act("?", "?", "all keys", "? keys", func(m *Model) bool { return m.roomy() }, plain(func(m Model) Model {
		m = m.stopped()
		m.mode, m.under = helping, m.mode
		return m
	}))
}

func suspend() action {
	return act("ctrl+z", "ctrl+z", "suspend; fg comes back", "", always, func(m Model) (Model, tea.Cmd) { return m, tea.Suspend })
}

func interrupt() action {
	return act("ctrl+c", "", "", "", always, func(m Model) (Model, tea.Cmd) { return m, tea.Interrupt })
}

func editingKeys() group {
	return group{"Editor", []action{
		act("up k", "↑↓ kj", "the field above, below", "↑↓ field", editable, plain(func(m Model) Model { return m.toField(-1) })),
		act("down j", "", "the field below", "", editable, plain(func(m Model) Model { return m.toField(1) })),
		act("right l", "→← lh", "more, less", "←→ value", editable, func(m Model) (Model, tea.Cmd) { return m.nudge(1) }),
		act("left h", "", "less, the value before", "", editable, func(m Model) (Model, tea.Cmd) { return m.nudge(-1) }),
		act("enter", "enter", "type a value", "enter type", editable, plain(func(m Model) Model { return m.prompt(askValue, m.field().value) })),
		act("esc e", "esc e", "close the editor", "esc done", always, plain(Model.leave)),
	}}
}

func pickingKeys() group {
	return group{"Pick", []action{
		act("enter right l", "enter", "open it", "enter open", always, Model.open),
		act("up k", "↑↓ kj", "up, down", "↑↓ choose", always, plain(func(m Model) Model { return m.toItem(-1) })),
		act("down j", "", "down", "", always, plain(func(m Model) Model { return m.toItem(1) })),
		act("home g", "g G", "first, last", "", always, plain(func(m Model) Model { return m.toItem(-1 << 20) })),
		act("end G", "", "last", "", always, plain(func(m Model) Model { return m.toItem(1 << 20) })),
		act("/", "/", "filter", "/ filter", always, plain(func(m Model) Model { return m.prompt(askFilter, m.picker.filter) })),
		act("esc", "", "everything again", "esc all", func(m *Model) bool { return m.picker.filter != "" }, plain(func(m Model) Model { m.picker = picker{}; return m })),
		act("esc", "esc", "back to the run", "esc back", func(m *Model) bool { return m.setup != nil }, plain(Model.leave)),
	}}
}

// teaching are the keys of a lesson.
func (m *Model) teaching() group {
	g := group{name: "Lesson"}
	predicts := func(m *Model) bool { return ready(m) && m.scene.done && m.lesson.stage == predicting }
	choices := len(m.taught().choices)
	for i := range choices {
		hint := ""
		if i == 0 {
			hint = fmt.Sprintf("1–%d predict", choices)
		}
		number, shown := strconv.Itoa(i+1), ""
		if i == 0 {
			shown = fmt.Sprintf("1–%d", choices)
		}
		g.actions = append(g.actions, act(number, shown, "your prediction", hint, predicts, func(m Model) (Model, tea.Cmd) { return m.guess(i) }))
	}
	g.actions = append(g.actions,
		act("enter", "enter", "show it all", "enter reveal", func(m *Model) bool { return ready(m) && m.scene.done && m.lesson.stage == showing }, plain(Model.reveal)),
		act("enter", "enter", "the next lesson", "enter next", func(m *Model) bool {
			return m.lesson.stage == revealed && m.lesson.number+1 < len(lessons())
		}, Model.nextLesson),
		act("esc", "esc", "leave the lesson", "esc explore", func(m *Model) bool { return ready(m) && m.lesson.stage != noLesson }, plain(Model.leaveLesson)),
	)
	return g
}

// actions are all that is possible at present, without those whose keys do something else at present.
func (m *Model) actions() []action {
	var out []action
	claimed := map[string]bool{}
	for _, g := range m.groups() {
		for _, a := range g.actions {
			if keys := a.Keys(); a.able(m) && !claimed[keys[0]] {
				out = append(out, a)
				for _, k := range keys {
					claimed[k] = true
				}
			}
		}
	}
	return out
}

// helpLines are the hints of what is possible, on so many lines. The last two are always there.
func (m *Model) helpLines(n int) []string {
	hints := append(m.hints(false), m.hints(true)...)
	hints, fixed := hints[2:], hints[:2]
	const between = "  "
	last := strings.Join(fixed, between)
	lines := make([]string, n)
	for i := range lines {
		room := m.width - 2
		if i == n-1 {
			room -= cells(last) + len(between)
		}
		var line []string
		for len(hints) > 0 && cells(strings.Join(append(line, hints[0]), between)) <= room {
			line, hints = append(line, hints[0]), hints[1:]
		}
		lines[i] = " " + strings.Join(line, between)
	}
	lines[n-1] += strings.Repeat(" ", max(m.width-1-cells(lines[n-1])-cells(last), 1)) + last
	return lines
}

// hints are those of what is possible: those that are always wanted, the last two actions' first, or
// those for where there is room.
func (m *Model) hints(more bool) []string {
	var out []string
	for _, a := range m.actions() {
		hint, isMore := strings.CutPrefix(a.hint, "~")
		if hint != "" && isMore == more {
			name, what := cutLast(hint)
			out = append(out, m.style.Paint(draw.Title, m.style.Text(name))+" "+m.style.Paint(draw.Faint, what))
		}
	}
	if n := len(out); !more {
		out = append(slices.Clone(out[n-2:]), out[:n-2]...)
	}
	return out
}

// cutLast cuts a hint before its last word.
func cutLast(hint string) (keys, what string) {
	at := strings.LastIndexByte(hint, ' ')
	return hint[:max(at, 0)], hint[at+1:]
}

// helpPage is the page of all keys that do something here; those that cannot at present are faint.
func (m *Model) helpPage() []string {
	title := " " + m.style.Paint(draw.Title, "ratesim")
	if m.setup != nil {
		title = m.title()
	}
	left, right := balanced(m.helpBlocks(1))
	if room := m.height - 2; max(len(left), len(right)) > room {
		left, right = balanced(m.helpBlocks(0))
	}
	lines := append([]string{title}, beside(left, m.width/2, right)...)
	return append(padded(lines, m.height-1), m.style.Paint(draw.Faint, " any key goes back"))
}

// helpBlocks are the groups of keys, each under its name and with so many empty lines above it.
func (m *Model) helpBlocks(above int) [][]string {
	var blocks [][]string
	for _, g := range m.groups() {
		lines := append(make([]string, above), " "+m.style.Paint(draw.Title, g.name))
		for _, a := range g.actions {
			if h := a.Help(); h.Key != "" {
				role := draw.Plain
				if !a.able(m) {
					role = draw.Faint
				}
				lines = append(lines, "  "+m.style.Paint(draw.Title, m.style.Fit(h.Key, 8))+m.style.Paint(role, m.style.Text(h.Desc)))
			}
		}
		blocks = append(blocks, lines)
	}
	return blocks
}

// balanced puts blocks of lines into two columns of about the same height.
func balanced(blocks [][]string) (left, right []string) {
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	for _, b := range blocks {
		if len(right) == 0 && (len(left) == 0 || len(left)+len(b) <= (total+3)/2) {
			left = append(left, b...)
		} else {
			right = append(right, b...)
		}
	}
	return left, right
}
