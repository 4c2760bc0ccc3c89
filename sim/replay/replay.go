package replay

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Time is an instant in nanoseconds since the first request.
type Time = sim.Time

// Options say how requests are replayed and what is found out beyond counts.
type Options struct {
	Workers int   // limiters simulated at the same time, at least 1
	Peak    bool  // measure each limiter's peak: 16 bytes more for each request of the last period
	Start   int64 // Unix time of instant 0, ns: where minutes begin
	Paths   bool  // the Endpoint of a request is the id of its path

	// Versus pairs limiters of the plan whose decisions are compared request by request.
	Versus []Pair
}

// Pair is two limiters by their index into Plan.Limiters: the policy there is, and another.
type Pair struct{ This, Other int }

// Replay is a replay under way.
type Replay struct {
	plan   sim.Plan
	opts   Options
	run    *sim.Run
	source *source
	lanes  []*lane
	shifts []Shift // by Options.Versus
}

// New makes a replay of the plan's requests, which are read once. The plan's duration does not
// count: requests are taken to the last.
func New(plan *sim.Plan, opts Options) *Replay {
	r := &Replay{plan: *plan, opts: opts, shifts: make([]Shift, len(opts.Versus))}
	r.source = &source{}
	open := plan.Open
	r.plan.Open = func() traffic.Source {
		r.source.in = open()
		return r.source
	}
	r.plan.Duration = algorithms.Never
	for range plan.Limiters {
		r.lanes = append(r.lanes, newLane(opts))
	}
	r.run = sim.New(&r.plan, sim.Options{
		Buckets: 1, Workers: opts.Workers, Lean: true, Peak: opts.Peak,
		Refusals: func(i int) sim.Refusals { return r.lanes[i] },
	})
	return r
}

// Step replays some more, some ten thousand requests at most, and reports whether more is to come.
func (r *Replay) Step() bool {
	for _, l := range r.lanes {
		l.block = l.block[:0]
	}
	more := r.run.Step()
	for i, p := range r.opts.Versus {
		r.shifts[i].compare(r.lanes[p.This].block, r.lanes[p.Other].block)
	}
	return more
}

// Requests is how many requests have been replayed so far.
func (r *Replay) Requests() int64 { return r.run.Requests() }

// Finish carries the replay out to its end.
func (r *Replay) Finish() *Outcome {
	for r.Step() {
	}
	return r.Outcome()
}

// Outcome is what has been found out, once the replay has been carried out to its end.
func (r *Replay) Outcome() *Outcome {
	o := &Outcome{
		Requests: r.run.Requests(), Clients: r.source.clients, Last: r.source.last,
		Timeline: r.source.timeline.clone(), requests: r.source.requests,
	}
	for i, result := range r.run.Results() {
		o.Limiters = append(o.Limiters, r.lanes[i].outcome(result, o))
	}
	for i, p := range r.opts.Versus {
		s := r.shifts[i]
		s.clients(o.Limiters[p.This].tallies, o.Limiters[p.Other].tallies)
		o.Shifts = append(o.Shifts, s)
	}
	return o
}
