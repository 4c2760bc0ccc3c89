package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// flips is how many requests a limiter decides otherwise than in the baseline. With a system around it a
// request passes if a sending of it does.
type flips struct {
	passes, refused int64 // now, and not before
	known           bool  // the baseline has this limiter, and the same requests
}

// compared is what came of holding a scene against the baseline.
type compared struct {
	base, scene *scene
	flips       []flips // by limiter of the scene
}

// comparedMsg brings it.
type comparedMsg compared

// setBaseline keeps what is on screen to compare with.
func (m Model) setBaseline() (Model, tea.Cmd) {
	m.base = m.scene
	m.note = "this is the baseline now"
	return m.compare()
}

// dropBaseline ends comparing.
func (m Model) dropBaseline() Model {
	m.base, m.compared = nil, compared{}
	if m.pane == changePane {
		m.pane = whyPane
	}
	return m
}

// compare is the command that holds what is on screen against the baseline.
func (m Model) compare() (Model, tea.Cmd) {
	if m.base == nil || !m.scene.done {
		return m, nil
	}
	base, s := m.base, m.scene
	return m, func() tea.Msg { return comparedMsg{base, s, base.flips(s)} }
}

// flips counts what other decides otherwise.
func (s *scene) flips(other *scene) []flips {
	out := make([]flips, len(other.plan.Limiters))
	same := s.steps == other.steps || slices.Equal(s.steps.At, other.steps.At) && slices.Equal(s.steps.Cost, other.steps.Cost) &&
		slices.Equal(s.steps.Client, other.steps.Client)
	for i := range out {
		j := s.limiter(other.plan.Limiters[i].Name)
		if j < 0 || !same {
			continue
		}
		if (s.own(j) == nil) != (other.own(i) == nil) {
			continue
		}
		out[i].known = true
		before, now := s.passing(j), other.passing(i)
		for n := range now {
			if now[n] && !before[n] {
				out[i].passes++
			} else if before[n] && !now[n] {
				out[i].refused++
			}
		}
	}
	return out
}

// passing tells which of the kept requests pass a limiter, by number.
func (s *scene) passing(limiter int) []bool {
	lane, out := &s.steps.Lanes[limiter], make([]bool, s.steps.Len())
	for n, v := range lane.Verdicts {
		switch {
		case lane.Own == nil:
			out[n] = v.Accepted()
		case lane.Own.Seq[n] < int64(len(out)) && !refuses(v):
			out[lane.Own.Seq[n]] = true
		}
	}
	return out
}

// limiter is the plan's limiter of that name, or −1.
func (s *scene) limiter(name string) int {
	return slices.IndexFunc(s.plan.Limiters, func(l sim.Limiter) bool { return l.Name == name })
}

// held takes a comparison.
func (m Model) held(msg comparedMsg) Model {
	if msg.base == m.base && msg.scene.plan == m.scene.plan {
		m.compared = compared(msg)
	}
	return m
}

// flipped reports whether the comparison of the selected limiter has something to go to.
func flipped(m *Model) bool {
	f, ok := m.flipsOf(m.selected)
	return ready(m) && ok && f.passes+f.refused > 0
}

// flipsOf are those of a limiter, if they are known.
func (m *Model) flipsOf(limiter int) (flips, bool) {
	if m.base == nil || limiter >= len(m.compared.flips) || m.compared.scene == nil || m.compared.scene.plan != m.scene.plan {
		return flips{}, false
	}
	return m.compared.flips[limiter], m.compared.flips[limiter].known
}

// toFlip goes to the next request, or the one before, that the selected limiter decides otherwise
// than in the baseline.
func (m Model) toFlip(by int) Model {
	now := m.scene.passing(m.selected)
	before := m.base.passing(m.base.limiter(m.scene.plan.Limiters[m.selected].Name))
	c, own := m.calls(), m.scene.own(m.selected)
	for n := m.head.seq + by; n >= 0 && n < c.len(); n += by {
		request := n
		if own != nil {
			if request = int(own.Seq[n]); own.Attempt[n] > 1 || request >= len(now) {
				continue // its first sending is gone to
			}
		}
		if now[request] != before[request] {
			return m.to(c.on(n))
		}
	}
	m.note = "no other decision that way"
	return m
}

// changeWidth is how much wider the numbers are while there is a baseline.
const changeWidth = 8

