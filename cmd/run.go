package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/spf13/cobra"
)

// runFlags are the flags of run.
type runFlags struct {
	algorithms listFlag
	limit      value[algorithms.Limit]
	burst      value[int64]
	set        []string
	seed       value[uint64]
	duration   value[time.Duration]
	seeds      value[int64]
	why        value[int64]
	client     string
	format     string
	output     string
	looks      looks
	store      storeFlags
	http       bool
	reset      string

	interactive bool
}

// format is one way to print a run.
type format struct {
	name, meaning string
	print         func(*job) ([]*sim.Result, error)
	seeds, why    bool // can print a sweep over seeds; explanations
}

// formats are the ways to print a run, the first by default.
func formats() []format {
	return []format{
		{name: "text", print: (*job).text, seeds: true, why: true,
			meaning: "lanes, level charts and tables for the terminal"},
		{name: "json", print: (*job).json, seeds: true, why: true,
			meaning: "one document: the scenario, and for each limiter its policy, every measure, counts and level over time in 240 buckets; around it what became of requests, by kind of client and by limit"},
		{name: "ndjson", print: func(j *job) ([]*sim.Result, error) { return j.decisions(ndjson()) },
			meaning: "one decision a line, limiter by limiter, as they are made: limiter, algorithm, seq, at_ns, client, cost, verdict, until_ns (null: never); with a system around the limiters a line for each sending of a request, with attempt, endpoint, decided_ns and limit, which refused it, and of several servers failed, open or closed: decided without the store; with --http the answer"},
		{name: "csv", print: func(j *job) ([]*sim.Result, error) { return j.decisions(csv()) }, seeds: true,
			meaning: "the same fields as ndjson, with a head line; no until_ns: never"},
		{name: "markdown", print: (*job).markdown, seeds: true,
			meaning: "the measures as a table"},
		{name: "svg", print: (*job).svg,
			meaning: "the text as a picture, 120 cells wide unless --width is given"},
	}
}

func (a *app) runCommand() *cobra.Command {
	f := &runFlags{
		limit: rateFlag(), burst: wholeFlag("N", 1, algorithms.MaxUnits), seed: seedFlag(), duration: durationFlag(),
		seeds: wholeFlag("N", 1, 10_000), why: wholeFlag("N", 0, 1<<62),
	}
	c := &cobra.Command{
		Use:     "run SCENARIO",
		GroupID: groupRun,
		Short:   "run a scenario through every algorithm",
		Long:    runHelp(),
		Example: `  ratesim run burst                                     a built-in scenario
  ratesim run scenarios/burst.yaml                      a file
  ratesim run boundary -a fixed-window,sliding-log      only these two
  ratesim run on-off --limit 500/m --burst 20           another limit
  ratesim run poisson --seeds 50                        how much is luck?
  ratesim run burst --why 5 -a token-bucket             why was request 5 denied?
  ratesim run burst -f ndjson | head                    every decision, a line each
  ratesim run boundary -f svg -o boundary.svg           a picture`,
		Args:              func(_ *cobra.Command, args []string) error { return exactly("scenario", args) },
		ValidArgsFunction: completeScenario,
		RunE: func(c *cobra.Command, args []string) error {
			if !f.interactive {
				return a.run(c.Context(), args[0], f)
			}
			if err := f.checkInteractive(c); err != nil {
				return err
			}
			return a.interact(c.Context(), args[0], f, false)
		},
	}
	f.register(c)
	return c
}

