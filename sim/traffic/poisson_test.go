package traffic

import (
	"math"
	"math/big"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

// TestPoissonFollowsItsDraws: arrival k is at the sum of the first k draws times P/N, rounded up.
func TestPoissonFollowsItsDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPart().Draw(t, "part")
		p.To = p.Rate
		if p.Rate.N == 0 {
			return
		}
		s := source(Process{Kind: Poisson}, p)
		rng := stream(1, "a", forArrivals)
		sum := new(big.Rat)
		for range 30 {
			sum.Add(sum, rational(rng.Exponential()))
			exact := new(big.Rat).Quo(sum, perNanosecond(p.Rate))
			want := new(big.Int).Add(ceil(exact), big.NewInt(int64(p.From)))
			r, ok := s.Next()
			if ok != (want.Cmp(big.NewInt(int64(p.Until))) < 0) {
				t.Fatalf("an arrival at %d: %v", want, ok)
			}
			if !ok {
				break
			}
			if big.NewInt(int64(r.At)).Cmp(want) != 0 {
				t.Fatalf("arrival at %d, want %d", r.At, want)
			}
		}
	})
}

func TestIntervalDivides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anySize(algorithms.MaxUnits).Draw(t, "n")
		x := rapid.OneOf(
			rapid.Uint64(),
			rapid.Map(rapid.Uint64Range(0, math.MaxUint64/uint64(n)), func(q uint64) uint64 { return q * uint64(n) }),
		).Draw(t, "x")
		i := newInterval(algorithms.Limit{N: n, Per: 1})
		if q, rest := i.divide(x); q != x/uint64(n) || rest != x%uint64(n) {
			t.Errorf("%d/%d is %d, rest %d", x, n, q, rest)
		}
	})
}

// TestClockStaysBeyond: a clock that has run past all instants does not come round again.
func TestClockStaysBeyond(t *testing.T) {
	rng := stream(1, "a", forArrivals)
	c := clock{rng: &rng}
	c.restart(Time(never), newInterval(algorithms.Limit{N: 1, Per: algorithms.MaxPeriod}))
	for range 1000 {
		c.advance()
		c.skip(0, year)
		if at, ok := c.within(Time(never)); ok {
			t.Fatalf("an arrival at %d", at)
		}
	}
}

// TestPoissonCounts: the counts of equal stretches have mean and variance of the area.
func TestPoissonCounts(t *testing.T) {
	const stretches, area = 20_000, 12.5
	rate := per(25, 2)
	steady := Part{Until: stretches * second, Rate: rate, To: rate}
	swinging := steady // whole periods, so the area of each stretch is the same
	swinging.Amplitude, swinging.Period = per(10, 1), second/4
	for name, p := range map[string]Part{"steady": steady, "swinging": swinging} {
		counts := make([]float64, stretches)
		s := source(Process{Kind: Poisson}, p)
		for r, ok := s.Next(); ok; r, ok = s.Next() {
			counts[r.At/second]++
		}
		var mean, variance float64
		for _, c := range counts {
			mean += c / stretches
			variance += (c - area) * (c - area) / stretches
		}
		if math.Abs(mean-area) > 4*math.Sqrt(area/stretches) {
			t.Errorf("%s: mean %.3f, want %v", name, mean, area)
		}
		if math.Abs(variance-area) > 4*area*math.Sqrt(2.0/stretches) {
			t.Errorf("%s: variance %.3f, want %v", name, variance, area)
		}
	}
}
