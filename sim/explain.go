package sim

import (
	"fmt"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Explanation says why one limiter decided one request as it did, in numbers.
type Explanation struct {
	Limiter  *Limiter
	Seq      int64
	Request  traffic.Request
	Decision Decision

	// What the limiter held just before and just after the decision.
	Before, After State
	Capacity      int64 // the most that a single request may cost

	// Filling are the numbers of the earlier requests of the same key that a window counted at the
	// request, in order; at most MostFilling, the latest. Since is the earliest instant that counted.
	Counts  bool
	Since   Time
	Filling []int64

	Response Response

	past   []numbered        // what the key sent before
	recall func() []numbered // finds past where that is put off until it is needed
}

// MostFilling is how many filling requests an Explanation lists at most.
const MostFilling = 10_000

// State is what a limiter holds at an instant.
type State struct {
	Level     algorithms.Milli // by Spec.Gauge; 0 without one
	Remaining int64            // the largest cost that would be accepted
}

// Explain decides request number seq once more, with all that its key sent before. limiter is an
// index into the plan's limiters. The cost is that of generating seq requests twice; where the
// steps of a run have been kept, Steps.Explain costs less.
func Explain(plan *Plan, limiter int, seq int64) (*Explanation, error) {
	request, err := requestOf(plan, seq)
	if err != nil {
		return nil, err
	}
	var past []numbered
	source := plan.Open()
	for n := range seq {
		if r, _ := source.Next(); plan.Shared || r.Client == request.Client {
			past = append(past, numbered{r, n})
		}
	}
	return explain(&plan.Limiters[limiter], request, seq, past), nil
}

// Explain is the explanation of a request that has been kept.
func (s *Steps) Explain(plan *Plan, limiter, seq int) *Explanation {
	var past []numbered
	for n, client := range s.Client[:seq] {
		if plan.Shared || client == s.Client[seq] {
			past = append(past, numbered{s.Request(n), int64(n)})
		}
	}
	return explain(&plan.Limiters[limiter], s.Request(seq), int64(seq), past)
}

func explain(entry *Limiter, request traffic.Request, seq int64, past []numbered) *Explanation {
	e := &Explanation{Limiter: entry, Seq: seq, Request: request, Capacity: entry.Spec.Capacity(entry.Policy), past: past}
	e.decide()
	return e
}

// numbered is a request and its number in the run.
type numbered struct {
	traffic.Request
	seq int64
}

// requestOf finds request number seq.
func requestOf(plan *Plan, seq int64) (traffic.Request, error) {
	source := plan.Open()
	for n := int64(0); ; n++ {
		r, ok := source.Next()
		if !ok || r.At >= plan.Duration {
			return r, fmt.Errorf("request %d: the run has only %d requests, numbered from 0", seq, n)
		}
		if n == seq {
			return r, nil
		}
	}
}

// decide lets a fresh limiter decide the past, then the request, looking at it before and after.
func (e *Explanation) decide() {
	l := e.Limiter.Maker.New()
	verdicts := make([]algorithms.Verdict, len(e.past))
	for i, r := range e.past {
		verdicts[i] = l.Decide(r.At, r.Cost).Verdict
	}
	e.observe(l)
	if e.Counts {
		e.fill(verdicts)
	}
}

// observe lets a limiter that has decided the past decide the request, looking at it before and
// after.
func (e *Explanation) observe(l algorithms.Limiter) {
	at, cost := e.Request.At, e.Request.Cost
	e.Before = stateOf(l, at, e.Capacity)
	if window, ok := l.(algorithms.Counting); ok {
		e.Counts, e.Since = true, window.Since(at)
	}
	e.Decision = l.Decide(at, cost)
	e.After = stateOf(l, at, e.Capacity)
	e.Response = respond(l, e.Limiter, at, cost, e.Decision.Verdict)
}

func stateOf(l algorithms.Limiter, at Time, capacity int64) State {
	s := State{Remaining: algorithms.Remaining(l, at, capacity)}
	if gauge, ok := l.(algorithms.Gauged); ok {
		s.Level = gauge.Level(at)
	}
	return s
}

// fill lists what the window counted.
func (e *Explanation) fill(verdicts []algorithms.Verdict) {
	past := e.past
	deniedToo := countsDenied(e.Limiter)
	first := len(past)
	for first > 0 && past[first-1].At >= e.Since && len(past)-first < MostFilling {
		first--
	}
	for i := first; i < len(past); i++ {
		if verdicts[i].Accepted() || deniedToo {
			e.Filling = append(e.Filling, past[i].seq)
		}
	}
}

// countsDenied reports whether a limiter's window counts denied requests too.
func countsDenied(l *Limiter) bool { return l.Policy.Options["count_denied"] == "true" }

// Change is the smallest change of the policy that would have admitted a denied request, everything
// else being as it was: found by deciding all that the key sent before again under other policies. A
// burst that the policy leaves out follows the limit, as it does wherever the limit is changed. A field is 0 where nothing in the accepted range admits it or where it does not apply.
type Change struct{ Burst, Limit int64 }

// MostRetried is how many requests of one key Change decides again at most.
const MostRetried = 1 << 20

// Change finds the change, deciding the key's earlier requests some dozens of times. It reports
// false where there is nothing to find: the request was accepted, or its key had sent more than
// MostRetried before.
func (e *Explanation) Change() (Change, bool) {
	if e.recall != nil && e.Decision.Verdict == algorithms.Deny {
		known := *e
		known.past, known.recall = e.recall(), nil
		return known.Change()
	}
	if e.Decision.Verdict != algorithms.Deny || len(e.past) > MostRetried {
		return Change{}, false
	}
	var c Change
	policy := e.Limiter.Policy
	if e.Limiter.Spec.Bursts {
		c.Burst = e.smallest(e.Capacity, func(n int64) algorithms.Policy {
			p := policy
			p.Burst = n
			return p
		})
	}
	c.Limit = e.smallest(policy.Limit.N, func(n int64) algorithms.Policy {
		p := policy
		p.Limit.N = n
		return p
	})
	return c, true
}

// smallest searches above n for the smallest value whose policy admits the request, doubling the
// distance and then halving the interval; 0 if none does. More can let more of the past through and
// so, rarely, refuse what less admits: the value found admits, and the one below it does not.
func (e *Explanation) smallest(n int64, policy func(int64) algorithms.Policy) int64 {
	refuses, admits := n, int64(0)
	for step := int64(1); admits == 0; step *= 2 {
		next := min(n+step, algorithms.MaxUnits)
		if e.admits(policy(next)) {
			admits = next
		} else if refuses = next; next == algorithms.MaxUnits {
			return 0
		}
	}
	for admits-refuses > 1 {
		if mid := refuses + (admits-refuses)/2; e.admits(policy(mid)) {
			admits = mid
		} else {
			refuses = mid
		}
	}
	return admits
}

func (e *Explanation) admits(p algorithms.Policy) bool {
	maker, err := e.Limiter.Spec.Build(p)
	if err != nil {
		return false
	}
	l := maker.New()
	for _, r := range e.past {
		l.Decide(r.At, r.Cost)
	}
	return l.Decide(e.Request.At, e.Request.Cost).Verdict.Accepted()
}
