package cmd

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/muesli/termenv"
)

// text draws the run for a terminal.
func (j *job) text() ([]*sim.Result, error) {
	cells, style := j.canvas()
	results, err := j.simulate(j.laneWidth(cells))
	if err != nil {
		return nil, err
	}
	j.bar.end()
	_, err = j.out.WriteString(j.page(style, results).Render(cells, style))
	return results, j.out.wrote(err)
}

// canvas is the width and the style of text for the place it goes to.
func (j *job) canvas() (int, *draw.Style) {
	terminal := j.out.draft == nil && isTerminal(j.app.out)
	return j.cells(j.flags.looks, terminal), j.style(j.flags.looks, terminal)
}

// svgWidth is how wide the text in a picture is unless the flag says otherwise, in cells.
const svgWidth = 120

// svg draws the same as text, in a picture of a terminal's window. It is in full colour unless
// colour is ruled out, and depends on no terminal.
func (j *job) svg() ([]*sim.Result, error) {
	cells := j.flags.looks.width
	if cells == 0 {
		cells = svgWidth
	}
	results, err := j.simulate(j.laneWidth(cells))
	if err != nil {
		return nil, err
	}
	o := draw.Options{Profile: termenv.TrueColor, Dark: j.flags.looks.background != "light", ASCII: j.flags.looks.ascii}
	if j.flags.looks.color == "never" {
		o.Profile = termenv.Ascii
	}
	style := draw.NewStyle(o)
	picture := draw.SVG(j.page(style, results).Render(cells, style), draw.SVGOptions{Title: "ratesim run " + j.loaded.Name, Dark: o.Dark})
	_, err = j.out.WriteString(picture)
	return results, j.out.wrote(err)
}

// laneWidth is how many columns the lanes have in a page of so many cells. A run recorded in as
// many buckets is drawn one bucket a column.
func (j *job) laneWidth(cells int) int {
	names := make([]string, len(j.plan.Limiters))
	for i, l := range j.plan.Limiters {
		names[i] = l.Name
	}
	return draw.LaneWidth(cells, j.plan.Duration, names...)
}

// page is the run as it is drawn.
func (j *job) page(style *draw.Style, results []*sim.Result) draw.Page {
	s := j.loaded.Scenario
	return draw.Page{
		Title: j.title(), Lesson: s.Lesson, Limit: limitText(j.plan), Around: style.Around(j.plan), Results: results,
		Watch: j.watch(), Seen: mark(j.judge(results)), Notes: j.notes(),
	}
}

// title is the scenario's name, or where it was found if it has none.
func (j *job) title() string {
	if j.loaded.Scenario.Name != "" {
		return j.loaded.Scenario.Name
	}
	return j.loaded.Name
}

// mark says whether what was expected came to pass.
func mark(verdicts []scenarios.Verdict) draw.Mark {
	if len(verdicts) == 0 {
		return draw.Unknown
	}
	for _, v := range verdicts {
		if !v.Met {
			return draw.NotSeen
		}
	}
	return draw.Seen
}

// limitText is the limit that all limiters have in common, with the burst of those that have one:
// "100/m burst 20". It leaves out what they do not have in common, and those that limit what is in
// flight.
func limitText(plan *sim.Plan) string {
	rated := slices.DeleteFunc(slices.Clone(plan.Limiters), func(l sim.Limiter) bool { return l.Spec.Holds })
	if len(rated) == 0 {
		return ""
	}
	limit := rated[0].Policy.Limit
	burst, same := limit.N, true
	bursts := 0
	for _, l := range rated {
		if l.Policy.Limit != limit {
			return ""
		}
		if l.Spec.Bursts {
			same = same && (bursts == 0 || l.Policy.Capacity() == burst)
			burst = l.Policy.Capacity()
			bursts++
		}
	}
	text := scenarios.FormatRate(limit)
	if same && burst != limit.N {
		text += " burst " + strconv.FormatInt(burst, 10)
	}
	return text
}

// failures is the error of a run that did not meet what its scenario expects; nil if it did.
func failures(name string, verdicts []scenarios.Verdict) error {
	text := ""
	for _, v := range verdicts {
		if !v.Met {
			text += "\n  " + v.String()
		}
	}
	if text == "" {
		return nil
	}
	return failed(fmt.Errorf("%s: not as expected%s", name, text))
}
