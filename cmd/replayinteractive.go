package cmd

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/spf13/pflag"
)

// alongInteractive are the flags of replay that -i goes together with: those that a scenario which
// replays the log can say too.
func alongInteractive() []string {
	return []string{
		"interactive", "limit", "burst", "policy", "algorithm", "set", "log-format", "columns", "key", "where",
		"color", "background", "ascii",
	}
}

// replayInteractively opens a log under one limit in the interactive program.
func (a *app) replayInteractively(ctx context.Context, logs []string, f *replayFlags, flags *pflag.FlagSet) error {
	policies, err := f.policies()
	if err != nil {
		return err
	}
	switch {
	case len(logs) > 1 || logs[0] == "-":
		return fmt.Errorf("--interactive opens one log that is a file, not %s", enumerate(logs))
	case len(policies) > 1:
		return fmt.Errorf("--interactive shows one limit, not %d; change it there, and keep a baseline to compare", len(policies))
	}
	var refused error
	flags.Visit(func(flag *pflag.Flag) {
		if refused == nil && !slices.Contains(alongInteractive(), flag.Name) {
			refused = fmt.Errorf("--%s does not go together with --interactive", flag.Name)
		}
	})
	if refused != nil {
		return refused
	}
	if err := a.needsTerminal("the same command without --interactive"); err != nil {
		return err
	}
	loaded, err := f.scenario(ctx, a, logs[0], policies[0])
	if err != nil {
		return err
	}
	run := &runFlags{algorithms: f.algorithms, set: f.set, looks: f.looks}
	return a.interactWith(ctx, loaded, run, false)
}

// scenario is the replay of one log under one policy as a scenario, its windows where they stood when
// the log was written.
func (f *replayFlags) scenario(ctx context.Context, a *app, log string, p policy) (*scenarios.Loaded, error) {
	start, err := f.start(ctx, a, log)
	if err != nil {
		return nil, err
	}
	at := time.Unix(0, start).UTC()
	path, err := filepath.Abs(log)
	if err != nil {
		return nil, err
	}
	s := *p.loaded.Scenario
	if p.quota != nil {
		s.Limit, s.Burst = p.quota.limit, p.quota.burst
	}
	replay := &scenarios.Replay{File: filepath.ToSlash(path), Columns: f.columns.text, Key: f.key.text, Where: f.where}
	if f.logFlags.format != "auto" {
		replay.Format = f.logFlags.format
	}
	s.Name, s.Start, s.Expect = filepath.Base(log), &at, nil
	s.Traffic = []scenarios.Source{{Replay: replay}}
	return scenarios.FromScenario(&s, log, ".")
}

// start is the Unix time of the log's first request, in ns.
func (f *replayFlags) start(ctx context.Context, a *app, log string) (start int64, err error) {
	inputs, err := logInputs([]string{log}, a.in)
	if err != nil {
		return 0, err
	}
	options, err := f.options()
	if err != nil {
		return 0, err
	}
	bar := a.progress("reading")
	defer bar.end()
	err = readLog(ctx, inputs, options, bar, func(s *accesslog.Stream, more func() error) error {
		start = s.Start()
		return more()
	})
	return start, err
}
