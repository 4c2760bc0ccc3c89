package cmd

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/spf13/pflag"
)

// alongInteractive are the flags of replay that -i goes together with: those that a scenario which
// replays the log can say too.
func alongInteractive() []string {
	return []string{
		"interactive", "limit", "burst", "policy", "algorithm", "set", "log-format", "columns", "key", "where",
		"since", "until", "cost", "reorder", "color", "background", "ascii",
	}
}

// replayInteractively opens logs under one limit in the interactive program.
func (a *app) replayInteractively(ctx context.Context, logs []string, f *replayFlags, flags *pflag.FlagSet) error {
	policies, err := f.policies()
	if err != nil {
		return err
	}
	if len(policies) > 1 {
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
	log := a.in
	close, err := a.keysFromTerminal(slices.Contains(logs, "-"), "log", "zcat access.log.gz | ratesim replay - --limit 60/m -i", "the same command without --interactive")
	if err != nil {
		return err
	}
	defer close()
	if err := a.needsTerminal("the same command without --interactive"); err != nil {
		return err
	}
	loaded, err := f.scenario(ctx, a, logs, log, policies[0])
	if err != nil {
		return err
	}
	run := &runFlags{algorithms: f.algorithms, set: f.set, looks: f.looks}
	return a.interactWith(ctx, loaded, run, false)
}

// scenario is the replay of logs under one policy as a scenario, its windows where they stood when
// the logs were written.
func (f *replayFlags) scenario(ctx context.Context, a *app, logs []string, stdin io.Reader, p policy) (*scenarios.Loaded, error) {
	replay := &scenarios.Replay{
		Columns: f.columns.text, Key: f.key.text, Where: f.where, Since: f.since.text, Until: f.until.text, Cost: f.costs, Reorder: f.reorder.v,
	}
	for _, log := range logs {
		if log != "-" { // the scenario may be saved anywhere
			path, err := filepath.Abs(log)
			if err != nil {
				return nil, err
			}
			log = filepath.ToSlash(path)
		}
		replay.File = append(replay.File, log)
	}
	if f.logFlags.format != "auto" {
		replay.Format = f.logFlags.format
	}
	start, err := a.readReplay(ctx, replay, stdin)
	if err != nil {
		return nil, err
	}
	at, name := time.Unix(0, start).UTC(), replayName(logs)
	s := *p.loaded.Scenario
	if p.quota != nil {
		s.Limit, s.Burst = p.quota.limit, p.quota.burst
	}
	s.Name, s.Start, s.Expect = name, &at, nil
	s.Traffic = []scenarios.Source{{Replay: replay}}
	return scenarios.FromScenario(&s, name, ".")
}

// replayName is what the page of the logs is called.
func replayName(logs []string) string {
	name := filepath.Base(logs[0])
	if logs[0] == "-" {
		name = "standard input"
	}
	if len(logs) > 1 {
		name += fmt.Sprintf(" and %d more", len(logs)-1)
	}
	return name
}

// readReplay reads the logs of a replay, with a bar that shows how far.
func (a *app) readReplay(ctx context.Context, r *scenarios.Replay, stdin io.Reader) (start int64, err error) {
	bar, began := a.progress("reading"), time.Now()
	defer bar.end()
	return r.Read(".", stdin, func(read, total, lines int64) error {
		bar.reading(read, total, lines, time.Since(began))
		return ctx.Err()
	})
}
