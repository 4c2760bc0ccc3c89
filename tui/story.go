package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// tale is which story is told: of a request under a limiter.
type tale struct {
	plan    *sim.Plan
	limiter int
	request int64
}

// told is the story of the request under the playhead, where limiters have a system around them; the one
// before as long as it takes.
type told struct {
	tale
	*sim.Story
	moments []draw.Moment

	busy bool // a command is at it: one at a time
}

// toldMsg is a story.
type toldMsg struct {
	tale
	story *sim.Story
}

// shortRun is how many requests may be run once more at once, in a few milliseconds.
const shortRun = 1 << 10

// tale is the story that belongs to the call under the playhead; false before the first.
func (m *Model) tale() (tale, bool) {
	own := m.scene.own(m.selected)
	if own == nil || m.head.seq < 0 || m.head.seq >= len(own.Seq) {
		return tale{}, false
	}
	return tale{m.scene.plan, m.selected, own.Seq[m.head.seq]}, true
}

// story is the story of the request under the playhead; nil while it is not known.
func (m *Model) story() *sim.Story {
	if t, ok := m.tale(); ok && m.told.tale == t {
		return m.told.Story
	}
	return nil
}

// find runs the limiter once more. There is always such a request.
func (t tale) find() tea.Msg {
	story, _ := sim.ExplainCall(t.plan, t.limiter, t.request)
	return toldMsg{t, story}
}

// tell tells the story of the request under the playhead, if that takes no time. If it does, a command
// does it: see listen.
func (m Model) tell() Model {
	t, ok := m.tale()
	if !ok || m.told.tale == t || m.play.playing || m.scene.total > shortRun || len(m.scene.own(m.selected).At) > 8*shortRun {
		return m
	}
	return m.heard(t.find().(toldMsg), m.told.busy)
}

// listen is the command that finds the story of the request under the playhead; nil if it is known, or
// while playing.
func (m Model) listen() (Model, tea.Cmd) {
	t, ok := m.tale()
	if !ok || m.told.tale == t || m.told.busy || m.play.playing || !m.kept(m.head.at) {
		return m, nil
	}
	m.told.busy = true
	return m, t.find
}

// heard takes a story.
func (m Model) heard(msg toldMsg, busy bool) Model {
	m.told = told{tale: msg.tale, Story: msg.story, busy: busy}
	if msg.story != nil {
		m.told.moments = m.style.Moments(msg.plan, msg.story)
	}
	return m
}

// sending is the one of a story that the playhead is on; nil if the story leaves it out.
func (m *Model) sending(st *sim.Story) *sim.Sending {
	attempt := int64(m.scene.own(m.selected).Attempt[m.head.seq])
	for i := range st.Sendings {
		if st.Sendings[i].Attempt == attempt {
			return &st.Sendings[i]
		}
	}
	return nil
}

// whichCall is which request was decided, and at which of its sendings.
func (m *Model) whichCall() string {
	own := m.scene.own(m.selected)
	if own == nil {
		return fmt.Sprintf("request %d", m.head.seq)
	}
	text := fmt.Sprintf("request %d", own.Seq[m.head.seq])
	if attempt := own.Attempt[m.head.seq]; attempt > 1 {
		text += fmt.Sprintf(", sending %d", attempt)
	}
	return text
}

// storyPane tells of the call under the playhead: which it is, what became of its request, and the HTTP
// answer.
func (m *Model) storyPane(width, height int) []string {
	st := m.story()
	if st == nil {
		wait := "working it out " + m.glyph("…", "...")
		if m.play.playing {
			wait = "Its story is told when it stands still."
		}
		return []string{" " + m.headline(), m.callFacts(width), " " + m.style.Paint(draw.Faint, wait)}
	}
	if width < 90 {
		return m.storyLines(st, width, height)
	}
	const answer = 42 // RateLimit-Policy: "default";q=…;w=…
	return beside(m.storyLines(st, width-answer-3, height), width-answer-2, m.callAnswer(st))
}

