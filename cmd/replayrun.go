package cmd

import (
	"context"
	"fmt"
	"slices"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/replay"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// replayJob is logs to be replayed and printed.
type replayJob struct {
	*app
	ctx      context.Context
	flags    *replayFlags
	logs     []string
	policies []policy
	out      *output
	table    *output // of all clients; nil unless asked for
	inputs   []accesslog.Input
}

// replayed is one reading of the logs and what came of it.
type replayed struct {
	*replay.Outcome
	log            *accesslog.Report
	clients, paths *accesslog.Names
	start          int64 // Unix time of the first request, ns
	limiters       []sim.Limiter
	counts         []int // of limiters, by policy

	// together is what came of the same requests where all of one tick come at once; nil unless
	// they were spread.
	together *replay.Outcome
}

// read reads the logs.
func (j *replayJob) read() (*replayed, error) {
	options, err := j.flags.options()
	if err != nil {
		return nil, err
	}
	options.Spread, options.Paths = j.spreads(), j.wantsPaths()
	bar := j.progress("reading")
	defer bar.end()
	var r *replayed
	err = readLog(j.ctx, j.inputs, options, bar, func(s *accesslog.Stream, more func() error) error {
		var err error
		r, err = j.replayStream(s, more)
		return err
	})
	return r, err
}

// spreads reports whether the requests of one tick are spread over it.
func (j *replayJob) spreads() bool { return j.flags.withinTick == "spread" }

// wantsPaths reports whether paths are shown at all; reading them costs time.
func (j *replayJob) wantsPaths() bool {
	shown := j.flags.top.v > 0 && j.flags.format != "csv" && j.flags.format != "markdown"
	return shown || j.flags.clients != ""
}

// replayStream puts the requests of a stream to the limiters of all policies.
func (j *replayJob) replayStream(s *accesslog.Stream, more func() error) (*replayed, error) {
	start := s.Start()
	limiters, counts, err := j.flags.limiters(j.policies, start)
	if err != nil {
		return nil, err
	}
	options := replay.Options{
		Workers: workers(), Peak: j.flags.peak, Start: start, Paths: j.wantsPaths(), Versus: j.pairs(counts),
	}
	runs := j.runs(s, limiters, options)
	for running := true; running; {
		running = false
		for _, run := range runs {
			running = run.Step() || running
		}
		if err := more(); err != nil {
			return nil, err
		}
	}
	r := &replayed{
		Outcome: runs[0].Outcome(), log: s.Report(), clients: s.Clients(), paths: s.Paths(),
		start: start, limiters: limiters, counts: counts,
	}
	if j.spreads() {
		r.together = runs[1].Outcome()
	}
	return r, nil
}

// runs are the replays of a stream, to be stepped side by side: the one that is asked for and, where
// ticks are spread, the one that says what difference that makes.
func (j *replayJob) runs(s *accesslog.Stream, limiters []sim.Limiter, options replay.Options) []*replay.Replay {
	planOf := func(source traffic.Source) *sim.Plan {
		return &sim.Plan{Clients: s.Clients(), Open: func() traffic.Source { return source }, Limiters: limiters}
	}
	if !j.spreads() {
		return []*replay.Replay{replay.New(planOf(s), options)}
	}
	f := &fork{stream: s}
	return []*replay.Replay{
		replay.New(planOf(spreadSide{f}), options),
		replay.New(planOf(loggedSide{f}), replay.Options{Workers: options.Workers, Start: options.Start}),
	}
}

// pairs are the limiters of the policy beside those of the one that it is compared with, which are
// the same but for their limit.
func (j *replayJob) pairs(counts []int) []replay.Pair {
	if !j.flags.versus.given {
		return nil
	}
	var out []replay.Pair
	for i := range counts[0] {
		out = append(out, replay.Pair{This: i, Other: counts[0] + i})
	}
	return out
}

// judge holds the limiters against the bounds of the command line; with --versus only those of the
// policy itself.
func (j *replayJob) judge(r *replayed) error {
	judged := r.Limiters
	if j.flags.versus.given {
		judged = judged[:r.counts[0]]
	}
	if r.Requests == 0 && (j.flags.maxDenied.given || j.flags.maxClients.given) {
		return failed(fmt.Errorf("nothing to judge: no requests in %s", enumerate(j.logs)))
	}
	text := ""
	for _, l := range judged {
		if b := j.flags.maxDenied; b.given && l.Summary.Denied > b.v.most(r.Requests) {
			text += fmt.Sprintf("\n  %s: %s denied of %d, %s allowed", l.Name, count(l.Summary.Denied, "request"), r.Requests, b.v)
		}
		if b := j.flags.maxClients; b.given && l.Touched > b.v.most(r.Clients) {
			text += fmt.Sprintf("\n  %s: %s refused of %d, %s allowed", l.Name, count(l.Touched, "client"), r.Clients, b.v)
		}
	}
	if text == "" {
		return nil
	}
	return failed(fmt.Errorf("more refused than allowed%s", text))
}

// checkDetail sees to it that --detail names limiters.
func (j *replayJob) checkDetail(r *replayed) error {
	var names []string
	for _, l := range r.limiters {
		names = append(names, l.Name, l.Spec.Name)
	}
	for _, name := range j.flags.detail.names {
		if name != "all" && !slices.Contains(names, name) {
			return unknown("limiter", name, slices.Compact(names))
		}
	}
	return nil
}

// detailed are the limiters whose refused clients are listed: those asked for, or the first that
// denies something.
func (j *replayJob) detailed(r *replayed) []*replay.Limiter {
	var out []*replay.Limiter
	asked := j.flags.detail.names
	for _, l := range r.Limiters {
		named := slices.Contains(asked, "all") || slices.Contains(asked, l.Name) || slices.Contains(asked, l.Spec.Name)
		if named || asked == nil && out == nil && l.Summary.Denied > 0 {
			out = append(out, l)
		}
	}
	return out
}
