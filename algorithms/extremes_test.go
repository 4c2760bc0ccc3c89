package algorithms_test

import (
	"math"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// extreme is a situation at the ends of the range that chance hardly ever meets.
type extreme struct {
	story      string
	algorithms []string
	policy     algorithms.Policy
	requests   []request
}

// extremes lists them.
func extremes() []extreme {
	const (
		units  = algorithms.MaxUnits
		period = algorithms.MaxPeriod
	)
	full := func(n int64) request { return request{0, n} }
	return []extreme{
		{
			// 311 units take 311·P/3 = 2^64 − 1 + 1/3 ns to drain: rounded up, 2^64.
			"a wait of exactly 2^64 ns",
			[]string{"token-bucket", "gcra", "leaky-meter", "leaky-bucket"},
			algorithms.Policy{Limit: algorithms.Limit{N: 3, Per: 177_942_868_878_227_186}, Burst: 311},
			[]request{full(311), full(311), full(1), {lastInstant, 311}},
		},
		{
			"a queue that takes exactly 2^64 ns to drain",
			[]string{"leaky-bucket"},
			algorithms.Policy{Limit: algorithms.Limit{N: 3, Per: 177_942_868_878_227_186}, Burst: 400},
			[]request{full(311), full(1), full(88), full(1)},
		},
		{
			"the largest of everything",
			names(),
			algorithms.Policy{Limit: algorithms.Limit{N: units, Per: period}},
			[]request{full(units), full(units), full(1), {Time(period) - 1, 1}, {Time(period), units}, {lastInstant, units}, {lastInstant, 1}},
		},
		{
			"one unit in ten years, all that can be saved",
			names(),
			algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: period}, Burst: units},
			[]request{full(1), full(units), full(units - 1), full(1), {Time(period), 1}, {lastInstant, 30}, {lastInstant, 29}},
		},
		{
			"a million million a nanosecond",
			names(),
			algorithms.Policy{Limit: algorithms.Limit{N: units, Per: 1}, Burst: 1},
			[]request{full(1), full(1), full(units), {1, units}, {1, 1}, {lastInstant, units}, {lastInstant, 1}},
		},
		{
			"a wait for 30 refills of ten years, from the last instant",
			[]string{"token-bucket"},
			algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: period}, Burst: units, Options: map[string]string{"refill": "interval", "initial": "0"}},
			[]request{{lastInstant, 58}, {lastInstant, 59}, {lastInstant, 29}},
		},
		{
			"one a nanosecond, late in a run that began at the end of Unix time",
			names(),
			algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: 1}, Start: math.MaxInt64},
			[]request{full(1), full(1), {lastInstant - 1, 1}, {lastInstant, 1}, {lastInstant, 1}},
		},
		{
			"a run that began before Unix time could be told",
			names(),
			algorithms.Policy{Limit: algorithms.Limit{N: 2, Per: period - 1}, Start: math.MinInt64},
			[]request{full(2), full(1), {Time(period) / 2, 1}, {lastInstant, 2}, {lastInstant, 1}},
		},
	}
}

// TestExtremes: each is decided as the definition says.
func TestExtremes(t *testing.T) {
	for _, row := range extremes() {
		for _, name := range row.algorithms {
			t.Run(row.story+"/"+name, func(t *testing.T) {
				spec, _ := algorithms.Lookup(name)
				right := newOracle(name, row.policy)
				if right == nil {
					t.Fatal("the oracle has no definition of it; write one in definitions_test.go")
				}
				s := newSubject(spec, row.policy, maker(t, name, row.policy))
				if err := sameAnswers(s, row.requests, right, s.make()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// names are the registered algorithms.
func names() []string {
	var all []string
	for _, spec := range algorithms.Specs() {
		all = append(all, spec.Name)
	}
	return all
}

// TestCostsBeyondTheRange: a cost above 10^12 never fits, and does no harm.
func TestCostsBeyondTheRange(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		p := algorithms.Policy{Limit: algorithms.Limit{N: algorithms.MaxUnits, Per: time.Minute}}
		s := newSubject(spec, p, maker(t, spec.Name, p))
		if !s.bounded() {
			continue
		}
		l := s.make()
		for _, cost := range []int64{algorithms.MaxUnits + 1, math.MaxInt64/2 + 1, math.MaxInt64} {
			if d := l.Decide(0, cost); d != (algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}) {
				t.Errorf("%s: %d units: %v", spec.Name, cost, d)
			}
		}
		if d := l.Decide(0, algorithms.MaxUnits); d.Verdict != algorithms.Admit {
			t.Errorf("%s: the capacity afterwards: %v", spec.Name, d)
		}
	}
}
