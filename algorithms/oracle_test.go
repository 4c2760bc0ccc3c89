package algorithms_test

import (
	"math"
	"math/big"
	"sort"
	"strconv"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Time is an instant of a run in nanoseconds.
type Time = algorithms.Time

// lastInstant is the latest instant that can be named: Never stands one nanosecond above it.
const lastInstant = algorithms.Never - 1

// event is one decided request in an oracle's past.
type event struct {
	at       Time // when it was decided: the latest instant seen by then
	cost     int64
	accepted bool
}

// A reading tells how many units of the capacity are in use at any instant from the last event on,
// if nothing else arrives. It never grows with time: that is what makes until well defined.
type reading func(at Time) *big.Rat

// An oracle is one algorithm straight from its definition, in rationals: slow and plain. It keeps
// nothing but the past, reads all of it afresh for every decision, and finds until by searching for
// the first instant at which the request fits. It knows nothing of the limiters that it judges.
type oracle struct {
	policy      algorithms.Policy
	settle      func(past []event) reading
	capacity    int64 // a request fits while what is in use + its cost is at most this
	countDenied bool
	queues      bool // what is accepted waits until all that is in use has drained

	past   []event
	latest Time
}

// When searches for the first instant at which cost fits.
func (o *oracle) When(now Time, cost int64) Time {
	return o.earliest(max(now, o.latest), cost)
}

// Decide accepts iff the request fits at the latest instant seen.
func (o *oracle) Decide(now Time, cost int64) algorithms.Decision {
	o.latest = max(now, o.latest)
	at, inUse := o.latest, o.settle(o.past)
	accepted := o.fits(inUse, at, cost)
	o.past = append(o.past, event{at, cost, accepted})
	switch {
	case !accepted:
		return algorithms.Decision{Verdict: algorithms.Deny, Until: o.earliest(at, cost)}
	case o.queues && inUse(at).Sign() > 0:
		return algorithms.Decision{Verdict: algorithms.Delay, Until: o.release(at, inUse(at))}
	}
	return algorithms.Decision{Verdict: algorithms.Admit, Until: at}
}

// fits says whether in use + cost ≤ capacity at that instant.
func (o *oracle) fits(inUse reading, at Time, cost int64) bool {
	return plus(inUse(at), whole(cost)).Cmp(whole(o.capacity)) <= 0
}

// earliest bisects between at and the last instant that can be named, for what fits stays fits.
func (o *oracle) earliest(at Time, cost int64) Time {
	inUse := o.settle(o.past)
	return first(at, func(t Time) bool { return o.fits(inUse, t, cost) })
}

// first is the first instant, from on, at which what once holds for ever holds, or Never.
func first(from Time, holds func(Time) bool) Time {
	switch {
	case holds(from):
		return from
	case !holds(lastInstant):
		return algorithms.Never
	}
	return from + Time(sort.Search(int(lastInstant-from), func(d int) bool { return holds(from + Time(d)) }))
}

// release is at + ceil(level·P/N), or Never beyond the last instant.
func (o *oracle) release(at Time, level *big.Rat) Time {
	drained := ceil(over(level, o.rate()))
	if due := drained.Add(drained, big.NewInt(int64(at))); due.IsInt64() {
		return Time(due.Int64())
	}
	return algorithms.Never
}

// level is what a gauge shows, in thousandths: what is left rounded down, or what is used rounded up.
func (o *oracle) level(now Time, restsFull bool) algorithms.Milli {
	used := o.settle(o.past)(max(now, o.latest))
	if restsFull {
		return algorithms.Milli(floor(times(minus(whole(o.capacity), used), whole(1000))).Int64())
	}
	return algorithms.Milli(ceil(times(used, whole(1000))).Int64())
}

// nextEdge is the first instant after now that lies in another of so many slots of a period than now
// does; for windows that open at the first request it is where all is forgotten, if anything is held.
func (o *oracle) nextEdge(now Time, slots int64) Time {
	now = max(now, o.latest)
	if o.policy.Options["anchor"] == "first" {
		inUse := o.settle(o.past)
		if inUse(now).Sign() == 0 {
			return algorithms.Never
		}
		return first(now, func(t Time) bool { return inUse(t).Sign() == 0 })
	}
	return first(now, func(t Time) bool { return o.slot(t, slots) > o.slot(now, slots) })
}

// counted keeps the events that count: the accepted ones, and with count_denied all.
func (o *oracle) counted(past []event) []event {
	var kept []event
	for _, e := range past {
		if e.accepted || o.countDenied {
			kept = append(kept, e)
		}
	}
	return kept
}

// rate is N/P in units per nanosecond.
func (o *oracle) rate() *big.Rat {
	return big.NewRat(o.policy.Limit.N, int64(o.policy.Limit.Per))
}

// sinceEpoch is the Unix time of an instant in ns.
func (o *oracle) sinceEpoch(at Time) *big.Int {
	return new(big.Int).Add(big.NewInt(o.policy.Start), big.NewInt(int64(at)))
}

// slot is the number k of the slot [k·P/slots, (k+1)·P/slots) of Unix time that holds an instant,
// floor(t·slots/P), less that of instant 0. With one slot it is the number of the window.
func (o *oracle) slot(at Time, slots int64) int64 {
	number := func(at Time) *big.Int {
		t := new(big.Int).Mul(o.sinceEpoch(at), big.NewInt(slots))
		return t.Div(t, big.NewInt(int64(o.policy.Limit.Per))) // rounds down for a positive divisor
	}
	return new(big.Int).Sub(number(at), number(0)).Int64()
}

// newOracle returns the oracle of an algorithm under a policy, or nil if it has no definition here.
func newOracle(algorithm string, p algorithms.Policy) *oracle {
	o := &oracle{policy: p, countDenied: p.Options["count_denied"] == "true"}
	o.settle = o.definition(algorithm)
	if o.settle == nil {
		return nil
	}
	switch algorithm {
	case "token-bucket", "gcra", "leaky-meter", "leaky-bucket":
		o.capacity = p.Capacity()
	case "unlimited":
		o.capacity = math.MaxInt64
	default:
		o.capacity = p.Limit.N
	}
	o.queues = algorithm == "leaky-bucket"
	return o
}

// definition picks the reading that defines the algorithm with its options.
func (o *oracle) definition(algorithm string) func([]event) reading {
	options := o.policy.Options
	switch algorithm {
	case "token-bucket":
		if options["refill"] == "interval" {
			return o.intervalBucket
		}
		return o.tokenBucket
	case "gcra":
		return o.gcra
	case "leaky-meter", "leaky-bucket":
		return o.leakyMeter
	case "fixed-window":
		if options["anchor"] == "first" {
			return o.windowsFromFirst
		}
		return o.clockWindows
	case "sliding-log":
		return o.slidingLog
	case "sliding-counter":
		return o.slidingCounter
	case "sliding-buckets":
		return o.slidingBuckets
	case "unlimited":
		return func([]event) reading { return func(Time) *big.Rat { return new(big.Rat) } }
	}
	return nil
}

// integer reads a whole number among the options.
func (o *oracle) integer(option string, otherwise int64) int64 {
	text, given := o.policy.Options[option]
	if !given {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func whole(n int64) *big.Rat       { return new(big.Rat).SetInt64(n) }
func plus(a, b *big.Rat) *big.Rat  { return new(big.Rat).Add(a, b) }
func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func over(a, b *big.Rat) *big.Rat  { return new(big.Rat).Quo(a, b) }
func floor(a *big.Rat) *big.Int    { return new(big.Int).Div(a.Num(), a.Denom()) }
func ceil(a *big.Rat) *big.Int     { f := floor(new(big.Rat).Neg(a)); return f.Neg(f) }
func lesser(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}
func greater(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}
