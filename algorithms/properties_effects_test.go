package algorithms_test

import (
	"fmt"

	"github.com/b6db88e4/ratesim/algorithms"
)

// property is a rule that holds for every algorithm. check returns what broke it, after putting the
// past, which is in order of time, to limiters of the subject.
type property struct {
	name  string
	check func(s subject, past []request) error
}

// properties are the rules in the order in which the package documentation gives them.
func properties() []property {
	return []property{
		{"exactly enough is accepted", exactlyEnough},
		{"a denied request changes nothing", deniedChangesNothing},
		{"until is exact", untilIsExact},
		{"reading changes nothing", readingChangesNothing},
		{"time that goes back frees nothing", backFreesNothing},
		{"the whole range works", wholeRangeWorks},
		{"equal instants are decided in order", orderOfArrival},
		{"remaining is the largest cost accepted", remainingIsExact},
		{"what fits stays fitting", fitsStays},
		{"a limiter made late is like one made early", madeLate},
		{"no period sees more than the worst case", withinWorst},
		{"what came before since does not count", sinceIsEnough},
		{"one at rest is like a new one", restIsFresh},
		{"what is not asked comes to rest", restComes},
	}
}

// fault words what a property found, with the subject and the requests that led to it.
func (s subject) fault(past []request, format string, args ...any) error {
	return fmt.Errorf("%s\nafter %v\n%s", s.name, past, fmt.Sprintf(format, args...))
}

// exactlyEnough (1): once rested, the capacity passes in any pieces, and not a unit more. The
// instant at which it has rested is the limiter's own word, which untilIsExact holds it to.
func exactlyEnough(s subject, past []request) error {
	if fresh := s.make(); s.startsRested() && fresh.When(last(past), s.capacity) != last(past) {
		return s.fault(nil, "a new limiter puts %d units off to %d", s.capacity, fresh.When(last(past), s.capacity))
	}
	l := s.after(past)
	rested := l.When(last(past), s.capacity)
	if rested == algorithms.Never {
		return nil // beyond the instants that can be named
	}
	for _, cost := range pieces(s.capacity) {
		if d := l.Decide(rested, cost); !d.Verdict.Accepted() {
			return s.fault(past, "%d units of the capacity %d are denied at %d", cost, s.capacity, rested)
		}
	}
	if d := l.Decide(rested, 1); s.bounded() && d.Verdict.Accepted() {
		return s.fault(past, "a unit above the capacity %d is accepted at %d", s.capacity, rested)
	}
	return nil
}

// pieces cuts units into 1, half of the rest, and the rest.
func pieces(units int64) []int64 {
	var cut []int64
	for _, piece := range []int64{1, (units - 1) / 2, units - 1 - (units-1)/2} {
		if piece > 0 {
			cut = append(cut, piece)
		}
	}
	return cut
}

// deniedChangesNothing (2): one limiter sees every request, and more that must be denied; its twin
// only what was accepted. Both answer alike.
func deniedChangesNothing(s subject, past []request) error {
	if s.countsDenied() {
		return nil
	}
	asked, spared := s.make(), s.make()
	for i, r := range past {
		pester(s, asked, r.at)
		if a, b := asked.When(r.at, r.cost), spared.When(r.at, r.cost); a != b {
			return s.fault(past[:i], "%v fit at %d, but at %d where nothing was denied before", r, a, b)
		}
		if !asked.Decide(r.at, r.cost).Verdict.Accepted() {
			continue
		}
		if d := spared.Decide(r.at, r.cost); !d.Verdict.Accepted() {
			return s.fault(past[:i], "%v: accepted, but %v where nothing was denied before", r, d)
		}
	}
	return nil
}

// pester asks for what cannot be given at that instant.
func pester(s subject, l algorithms.Limiter, at Time) {
	for _, cost := range []int64{1, s.capacity} {
		if l.When(at, cost) > at {
			l.Decide(at, cost)
		}
	}
	if s.bounded() {
		l.Decide(at, s.capacity+1)
	}
}

