package cmd

import (
	"context"
	"runtime"
	"time"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// job is one scenario to be run and printed.
type job struct {
	*app
	ctx    context.Context
	loaded *scenarios.Loaded
	plan   *sim.Plan
	flags  *runFlags
	out    *output
	bar    progress
	store  *remote // decides; nil for the model
}

// workers is how many limiters, or runs, are simulated at the same time.
func workers() int { return runtime.GOMAXPROCS(0) }

// simulate runs all limiters side by side, recorded in so many buckets.
func (j *job) simulate(buckets int) ([]*sim.Result, error) {
	run := sim.New(j.plan, sim.Options{Buckets: buckets, Workers: workers(), LevelClient: j.flags.client})
	return j.finish(run, 0, 1)
}

// finish carries a run out, which is number part of several, unless it is stopped.
func (j *job) finish(run *sim.Run, part, parts int) ([]*sim.Result, error) {
	for {
		if err := j.stopped(); err != nil {
			return nil, err
		}
		more := run.Step()
		j.bar.at((float64(part) + float64(run.Reached())/float64(max(j.plan.Duration, 1))) / float64(parts))
		if !more {
			return run.Results(), j.ended(run)
		}
	}
}

// ended is why a run that is over ended before its time; nil if it did not.
func (j *job) ended(run *sim.Run) error {
	if err := run.Err(); err != nil {
		return failed(err)
	}
	return j.stopped()
}

// notes are what one should know about the traffic that is run, and about who decides.
func (j *job) notes() []string {
	return append(j.store.notes(), j.loaded.NotesUnder(j.flags.overrides())...)
}

// alone is the plan with its limiter i only.
func alone(plan *sim.Plan, i int) *sim.Plan {
	one := *plan
	one.Limiters = plan.Limiters[i : i+1]
	return &one
}

// duration is a length of simulated time as the standard library has it.
func duration(t sim.Time) time.Duration { return time.Duration(t) }
