package tui

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/tui/draw"
)

// lessonState is how far a lesson has come.
type lessonState struct {
	number int
	stage  stage
	guess  int64
}

// stage is what a lesson is at.
type stage uint8

const (
	noLesson   stage = iota
	predicting       // the traffic is shown and the question asked; what the limiters do is not
	showing          // it plays, and shows only what has happened
	revealed         // everything is shown
)

// hides reports whether what lies ahead of the playhead is kept secret.
func (m *Model) hides() bool { return m.guessing() }

// guessing reports whether a lesson has not been revealed yet.
func (m *Model) guessing() bool { return m.lesson.stage == predicting || m.lesson.stage == showing }

// taught is the lesson at hand.
func (m *Model) taught() lesson { return lessons()[m.lesson.number] }

// guess takes the viewer's prediction and plays.
func (m Model) guess(choice int) (Model, tea.Cmd) {
	l := m.taught()
	if choice >= len(l.choices) {
		return m, nil
	}
	m.lesson.guess, m.lesson.stage = l.choices[choice], showing
	m.head = m.calls().on(-1)
	return m.start()
}

// reveal ends the lesson's secrets: at the end of the run, or when asked to.
func (m Model) reveal() Model {
	m = m.stopped()
	m.lesson.stage = revealed
	m.pane = lessonPane
	if at := m.scene.limiter(m.taught().limiter); at >= 0 {
		m.selected = at
	}
	m.head = m.calls().upTo(m.scene.plan.Duration)
	return m
}

// leaveLesson goes on without the lesson.
func (m Model) leaveLesson() Model {
	m = m.stopped()
	m.lesson = lessonState{}
	m.pane = whyPane
	return m
}

// nextLesson opens the one after this.
func (m Model) nextLesson() (Model, tea.Cmd) {
	next := m.lesson.number + 1
	return m, read(lessons()[next].scenario, next)
}

// answer is what the run says to the question.
func (m *Model) lessonAnswer() int64 {
	l := m.taught()
	at := m.scene.limiter(l.limiter)
	if at < 0 || m.scene.results == nil {
		return -1
	}
	return l.measure(&m.scene.results[at].Summary)
}

// lessonPanel is what the lesson says at its stage.
func (m *Model) lessonPanel(width, height int) []string {
	l := m.taught()
	width = min(width-2, 100)
	head := m.style.Paint(draw.Faint, fmt.Sprintf(" Lesson %d of %d   ", m.lesson.number+1, len(lessons()))) + m.style.Paint(draw.Title, l.title)
	lines := []string{head}
	switch m.lesson.stage {
	case predicting:
		lines = append(lines, m.wrapped(draw.Plain, l.question, width, 1)...)
		lines = append(lines, " "+m.choices())
	case showing:
		lines = append(lines, m.wrapped(draw.Plain, fmt.Sprintf("You say %d. Watch %s.", m.lesson.guess, l.limiter), width, 1)...)
	case revealed:
		lines = append(lines, " "+m.judgement())
		lines = append(lines, m.wrapped(draw.Plain, l.why, width, 1)...)
		if watch := m.setup.watch; watch != "" && len(lines)+2 <= height {
			lines = append(lines, m.wrapped(draw.Faint, "watch: "+watch, width, 1)...)
		}
	}
	return lines[:min(len(lines), height)]
}

// choices are the answers to choose from, by number.
func (m *Model) choices() string {
	line := ""
	for i, choice := range m.taught().choices {
		line += m.style.Paint(draw.Title, strconv.Itoa(i+1)) + " " + m.glyph("›", ">") + " " + strconv.FormatInt(choice, 10) + "      "
	}
	return line
}

// judgement holds the prediction against the run.
func (m *Model) judgement() string {
	answer := m.lessonAnswer()
	if m.lesson.guess == answer {
		return m.style.Paint(draw.Good, m.glyph("✓", "ok")+fmt.Sprintf(" %d, as you said.", answer))
	}
	if m.lesson.guess == 0 {
		return m.style.Paint(draw.Title, fmt.Sprintf("It is %d.", answer))
	}
	return m.style.Paint(draw.Bad, m.glyph("✗", "!!")+fmt.Sprintf(" It is %d. You said %d.", answer, m.lesson.guess))
}
