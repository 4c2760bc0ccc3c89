package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/spf13/cobra"
)

// tuneFlags are the flags of tune.
type tuneFlags struct {
	logFlags
	deny    value[bound]
	clients value[bound]

	per        value[time.Duration]
	limit      value[quota]
	burst      value[int64]
	algorithms listFlag
	set        []string

	frontier bool
	rates    ratesFlag
	top      value[int64]
	sweep    sweepFlag

	format string
	output string
	looks  looks
}

func (a *app) tuneCommand() *cobra.Command {
	f := &tuneFlags{
		logFlags: newLogFlags(), deny: boundFlag(), clients: boundFlag(), per: durationFlag(), limit: quotaFlag(),
		burst: wholeFlag("N", 1, algorithms.MaxUnits), top: wholeFlag("N", 0, 1_000_000),
	}
	f.per.v, f.top.v = time.Minute, 5
	c := &cobra.Command{
		Use:     "tune FILE...|SCENARIO",
		GroupID: groupRun,
		Short:   "find the smallest limit that refuses no more than it may",
		Long: `Finds, for each algorithm, the smallest limit under which no more is refused than --deny and
--clients allow: nothing, if neither is given. The limit found meets that and one less does not;
both are verified by runs. With --limit, the limit stands and the smallest burst is looked for.

With --frontier it prints, for a range of rates, the smallest burst that refuses nothing: exact,
for the whole bucket family, which accepts the same.

With --sweep it prints what each policy of a grid refuses, under every algorithm.

The requests are those of access logs, read as replay reads them, or of a scenario: a file that
ends in .yaml, or the name of a built-in one. They are held in memory, 24 bytes each.`,
		Example: `  ratesim tune access.log                          the limit per minute that refuses nobody
  ratesim tune access.log --deny 0.1% --per 1s     one request in a thousand may be
  ratesim tune access.log --limit 60/m --clients 5 the burst under which five clients are
  ratesim tune access.log --frontier               which burst goes with which rate
  ratesim tune access.log --sweep limit=10/m..200/m:10 --sweep burst=5,10,20 -f csv
  ratesim tune thundering-herd                     a scenario`,
		Args: func(_ *cobra.Command, args []string) error { return noLog(args) },
		RunE: func(c *cobra.Command, args []string) error { return a.tune(c.Context(), args, f) },
	}
	f.registerAll(c)
	return c
}

func (f *tuneFlags) registerAll(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.Var(&f.deny, "deny", "the most requests that may be denied, such as 100 or 0.1% (default 0 if --clients is not given either)")
	flags.Var(&f.clients, "clients", "the most clients that may be refused, such as 5 or 1%")
	flags.Var(&f.per, "per", "the period of the limit that is looked for (default 1m)")
	flags.Var(&f.limit, "limit", "look for the burst under this limit instead")
	flags.Var(&f.burst, "burst", "the burst to go with the limit that is looked for (default: its count)")
	flags.VarP(&f.algorithms, "algorithm", "a", "only these algorithms")
	flags.StringArrayVar(&f.set, "set", nil, "set an option of every algorithm that has it: `OPTION=VALUE`")
	flags.BoolVar(&f.frontier, "frontier", false, "print the smallest burst that refuses nothing, for a range of rates")
	flags.Var(&f.rates, "rates", "the rates of the frontier, such as 10/m,20/m or 10/m..100/m:10 (default 1, 2, 5, 10, … per --per)")
	flags.Var(&f.top, "top", "for how many of the keys that need most the frontier has columns of their own (default 5)")
	flags.Var(&f.sweep, "sweep", "a grid of policies: limit=FROM..TO:STEP or limit=A,B, and burst= likewise; given once for each")
	f.logFlags.register(c)
	formatFlag(c, &f.format, "text", "json", "csv", "markdown")
	flags.StringVarP(&f.output, "output", "o", "", "write to a `FILE`, whole or not at all, instead of standard output")
	looksFlags(c, &f.looks)
	none := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp)
	for _, name := range []string{"deny", "clients", "per", "limit", "burst", "rates", "top", "sweep", "columns", "key", "where", "since", "until", "cost", "reorder", "width"} {
		c.RegisterFlagCompletionFunc(name, none)
	}
	c.RegisterFlagCompletionFunc("algorithm", completeAlgorithms)
	c.RegisterFlagCompletionFunc("set", completeOption)
}

// check finds flags that do not go together.
func (f *tuneFlags) check() error {
	switch {
	case f.frontier && f.sweep.given():
		return errors.New("--frontier and --sweep do not go together")
	case f.frontier && (f.deny.given || f.clients.given || f.limit.given || f.burst.given):
		return errors.New("--frontier refuses nothing whatever the rate; it goes with --rates and --per only")
	case f.sweep.given() && (f.deny.given || f.clients.given || f.limit.given || f.burst.given):
		return errors.New("--sweep looks for nothing; its limits and bursts are all given in it")
	case f.sweep.given() && len(f.sweep.limits) == 0:
		return errors.New("--sweep burst=… needs limits as well: --sweep limit=10/m,20/m")
	case len(f.rates.rates) > 0 && !f.frontier:
		return errors.New("--rates are those of --frontier")
	case f.limit.given && f.burst.given:
		return errors.New("--limit and --burst leave nothing to look for")
	case f.limit.given && f.limit.v.burst != 0:
		return fmt.Errorf("--limit %q: leave out the burst, which is looked for", f.limit.text)
	}
	return nil
}

// tune reads the requests and prints what was asked of them.
func (a *app) tune(ctx context.Context, args []string, f *tuneFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	out, err := a.output(f.output, args...)
	if err != nil {
		return err
	}
	j := &tuneJob{app: a, ctx: ctx, flags: f, names: args, out: out}
	return out.finish(j.work())
}

// work does what the flags ask for.
func (j *tuneJob) work() error {
	if err := j.load(); err != nil {
		return err
	}
	for _, note := range j.notes {
		j.say(note)
	}
	if len(j.requests.Requests) == 0 {
		return failed(errors.New("no requests to tune for"))
	}
	t, err := j.answer()
	if err != nil {
		return err
	}
	return j.out.wrote(j.print(t))
}

// answer finds out what was asked for.
func (j *tuneJob) answer() (*grid, error) {
	defer func() { j.bar.end() }()
	j.bar = j.progress("tuning")
	switch {
	case j.flags.frontier:
		return j.frontier()
	case j.flags.sweep.given():
		return j.sweep()
	}
	return j.smallest()
}

// isScenario reports whether the arguments are one scenario rather than logs.
func isScenario(args []string) bool {
	if len(args) != 1 {
		return false
	}
	if slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(args[0])) {
		return true
	}
	_, err := os.Stat(args[0])
	return err != nil && slices.Contains(scenarioNames(), strings.TrimSpace(args[0]))
}
