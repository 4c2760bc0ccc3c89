package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// measured are every limiter's measures up to the playhead.
type measured struct {
	scene   *scene
	upTo    head
	results []*sim.Result // nil before the first
	busy    bool          // a command is at it
}

// measuredMsg brings them.
type measuredMsg struct {
	scene   *scene
	upTo    head
	results []*sim.Result
}

// measure is the command that measures up to the playhead, if that is on screen and not known: one
// at a time. At the end of the run it is known.
func (m Model) measure() (Model, tea.Cmd) {
	if m.scene == nil || !m.measuresShown() || m.measured.busy || m.play.playing || !m.scene.done {
		return m, nil
	}
	s, upTo := m.scene, m.scene.measurable(m.head)
	if m.measured.scene == s && m.measured.upTo == upTo {
		return m, nil
	}
	m.measured.busy = true
	return m, func() tea.Msg { return measuredMsg{s, upTo, s.measure(upTo)} }
}

// measuresShown reports whether the measures are on screen.
func (m *Model) measuresShown() bool {
	return m.roomy() && m.mode == watching && !m.hides() && (m.pane == measurePane || m.drawn.layout.wide && m.pane < measurePane)
}

// measurable is up to where measures are told apart from others: the last request of limiters alone, and
// the instant with a system around them.
func (s *scene) measurable(h head) head {
	if s.plan.System != nil {
		return head{at: h.at}
	}
	return head{seq: h.seq}
}

// measure runs up to the playhead once more, to measure that: a run over so many requests, or with a
// system around the limiters, one that is over just after the playhead.
func (s *scene) measure(upTo head) []*sim.Result {
	if s.all(upTo) {
		return withoutGrids(s.results)
	}
	plan := *s.plan
	if plan.System != nil {
		plan.Duration = upTo.at + 1
	} else {
		plan.Open = func() traffic.Source { return &first{s.plan.Open(), upTo.seq + 1} }
	}
	return sim.New(&plan, sim.Options{Buckets: 1, Workers: 1}).Finish()
}

// all reports whether that is the whole run.
func (s *scene) all(upTo head) bool {
	if s.plan.System != nil {
		return upTo.at >= s.plan.Duration
	}
	return int64(s.steps.Len()) == s.total && upTo.seq == s.steps.Len()-1
}

// withoutGrids are the results without what a table has no use for.
func withoutGrids(results []*sim.Result) []*sim.Result {
	out := make([]*sim.Result, len(results))
	for i, r := range results {
		bare := *r
		bare.Grid = sim.Grid{}
		out[i] = &bare
	}
	return out
}

// first is the first requests of a source.
type first struct {
	traffic.Source
	left int
}

// Next returns the next request, and false after the last.
func (f *first) Next() (traffic.Request, bool) {
	if f.left <= 0 {
		return traffic.Request{}, false
	}
	f.left--
	return f.Source.Next()
}

// taken takes measures.
func (m Model) taken(msg measuredMsg) Model {
	m.measured = measured{msg.scene, msg.upTo, msg.results, false}
	return m
}

// table is what the table of measures was drawn from.
type table struct {
	measured      *sim.Result // the first of them
	limiters      string
	width, height int
}

// tabulate draws the table of measures again, if what it is drawn from has changed: setting its
// columns takes longer than all the rest of the screen.
func (m Model) tabulate() Model {
	if !m.measuresShown() || m.measured.results == nil || m.measured.scene.plan != m.scene.plan {
		return m
	}
	l := m.drawn.layout
	width, height := l.width, l.text
	if l.wide {
		width -= l.width/2 + 1
	} else if m.fills() {
		height += l.chart
	}
	shown := m.window(height - 2)
	of := table{m.measured.results[0], fmt.Sprint(shown), width, height}
	if of == m.drawn.table {
		return m
	}
	m.drawn.table, m.drawn.rows = of, m.measureRows(shown, width, height)
	return m
}

func (m *Model) measureRows(shown []int, width, height int) []string {
	var results []*sim.Result
	for _, i := range shown {
		results = append(results, m.measured.results[i])
	}
	gutter := max(m.drawn.layout.gutter, cells(m.upTo())+2)
	p := draw.NewPicture(m.style, draw.Layout{Width: width, Gutter: gutter, Lane: 1}, results...)
	lines := p.Summary()
	lines[0] = m.style.Paint(draw.Faint, m.style.Fit(" "+m.upTo(), gutter)) + lines[0][min(gutter, len(lines[0])):]
	return wholeTables(lines, height)
}

// wholeTables leaves out the tables, with an empty line between two, that do not fit; of the first, what
// does not.
func wholeTables(lines []string, height int) []string {
	if len(lines) <= height {
		return lines
	}
	for end := height; end > 0; end-- {
		if strings.TrimSpace(ansi.Strip(lines[end])) == "" {
			return lines[:end]
		}
	}
	return lines[:height]
}

// measures are every limiter's, up to the playhead.
func (m *Model) measures(width, height int) []string {
	if m.hides() || m.measured.results == nil || m.measured.scene.plan != m.scene.plan {
		return m.wrapped(draw.Faint, "The measures up to the playhead come when it stands still.", width-2, 1)
	}
	return m.drawn.rows[:min(len(m.drawn.rows), height)]
}

// upTo says up to where is measured.
func (m *Model) upTo() string {
	upTo := m.measured.upTo
	switch {
	case m.scene.plan.System == nil && upTo.seq == m.scene.steps.Len()-1, m.scene.plan.System != nil && m.scene.all(upTo):
		return "the whole run"
	case m.scene.plan.System != nil:
		return "if over at " + m.style.Short(upTo.at)
	case upTo.seq < 0:
		return "no request yet"
	}
	return fmt.Sprintf("to request %d", upTo.seq)
}
