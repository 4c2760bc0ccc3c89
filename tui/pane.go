package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// pane is what stands below the charts where there is room for one thing only.
type pane uint8

const (
	whyPane     pane = iota // the decision under the playhead, explained
	answerPane              // the HTTP answer in full, where the explanation has no room for it
	measurePane             // every limiter's measures
	changePane              // what has changed since the baseline
	lessonPane              // what the scenario is about
	panes
)

// below is what stands below the charts.
func (m *Model) below(width, height int) []string {
	switch {
	case m.panel != "":
		return m.panelText(width, height)
	case m.guessing() || m.lesson.stage == revealed && m.pane == lessonPane && m.mode != editing:
		return m.lessonPanel(width, height)
	case m.mode == editing && width < 110:
		return append([]string{" " + m.verdictLine()}, m.editorPane(width, height-1)...)
	case m.mode == editing:
		return beside(m.why(width/2-2, height), width/2, m.editorPane(width-width/2-1, height))
	}
	if !m.drawn.layout.wide || m.pane == lessonPane {
		return m.onePane(m.pane, width, height)
	}
	half := width / 2
	other := max(m.pane, measurePane) // the answer is part of the explanation here
	return beside(m.onePane(whyPane, half-2, height), half, m.onePane(other, width-half-1, height))
}

// panelText is what a key has to say at length.
func (m *Model) panelText(width, height int) []string {
	var lines []string
	for i, text := range strings.Split(m.panel, "\n\n") {
		role := draw.Title
		if i > 0 {
			role = draw.Faint
			lines = append(lines, "")
		}
		lines = append(lines, m.wrapped(role, text, width-2, 1)...)
	}
	return lines[:min(len(lines), height)]
}

func (m *Model) onePane(p pane, width, height int) []string {
	switch p {
	case answerPane:
		return m.answerAlone(width, height)
	case measurePane:
		return m.measures(width, height)
	case changePane:
		return m.changes(width, height)
	case lessonPane:
		return m.lessonText(width, height)
	}
	return m.why(width, height)
}

// why explains the decision under the playhead: what was asked, what the limiter held, what would
// have passed, and the answer.
func (m *Model) why(width, height int) []string {
	if m.head.seq < 0 {
		return m.wrapped(draw.Faint, "Nothing has happened yet. space plays, → goes to the first request.", width-2, 1)
	}
	if !m.kept(m.head.at) {
		return m.wrapped(draw.Faint, m.notKept()+" What came later is counted, but cannot be explained.", width-2, 1)
	}
	if m.scene.plan.System != nil {
		return m.storyPane(width, height)
	}
	e := m.current()
	if e == nil {
		return []string{" " + m.headline(), m.style.Paint(draw.Faint, " working it out "+m.glyph("…", "..."))}
	}
	if short(height) {
		return m.whyShort(e, width, height)
	}
	if width < 90 {
		return m.whyStacked(e, m.whatAsked(e, width-2), width, height)
	}
	const answer = 42 // RateLimit-Policy: "default";q=…;w=…
	text := width - answer - 2
	return beside(append(m.whatAsked(e, text-2), m.reasons(e, text-2)...), text, m.answer(e))
}

// short reports whether there is only room for the gist.
func short(height int) bool { return height < 8 }

// whyShort is the gist of an explanation: a line for what was asked, one or two for what was held, as
// many for what would have passed, and the heart of the answer.
func (m *Model) whyShort(e *sim.Explanation, width, height int) []string {
	who := m.scene.plan.Clients.Name(e.Request.Client)
	facts := m.style.Exact(e.Request.At) + m.dot() + m.style.Text(who) + m.dot() + fmt.Sprintf("cost %d", e.Request.Cost)
	if e.Decision.Verdict == algorithms.Delay {
		facts += m.dot() + m.style.Answered(e)
	}
	lines := []string{m.cut(" "+m.headline()+"   "+m.style.Paint(draw.Faint, facts), width)}
	lines = append(lines, m.wrapped(draw.Plain, strings.Join(m.style.Because(e), " "), width-2, 1)...)
	if ways := m.waysShort(e); len(ways) > 0 {
		lines = append(lines, m.wrapped(draw.Level, "Would pass "+strings.Join(ways, ", or "), width-2, 1)...)
	}
	lines = padded(lines, min(len(lines), height-1))
	answer := "HTTP " + status(e.Response.Status)
	for _, h := range e.Response.Headers() {
		if h.Name == "Retry-After" || h.Name == "RateLimit" {
			answer += "   " + h.Name + ": " + h.Value
		}
	}
	return append(lines, m.cut(" "+m.style.Paint(draw.Faint, answer), width))
}