func runHelp() string {
	var b strings.Builder
	b.WriteString(`Puts the requests of a scenario to every algorithm, or to the limiters that it lists, and prints
what each of them did. SCENARIO is a file, the name of a built-in scenario, or - for standard input.

If the scenario says what it expects, and no flag changes what is run, that is checked: status 1 if
it does not hold.

Formats:
`)
	for _, f := range formats() {
		fmt.Fprintf(&b, "  %-9s %s\n", f.name, strings.ReplaceAll(wrapHelp(f.meaning, helpWidth-12), "\n", "\n            "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (f *runFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	f.registerPlan(c)
	flags.Var(&f.seeds, "seeds", "run under this many seeds; print the lowest, median and highest of each measure")
	flags.Var(&f.why, "why", "explain the decisions on request number N, from 0 as in ndjson")
	formatFlag(c, &f.format, formatNames()...)
	flags.StringVarP(&f.output, "output", "o", "", "write to a `FILE`, whole or not at all, instead of standard output")
	f.registerHTTP(c)
	f.store.register(c, "take the decisions from a real Redis")
	f.store.registerPrefix(c)
	flags.BoolVarP(&f.interactive, "interactive", "i", false, "open it in the interactive program instead, as tui does")
	looksFlags(c, &f.looks)
	completeRunFlags(c)
}

// registerPlan adds the flags that say what is run, and whose level is shown.
func (f *runFlags) registerPlan(c *cobra.Command) {
	f.registerPolicies(c)
	c.Flags().StringVar(&f.client, "client", "", "the client `NAME` whose level the charts show (default: the busiest)")
}

// registerPolicies adds the flags that say what is run.
func (f *runFlags) registerPolicies(c *cobra.Command) {
	flags := c.Flags()
	flags.VarP(&f.algorithms, "algorithm", "a", "only these limiters or algorithms")
	flags.Var(&f.limit, "limit", "another limit, such as 100/m")
	flags.Var(&f.burst, "burst", "another burst, for the algorithms that have one")
	flags.StringArrayVar(&f.set, "set", nil, "set an option of every algorithm that has it: `OPTION=VALUE`")
	flags.Var(&f.seed, "seed", "another seed for what is random")
	flags.Var(&f.duration, "duration", "another duration, such as 90s")
}

func formatNames() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// overrides are the flags that change what is run.
func (f *runFlags) overrides() scenarios.Overrides {
	return scenarios.Overrides{
		Algorithms: f.algorithms.names, Limit: f.limit.pointer(), Burst: f.burst.pointer(), Set: f.set,
		Seed: f.seed.pointer(), Duration: f.duration.pointer(),
	}
}

// asWritten reports whether the scenario is run as its file has it. Only then does what it expects
// apply.
func (f *runFlags) asWritten() bool { return f.algorithms.names == nil && f.sameRun() }

// sameRun reports whether what is run decides as the file has it, be it shown for all limiters or
// for some. Only then is what the scenario tells one to watch for true.
func (f *runFlags) sameRun() bool {
	return !f.limit.given && !f.burst.given && f.set == nil && !f.seed.given && !f.duration.given
}

// check finds flags that do not go together.
func (f *runFlags) check(chosen format) error {
	switch {
	case f.seeds.given && f.why.given:
		return errors.New("--seeds and --why do not go together: a decision belongs to one seed")
	case f.seeds.given && !chosen.seeds:
		return fmt.Errorf("--seeds has no format %s; there are %s", chosen.name, enumerate(formatsWith(func(f format) bool { return f.seeds })))
	case f.why.given && !chosen.why:
		return fmt.Errorf("--why has no format %s; there are %s", chosen.name, enumerate(formatsWith(func(f format) bool { return f.why })))
	}
	if err := f.checkHTTP(); err != nil {
		return err
	}
	return f.store.check(f)
}

func formatsWith(has func(format) bool) []string {
	var names []string
	for _, f := range formats() {
		if has(f) {
			names = append(names, f.name)
		}
	}
	return names
}

// run loads a scenario, runs it and prints it.
func (a *app) run(ctx context.Context, scenario string, f *runFlags) error {
	chosen := formats()[slices.Index(formatNames(), f.format)]
	if err := f.check(chosen); err != nil {
		return err
	}
	loaded, plan, err := a.load(scenario, f)
	if err != nil {
		return err
	}
	store, plan, err := a.decideIn(ctx, f, plan)
	if err != nil {
		return err
	}
	defer a.leave(store)
	out, err := a.output(f.output, loaded.Path)
	if err != nil {
		return err
	}
	j := &job{app: a, ctx: ctx, loaded: loaded, plan: plan, flags: f, out: out, bar: a.progress(loaded.Name), store: store}
	verdict, err := j.print(chosen)
	j.bar.end()
	if err := out.finish(err); err != nil {
		return err
	}
	return verdict
}

// load reads a scenario and makes it ready to run as the flags have it.
func (a *app) load(scenario string, f *runFlags) (*scenarios.Loaded, *sim.Plan, error) {
	loaded, err := scenarios.Load(scenario, a.in)
	if err != nil {
		return nil, nil, err
	}
	plan, err := loaded.Plan(f.overrides())
	if err != nil {
		return nil, nil, err
	}
	return loaded, plan, knownClient(plan, f.client)
}

// print prints the run. The verdict is the error of a run that is not as expected.
func (j *job) print(chosen format) (verdict, err error) {
	switch {
	case j.flags.why.given:
		return nil, j.why(chosen.name)
	case j.flags.seeds.given:
		return nil, j.overSeeds(chosen.name)
	}
	if chosen.name != "text" {
		for _, note := range j.notes() { // text has them at its foot
			j.say(note)
		}
	}
	results, err := chosen.print(j)
	if err != nil {
		return nil, err
	}
	return failures(j.loaded.Name, j.judge(results)), nil
}

// judge holds the results against what the scenario expects; nothing if it was not run as written.
func (j *job) judge(results []*sim.Result) []scenarios.Verdict {
	if !j.flags.asWritten() || j.store.partial() {
		return nil
	}
	return scenarios.Judge(j.loaded.Scenario.Expect, results)
}

// watch is what to watch for; nothing if the run is another than the scenario tells about.
func (j *job) watch() string {
	if !j.flags.sameRun() {
		return ""
	}
	return strings.TrimSpace(j.loaded.Scenario.Watch)
}

// knownClient checks the client whose level is asked for.
func knownClient(plan *sim.Plan, name string) error {
	if name == "" {
		return nil
	}
	if _, ok := plan.Clients.Lookup(name); ok {
		return nil
	}
	const most = 1000 // names to look for a similar one among
	var known []string
	for id := range min(plan.Clients.Len(), most) {
		known = append(known, plan.Clients.Name(uint32(id)))
	}
	if near := closest(name, known); len(near) > 0 || len(known) <= 10 {
		return unknown("client", name, known)
	}
	return fmt.Errorf("unknown client %q; the scenario has %d others, such as %s", name, plan.Clients.Len(), enumerate(known[:3]))
}
