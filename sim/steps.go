package sim

import (
	"slices"
	"sort"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// MaxSteps is the most requests of a run that may be kept one by one: 20 bytes each, and one more
// for each limiter (nine more for one that delays).
const MaxSteps = 1 << 22

// Steps are the decisions of a run kept one by one, to be looked at closer than a Grid allows. It
// holds the first requests of the run, up to Options.Steps, as far as the run has come. It is a
// view that stays as it is while the run goes on.
type Steps struct {
	At     []Time // by the request's number
	Client []uint32
	Cost   []int64
	Lanes  []LaneSteps // by limiter
}

// LaneSteps are one limiter's answers.
type LaneSteps struct {
	Verdicts []algorithms.Verdict // by the request's number
	Released []Time               // when delayed requests went ahead, in order of time
	Own      *Columns             // the calls, of a run with a System; nil where limiters share the requests
	tallies  []Tally              // of the first 0, tallied, 2·tallied, … answers
}

// Tally counts answers.
type Tally struct{ Admitted, Delayed, Denied, Degraded int64 }

// tallied is how many answers lie between two running tallies: enough to make them cheap, few
// enough to count the rest one by one.
const tallied = 256

func (t *Tally) add(v algorithms.Verdict) {
	switch v {
	case algorithms.Admit:
		t.Admitted++
	case algorithms.Delay:
		t.Delayed++
	case algorithms.Deny:
		t.Denied++
	case Degraded:
		t.Degraded++
	}
}

// Minus is the answers in t that are not in u.
func (t Tally) Minus(u Tally) Tally {
	return Tally{t.Admitted - u.Admitted, t.Delayed - u.Delayed, t.Denied - u.Denied, t.Degraded - u.Degraded}
}

// Len is the number of requests kept.
func (s *Steps) Len() int { return len(s.At) }

// Request is request number n.
func (s *Steps) Request(n int) traffic.Request {
	return traffic.Request{At: s.At[n], Client: s.Client[n], Cost: s.Cost[n]}
}

// Index is the number of the first request that arrives at t or later; Len() if there is none.
func (s *Steps) Index(t Time) int {
	return sort.Search(len(s.At), func(i int) bool { return s.At[i] >= t })
}

// Before counts the answers to the first n requests. It looks at fewer than 256 of them.
func (l *LaneSteps) Before(n int) Tally {
	if len(l.tallies) == 0 {
		return Tally{}
	}
	n = min(n, len(l.Verdicts))
	block := min(n/tallied, len(l.tallies)-1)
	t := l.tallies[block]
	for _, v := range l.Verdicts[block*tallied : n] {
		t.add(v)
	}
	return t
}

// ReleasedBefore counts the delayed requests that went ahead before t.
func (l *LaneSteps) ReleasedBefore(t Time) int {
	return sort.Search(len(l.Released), func(i int) bool { return l.Released[i] >= t })
}

// NextDenied is the number of the first denied request from number n on, or -1.
func (l *LaneSteps) NextDenied(n int) int {
	for n = max(n, 0); n < len(l.Verdicts); n++ {
		if block := n / tallied; n%tallied == 0 && block+1 < len(l.tallies) &&
			l.tallies[block].Denied == l.tallies[block+1].Denied {
			n += tallied - 1
			continue
		}
		if l.Verdicts[n] == algorithms.Deny {
			return n
		}
	}
	return -1
}

// LastDenied is the number of the last denied request up to number n, or -1.
func (l *LaneSteps) LastDenied(n int) int {
	for n = min(n, len(l.Verdicts)-1); n >= 0; n-- {
		if block := n / tallied; n%tallied == tallied-1 && block+1 < len(l.tallies) &&
			l.tallies[block].Denied == l.tallies[block+1].Denied {
			n -= tallied - 1
			continue
		}
		if l.Verdicts[n] == algorithms.Deny {
			return n
		}
	}
	return -1
}

// answers are the answers of a lane as they come in, up to some number of them.
type answers struct {
	LaneSteps
	most  int
	tally Tally
}

// add keeps an answer.
func (a *answers) add(v algorithms.Verdict) {
	n := len(a.Verdicts)
	if n == a.most {
		return
	}
	if n%tallied == 0 {
		a.tallies = append(a.tallies, a.tally)
	}
	a.Verdicts = append(a.Verdicts, v)
	a.tally.add(v)
}

// released keeps the instant at which a delayed request goes ahead. There are no more of them than
// answers kept.
func (a *answers) released(at Time) {
	if int64(len(a.Released)) < a.tally.Delayed {
		a.Released = append(a.Released, at)
	}
}

// view is the answers so far; what is appended later does not touch it.
func (a *answers) view() LaneSteps {
	return LaneSteps{Verdicts: slices.Clip(a.Verdicts), Released: slices.Clip(a.Released), tallies: slices.Clip(a.tallies)}
}

// keep adds a block of requests to the steps, up to most of them.
func (s *Steps) keep(block []traffic.Request, most int) {
	for i := range block {
		if len(s.At) == most {
			return
		}
		s.At = append(s.At, block[i].At)
		s.Client = append(s.Client, block[i].Client)
		s.Cost = append(s.Cost, block[i].Cost)
	}
}

// Steps are the decisions kept so far.
func (r *Run) Steps() *Steps {
	out := &Steps{At: slices.Clip(r.steps.At), Client: slices.Clip(r.steps.Client), Cost: slices.Clip(r.steps.Cost)}
	for _, l := range r.lanes {
		out.Lanes = append(out.Lanes, l.steps())
	}
	return out
}
