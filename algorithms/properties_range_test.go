package algorithms_test

import (
	"sort"

	"github.com/b6db88e4/ratesim/algorithms"
)

// wholeRangeWorks (6): nothing panics, wraps around or comes out of its range. What is right inside
// the range the oracle says.
func wholeRangeWorks(s subject, past []request) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.fault(past, "panic: %v", r)
		}
	}()
	l := s.make()
	for i, r := range past {
		half, all := l.When(r.at, (s.capacity+1)/2), l.When(r.at, s.capacity)
		if half < r.at || all < half {
			return s.fault(past[:i], "at %d half the capacity fits at %d, all of it at %d", r.at, half, all)
		}
		if d := l.Decide(r.at, r.cost); d.Until < r.at || d.Verdict > algorithms.Deny {
			return s.fault(past[:i], "%v: %v", r, d)
		}
		if err := readingsInRange(s, l, r.at); err != nil {
			return s.fault(past[:i+1], "%v", err)
		}
	}
	return nil
}

// readingsInRange checks the level and the next edge.
func readingsInRange(s subject, l algorithms.Limiter, at Time) error {
	if g, ok := l.(algorithms.Gauged); ok {
		if level := g.Level(at); level < 0 || level > algorithms.Milli(s.capacity)*1000 && !s.countsDenied() {
			return s.fault(nil, "level %d with a capacity of %d", level, s.capacity)
		}
	}
	if w, ok := l.(algorithms.Windowed); ok {
		if edge := w.NextEdge(at); edge <= at {
			return s.fault(nil, "next edge %d, not after %d", edge, at)
		}
	}
	return nil
}

// orderOfArrival (7): at one instant each request is accepted iff it fits into what those before it
// left, and those accepted go ahead in the order in which they came.
func orderOfArrival(s subject, past []request) error {
	if !s.bounded() {
		return nil
	}
	l, now := s.after(past), last(past)
	remaining, gone := algorithms.Remaining(l, now, s.capacity), now
	for i, cost := range []int64{1, remaining + 1, remaining / 2, 1, s.capacity, (remaining + 1) / 2, 1, 1} {
		if cost == 0 {
			continue
		}
		d := l.Decide(now, cost)
		if d.Verdict.Accepted() != (cost <= remaining) {
			return s.fault(past, "at %d, request %d in a row: %d units of %d left: %v", now, i, cost, remaining, d)
		}
		if !d.Verdict.Accepted() && !s.countsDenied() {
			continue
		}
		remaining -= cost
		if d.Verdict.Accepted() && d.Until < gone {
			return s.fault(past, "at %d, request %d in a row goes ahead at %d, before the one before it at %d", now, i, d.Until, gone)
		}
		gone = max(gone, d.Until)
	}
	return nil
}

// remainingIsExact (8): what Remaining says is accepted, one unit more is not, and the level says
// the same in whole units.
func remainingIsExact(s subject, past []request) error {
	for i := range past {
		l, now := s.after(past[:i]), past[i].at
		remaining := algorithms.Remaining(l, now, s.capacity)
		if remaining < 0 || remaining > s.capacity {
			return s.fault(past[:i], "remaining %d at %d", remaining, now)
		}
		if err := levelSays(s, l, now, remaining); err != nil {
			return s.fault(past[:i], "%v", err)
		}
		if d := s.after(past[:i]).Decide(now, max(remaining, 1)); d.Verdict.Accepted() != (remaining > 0) {
			return s.fault(past[:i], "remaining %d at %d, yet %v", remaining, now, d)
		}
		if d := l.Decide(now, remaining+1); s.bounded() && d.Verdict.Accepted() {
			return s.fault(past[:i], "remaining %d at %d, yet one more passes: %v", remaining, now, d)
		}
	}
	return nil
}

// levelSays compares remaining with the gauge: what is left rounded down, or the capacity less what
// is used rounded up.
func levelSays(s subject, l algorithms.Limiter, now Time, remaining int64) error {
	g, ok := l.(algorithms.Gauged)
	if !ok {
		return nil
	}
	level, capacity := int64(g.Level(now)), s.capacity
	if m, ok := l.(algorithms.Moving); ok {
		capacity = m.Limit()
	}
	says := level / 1000
	if !s.gauge.RestsFull {
		says = max(0, capacity-(level+999)/1000)
	}
	if level < 0 || says != remaining {
		return s.fault(nil, "%s is %d thousandths at %d, which leaves %d, yet remaining is %d", s.gauge.Name, level, now, says, remaining)
	}
	return nil
}

