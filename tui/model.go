package tui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// Options say how the program looks and what it may use.
type Options struct {
	Style  *draw.Style
	Client string    // whose levels are shown; "" for the busiest client
	Mouse  bool      // clicks and the wheel are understood
	Output io.Writer // the terminal, for its clipboard; nil for none
}

// mode says what the keys are for.
type mode uint8

const (
	watching mode = iota // the run
	helping              // the page of all keys
	editing              // the scenario is changed, beside the run
	picking              // a lesson or a scenario
)

// Model is the whole state of the program. It is a value: whatever it points to is never changed.
type Model struct {
	opts          Options
	style         *draw.Style
	width, height int
	mode          mode
	under         mode   // what the page of all keys was opened over
	setup         *setup // of what is shown; nil before anything is opened
	run           pending

	scene    *scene // nil until the first picture of the first run
	base     *scene // the baseline; nil without one
	head     head
	port     port
	play     playback
	selected int    // the plan's limiter that keys are about
	off      []bool // by limiter: not shown
	pane     pane   // what stands below the lanes where there is room for one thing only

	editor editor
	ask    asking
	picker picker
	lesson lessonState
	saved  saved
	panel  string // what a key has to say at length, below the lanes until the next one

	explained explained
	told      told
	measured  measured
	compared  compared
	drawn     drawn
	note      string // what the last key did, until the next one
}

// New is the program with the picker open.
func New(opts Options) Model { return Model{opts: opts, style: opts.Style, mode: picking} }

// NewRun is the program at the start of a run of a plan that comes from no scenario.
func NewRun(opts Options, title string, plan *sim.Plan) Model {
	return New(opts).opening(&setup{title: title, plan: plan})
}

// NewScenario is the program at the start of a run of a scenario.
func NewScenario(opts Options, l *scenarios.Loaded, over scenarios.Overrides) (Model, error) {
	s, err := newSetup(l, over)
	if err != nil {
		return Model{}, err
	}
	return New(opts).opening(s), nil
}

// opening is the model before the first picture of another run.
func (m Model) opening(s *setup) Model {
	out := New(m.opts)
	out.mode = watching
	out.width, out.height = m.width, m.height
	out.setup = s
	out.run = pending{number: m.run.number + 1, running: true, setup: s}
	return out
}

// Init starts the first run.
func (m Model) Init() tea.Cmd {
	if m.setup == nil {
		return nil
	}
	return m.simulation()
}

// simulation is the command that carries out the run that is pending.
func (m *Model) simulation() tea.Cmd { return simulate(m.run.number, m.run.setup.plan, m.opts.Client) }

// show puts a scene on screen. The playhead stays at its instant.
func (m Model) show(s *scene) Model {
	first := m.scene == nil
	m.scene = s
	if first {
		m.head, m.port = head{0, -1}, port{0, s.plan.Duration}
		m.play.speed = speedFor(s.plan.Duration)
	}
	if len(m.off) != len(s.plan.Limiters) {
		m.off = make([]bool, len(s.plan.Limiters))
		m.selected = min(m.selected, max(len(m.off)-1, 0))
	}
	m.port = m.port.within(s.plan.Duration)
	m.head = s.calls(m.selected).again(m.head)
	return m
}

// shown are the limiters that are not switched off, by their number in the plan.
func (m *Model) shown() []int {
	var out []int
	for i, off := range m.off {
		if !off {
			out = append(out, i)
		}
	}
	return out
}
