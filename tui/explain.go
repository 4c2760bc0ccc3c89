package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// question is which decision is explained.
type question struct {
	scene   *scene
	limiter int
	seq     int
}

// explained is the decision under the playhead, explained; the one before as long as it takes.
type explained struct {
	*sim.Explanation // nil before the first request
	question

	asked   question // what was asked of a command last
	busy    bool     // the command is at it: one at a time
	change  sim.Change
	changed question // what change is of
}

// quick is how many requests may be decided again at once, in a fraction of a millisecond.
const quick = 1 << 13

// explainedMsg is an explanation that took a while.
type explainedMsg struct {
	question
	explanation *sim.Explanation
}

// changeMsg is the smallest change that would have admitted a request.
type changeMsg struct {
	question
	change sim.Change
}

// explain explains the decision under the playhead, if that takes no time. If it does, a command
// does it: see wonder.
func (m Model) explain() Model {
	q := question{m.scene, m.selected, m.head.seq}
	if q == m.explained.question || m.scene.plan.System != nil {
		return m
	}
	if q.seq < 0 || q.seq >= m.calls().len() {
		m.explained = explained{question: q, busy: m.explained.busy}
		return m
	}
	if e := q.answer(false); e != nil {
		m.explained.Explanation, m.explained.question = e, q
		if q.seq <= quick/8 {
			m.explained.change, _ = e.Change()
			m.explained.changed = q
		}
	}
	return m
}

// current is the explanation of the decision under the playhead; nil if there is none yet.
func (m *Model) current() *sim.Explanation {
	if m.scene.plan.System != nil || m.explained.question != (question{m.scene, m.selected, m.head.seq}) {
		return nil
	}
	return m.explained.Explanation
}

// answer explains; nil if it would take long and may not.
func (q question) answer(slow bool) *sim.Explanation {
	if t := q.scene.trackOf(q.limiter, q.seq); t != nil {
		return t.Explain(q.seq)
	}
	if q.seq > quick && !slow {
		return nil
	}
	return q.scene.steps.Explain(q.scene.plan, q.limiter, q.seq)
}

// wonder is the command that finds out what is not known yet of the decision under the playhead; nil
// if nothing is, or while playing.
func (m Model) wonder() (Model, tea.Cmd) {
	if m.scene == nil || m.play.playing || m.explained.busy {
		return m, nil
	}
	if m.scene.plan.System != nil {
		return m.listen()
	}
	q := question{m.scene, m.selected, m.head.seq}
	known := q == m.explained.question
	if known && (!m.explained.denied() || m.explained.changed == q) || m.explained.asked == q {
		return m, nil
	}
	if known {
		e := m.explained.Explanation
		m.explained.asked, m.explained.busy = q, true
		return m, func() tea.Msg {
			change, _ := e.Change()
			return changeMsg{q, change}
		}
	}
	if q.seq < 0 || q.seq >= q.scene.steps.Len() {
		return m, nil
	}
	m.explained.asked, m.explained.busy = q, true
	return m, func() tea.Msg { return explainedMsg{q, q.answer(true)} }
}

// denied reports whether there is a denial to find a way around.
func (e *explained) denied() bool {
	return e.Explanation != nil && e.Decision.Verdict == algorithms.Deny
}

// found takes an explanation, if it is still asked for.
func (m Model) found(msg explainedMsg) Model {
	m.explained.busy = false
	if msg.question == (question{m.scene, m.selected, m.head.seq}) {
		m.explained = explained{Explanation: msg.explanation, question: msg.question}
	}
	return m
}

// foundChange likewise.
func (m Model) foundChange(msg changeMsg) Model {
	m.explained.busy = false
	if msg.question == m.explained.question {
		m.explained.change, m.explained.changed = msg.change, msg.question
	}
	return m
}
