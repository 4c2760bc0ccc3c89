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

// event is one thing in an oracle's past: a decided request, the end of a service, or a change of the
// policy.
type event struct {
	at       Time // when it was: the latest instant seen by then
	cost     int64
	accepted bool               // of a request
	ended    bool               // the service of an accepted request has ended
	late     bool               // and the response was late or failed
	to       *algorithms.Policy // what the policy is changed to
}

// A reading tells how many units of the capacity are in use at any instant from the last event on,
// if nothing else arrives. It never grows with time: that is what makes until well defined.
type reading func(at Time) *big.Rat

// An oracle is one algorithm straight from its definition, in rationals: slow and plain. It keeps
// nothing but the past, reads all of it afresh for every decision, and finds until by searching for
// the first instant at which the request fits. It knows nothing of the limiters that it judges.
type oracle struct {
	first, policy algorithms.Policy // at instant 0, and as it is now
	settle        func(past []event) reading
	capacity      func(past []event) int64 // a request fits while what is in use + its cost is at most this
	queues        bool                     // what is accepted waits until all that was accepted has drained

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
	accepted := fits(inUse, at, cost, o.capacity(o.past))
	o.past = append(o.past, event{at: at, cost: cost, accepted: accepted})
	switch {
	case !accepted:
		return algorithms.Decision{Verdict: algorithms.Deny, Until: o.earliest(at, cost)}
	case o.queues:
		return o.queued(at)
	}
	return algorithms.Decision{Verdict: algorithms.Admit, Until: at}
}

// Done is the end of a service.
func (o *oracle) Done(now Time, cost int64, late bool) {
	o.latest = max(now, o.latest)
	o.past = append(o.past, event{at: o.latest, cost: cost, ended: true, late: late})
}

// change puts another policy in force.
func (o *oracle) change(now Time, to algorithms.Policy) {
	o.latest = max(now, o.latest)
	o.past = append(o.past, event{at: o.latest, to: &to})
	o.policy = to
}

// queued is when the last request of the past goes ahead: when all accepted before it has drained.
func (o *oracle) queued(at Time) algorithms.Decision {
	due := ceil(o.drained(o.past[:len(o.past)-1]))
	switch {
	case !due.IsInt64():
		return algorithms.Decision{Verdict: algorithms.Delay, Until: algorithms.Never}
	case Time(due.Int64()) > at:
		return algorithms.Decision{Verdict: algorithms.Delay, Until: Time(due.Int64())}
	}
	return algorithms.Decision{Verdict: algorithms.Admit, Until: at}
}

// drained is the instant at which all that was accepted has drained, each request at the rate under
// which it was accepted. A change rounds it up to what the new policy can express: a nanosecond over N
// in lowest terms.
func (o *oracle) drained(past []event) *big.Rat {
	p, clear := o.first, new(big.Rat)
	for _, e := range past {
		switch now := whole(int64(e.at)); {
		case e.to != nil:
			p = *e.to
			parts := new(big.Rat).SetInt(rateOf(p).Num())
			clear = over(new(big.Rat).SetInt(ceil(times(clear, parts))), parts)
		case e.accepted:
			clear = plus(greater(now, clear), over(whole(e.cost), rateOf(p)))
		}
	}
	return clear
}

// fits says whether in use + cost ≤ capacity at that instant.
func fits(inUse reading, at Time, cost, capacity int64) bool {
	return plus(inUse(at), whole(cost)).Cmp(whole(capacity)) <= 0
}

// earliest bisects between at and the last instant that can be named, for what fits stays fits.
func (o *oracle) earliest(at Time, cost int64) Time {
	inUse, capacity := o.settle(o.past), o.capacity(o.past)
	return first(at, func(t Time) bool { return fits(inUse, t, cost, capacity) })
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

// level is what a gauge shows, in thousandths: what is left rounded down, or what is used rounded up.
func (o *oracle) level(now Time, restsFull bool) algorithms.Milli {
	used := o.settle(o.past)(max(now, o.latest))
	if restsFull {
		return algorithms.Milli(floor(times(minus(whole(o.capacity(o.past)), used), whole(1000))).Int64())
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

// accepted keeps the accepted requests.
func accepted(past []event) []event {
	var kept []event
	for _, e := range past {
		if e.accepted {
			kept = append(kept, e)
		}
	}
	return kept
}

// rateOf is N/P in units per nanosecond.
func rateOf(p algorithms.Policy) *big.Rat { return big.NewRat(p.Limit.N, int64(p.Limit.Per)) }

// lowest is P of N/P in lowest terms: a bucket counts in units of 1/P of it.
func lowest(p algorithms.Policy) int64 { return rateOf(p).Denom().Int64() }

// sinceEpoch is the Unix time of an instant in ns.
func (o *oracle) sinceEpoch(at Time) *big.Int {
	return new(big.Int).Add(big.NewInt(o.policy.Start), big.NewInt(int64(at)))
}

// slot is the number of the slot of an instant under the policy as it is now.
func (o *oracle) slot(at Time, slots int64) int64 { return o.slotUnder(o.policy, at, slots) }

// slotUnder is the number k of the slot [k·P/slots, (k+1)·P/slots) of Unix time that holds an instant,
// floor(t·slots/P), less that of instant 0. With one slot it is the number of the window.
func (o *oracle) slotUnder(p algorithms.Policy, at Time, slots int64) int64 {
	number := func(at Time) *big.Int {
		t := new(big.Int).Mul(o.sinceEpoch(at), big.NewInt(slots))
		return t.Div(t, big.NewInt(int64(p.Limit.Per))) // rounds down for a positive divisor
	}
	return new(big.Int).Sub(number(at), number(0)).Int64()
}

// newOracle returns the oracle of an algorithm under a policy, or nil if it has no definition here.
func newOracle(algorithm string, p algorithms.Policy) *oracle {
	o := &oracle{first: p, policy: p}
	o.settle = o.definition(algorithm)
	if o.settle == nil {
		return nil
	}
	switch algorithm {
	case "token-bucket", "gcra", "leaky-meter", "leaky-bucket":
		o.capacity = func([]event) int64 { return o.policy.Capacity() }
	case "unlimited":
		o.capacity = func([]event) int64 { return math.MaxInt64 }
	case "adaptive":
		o.capacity = o.moved
	default:
		o.capacity = func([]event) int64 { return o.policy.Limit.N }
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
	case "concurrency", "adaptive":
		return o.inFlight
	case "unlimited":
		return func([]event) reading { return func(Time) *big.Rat { return new(big.Rat) } }
	}
	return nil
}

// optionOf reads a whole number among the options.
func optionOf(p algorithms.Policy, option string, otherwise int64) int64 {
	text, given := p.Options[option]
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
