package traffic

import (
	"math"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
)

// TestMMPPStates: in each state there are as many arrivals as its rate says, and none outside.
func TestMMPPStates(t *testing.T) {
	process := Process{
		Kind:  MMPP,
		Rates: []algorithms.Limit{per(50, 1), {}, per(7, 3), per(400, 1)},
		Stay:  []Time{second, 3 * second, 10 * second, second / 10},
	}
	const until = 50_000 * second
	counts := make([]float64, len(process.Rates))
	lasted := make([]float64, len(process.Rates)) // in ns
	c := newChain(&process, stream(1, "a", forPeriods))
	c.begin(0)
	start := Time(0)
	s := source(process, Part{Until: until})
	for r, ok := s.Next(); ok; r, ok = s.Next() {
		for c.end < r.At {
			lasted[c.now] += float64(c.end - start)
			start = c.end
			c.next()
		}
		counts[c.now]++
	}
	for i, rate := range process.Rates {
		want := lasted[i] * float64(rate.N) / max(1, float64(rate.Per))
		if math.Abs(counts[i]-want) > 4*math.Sqrt(want) {
			t.Errorf("state %d: %v arrivals in %v s, want %.0f", i, counts[i], lasted[i]/1e9, want)
		}
	}
	// Each state is entered alike often, so time divides as the stays do: 1 : 3 : 10 : 0.1.
	for i, stay := range process.Stay {
		if want := float64(until) * float64(stay) / 14.1e9; math.Abs(lasted[i]-want) > 0.06*want {
			t.Errorf("state %d lasted %.0f s, want about %.0f", i, lasted[i]/1e9, want/1e9)
		}
	}
}

// TestMMPPStays: the lengths of stays are exponential.
func TestMMPPStays(t *testing.T) {
	process := Process{Rates: make([]algorithms.Limit, 2), Stay: []Time{second, 3 * second}}
	c := newChain(&process, stream(1, "a", forPeriods))
	c.begin(0)
	var sample []float64
	for start := Time(0); len(sample) < 100_000; c.next() {
		if c.now == 1 {
			sample = append(sample, float64(c.end-start))
		}
		start = c.end
	}
	if d := smirnov(sample, func(x float64) float64 { return -math.Expm1(-x / 3e9) }); d > 1.95 {
		t.Errorf("Kolmogorov–Smirnov: %.2f", d)
	}
}

func TestMMPPWithoutArrivals(t *testing.T) {
	process := Process{Kind: MMPP, Rates: make([]algorithms.Limit, 3), Stay: []Time{1, 1, 1}}
	if got := firstInstants(source(process, Part{Until: 10 * year}), 1); got != nil {
		t.Errorf("arrivals at %v", got)
	}
}

// TestMMPPBeginsInStateZero, at the first part and after a pause; here there are
// arrivals in state 0 only, and it is soon left for long.
func TestMMPPBeginsInStateZero(t *testing.T) {
	process := Process{Kind: MMPP, Rates: []algorithms.Limit{per(1000, 1), {}}, Stay: []Time{second, 1000 * second}}
	parts := []Part{{Until: minute}, {From: minute, Until: 2 * minute}, {From: 3 * minute, Until: 4 * minute}}
	begins := 0
	for _, p := range parts {
		all := firstInstants(source(process, parts...), math.MaxInt)
		for _, at := range all {
			if at > p.From && at < p.From+second/20 {
				begins++
				break
			}
		}
	}
	if begins != 2 { // the second part goes on in state 1
		t.Errorf("%d of three parts begin with arrivals, want the first and the last", begins)
	}
}

// TestMMPPOneState is a Poisson process.
func TestMMPPOneState(t *testing.T) {
	process := Process{Kind: MMPP, Rates: []algorithms.Limit{per(10, 1)}, Stay: []Time{second}}
	p := Part{From: second, Until: 2_001 * second}
	n := float64(len(firstInstants(source(process, p), math.MaxInt)))
	if math.Abs(n-20_000) > 4*math.Sqrt(20_000) {
		t.Errorf("%v arrivals, want about 20,000", n)
	}
}
