package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/sim"
)

// slice is how long a command simulates before it reports: short, so that a newer run does not wait
// for an older one, and the first picture comes soon.
const slice = 20 * time.Millisecond

// snapshotMsg is how far a run has come. next carries on with it; it is nil at the end.
type snapshotMsg struct {
	run   int // the number of the run: those of an earlier one are stale
	scene *scene
	next  tea.Cmd
	err   error // why it ended before its time
}

// tracksMsg is a scene with the levels of a client.
type tracksMsg struct {
	of, scene *scene // the one that was asked for, and what has become of it
}

// simulate begins a run. It is carried out by one worker, within the command, so that whatever goes
// wrong in it is caught and the terminal restored.
func simulate(number int, plan *sim.Plan, client string) tea.Cmd {
	return func() tea.Msg {
		run := sim.New(plan, sim.Options{Buckets: bucketsOf(plan), Workers: 1, Steps: sim.MaxSteps, LevelClient: client})
		return advance(number, plan, client, run)()
	}
}

// advance carries a run on for a slice of time.
func advance(number int, plan *sim.Plan, client string, run *sim.Run) tea.Cmd {
	return func() tea.Msg {
		more := true
		for began := time.Now(); more && time.Since(began) < slice; {
			more = run.Step()
		}
		s := &scene{plan: plan, steps: run.Steps(), reached: run.Reached(), total: run.Requests(), done: !more}
		msg := snapshotMsg{run: number, scene: s, err: run.Err()}
		if more {
			msg.next = advance(number, plan, client, run)
			return msg
		}
		s.results = run.Results()
		s.client = s.recordedClient()
		if plan.System != nil {
			msg.scene = s.surrounded()
		} else if s.steps.Len() <= direct {
			msg.scene = s.following(s.client)
		}
		return msg
	}
}

// follow makes the levels of a client of a finished run.
func follow(s *scene, client uint32) tea.Cmd {
	return func() tea.Msg { return tracksMsg{s, s.following(client)} }
}

// pending is a run that is under way while an older one, if there is one, is still shown.
type pending struct {
	number  int
	running bool
	part    float64 // of it that is done
	setup   *setup
}

// arrived takes how far a run has come. A run that replaces one on screen is shown when it is done,
// the first one as it goes.
func (m Model) arrived(msg snapshotMsg) (Model, tea.Cmd) {
	if msg.run != m.run.number {
		return m, nil
	}
	m.run.part = float64(msg.scene.reached) / float64(max(msg.scene.plan.Duration, 1))
	m.run.running = !msg.scene.done
	if msg.scene.done || m.scene == nil || m.scene.plan == msg.scene.plan {
		m = m.show(msg.scene)
		m.setup, m.editor.draft = m.run.setup, nil
	}
	if !msg.scene.done {
		return m, msg.next
	}
	var levels tea.Cmd
	if !msg.scene.leveled() {
		levels = follow(msg.scene, msg.scene.client)
	}
	if msg.err != nil {
		m.note = reason(msg.err)
	}
	m, changes := m.compare()
	return m, tea.Batch(levels, changes)
}

// followed takes the levels of a client, if the scene they belong to is still shown.
func (m Model) followed(msg tracksMsg) Model {
	if m.scene == msg.of {
		m.scene = msg.scene
	}
	return m
}
