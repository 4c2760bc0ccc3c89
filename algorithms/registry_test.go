package algorithms_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// TestProperties puts every rule to every registered algorithm under random policies.
func TestProperties(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		for _, p := range properties() {
			t.Run(spec.Name+"/"+p.name, func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) {
					s := drawSubject(t, spec)
					if err := p.check(s, s.script(drawSteps(25).Draw(t, "steps"))); err != nil {
						t.Fatal(err)
					}
				})
			})
		}
	}
}

// TestOracle puts the same random requests to every registered algorithm and to its definition,
// time that goes back included.
func TestOracle(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		t.Run(spec.Name, func(t *testing.T) {
			t.Parallel()
			if newOracle(spec.Name, algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: 1}}) == nil {
				t.Fatal("the oracle has no definition of it; write one in definitions_test.go")
			}
			rapid.Check(t, func(t *rapid.T) {
				s := drawSubject(t, spec)
				past := goBack(s.script(drawSteps(40).Draw(t, "steps")), rapid.IntRange(0, 40).Draw(t, "back"))
				right := newOracle(spec.Name, s.policy)
				if err := sameAnswers(s, past, right, s.make()); err != nil {
					t.Fatal(err)
				}
				if err := sameReadings(s, past, spec, right); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// goBack moves one request to half its instant.
func goBack(past []request, i int) []request {
	if i < len(past) {
		past[i].at /= 2
	}
	return past
}

// sameAnswers puts the requests to both and compares When and Decide.
func sameAnswers(s subject, past []request, right, l algorithms.Limiter) error {
	for i, r := range past {
		if want, got := right.When(r.at, r.cost), l.When(r.at, r.cost); got != want {
			return s.fault(past[:i], "%v: When says %d, want %d", r, got, want)
		}
		if want, got := right.Decide(r.at, r.cost), l.Decide(r.at, r.cost); got != want {
			return s.fault(past[:i], "%v: got %v, want %v", r, got, want)
		}
	}
	return nil
}

// sameReadings compares the level and the next edge after the requests, now and at two later
// instants. right has seen the requests. With count_denied a limiter may leave out of its level what
// is above the capacity.
func sameReadings(s subject, past []request, spec *algorithms.Spec, right *oracle) error {
	if err := s.readings(s.after(past), last(past), spec, right); err != nil {
		return s.fault(past, "%v", err)
	}
	return nil
}

// readings compares what a limiter and an oracle of the same past say at an instant and later.
func (s subject) readings(l algorithms.Limiter, now Time, spec *algorithms.Spec, right *oracle) error {
	slots := int64(1)
	if spec.Name == "sliding-buckets" {
		slots = right.slots()
	}
	for _, at := range []Time{now, later(now, int64(s.policy.Limit.Per)/3), later(now, int64(s.policy.Limit.Per))} {
		if g, ok := l.(algorithms.Gauged); ok {
			want, got := right.level(at, spec.Gauge.RestsFull), g.Level(at)
			if got != want && !(s.countsDenied() && want > got && got >= algorithms.Milli(s.capacity)*1000) {
				return fmt.Errorf("level %d at %d, want %d", got, at, want)
			}
		}
		if w, ok := l.(algorithms.Windowed); ok {
			if want, got := right.nextEdge(at, slots), w.NextEdge(at); got != want {
				return fmt.Errorf("next edge %d at %d, want %d", got, at, want)
			}
		}
	}
	return nil
}

// TestSameDecisions: gcra and leaky-meter decide as token-bucket does, always, and leaky-bucket
// accepts what it accepts.
func TestSameDecisions(t *testing.T) {
	bucket, _ := algorithms.Lookup("token-bucket")
	for _, name := range []string{"gcra", "leaky-meter", "leaky-bucket"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				other, _ := algorithms.Lookup(name)
				s := drawSubject(rt, other)
				past := s.script(drawSteps(60).Draw(rt, "steps"))
				a, b := build(t, bucket.Name, s.policy), s.make()
				for i, r := range past {
					want, got := a.Decide(r.at, r.cost), b.Decide(r.at, r.cost)
					if got.Verdict == algorithms.Delay && name == "leaky-bucket" {
						got = algorithms.Decision{Verdict: algorithms.Admit, Until: r.at}
					}
					if got != want {
						rt.Fatal(s.fault(past[:i], "%v: %v, token-bucket %v", r, got, want))
					}
				}
			})
		})
	}
}