// answerAlone is the HTTP answer without the rest, in two columns where it is long.
func (m *Model) answerAlone(width, height int) []string {
	var lines []string
	if st := m.story(); st != nil {
		lines = m.callAnswer(st)
	} else if e := m.current(); e != nil {
		lines = m.answer(e)
	} else {
		return m.why(width, height)
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	if len(lines) <= height {
		return lines
	}
	return beside(lines[:height], width/2, lines[height:])
}

// whyStacked has everything one below the other, the answer last.
func (m *Model) whyStacked(e *sim.Explanation, lines []string, width, height int) []string {
	lines = append(lines, m.reasons(e, width-2)...)
	answer := m.answer(e)
	for i := range answer {
		answer[i] = " " + answer[i]
	}
	if room := height - len(answer); len(lines) > room && room > 2 {
		lines = lines[:room]
	}
	return append(lines, answer...)
}

// verdictLine is the headline, if the playhead stands on a request.
func (m *Model) verdictLine() string {
	if m.head.seq < 0 || m.head.seq >= m.calls().len() {
		return m.style.Paint(draw.Faint, "before the first request")
	}
	return m.headline()
}

// headline is the limiter and its verdict.
func (m *Model) headline() string {
	limiter := m.scene.plan.Limiters[m.selected].Name
	v := m.scene.verdict(m.selected, m.head.seq)
	return m.style.Paint(draw.Title, m.style.Text(limiter)) + " " + m.style.Paint(draw.VerdictRole(v), verdictWord(v)) + " " + m.whichCall()
}

// whatAsked is the verdict, and what was asked.
func (m *Model) whatAsked(e *sim.Explanation, width int) []string {
	return append([]string{" " + m.headline()}, m.asked(e, width)...)
}

// asked says what was asked, and by whom.
func (m *Model) asked(e *sim.Explanation, width int) []string {
	text := m.style.Asked(e, m.scene.plan.Clients.Name(e.Request.Client))
	if e.Decision.Verdict == algorithms.Delay {
		text += " It is " + m.style.Answered(e) + "."
	}
	return m.wrapped(draw.Plain, text, width, 1)
}

// reasons say why, and what would have changed it, a line or more each.
func (m *Model) reasons(e *sim.Explanation, width int) []string {
	var lines []string
	for _, sentence := range m.style.Because(e) {
		lines = append(lines, m.wrapped(draw.Plain, sentence, width, 1)...)
	}
	ways := m.ways(e)
	if len(ways) == 0 {
		return lines
	}
	lines = append(lines, " It would have been accepted")
	for _, way := range ways {
		wrapped := m.wrapped(draw.Level, way, width-4, 5)
		wrapped[0] = "   " + m.glyph("•", "*") + wrapped[0][4:]
		lines = append(lines, wrapped...)
	}
	return lines
}

// ways are what would have made a denied request pass.
func (m *Model) ways(e *sim.Explanation) []string { return m.style.Otherwise(e, m.smallest()) }

// smallest is the smallest change that would have made it pass, as far as it is known.
func (m *Model) smallest() sim.Change {
	if m.explained.changed != m.explained.question {
		return sim.Change{}
	}
	return m.explained.change
}

// waysShort are the same in fewer words.
func (m *Model) waysShort(e *sim.Explanation) []string {
	if e.Decision.Verdict != algorithms.Deny {
		return nil
	}
	var ways []string
	change := m.smallest()
	if until := e.Decision.Until; until != algorithms.Never {
		ways = append(ways, m.style.Short(until-e.Request.At)+" later")
	}
	if e.Before.Remaining > 0 {
		ways = append(ways, fmt.Sprintf("at a cost of %d", e.Before.Remaining))
	}
	if change.Burst > 0 {
		ways = append(ways, fmt.Sprintf("under a burst of %d", change.Burst))
	}
	if change.Limit > 0 {
		ways = append(ways, "under a limit of "+m.style.Rate(algorithms.Limit{N: change.Limit, Per: e.Limiter.Policy.Limit.Per}))
	}
	return ways
}

// answer is the HTTP answer, a field a line.
func (m *Model) answer(e *sim.Explanation) []string {
	role := draw.VerdictRole(e.Decision.Verdict)
	lines := []string{m.style.Paint(role, "HTTP "+status(e.Response.Status))}
	for _, h := range e.Response.Headers() {
		lines = append(lines, m.style.Paint(draw.Faint, h.Name+": ")+h.Value)
	}
	return lines
}

func status(code int) string {
	if code == 429 {
		return "429 Too Many Requests"
	}
	return "200 OK"
}

// lessonText is what the scenario is about, and what to watch.
func (m *Model) lessonText(width, height int) []string {
	width = min(width-2, 100)
	var lines []string
	for _, text := range []string{m.setup.lesson, m.setup.watch} {
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			continue
		}
		if text == m.setup.watch || len(lines) > 0 {
			text = "watch: " + text
		}
		lines = append(lines, m.wrapped(draw.Plain, text, width, 1)...)
	}
	if len(lines) == 0 {
		lines = m.wrapped(draw.Faint, "The scenario says nothing about itself.", width, 1)
	}
	return lines[:min(len(lines), height)]
}

// cut shortens a painted line.
func (m *Model) cut(line string, width int) string {
	return ansi.Truncate(line, width, m.glyph("…", ".."))
}

// wrapped sets text in lines of so many cells, indented.
func (m *Model) wrapped(role draw.Role, text string, width, indent int) []string {
	lines := draw.Wrap(m.style.Text(text), max(width, 1))
	for i, line := range lines {
		lines[i] = strings.Repeat(" ", indent) + m.style.Paint(role, strings.TrimRight(line, " "))
	}
	return lines
}
