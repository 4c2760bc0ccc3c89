package traffic

import (
	"math"
	"slices"

	"github.com/b6db88e4/ratesim/sim/random"
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

func float64Of(f random.Fixed) float64 { return float64(f.Whole) + float64(f.Frac)*0x1p-64 }
