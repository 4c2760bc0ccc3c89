package algorithms_test

import "github.com/b6db88e4/ratesim/algorithms"

// restIsFresh: from the instant at which a limiter rests it answers, and reads, as one that nobody has
// asked. The past is put to both once more, moved there.
func restIsFresh(s subject, past []request) error {
	for _, t := range []Time{0, last(past), later(last(past), int64(s.policy.Limit.Per)), s.rested(past)} {
		used, fresh := s.after(past), s.make()
		if t == algorithms.Never || !used.(algorithms.Resting).Resting(t) {
			continue
		}
		for i, r := range past {
			at := later(t, int64(r.at-past[0].at))
			if a, b := levelOf(used, at), levelOf(fresh, at); a != b {
				return s.fault(past, "at rest at %d; its level at %d is %d, %d of one that nobody has asked", t, at, a, b)
			}
			if a, b := used.Decide(at, r.cost), fresh.Decide(at, r.cost); a != b {
				return s.fault(past, "at rest at %d; to %d more: %v, but %v where nobody has asked before", t, i, a, b)
			}
		}
	}
	return nil
}

// rested is when all of the capacity fits, or Never.
func (s subject) rested(past []request) Time { return s.after(past).When(last(past), s.capacity) }

// levelOf is the level of a limiter that has one, otherwise 0.
func levelOf(l algorithms.Limiter, at Time) algorithms.Milli {
	if g, ok := l.(algorithms.Gauged); ok {
		return g.Level(at)
	}
	return 0
}

// restComes: two periods after all of its capacity fits a limiter rests, and stays so. Not one whose
// requests hold their units: no instant gives those back, only ends of service do.
func restComes(s subject, past []request) error {
	l, when := s.after(past), s.rested(past)
	if s.holds || when == algorithms.Never {
		return nil
	}
	for _, t := range []Time{later(later(when, int64(s.policy.Limit.Per)), int64(s.policy.Limit.Per)), lastInstant} {
		if int64(t-when) < 2*int64(s.policy.Limit.Per) {
			continue // beyond the instants that can be named
		}
		if !l.(algorithms.Resting).Resting(t) {
			return s.fault(past, "not at rest at %d, though all of %d fits at %d", t, s.capacity, when)
		}
	}
	return nil
}
