package cmd

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/charmbracelet/x/ansi"
)

// spread is how one measure of one limiter came out over several seeds. The median is a value that
// occurred: of an even number, the lower of the two in the middle.
type spread struct{ lowest, median, highest scenarios.Value }

// sweep is a scenario run under several seeds.
type sweep struct {
	first    uint64 // seed
	seeds    int
	limiters []string
	measures []scenarios.Measure // those worth showing
	spreads  [][]spread          // by limiter and measure
}

// overSeeds runs the scenario once for each seed, several at a time, and prints how each measure
// came out.
func (j *job) overSeeds(format string) error {
	summaries, err := j.runSeeds(int(j.flags.seeds.v))
	if err != nil {
		return err
	}
	j.bar.end()
	s := newSweep(j, summaries)
	if s.alike() {
		j.say("every seed gave the same figures: nothing in this scenario is random")
	}
	switch format {
	case "json":
		return j.encode(s.document(j))
	case "csv":
		_, err = j.out.WriteString(s.csv())
	case "markdown":
		_, err = j.out.WriteString(s.markdown(j))
	default:
		cells, style := j.canvas()
		_, err = j.out.WriteString(s.text(j, style, cells))
	}
	return j.out.wrote(err)
}

// runSeeds returns the results by seed and limiter, without their grids.
func (j *job) runSeeds(n int) ([][]*sim.Result, error) {
	ctx, stop := context.WithCancelCause(j.ctx)
	defer stop(nil)
	out := make([][]*sim.Result, n)
	var done atomic.Int64
	var group sync.WaitGroup
	turns := make(chan struct{}, workers()) // as many plans at a time as there are processors
	for i := range n {
		turns <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		plan, err := j.seeded(j.seed() + uint64(i))
		if err != nil {
			stop(err)
			break
		}
		group.Go(func() {
			defer func() { <-turns }()
			var err error
			if out[i], err = runWhile(ctx, plan); err != nil {
				stop(failed(err))
			}
			j.bar.at(float64(done.Add(1)) / float64(n))
		})
	}
	group.Wait()
	return out, context.Cause(ctx)
}

// seeded is the plan under another seed.
func (j *job) seeded(seed uint64) (*sim.Plan, error) {
	over := j.flags.overrides()
	over.Seed = &seed
	return j.loaded.Plan(over)
}

// runWhile carries a run out unless the context ends.
func runWhile(ctx context.Context, plan *sim.Plan) ([]*sim.Result, error) {
	run := sim.New(plan, sim.Options{Buckets: 1, Workers: 1})
	for run.Step() {
		if ctx.Err() != nil {
			return nil, nil
		}
	}
	return run.Results(), run.Err()
}

func newSweep(j *job, results [][]*sim.Result) sweep {
	s := sweep{first: j.seed(), seeds: len(results), measures: telling(slices.Concat(results...))}
	for i, l := range j.plan.Limiters {
		s.limiters = append(s.limiters, l.Name)
		var row []spread
		for _, m := range s.measures {
			row = append(row, newSpread(m, results, i))
		}
		s.spreads = append(s.spreads, row)
	}
	return s
}

// newSpread is the spread of one measure of limiter i.
func newSpread(m scenarios.Measure, results [][]*sim.Result, i int) spread {
	values := make([]scenarios.Value, len(results))
	for n, r := range results {
		values[n] = m.Get(&r[i].Summary)
	}
	slices.SortFunc(values, compareValues)
	return spread{values[0], values[(len(values)-1)/2], values[len(values)-1]}
}

// compareValues orders two values of one measure.
func compareValues(a, b scenarios.Value) int {
	switch {
	case a.None() != b.None(): // of a bound: none is beyond all others
		if a.None() {
			return 1
		}
		return -1
	case a.Int < b.Int || a.Ratio < b.Ratio:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// alike reports whether every measure had one value only.
func (s sweep) alike() bool {
	for _, row := range s.spreads {
		for _, x := range row {
			if x.lowest != x.highest {
				return false
			}
		}
	}
	return true
}

// constant reports whether measure m is the same for every limiter under every seed.
func (s sweep) constant(m int) bool {
	first := s.spreads[0][m].lowest
	for _, row := range s.spreads {
		if row[m].lowest != first || row[m].highest != first {
			return false
		}
	}
	return true
}

// title says what was run.
func (s sweep) title(j *job) string {
	last := s.first + uint64(s.seeds) - 1
	return fmt.Sprintf("%s: lowest, median and highest over seeds %d to %d", j.title(), s.first, last)
}

// text has a table for each measure, as many side by side as there is room for.
func (s sweep) text(j *job, style *draw.Style, cells int) string {
	var b strings.Builder
	b.WriteString(style.Paint(draw.Title, strings.TrimSuffix(paragraphs(style, s.title(j), cells, 0), "\n")) + "\n")
	b.WriteString(paragraphs(style, limitText(j.plan), cells, 0))
	var blocks []string
	for m, measure := range s.measures {
		if basic(measure.Name) || !s.constant(m) {
			blocks = append(blocks, s.block(style, m))
		}
	}
	b.WriteString(beside(blocks, cells))
	return b.String()
}

// block is the table of measure m.
func (s sweep) block(style *draw.Style, m int) string {
	rows := [][]string{{heading(s.measures[m]), "lowest", "median", "highest"}}
	for i, name := range s.limiters {
		x, measure := s.spreads[i][m], s.measures[m]
		if x.highest.Float() == 0 && !x.highest.None() && !basic(measure.Name) {
			continue // a measure of what this limiter does not do
		}
		rows = append(rows, []string{ansi.Truncate(draw.Clean(name), 24, "…"),
			short(style, measure, x.lowest), short(style, measure, x.median), short(style, measure, x.highest)})
	}
	return table(style, draw.MinWidth, alignRight(rows))
}

// short is a value to about three digits.
func short(style *draw.Style, m scenarios.Measure, v scenarios.Value) string {
	if m.Kind == scenarios.Nanos {
		return style.Short(sim.Time(v.Int))
	}
	return valueText(m, v)
}

// alignRight moves the texts of all columns but the first to the right of their column.
func alignRight(rows [][]string) [][]string {
	for c := 1; c < len(rows[0]); c++ {
		widest := 0
		for _, row := range rows {
			widest = max(widest, ansi.StringWidth(row[c]))
		}
		for _, row := range rows {
			row[c] = strings.Repeat(" ", widest-ansi.StringWidth(row[c])) + row[c]
		}
	}
	return rows
}

// beside sets blocks of lines in a grid, row by row, with a blank line above each row of it.
func beside(blocks []string, cells int) string {
	const gap = 4
	widest := 0
	for _, block := range blocks {
		for line := range strings.SplitSeq(block, "\n") {
			widest = max(widest, ansi.StringWidth(line))
		}
	}
	columns := max((cells+gap)/(widest+gap), 1)
	var b strings.Builder
	for group := range slices.Chunk(blocks, columns) {
		b.WriteString("\n" + row(group, widest+gap))
	}
	return b.String()
}

// row sets blocks side by side, each so many cells from the one before.
func row(blocks []string, apart int) string {
	var lines []string
	for c, block := range blocks {
		for i, part := range strings.Split(strings.TrimSuffix(block, "\n"), "\n") {
			if i == len(lines) {
				lines = append(lines, "")
			}
			lines[i] += strings.Repeat(" ", c*apart-ansi.StringWidth(lines[i])) + part
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
