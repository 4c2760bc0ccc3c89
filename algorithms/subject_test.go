package algorithms_test

import (
	"fmt"

	"github.com/b6db88e4/ratesim/algorithms"
)

// A subject is what a property is put to: a way to make limiters of one policy, and what that
// policy promises. A limiter need not be able to be copied, so a property that needs the same state
// twice makes two limiters and replays the same past to both.
type subject struct {
	name     string // what failed, for the message
	policy   algorithms.Policy
	capacity int64 // most units of one request that can ever fit
	worst    int64 // most units going ahead within any half-open P; below 0: no bound
	holds    bool  // what is admitted holds its units until its service ends
	gauge    algorithms.Gauge
	make     func() algorithms.Limiter
}

// newSubject is the subject of a registered algorithm under a policy that Build accepts.
func newSubject(spec *algorithms.Spec, p algorithms.Policy, m algorithms.Maker) subject {
	return subject{
		name:     fmt.Sprintf("%s %+v", spec.Name, p),
		policy:   p,
		capacity: spec.Capacity(p),
		worst:    spec.Worst(p),
		holds:    spec.Holds,
		gauge:    spec.Gauge,
		make:     m.New,
	}
}

// bounded says that something is denied sooner or later.
func (s subject) bounded() bool { return s.worst >= 0 || s.holds }

// countsDenied says that a denied request leaves something behind.
func (s subject) countsDenied() bool { return s.policy.Options["count_denied"] == "true" }

// startsRested says that a new limiter holds all it can hold: not where it is told to begin otherwise,
// and not where it moves its limit, which may rise.
func (s subject) startsRested() bool {
	_, other := s.policy.Options["initial"]
	_, moves := s.make().(algorithms.Moving)
	return !other && !moves
}

// after makes a limiter with that past.
func (s subject) after(past []request) algorithms.Limiter {
	l := s.make()
	for _, r := range past {
		l.Decide(r.at, r.cost)
	}
	return l
}

// request is one call of Decide.
type request struct {
	at   Time
	cost int64
}

func (r request) String() string { return fmt.Sprintf("%d units at %d", r.cost, r.at) }

// last is the latest instant of a past: 0 if it is empty.
func last(past []request) Time {
	latest := Time(0)
	for _, r := range past {
		latest = max(latest, r.at)
	}
	return latest
}

// hop is how a step finds its instant from the one before.
type hop int

const (
	stay    hop = iota // at the same instant
	creep              // the nudge alone
	window             // to the next multiple of P in Unix time
	slot               // to the next multiple of P/10: an edge when there are 10 slots
	refill             // by P/N, one unit's worth
	period             // by P
	fitting            // to when the limiter says that the cost would fit
	leap               // by a drawn distance
	hops
)

// price is how a step finds its cost.
type price int

const (
	unit     price = iota
	left           // all that the limiter would still accept, if anything
	tooMuch        // one more than that
	capacity       // the most that can ever fit
	oversize       // one more than that
	portion        // a drawn part of the capacity
	anything       // a drawn number
	prices
)

// step is one request of a script, relative to what the limiter at hand has come to: so that
// random requests meet the instants and costs at which limiters go wrong.
type step struct {
	hop      hop
	nudge    int64 // ns added to where the hop leads, −2 to 3
	distance int64 // of a leap, in ns
	price    price
	number   int64 // what a drawn price is drawn from, 1 to MaxUnits
}

// script turns steps into requests in order of time, following one limiter of the subject.
func (s subject) script(steps []step) []request {
	l, now, past := s.make(), Time(0), []request(nil)
	for _, st := range steps {
		now = s.land(l, now, st)
		r := request{now, s.cost(l, now, st)}
		l.Decide(r.at, r.cost)
		past = append(past, r)
	}
	return past
}

// land is the instant at which a step arrives, never before now and never beyond the last one.
func (s subject) land(l algorithms.Limiter, now Time, st step) Time {
	per, n := int64(s.policy.Limit.Per), s.policy.Limit.N
	target := now
	switch st.hop {
	case window:
		target = later(now, s.untilMultiple(now, per))
	case slot:
		target = later(now, s.untilMultiple(now, max(1, per/10)))
	case refill:
		target = later(now, (per+n-1)/n)
	case period:
		target = later(now, per)
	case fitting:
		target = min(l.When(now, s.fixedCost(st)), lastInstant)
	case leap:
		target = later(now, st.distance)
	}
	if st.hop == stay {
		return now
	}
	return max(now, min(later(target, max(st.nudge, 0))+Time(min(st.nudge, 0)), lastInstant))
}

// untilMultiple is the distance from now to the next multiple of length in Unix time.
func (s subject) untilMultiple(now Time, length int64) int64 {
	mod := func(n int64) int64 { return (n%length + length) % length }
	return length - mod(mod(int64(now))+mod(s.policy.Start))
}

// later is now + distance, at most the last instant.
func later(now Time, distance int64) Time {
	if Time(distance) > lastInstant-now {
		return lastInstant
	}
	return now + Time(distance)
}

// cost is the cost of a step at the instant at which it arrived.
func (s subject) cost(l algorithms.Limiter, now Time, st step) int64 {
	switch st.price {
	case left:
		return max(1, algorithms.Remaining(l, now, s.capacity))
	case tooMuch:
		return algorithms.Remaining(l, now, s.capacity) + 1
	}
	return s.fixedCost(st)
}

// fixedCost is the cost of a step that does not depend on the limiter; 1 if it does.
func (s subject) fixedCost(st step) int64 {
	switch st.price {
	case capacity:
		return s.capacity
	case oversize:
		return s.capacity + 1
	case portion:
		return 1 + st.number%s.capacity
	case anything:
		return st.number
	}
	return 1
}
