package random

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func normalSample(n int) []float64 {
	s := New(1, "normal")
	sample := make([]float64, n)
	for i := range sample {
		size, negative := s.Normal()
		sample[i] = size.float()
		if negative {
			sample[i] = -sample[i]
		}
	}
	return sample
}

// phi is the chance that a normal deviate is at most z.
func phi(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// TestNormalMoments: 0, 1, 0 and 3, each within four standard errors.
func TestNormalMoments(t *testing.T) {
	const n = 1_000_000
	var moments [5]float64
	for _, z := range normalSample(n) {
		for k, power := 1, z; k <= 4; k, power = k+1, power*z {
			moments[k] += power / n
		}
	}
	for k, moment := range []struct{ want, variance float64 }{1: {0, 1}, 2: {1, 2}, 3: {0, 15}, 4: {3, 96}} {
		if allowed := 4 * math.Sqrt(moment.variance/n); math.Abs(moments[k]-moment.want) > allowed {
			t.Errorf("moment %d is %.5f, want %.5f ± %.5f", k, moments[k], moment.want, allowed)
		}
	}
}

func TestNormalDistribution(t *testing.T) {
	if d := smirnov(normalSample(400_000), phi); d > 1.95 {
		t.Errorf("Kolmogorov–Smirnov: %.2f", d)
	}
}

// TestNormalTails counts what is far out, where the statistic of the whole sees little.
func TestNormalTails(t *testing.T) {
	const n = 1_000_000
	sample := normalSample(n)
	for _, z := range []float64{-4, -3, -2, 2, 3, 4} {
		beyond := 0
		for _, x := range sample {
			if x*z > z*z {
				beyond++
			}
		}
		want := n * phi(-math.Abs(z))
		if math.Abs(float64(beyond)-want) > 4*math.Sqrt(want) {
			t.Errorf("%d of %d are beyond %g, want %.0f", beyond, n, z, want)
		}
	}
}

func TestFixedComparisons(t *testing.T) {
	one := big.NewRat(1, 1)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Fixed {
			return Fixed{rapid.Uint64Range(0, 3).Draw(t, name), anyWord().Draw(t, name+" frac")}
		}
		f, g := draw("f"), draw("g")
		distance := new(big.Rat).Sub(rational(f), one)
		if got := rational(f.fromOne()); got.Cmp(distance.Abs(distance)) != 0 {
			t.Errorf("|f−1| = %v, want %v", got, distance)
		}
		if f.less(g) != (rational(f).Cmp(rational(g)) < 0) {
			t.Errorf("f < g is %v", f.less(g))
		}
		closeTo(t, "f/2", ofFixed(f.half()), bigFloat(0).Quo(ofFixed(f), bigFloat(2)), -64)
	})
}