// callFacts are when, whose and for what a call is, as far as it is known at once.
func (m *Model) callFacts(width int) string {
	own, at := m.scene.own(m.selected), m.head.seq
	facts := []string{m.style.Exact(own.At[at])}
	if name := m.scene.plan.Clients.Name(own.Client[at]); name != "" {
		facts = append(facts, m.style.Text(name))
	}
	if name := m.scene.plan.System.Endpoints[own.Endpoint[at]]; name != "" {
		facts = append(facts, m.style.Text(name))
	}
	facts = append(facts, fmt.Sprintf("cost %d", own.Cost[at]))
	return m.cut(" "+m.style.Paint(draw.Faint, strings.Join(facts, m.dot())), width)
}

// storyLines are the headline, what the client wants, how it ended, and the moments around the sending
// under the playhead, as many as fit.
func (m *Model) storyLines(st *sim.Story, width, height int) []string {
	lines := m.storyHead(st, width, height)
	moments, from, to := m.momentLines(st, width)
	room := max(height-len(lines), 1)
	first := 0
	if to > room { // what is left out at the top are earlier sendings, and then what this one begins with
		first = max(min(from, len(moments)-room), to-room, 0)
	}
	return append(lines, moments[first:min(first+room, len(moments))]...)
}

// storyHead are the headline with how it ended, and what the client wants.
func (m *Model) storyHead(st *sim.Story, width, height int) []string {
	head := " " + m.headline()
	ended := m.style.Paint(draw.Faint, "in the end ") + m.style.Paint(draw.EndingRole(st.Ending), m.style.Ended(st))
	if short(height) {
		if facts := m.callFacts(width); cells(head)+3+cells(ended) > width && cells(facts)+3+cells(ended) <= width {
			return []string{m.cut(head, width), facts + "   " + ended}
		}
		return []string{m.cut(head+"   "+ended, width), m.callFacts(width)}
	}
	wanted := m.wrapped(draw.Plain, m.style.Wanted(m.scene.plan, st)+" "+m.style.Retries(&st.Profile.Retry), width-2, 1)
	if cells(head)+3+cells(ended) <= width {
		return append([]string{head + "   " + ended}, wanted...)
	}
	return append(append([]string{m.cut(head, width)}, wanted...), m.cut(" "+ended, width))
}

// momentLines are the moments of a story, each behind its instant, those of the sending under the playhead
// marked. Those up to the playhead stand from one line up to before another.
func (m *Model) momentLines(st *sim.Story, width int) (lines []string, from, to int) {
	widest := 0
	for _, moment := range m.told.moments {
		widest = max(widest, cells(m.style.Exact(moment.At)))
	}
	now, before := int64(m.scene.own(m.selected).Attempt[m.head.seq]), ""
	for _, moment := range m.told.moments {
		at, mark, role := m.style.Exact(moment.At), " ", draw.Faint
		if moment.Sending == now {
			mark, role = m.glyph("▸", ">"), moment.Role
			if to == 0 {
				from = len(lines)
			}
		}
		stamp := at
		if at == before {
			stamp = ""
		}
		before = at
		wrapped := m.wrapped(role, moment.Text, width-widest-6, widest+5)
		wrapped[0] = " " + m.style.Paint(draw.Title, mark) + " " + m.style.Paint(draw.Faint, m.style.Fit(stamp, widest)) + "  " + wrapped[0][widest+5:]
		if lines = append(lines, wrapped...); moment.Sending == now && moment.At <= m.scene.own(m.selected).At[m.head.seq] {
			to = len(lines)
		}
	}
	return lines, from, to
}

// callAnswer is the HTTP answer to the sending under the playhead, a field a line.
func (m *Model) callAnswer(st *sim.Story) []string {
	c := m.sending(st)
	if c == nil {
		return nil
	}
	response, ok := c.HTTP()
	switch {
	case !ok && c.Fate == sim.FateLost:
		return []string{m.style.Paint(draw.Denied, "HTTP "+draw.HTTPStatus(503))}
	case !ok:
		return []string{m.style.Paint(draw.Faint, "no answer: "+c.Fate.String())}
	}
	lines := []string{m.style.Paint(draw.VerdictRole(c.Decision.Verdict), "HTTP "+draw.HTTPStatus(response.Status))}
	for _, h := range response.Headers() {
		lines = append(lines, m.style.Paint(draw.Faint, h.Name+": ")+h.Value)
	}
	return lines
}