// changeOf is how many more requests a limiter has denied up to the playhead than in the baseline.
func (m *Model) changeOf(limiter int, now sim.Tally) string {
	j := m.base.limiter(m.scene.plan.Limiters[limiter].Name)
	if j < 0 {
		return m.style.Paint(draw.Faint, right("new", changeWidth))
	}
	before := m.base.tally(j, m.base.calls(j).again(m.headOf(limiter)))
	text, role := m.difference(now.Denied - before.Denied)
	return m.style.Paint(role, right(text, changeWidth))
}

// difference writes how much something has grown.
func (m *Model) difference(n int64) (string, draw.Role) {
	switch {
	case n > 0:
		return "+" + m.style.Count(n, 6), draw.Denied
	case n < 0:
		return m.glyph("−", "-") + m.style.Count(-n, 6), draw.Good
	}
	return "=", draw.Faint
}

// changes are the differences of the whole run, limiter by limiter.
func (m *Model) changes(width, height int) []string {
	if m.base == nil || m.scene.results == nil || m.base.results == nil {
		return m.wrapped(draw.Faint, "b keeps this run as the baseline; what changes after that is shown here.", width-2, 1)
	}
	gutter := m.drawn.layout.gutter
	lines := []string{m.style.Paint(draw.Faint, m.style.Fit(" baseline "+m.glyph("→", "->")+" now", gutter)+
		right("denied", 18)+right(m.cameOf(), 16)+right("now pass", 10)+right("refused", 9))}
	for _, i := range m.window(height - 1) {
		lines = append(lines, m.cut(m.changeLine(i, gutter), width))
	}
	return lines
}

// changeLine is one limiter's.
func (m *Model) changeLine(limiter, gutter int) string {
	name := m.scene.plan.Limiters[limiter].Name
	line := " " + m.style.Fit(name, gutter-1)
	j := m.base.limiter(name)
	if j < 0 {
		return line + m.style.Paint(draw.Faint, "  is not in the baseline")
	}
	a, b := &m.base.results[j].Summary, &m.scene.results[limiter].Summary
	_, role := m.difference(b.Denied - a.Denied)
	line += m.style.Paint(role, right(m.fromTo(m.style.Count(a.Denied, 6), m.style.Count(b.Denied, 6)), 18))
	line += m.cameTo(a, b)
	if f, ok := m.flipsOf(limiter); ok {
		return line + m.count(f.passes, 10, draw.Admitted) + m.count(f.refused, 9, draw.Denied)
	}
	return line + m.style.Paint(draw.Faint, right("other requests", 19))
}

// cameOf is what else is compared: the peak, or with a system around the limiters what came of it all.
func (m *Model) cameOf() string {
	if m.scene.plan.System != nil {
		return "succeeded"
	}
	return "peak"
}

func (m *Model) cameTo(a, b *sim.Summary) string {
	before, now := m.style.Ratio(a.PeakRatio), m.style.Ratio(b.PeakRatio)
	same := a.Peak == b.Peak && a.PeakRatio == b.PeakRatio
	if m.scene.plan.System != nil {
		before, now = m.style.Count(a.System.Succeeded, 6), m.style.Count(b.System.Succeeded, 6)
		same = a.System.Succeeded == b.System.Succeeded
	}
	role := draw.Plain
	if same {
		role = draw.Faint
	}
	return m.style.Paint(role, right(m.fromTo(before, now), 16))
}

func (m *Model) fromTo(a, b string) string {
	if a == b {
		return b
	}
	return fmt.Sprintf("%s %s %s", a, m.glyph("→", "->"), b)
}

// window are the limiters that fit into so many lines, the selected one among them.
func (m *Model) window(n int) []int {
	shown := m.shown()
	n = max(min(n, len(shown)), 0)
	first := min(max(slices.Index(shown, m.selected)-n/2, 0), len(shown)-n)
	return shown[first : first+n]
}

// baselineText says what the baseline was, where it differs from what is on screen.
func (m *Model) baselineText() string {
	if m.base == nil || m.base.plan == m.scene.plan {
		return ""
	}
	now := m.factsOf(m.scene.plan)
	if before := m.factsOf(m.base.plan); before != now {
		return "baseline " + strings.TrimPrefix(before, "limit ") + m.dot()
	}
	return "baseline" + m.dot()
}
