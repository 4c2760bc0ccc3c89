package algorithms_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// holding are the algorithms whose requests hold their units until their service ends.
func holding() []*algorithms.Spec {
	var found []*algorithms.Spec
	for _, spec := range algorithms.Specs() {
		if spec.Holds {
			found = append(found, spec)
		}
	}
	return found
}

// TestHolding: the registry says of an algorithm that it must hear of ends of service iff its limiters
// can be told, and the others are the defaults, in the same order.
func TestHolding(t *testing.T) {
	var others []string
	for _, spec := range algorithms.Specs() {
		_, ok := maker(t, spec.Name, algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: 1}}).New().(algorithms.Holding)
		if ok != spec.Holds {
			t.Errorf("%s: holds: %v, can be told of ends: %v", spec.Name, spec.Holds, ok)
		}
		if !ok {
			others = append(others, spec.Name)
		}
	}
	defaults := algorithms.Defaults()
	for i, spec := range defaults {
		if len(others) != len(defaults) || spec.Name != others[i] {
			t.Fatalf("default %d is %s, want %v", i, spec.Name, others)
		}
	}
}

// TestInFlight: never more is in flight than the limit while that stands; what comes back is there for
// the next; once all have ended nothing is in flight, and a fixed limit is as new.
func TestInFlight(t *testing.T) {
	for _, spec := range holding() {
		t.Run(spec.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := drawSubject(t, spec)
				l := s.make()
				h, limit := l.(algorithms.Holding), limitOf(l, s)
				var flights []int64
				sum := int64(0)
				for i := range Time(rapid.IntRange(1, 60).Draw(t, "events")) {
					if len(flights) > 0 && rapid.Bool().Draw(t, "ends") {
						cost := flights[0]
						flights, sum = flights[1:], sum-cost
						h.Done(i, cost, rapid.Bool().Draw(t, "late"))
						limit = limitOf(l, s)
						continue
					}
					cost := s.cost(l, i, drawSteps(1).Draw(t, "step")[0])
					if fits := cost <= limit-sum; l.Decide(i, cost).Verdict.Accepted() != fits {
						t.Fatalf("%s: %d units with %d of %d in flight: accepted: %v", s.name, cost, sum, limit, !fits)
					} else if fits {
						flights, sum = append(flights, cost), sum+cost
					}
				}
				for _, cost := range flights {
					h.Done(100, cost, false)
				}
				if l.(algorithms.Gauged).Level(100) != 0 {
					t.Fatalf("%s: %d thousandths in flight when all have ended", s.name, l.(algorithms.Gauged).Level(100))
				}
				if got, want := l.(algorithms.Resting).Resting(100), limitOf(l, s) == s.policy.Limit.N; got != want {
					t.Fatalf("%s: at rest: %v with nothing in flight and a limit of %d", s.name, got, limitOf(l, s))
				}
			})
		})
	}
}

// limitOf is the limit of a limiter as it stands, which is within what the policy allows.
func limitOf(l algorithms.Limiter, s subject) int64 {
	m, ok := l.(algorithms.Moving)
	if !ok {
		return s.policy.Limit.N
	}
	if n := m.Limit(); n < 1 || n > s.capacity {
		panic(s.fault(nil, "a limit of %d", n))
	}
	return m.Limit()
}

// TestMoreGivenBack: ends that nobody asked for lend out no more than there is.
func TestMoreGivenBack(t *testing.T) {
	for _, spec := range holding() {
		l := build(t, spec.Name, algorithms.Policy{Limit: algorithms.Limit{N: 10, Per: time.Second}})
		l.Decide(0, 2)
		for _, cost := range []int64{5, 1, algorithms.MaxUnits, -3} {
			l.(algorithms.Holding).Done(0, cost, false)
		}
		if d := l.Decide(0, 11); d.Verdict.Accepted() {
			t.Errorf("%s: 11 units of 10: %v", spec.Name, d)
		}
		if d := l.Decide(0, 10); !d.Verdict.Accepted() {
			t.Errorf("%s: 10 units of 10: %v", spec.Name, d)
		}
	}
}
