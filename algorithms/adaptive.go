package algorithms

import "fmt"

func adaptiveSpec() *Spec {
	s := &Spec{
		Name:    "adaptive",
		Summary: "a concurrency limit that finds itself: one more while responses are in time, a tenth less at a late one",
		Holds:   true,
		Gauge:   Gauge{Name: "in flight"},
		Options: []Option{
			{Name: "min", Kind: Int, Default: "1", Min: 1, Max: MaxUnits,
				Meaning: "the lowest limit it moves to, at most N, which it starts with"},
			{Name: "max", Kind: Int, Min: 1, Max: MaxUnits,
				Meaning: "the highest limit it moves to, at least N, which it starts with (default: ten times N)"},
		},
		Traits: Traits{
			State:   "2 counters",
			Time:    "constant",
			Worst:   "no bound",
			Burst:   "passes up to its limit at once",
			Smooths: "no",
			Exact:   "no: a number under way, not a rate",
		},
		Page: `It is concurrency with a limit that moves. It starts at N. A response that is in time raises the limit by one if at least half of it was in use, the ended request included: a limit that nobody needs tells nothing. A response that is late or failed cuts it to nine tenths, rounded down. It stays between min and max. P means nothing to it.

This is additive increase, multiplicative decrease (AIMD), as TCP has it for congestion: the limit creeps up until responses are late, falls, and creeps up again. Nobody has to know what the service can take, and when the service slows down the limit follows.

What counts as late is the service's timeout, and everything depends on it: too generous, and the queue before the service is long before anything is late; too strict, and the limit stays at min. After a fall of the limit more may be in flight than it says; nothing is cut off, nothing more is admitted until enough has ended.

Published limiters of this kind differ in the signal: lateness here, the gradient of latency elsewhere.`,
		Worst: func(Policy) int64 { return -1 },
	}
	s.most = func(p Policy) int64 {
		r := settings{Policy: p, spec: s}
		return r.number("max", min(MaxUnits, 10*p.Limit.N))
	}
	s.Build = func(p Policy) (Maker, error) {
		r := s.read(p)
		if len(r.mistakes) == 0 {
			r.within(r.number("min", 1), s.most(p))
		}
		return r.make(func() Maker {
			shared := &adaptivePolicy{start: p.Limit.N, min: r.number("min", 1), max: s.most(p)}
			return maker(adaptive{adaptivePolicy: shared, limit: shared.start})
		})
	}
	return s
}

// within checks that the limit lies between the lowest and the highest that it may move to.
func (r *settings) within(lowest, highest int64) {
	if n := r.Limit.N; lowest > n {
		r.refuse("min", fmt.Sprint(lowest), fmt.Sprintf("must be at most the limit, %d", n))
	}
	if n := r.Limit.N; highest < n {
		r.refuse("max", fmt.Sprint(highest), fmt.Sprintf("must be at least the limit, %d", n))
	}
}

// adaptivePolicy is what the limiters of one policy share.
type adaptivePolicy struct{ start, min, max int64 }

// adaptive lends out permits, as many as have proved good.
type adaptive struct {
	*adaptivePolicy
	permits
	limit int64 // min to max
}

// When implements Limiter.
func (a *adaptive) When(now Time, cost int64) Time { return a.when(now, cost, a.limit) }

// Decide implements Limiter.
func (a *adaptive) Decide(now Time, cost int64) Decision { return a.take(now, cost, a.limit) }

// Done implements Holding. The ended request counts as in use.
func (a *adaptive) Done(now Time, cost int64, late bool) {
	switch {
	case late:
		a.limit = max(a.min, a.limit*9/10)
	case 2*a.inFlight >= a.limit:
		a.limit = min(a.max, a.limit+1)
	}
	a.giveBack(now, cost)
}

// Limit implements Moving.
func (a *adaptive) Limit() int64 { return a.limit }