// fitsStays (9): from the instant at which a cost fits it fits for ever if nothing else arrives, and
// until then the answer stays the same.
func fitsStays(s subject, past []request) error {
	l, now := s.after(past), last(past)
	for _, cost := range []int64{1, (s.capacity + 1) / 2, s.capacity, past[len(past)-1].cost} {
		when := l.When(now, cost)
		for _, t := range probes(s, now, when) {
			if got := l.When(t, cost); got != max(t, when) {
				return s.fault(past, "%d units fit at %d asked at %d, but at %d asked at %d", cost, when, now, got, t)
			}
			if d := s.after(past).Decide(t, cost); d.Verdict.Accepted() != (t >= when) {
				return s.fault(past, "%d units fit at %d, yet at %d they get %v", cost, when, t, d)
			}
		}
	}
	return nil
}

// probes are instants from now on, around when and around the edges that follow both.
func probes(s subject, now, when Time) []Time {
	var found []Time
	per := int64(s.policy.Limit.Per)
	add := func(t Time) {
		if t >= now && t <= lastInstant {
			found = append(found, t)
		}
	}
	for _, from := range []Time{now, min(when, lastInstant)} {
		edge := later(from, s.untilMultiple(from, per))
		for _, t := range []Time{from, edge, later(from, per), later(edge, per)} {
			add(t - 1)
			add(t)
			add(later(t, 1))
		}
	}
	add(now + (min(when, lastInstant)-now)/2)
	add(lastInstant)
	return found
}

// madeLate: a limiter is as if it had stood unused since instant 0, whenever it is made: one made
// after its siblings have worked, or only once an oversize request was refused, decides alike.
func madeLate(s subject, past []request) error {
	early := s.make()
	s.after(past)
	late := s.make()
	if s.bounded() && !s.countsDenied() {
		late.Decide(0, s.capacity+1)
	}
	for i, r := range past {
		if a, b := early.Decide(r.at, r.cost), late.Decide(r.at, r.cost); a != b {
			return s.fault(past[:i], "%v: %v to one made early, %v to one made late", r, a, b)
		}
	}
	return nil
}

// withinWorst: no half-open interval of length P sees more units go ahead than the bound.
func withinWorst(s subject, past []request) error {
	if peak := s.peak(s.make(), past); s.worst >= 0 && peak > s.worst {
		return s.fault(past, "%d units went ahead within one period, the bound being %d", peak, s.worst)
	}
	return nil
}

// peak is the most units that went ahead in any half-open interval of length P. What goes ahead
// beyond the last instant is left out. No limiter lets a later request overtake an earlier one.
func (s subject) peak(l algorithms.Limiter, requests []request) int64 {
	most, within := int64(0), int64(0)
	var ahead []request // in order of going ahead
	first := 0          // of those within P of the newest
	for _, r := range requests {
		d := l.Decide(r.at, r.cost)
		if !d.Verdict.Accepted() || d.Until == algorithms.Never {
			continue
		}
		ahead, within = append(ahead, request{d.Until, r.cost}), within+r.cost
		for int64(d.Until-ahead[first].at) >= int64(s.policy.Limit.Per) {
			within -= ahead[first].cost
			first++
		}
		most = max(most, within)
	}
	return most
}

// sinceIsEnough: a limiter that has seen only what counted at Since or later says when costs fit as
// the one that has seen all.
func sinceIsEnough(s subject, past []request) error {
	l, counted := s.make(), []request(nil)
	for _, r := range past {
		if l.Decide(r.at, r.cost).Verdict.Accepted() || s.countsDenied() {
			counted = append(counted, r)
		}
	}
	c, ok := l.(algorithms.Counting)
	if !ok {
		return nil
	}
	for _, now := range []Time{last(past), later(last(past), int64(s.policy.Limit.Per)/2)} {
		since := c.Since(now)
		if since < 0 || since > now {
			return s.fault(past, "at %d what came since %d counts", now, since)
		}
		first := sort.Search(len(counted), func(i int) bool { return counted[i].at >= since })
		short := s.after(counted[first:])
		for _, cost := range []int64{1, (s.capacity + 1) / 2, s.capacity} {
			if a, b := l.When(now, cost), short.When(now, cost); a != b {
				return s.fault(past, "at %d, %d units fit at %d, but at %d to one that saw only what came since %d", now, cost, a, b, since)
			}
		}
	}
	return nil
}
