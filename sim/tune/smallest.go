package tune

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Target is the most that may be refused.
type Target struct{ Denied, Clients int64 }

// met reports whether a limiter refuses no more than it may.
func (t Target) met(r Refusals) bool { return r.Denied <= t.Denied && r.Clients <= t.Clients }

// Answer is the smallest number that meets a target, verified by runs: N meets it and N−1 does
// not.
type Answer struct {
	N     int64    // 0: none up to algorithms.MaxUnits does
	At    Refusals // what N refuses
	Below Refusals // what N−1 refuses; nothing if N is 1, below which there is no limit
}

// Smallest looks for the smallest number from 1 on with which each of several limiters meets the
// target. build makes limiter i with the number n, a limit or a burst.
//
// It grows n fourfold until the target is met, and then halves the distance between a number that
// meets it and one that does not. Where refusals do not fall as n grows ([Load.Mixed]), a smaller
// number than the one found may meet the target too.
func (l *Load) Smallest(limiters int, target Target, build func(i int, n int64) (sim.Limiter, error)) ([]Answer, error) {
	searches := make([]search, limiters)
	for {
		asked, next, err := l.ask(searches, build)
		if err != nil || len(asked) == 0 {
			return answers(searches), err
		}
		results, err := l.Measure(next)
		if err != nil {
			return nil, err
		}
		for k, i := range asked {
			searches[i].learn(results[k], target.met(results[k]))
		}
	}
}

// ask makes the next limiter of each search that is not done.
func (l *Load) ask(searches []search, build func(int, int64) (sim.Limiter, error)) (asked []int, next []sim.Limiter, err error) {
	for i := range searches {
		n, more := searches[i].next()
		if !more {
			continue
		}
		limiter, err := build(i, n)
		if err != nil {
			return nil, nil, err
		}
		asked, next = append(asked, i), append(next, limiter)
	}
	return asked, next, nil
}

// search narrows down the smallest number that meets a target. Of low it is known that it does
// not, of high that it does; 0 stands for a limiter that lets nothing through, or not known yet.
type search struct {
	low, high  int64
	below, at  Refusals
	impossible bool
}

// next is the number to ask about, if there is one.
func (s *search) next() (n int64, more bool) {
	switch {
	case s.impossible || s.high == s.low+1:
		return 0, false
	case s.high > 0:
		return s.low + (s.high-s.low)/2, true
	case s.low == 0:
		return 1, true
	}
	return min(4*s.low, algorithms.MaxUnits), true
}

// learn takes in the result for the number that next asked about.
func (s *search) learn(r Refusals, met bool) {
	n, _ := s.next()
	switch {
	case met:
		s.high, s.at = n, r
	default:
		s.low, s.below = n, r
		s.impossible = n == algorithms.MaxUnits
	}
}

func answers(searches []search) []Answer {
	out := make([]Answer, len(searches))
	for i, s := range searches {
		out[i] = Answer{s.high, s.at, s.below}
	}
	return out
}
