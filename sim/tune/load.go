package tune

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Load is requests to be run again and again.
type Load struct {
	Clients  sim.Clients
	Requests []traffic.Request // in order of time
	Shared   bool              // all clients under one limiter instead of one each
	Workers  int               // limiters simulated at the same time, at least 1

	// More, if it is not nil, is called every few thousand requests; its error ends the work.
	More func() error
}

// Mixed reports whether requests differ in cost. Denials then need not fall as a limit grows: one
// that lets a dear request through may deny many cheap ones after it. Nor need the number of clients
// refused where they share a limiter.
func (l *Load) Mixed() bool {
	for i := range l.Requests {
		if l.Requests[i].Cost != l.Requests[0].Cost {
			return true
		}
	}
	return false
}

// Refusals are how many requests a limiter denies, and how many clients it refuses at least once.
type Refusals struct{ Denied, Clients int64 }

// Measure runs the requests through limiters and counts what each refuses.
func (l *Load) Measure(limiters []sim.Limiter) ([]Refusals, error) {
	var all []Refusals
	for len(limiters) > 0 {
		n := min(len(limiters), l.together())
		some, err := l.measure(limiters[:n])
		if err != nil {
			return nil, err
		}
		all, limiters = append(all, some...), limiters[n:]
	}
	return all, nil
}

// together is how many limiters run at the same time: as many as 1 GiB holds at 128 bytes a client.
func (l *Load) together() int {
	return min(max(1<<23/max(l.Clients.Len(), 1), 1), 256)
}

func (l *Load) measure(limiters []sim.Limiter) ([]Refusals, error) {
	counters := make([]counter, len(limiters))
	err := l.run(limiters, sim.Options{Refusals: func(i int) sim.Refusals {
		counters[i].refused = make([]bool, l.Clients.Len())
		return &counters[i]
	}})
	out := make([]Refusals, len(limiters))
	for i := range counters {
		out[i] = counters[i].Refusals
	}
	return out, err
}

// run carries out a lean run.
func (l *Load) run(limiters []sim.Limiter, options sim.Options) error {
	options.Lean, options.Buckets, options.Workers = true, 1, max(l.Workers, 1)
	run := sim.New(&sim.Plan{
		Duration: algorithms.Never, Clients: l.Clients, Shared: l.Shared, Limiters: limiters,
		Open: func() traffic.Source { return traffic.Fixed(l.Requests) },
	}, options)
	for run.Step() {
		if l.More == nil {
			continue
		}
		if err := l.More(); err != nil {
			return err
		}
	}
	return nil
}

// counter counts the refusals of one limiter.
type counter struct {
	Refusals
	refused []bool // by client
}

// Refused implements sim.Refusals.
func (c *counter) Refused(_ int64, r *traffic.Request) {
	c.Denied++
	if !c.refused[r.Client] {
		c.refused[r.Client] = true
		c.Clients++
	}
}
