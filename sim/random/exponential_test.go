package random

import (
	"math"
	"slices"
	"testing"
)

// smirnov is the Kolmogorov–Smirnov statistic √n·max|F̂ − F|: above 1.95 once in a thousand samples.
func smirnov(sample []float64, distribution func(float64) float64) float64 {
	slices.Sort(sample)
	n, most := float64(len(sample)), 0.0
	for i, x := range sample {
		f := distribution(x)
		most = max(most, f-float64(i)/n, float64(i+1)/n-f)
	}
	return most * math.Sqrt(n)
}

func (f Fixed) float() float64 { return float64(f.Whole) + float64(f.Frac)*0x1p-64 }

func exponentialSample(n int) []float64 {
	rng := New(1, "exponential")
	sample := make([]float64, n)
	for i := range sample {
		sample[i] = rng.Exponential().float()
	}
	return sample
}

// TestExponentialMoments: mean 1, variance 1, third moment 6, each within four standard errors.
func TestExponentialMoments(t *testing.T) {
	const n = 1_000_000
	var mean, square, cube float64
	for _, x := range exponentialSample(n) {
		mean += x / n
		square += x * x / n
		cube += x * x * x / n
	}
	for _, moment := range []struct {
		name             string
		got, want, sigma float64
	}{
		{"mean", mean, 1, 1},
		{"mean square", square, 2, math.Sqrt(24 - 4)},
		{"mean cube", cube, 6, math.Sqrt(720 - 36)},
	} {
		if allowed := 4 * moment.sigma / math.Sqrt(n); math.Abs(moment.got-moment.want) > allowed {
			t.Errorf("%s is %.5f, want %.5f ± %.5f", moment.name, moment.got, moment.want, allowed)
		}
	}
}

func TestExponentialDistribution(t *testing.T) {
	d := smirnov(exponentialSample(400_000), func(x float64) float64 { return -math.Expm1(-x) })
	if d > 1.95 {
		t.Errorf("Kolmogorov–Smirnov: %.2f", d)
	}
}

// TestWithinAnEighth looks at the comparisons alone, which bend an even distribution by only 1.6 %.
func TestWithinAnEighth(t *testing.T) {
	sample := exponentialSample(400_000)
	for i, x := range sample {
		sample[i] = math.Mod(x, 0.125)
	}
	d := smirnov(sample, func(x float64) float64 { return math.Expm1(-x) / math.Expm1(-0.125) })
	if d > 1.95 {
		t.Errorf("Kolmogorov–Smirnov: %.2f", d)
	}
}

// TestSettle takes the rare path alone: given that u₁ is below an eighth, x is accepted in a share of
// 1 − 8·x + 8·(1 − e^(−x)) of all cases (with u₁ < x: 8x; of these e^(−x) − 1 + x are accepted after
// all, in eighths).
func TestSettle(t *testing.T) {
	rng := New(1, "settle")
	for _, eighth := range []float64{0, 0.25, 0.5, 0.75, 1} {
		x := eighth / 8
		const n = 1_000_000
		accepts := 0
		for range n {
			if accepted(min(uint64(eighth*0x1p61), 1<<61-1), &rng) {
				accepts++
			}
		}
		want := 1 + 8*math.Expm1(-x)
		if got := float64(accepts) / n; math.Abs(got-want) > 4*math.Sqrt(0.25/n) {
			t.Errorf("x = %.5f is accepted in %.5f of cases, want %.5f", x, got, want)
		}
	}
}

// TestEighthTable checks the chance of every eighth, far beyond what a sample could tell.
func TestEighthTable(t *testing.T) {
	for k, got := range chances(eighthTable) {
		want := math.Exp(-float64(k)/8) * -math.Expm1(-0.125)
		chance, _ := got.Float64()
		if math.Abs(chance-want) > 1e-15*want+0x1p-62 {
			t.Errorf("eighth %d has the chance %g, want %g", k, chance, want)
		}
	}
}
