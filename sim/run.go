package sim

import (
	"sync"
	"sync/atomic"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Options say how a run is carried out and recorded. None of them changes a decision.
type Options struct {
	Buckets  int      // buckets of each Grid, at least 1; fewer where Plan.Duration has fewer nanoseconds
	Workers  int      // limiters simulated at the same time, at least 1; from 2 on requests are taken ahead meanwhile
	Steps    int      // decisions kept one by one, from the first on, at most MaxSteps; 0 for none
	Observer Observer // sees every decision of every limiter; nil for none. With it Workers is 1.

	// Observers gives each limiter an observer of its own, called in the goroutine that simulates
	// that limiter, whatever the number of Workers; nil for none. It gets the index into
	// Plan.Limiters. Not together with Observer. They leave Plan.Clients alone, which may grow at
	// the same time.
	Observers func(limiter int) Observer

	// Refusals gives each limiter something that hears of its denials alone, which costs nothing
	// where nothing is denied; nil for none. It gets the index into Plan.Limiters.
	Refusals func(limiter int) Refusals

	// Lean leaves out what takes memory for each client or request beyond the limiters themselves:
	// Summary's Peak, PeakRatio, WentOver, DeniedWithRoom, LongestDenials and Fairness stay 0, and
	// no level is recorded. Plan.Open is then called once only.
	Lean bool

	// Peak measures, of what Lean leaves out, the first four.
	Peak bool

	// Responses lets observers see the HTTP answer of every decision.
	Responses bool

	// LevelClient is the client whose limiter's level is recorded; "" for the one with the most
	// units among the run's first million requests.
	LevelClient string
}

// Step is one decision, as an Observer sees it.
type Step struct {
	Limiter  int   // index into Plan.Limiters
	Seq      int64 // the request's number in the run, from 0, the same for every limiter
	Request  traffic.Request
	Decision Decision
	Response *Response // with Options.Responses: what HTTP makes of the decision; nil otherwise

	// Of a run with a System, where a Step is the decision on a call. Its Decision's verdict may be
	// Degraded, and its Until is Never where a delayed call waits for what cannot be foreseen.
	Attempt int64 // which sending of its request it is, from 1; 0 without a System
	Decided Time
	Rule    int             // index into System.Rules of the limit that refused; -1 if none did
	Failed  servers.Failure // of several servers: how it was decided without the store
}

// Observer sees every step of a run and influences nothing.
type Observer interface {
	// Asked is called before a request is decided, with the limiter that is about to decide it.
	// Only the limiter's reading methods may be called. The step's Decision is not set.
	Asked(Step, algorithms.Limiter)

	// Answered is called with the decision.
	Answered(Step)
}

// Refusals hears of the requests that one limiter denies, in order, in the goroutine that simulates
// that limiter.
type Refusals interface {
	// Refused is called with a denied request and its number in the run, from 0.
	Refused(seq int64, r *traffic.Request)
}

// How many requests are generated at a time and handed to each limiter: few enough to stay in the
// nearer cache (100 kB), and with several workers enough to spread the cost of starting them and of
// waiting for the last of them (400 kB).
const (
	aloneSize = 4096
	blockSize = 16384
)

// surveyed is how many requests are looked at to find the busiest client.
const surveyed = 1 << 20

// Run is a simulation under way.
type Run struct {
	plan    *Plan
	workers int
	size    int // of a block, but for the last one
	arrival traffic.Source
	block   block // what is being decided
	ahead   block // what comes next, once it has been taken
	seq     int64 // number of the block's first request
	reached Time
	done    bool
	lanes   []*lane
	steps   Steps
	keep    int
	askers  []bool // by client: has sent a request
	clients int64  // how many have
}

// block is arrivals that are handed to the limiters together.
type block struct {
	taken    bool
	requests []traffic.Request
	keys     []uint32 // their clients, where there are many
	clients  int64    // how many clients have sent a request up to its end,
	room     int      // and for how many there is to be room
}

// New makes a run ready at instant 0.
func New(plan *Plan, opts Options) *Run {
	r := &Run{
		plan:    plan,
		workers: opts.Workers,
		keep:    min(opts.Steps, MaxSteps),
		arrival: plan.Open(),
	}
	if opts.Observer != nil {
		r.workers = 1
	}
	r.size = blockSize
	if r.workers < 2 {
		r.size = aloneSize
	}
	shown := uint32(0)
	if !opts.Lean {
		shown = shownClient(plan, opts.LevelClient)
	}
	for i := range plan.Limiters {
		r.lanes = append(r.lanes, newLane(plan, i, opts, shown))
	}
	return r
}

// shownClient is the client whose limiter's level is recorded.
func shownClient(plan *Plan, name string) uint32 {
	if id, ok := plan.Clients.Lookup(name); ok && name != "" {
		return id
	}
	if plan.Clients.Len() < 2 {
		return 0
	}
	var units []int64
	source := plan.Open()
	for range surveyed {
		req, ok := source.Next()
		if !ok || req.At >= plan.Duration {
			break
		}
		if int(req.Client) >= len(units) {
			units = extend(units, room(req.Client, len(units), plan.Clients.Len()))
		}
		units[req.Client] += req.Cost
	}
	var busiest uint32
	for id, n := range units {
		if n > units[busiest] {
			busiest = uint32(id)
		}
	}
	return busiest
}

// room is for how many clients to make room when one with that id sends its first request: twice as
// many as there was room for, and never more than there are. What is kept of clients then follows
// those that send something, not those that could.
func room(id uint32, had, clients int) int { return min(max(int(id)+1, 2*had), clients) }

// Reached is the instant up to which everything has happened, for progress: Plan.Duration when the
// run is done.
func (r *Run) Reached() Time { return r.reached }

// Requests is how many requests have been decided so far.
func (r *Run) Requests() int64 { return r.seq }

// Step simulates some more, some ten thousand requests at most, and reports whether more is to come.
func (r *Run) Step() bool {
	if r.done || r.Err() != nil {
		return false
	}
	if !r.ahead.taken {
		r.fill(&r.ahead)
	}
	r.block, r.ahead = r.ahead, r.block
	r.ahead.taken = false
	b := &r.block
	r.steps.keep(b.requests, r.keep)
	r.done = len(b.requests) < r.size
	r.each(func(l *lane) {
		l.admitClients(b.room)
		l.run(r.seq, b.requests, b.keys)
		if r.done {
			l.finish()
		}
	})
	r.seq += int64(len(b.requests))
	if r.done {
		r.reached = r.plan.Duration
	} else {
		r.reached = b.requests[r.size-1].At
	}
	return !r.done && r.Err() == nil
}

// fill takes the next requests before the end of the run.
func (r *Run) fill(b *block) {
	b.requests = b.requests[:0]
	for len(b.requests) < r.size {
		req, ok := r.arrival.Next()
		if !ok || req.At >= r.plan.Duration {
			break
		}
		if int(req.Client) >= len(r.askers) {
			r.askers = extend(r.askers, room(req.Client, len(r.askers), r.plan.Clients.Len()))
		}
		if !r.askers[req.Client] {
			r.askers[req.Client] = true
			r.clients++
		}
		b.requests = append(b.requests, req)
	}
	b.clients, b.room, b.taken = r.clients, len(r.askers), true
	b.listKeys()
}

// listKeys lists the requests' keys for the limiters to be fetched by, where there are many.
func (b *block) listKeys() {
	b.keys = b.keys[:0]
	if b.room < cold {
		return
	}
	for i := range b.requests {
		b.keys = append(b.keys, b.requests[i].Client)
	}
}

// each does work for every lane, spread over the workers, one of which takes the next requests first,
// so that none of them waits for those. Lanes share nothing that changes, so the order does not
// matter.
func (r *Run) each(work func(*lane)) {
	if r.workers < 2 {
		for _, l := range r.lanes {
			work(l)
		}
		return
	}
	var next atomic.Int64
	take := func() {
		for i := next.Add(1) - 1; int(i) < len(r.lanes); i = next.Add(1) - 1 {
			work(r.lanes[len(r.lanes)-1-int(i)]) // the last of the registry take longest, so they come first
		}
	}
	var group sync.WaitGroup
	for range min(r.workers-1, len(r.lanes)) {
		group.Go(take)
	}
	if !r.done {
		r.fill(&r.ahead)
	}
	take()
	group.Wait()
}

// Results reports what each limiter did so far, in the plan's order. What it returns is the
// caller's and does not change as the run goes on.
func (r *Run) Results() []*Result {
	out := make([]*Result, len(r.lanes))
	for i, l := range r.lanes {
		out[i] = l.result(r.block.clients)
	}
	return out
}

// Finish carries the run out to its end and reports what each limiter did.
func (r *Run) Finish() []*Result {
	for r.Step() {
	}
	return r.Results()
}