// untilIsExact (3): a denied request is accepted at until and not a nanosecond before; When says
// beforehand what Decide says.
func untilIsExact(s subject, past []request) error {
	l := s.make()
	for i, r := range past {
		when, d := l.When(r.at, r.cost), l.Decide(r.at, r.cost)
		if err := untilKept(s, past[:i+1], d); err != nil {
			return err
		}
		if accepted := d.Verdict.Accepted(); accepted != (when == r.at) || when < r.at {
			return s.fault(past[:i], "%v: When says %d, Decide %v", r, when, d)
		}
		if d.Verdict == algorithms.Deny && !s.countsDenied() && when != d.Until {
			return s.fault(past[:i], "%v: When says %d, Decide until %d", r, when, d.Until)
		}
	}
	return nil
}

// untilKept checks the promise of the last decision.
func untilKept(s subject, past []request, d algorithms.Decision) error {
	r := past[len(past)-1]
	switch {
	case d.Verdict == algorithms.Admit && d.Until != r.at:
		return s.fault(past, "admitted until %d", d.Until)
	case d.Verdict == algorithms.Delay && d.Until <= r.at:
		return s.fault(past, "delayed until %d", d.Until)
	case d.Verdict != algorithms.Deny:
		return nil
	case r.cost > s.capacity && d.Until != algorithms.Never:
		return s.fault(past, "can never fit, but until is %d", d.Until)
	case d.Until <= r.at:
		return s.fault(past, "denied until %d", d.Until)
	}
	if d.Until != algorithms.Never && !s.after(past).Decide(d.Until, r.cost).Verdict.Accepted() {
		return s.fault(past, "still denied at its until, %d", d.Until)
	}
	if s.after(past).Decide(d.Until-1, r.cost).Verdict.Accepted() {
		return s.fault(past, "accepted a nanosecond before its until, %d", d.Until)
	}
	return nil
}

// readingChangesNothing (4): a limiter that is read at every turn, also about the far future,
// decides as its twin does.
func readingChangesNothing(s subject, past []request) error {
	read, unread := s.make(), s.make()
	for i, r := range past {
		for _, at := range []Time{r.at, later(r.at, int64(s.policy.Limit.Per)), lastInstant, 0} {
			readAll(s, read, at, r.cost)
		}
		if a, b := read.Decide(r.at, r.cost), unread.Decide(r.at, r.cost); a != b {
			return s.fault(past[:i], "%v: %v after reading, %v without", r, a, b)
		}
	}
	return nil
}

// readAll calls whatever reads.
func readAll(s subject, l algorithms.Limiter, at Time, cost int64) {
	l.When(at, cost)
	algorithms.Remaining(l, at, s.capacity)
	if g, ok := l.(algorithms.Gauged); ok {
		g.Level(at)
	}
	if w, ok := l.(algorithms.Windowed); ok {
		w.NextEdge(at)
	}
	if c, ok := l.(algorithms.Counting); ok {
		c.Since(at)
	}
	if r, ok := l.(algorithms.Resting); ok {
		r.Resting(at)
	}
}

// backFreesNothing (5): a request at an earlier instant is answered, and leaves behind, what the
// same request at the latest instant seen does. The latest may have been a denied one.
func backFreesNothing(s subject, past []request) error {
	for i, r := range past {
		now := last(past[:i])
		for _, earlier := range []Time{0, now / 2, max(now-1, 0)} {
			back, straight := s.after(past[:i]), s.after(past[:i])
			if a, b := back.When(earlier, r.cost), straight.When(now, r.cost); a != b {
				return s.fault(past[:i], "When says %d for %d units back at %d, %d at %d", a, r.cost, earlier, b, now)
			}
			for j, next := range append([]request{{earlier, r.cost}}, past[i:]...) {
				a, b := back.Decide(next.at, next.cost), straight.Decide(max(now, next.at), next.cost)
				if a != b {
					return s.fault(past[:i], "back to %d, then %d requests: %v instead of %v", earlier, j, a, b)
				}
			}
		}
	}
	return nil
}
