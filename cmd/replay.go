package cmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/spf13/cobra"
)

// replayFlags are the flags of replay.
type replayFlags struct {
	logFlags
	limits     quotasFlag
	files      []string // of policies
	burst      value[int64]
	algorithms listFlag
	set        []string

	versus     value[quota]
	peak       bool
	withinTick string
	maxDenied  value[bound]
	maxClients value[bound]

	detail  listFlag
	top     value[int64]
	clients string
	format  string
	output  string
	looks   looks

	interactive bool
}

// replayFormat is one way to print a replay.
type replayFormat struct {
	name, meaning string
	print         func(*replayJob, *replayed) error
}

// replayFormats are the ways to print a replay, the first by default.
func replayFormats() []replayFormat {
	return []replayFormat{
		{"text", "tables and lanes for the terminal", (*replayJob).text},
		{"json", "one document: the log, and for each limiter its counts, denials over time and most refused clients", (*replayJob).json},
		{"ndjson", "the same as a line for the log, one for each limiter and one for each most refused client of it", (*replayJob).ndjson},
		{"csv", "a line for each limiter", (*replayJob).csv},
		{"markdown", "the table of limiters", (*replayJob).markdown},
	}
}

func (a *app) replayCommand() *cobra.Command {
	f := &replayFlags{
		logFlags: newLogFlags(), burst: wholeFlag("N", 1, algorithms.MaxUnits), versus: quotaFlag(),
		maxDenied: boundFlag(), maxClients: boundFlag(), top: wholeFlag("N", 0, 1_000_000),
	}
	f.top.v = 10
	c := &cobra.Command{
		Use:     "replay FILE...",
		GroupID: groupRun,
		Short:   "ask who in an access log would have been refused",
		Long:    replayHelp(),
		Example: `  ratesim replay access.log --limit 60/m                 every algorithm
  ratesim replay access.log.gz --limit 60/m --limit 100/m -a gcra,sliding-log
  zcat *.gz | ratesim replay - --limit 5/s --burst 20    standard input
  ratesim replay access.log --limit 60/m --where 'path=/api/*' --key client/24
  ratesim replay access.log --limit 60/m --versus '30/m burst 10'
  ratesim replay access.log --limit 60/m -i              play it back
  ratesim replay access.log --policy policy.yaml --max-denied 0.1%   status 1 beyond it`,
		Args: func(_ *cobra.Command, args []string) error { return noLog(args) },
		RunE: func(c *cobra.Command, args []string) error {
			if f.interactive {
				return a.replayInteractively(c.Context(), args, f, c.Flags())
			}
			return a.replay(c.Context(), args, f)
		},
	}
	f.registerAll(c)
	return c
}

func replayHelp() string {
	var b strings.Builder
	b.WriteString(`Reads access logs, puts their requests to every algorithm under a limit, and shows whom each would
have refused. Several files are read as one, in the order given; compressed ones (gzip, zstd) as
they are. Every line is accounted for.

Log formats, told from the first lines unless --log-format names one:
`)
	for _, f := range accesslog.Formats() {
		fmt.Fprintf(&b, "  %-14s %s\n", f.Name, f.Title)
	}
	b.WriteString("\nFormats of the result:\n")
	for _, f := range replayFormats() {
		fmt.Fprintf(&b, "  %-9s %s\n", f.name, strings.ReplaceAll(wrapHelp(f.meaning, helpWidth-12), "\n", "\n            "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (f *replayFlags) registerAll(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.Var(&f.limits, "limit", "a limit, such as 60/m or '60/m burst 10'; further ones are alternatives, side by side")
	flags.Var(&f.burst, "burst", "the burst of the algorithms that have one (default: the count of the limit)")
	flags.StringArrayVar(&f.files, "policy", nil, "a YAML `FILE` with limit, burst and limiters as in a scenario; further ones are alternatives")
	flags.VarP(&f.algorithms, "algorithm", "a", "only these limiters or algorithms")
	flags.StringArrayVar(&f.set, "set", nil, "set an option of every algorithm that has it: `OPTION=VALUE`")
	f.logFlags.register(c)
	flags.Var(&f.versus, "versus", "another limit, such as '30/m burst 10': what it would decide differently")
	flags.BoolVar(&f.peak, "peak", false, "measure the peak: the most that one client got through in any period of the limit")
	choiceFlag(c, &f.withinTick, "within-tick", "", "when the requests of one tick of the log's clock came: at once, or spread evenly over it, with the difference that makes", "together", "spread")
	flags.Var(&f.maxDenied, "max-denied", "status 1 if a limiter denies more requests than this, such as 100 or 0.1%")
	flags.Var(&f.maxClients, "max-clients", "status 1 if a limiter refuses more clients than this, such as 5 or 1%")
	flags.Var(&f.detail, "detail", "whose refused clients to list: names of limiters, or all (default: the first that denies something)")
	flags.Var(&f.top, "top", "how many of the most refused clients to list (default 10)")
	flags.StringVar(&f.clients, "clients", "", "write a table of all clients to a `FILE`, in CSV")
	formatFlag(c, &f.format, replayFormatNames()...)
	flags.StringVarP(&f.output, "output", "o", "", "write to a `FILE`, whole or not at all, instead of standard output")
	flags.BoolVarP(&f.interactive, "interactive", "i", false, "open the log in the interactive program instead, under one limit")
	looksFlags(c, &f.looks)
	none := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp)
	for _, name := range []string{"limit", "burst", "columns", "key", "where", "since", "until", "cost", "reorder", "versus", "max-denied", "max-clients", "top", "width"} {
		c.RegisterFlagCompletionFunc(name, none)
	}
	c.RegisterFlagCompletionFunc("algorithm", completeAlgorithms)
	c.RegisterFlagCompletionFunc("set", completeOption)
}

func replayFormatNames() []string {
	var names []string
	for _, f := range replayFormats() {
		names = append(names, f.name)
	}
	return names
}

// replay reads the logs and prints what limiters would have done with them.
func (a *app) replay(ctx context.Context, logs []string, f *replayFlags) error {
	policies, err := f.policies()
	if err != nil {
		return err
	}
	if _, _, err := f.limiters(policies, 0); err != nil { // before a long reading, not after
		return err
	}
	inputs, err := logInputs(logs, a.in)
	if err != nil {
		return err
	}
	out, err := a.output(f.output, logs...)
	if err != nil {
		return err
	}
	table, err := a.clientsOutput(f, logs)
	if err != nil {
		return out.finish(err)
	}
	j := &replayJob{app: a, ctx: ctx, flags: f, logs: logs, inputs: inputs, policies: policies, out: out, table: table}
	defer a.clients.discard() // unless it is complete
	verdict, err := j.work()
	if err := out.finish(err); err != nil {
		return err
	}
	return verdict
}

// work reads, prints and judges. The verdict is the error of a limiter that refuses too much.
func (j *replayJob) work() (verdict, err error) {
	r, err := j.read()
	if err != nil {
		return nil, err
	}
	if err := j.checkDetail(r); err != nil {
		return nil, err
	}
	if j.table != nil {
		if err := j.writeClients(r); err != nil {
			return nil, err
		}
	}
	chosen := replayFormats()[slices.Index(replayFormatNames(), j.flags.format)]
	if chosen.name != "text" { // text has them at its foot
		for _, note := range notes(r) {
			j.say(note)
		}
	}
	return j.judge(r), j.out.wrote(chosen.print(j, r))
}
