package random

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

const ms = Time(1e6)

// TestDraws pins the first lengths of a few streams: they must never change, on any machine.
func TestDraws(t *testing.T) {
	for _, test := range []struct {
		d    Distribution
		want string // in ns
	}{
		{Distribution{}, "[0 0 0 0]"},
		{Distribution{Kind: Constant, Time: 5 * ms}, "[5000000 5000000 5000000 5000000]"},
		{Distribution{Kind: Exponential, Time: 5 * ms}, "[10863790 2740620 3978837 55501]"},
		{Distribution{Kind: LogNormal, Time: 5 * ms, SigmaMilli: 500}, "[1960593 7770244 6727324 5494010]"},
		{Distribution{Kind: LogNormal, Time: 5 * ms, SigmaMilli: 2000}, "[118207 29162747 16385479 7288660]"},
		{Distribution{Kind: Exponential, Time: 1}, "[3 1 1 1]"},
	} {
		s := New(1, "draws")
		var got []Time
		for range 4 {
			got = append(got, test.d.Draw(&s))
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%+v draws %v, want %s", test.d, got, test.want)
		}
	}
}

// shareUpTo is how many of n draws are at most a length.
func shareUpTo(d Distribution, length float64, n int) float64 {
	s := New(1, "share")
	count := 0
	for range n {
		if float64(d.Draw(&s)) <= length {
			count++
		}
	}
	return float64(count) / float64(n)
}

// TestQuantiles: as many draws as there should be are at most a known length, within four standard
// errors. A log-normal length is at most median·e^(σ·z) as often as a normal deviate is at most z.
func TestQuantiles(t *testing.T) {
	const n = 200_000
	exponential := Distribution{Kind: Exponential, Time: 5 * ms}
	logNormal := Distribution{Kind: LogNormal, Time: 5 * ms, SigmaMilli: 1000}
	narrow, wide := logNormal, logNormal
	narrow.SigmaMilli, wide.SigmaMilli = 1, 5000
	for _, test := range []struct {
		name   string
		d      Distribution
		length float64 // in means or medians
		share  float64
	}{
		{"a tenth of the exponential", exponential, 0.105361, 0.1},
		{"the median of the exponential", exponential, math.Ln2, 0.5},
		{"the mean of the exponential", exponential, 1, 0.632121},
		{"p99 of the exponential", exponential, 4.605170, 0.99},
		{"p99.9 of the exponential", exponential, 6.907755, 0.999},
		{"p1 of the log-normal", logNormal, 0.097651, 0.01},
		{"the median", logNormal, 1, 0.5},
		{"one sigma up", logNormal, math.E, 0.841345},
		{"p99", logNormal, 10.240474, 0.99},
		{"two sigmas down, narrow", narrow, 0.998002, 0.022750},
		{"one sigma up, narrow", narrow, 1.0010005, 0.841345},
		{"one sigma down, wide", wide, 0.006737947, 0.158655},
		{"two sigmas up, wide", wide, 22026.466, 0.977250},
	} {
		got := shareUpTo(test.d, test.length*float64(test.d.Time), n)
		if allowed := 4 * math.Sqrt(test.share*(1-test.share)/n); math.Abs(got-test.share) > allowed {
			t.Errorf("%s: a share of %.5f, want %.5f ± %.5f", test.name, got, test.share, allowed)
		}
	}
}

// TestMeans: the mean of an exponential is its time, that of a log-normal the median times e^(σ²/2).
func TestMeans(t *testing.T) {
	const n = 1_000_000
	for _, test := range []struct {
		d           Distribution
		mean, sigma float64 // in ms
	}{
		{Distribution{Kind: Exponential, Time: 5 * ms}, 5, 5},
		{Distribution{Kind: LogNormal, Time: 5 * ms, SigmaMilli: 100}, 5 * 1.0050125, 0.504},
		{Distribution{Kind: LogNormal, Time: 5 * ms, SigmaMilli: 1000}, 5 * 1.6487213, 10.81},
	} {
		s := New(1, "means")
		mean := 0.0
		for range n {
			mean += float64(test.d.Draw(&s)) / float64(ms) / n
		}
		if allowed := 4 * test.sigma / math.Sqrt(n); math.Abs(mean-test.mean) > allowed {
			t.Errorf("%+v has a mean of %.5f ms, want %.5f ± %.5f", test.d, mean, test.mean, allowed)
		}
	}
}

// TestDrawHolds: whatever the distribution, a length is neither negative nor beyond the longest, nor 0
// unless its time is.
func TestDrawHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Distribution{
			Kind:       rapid.SampledFrom([]Kind{Constant, Exponential, LogNormal}).Draw(t, "kind"),
			Time:       Time(anyWord().Draw(t, "time") >> rapid.IntRange(1, 63).Draw(t, "shift")),
			SigmaMilli: rapid.Int64Range(1, 5000).Draw(t, "sigma"),
		}
		s := New(rapid.Uint64().Draw(t, "seed"), "holds")
		for range 20 {
			got := d.Draw(&s)
			if got < 0 || got >= algorithms.Never/4 || (got == 0) != (d.Time == 0) {
				t.Fatalf("%+v draws %d", d, got)
			}
		}
	})
	for _, d := range []Distribution{{Constant, -1, 0}, {Exponential, -5, 0}, {LogNormal, algorithms.Time(math.MinInt64), 5000}} {
		s := New(1, "negative")
		if got := d.Draw(&s); got != 0 {
			t.Errorf("%+v draws %d", d, got)
		}
	}
}

// TestExtremes: lengths that do not fit come out as the longest one, and the shortest is a nanosecond.
func TestExtremes(t *testing.T) {
	const most = algorithms.Never/4 - 1
	s := New(1, "extremes")
	longest, shortest := 0, 0
	for _, d := range []Distribution{{Constant, algorithms.Never, 0}, {Exponential, algorithms.Never, 0}, {LogNormal, algorithms.Never, 5000}} {
		for range 1000 {
			if d.Draw(&s) == most {
				longest++
			}
		}
	}
	if longest < 1000+300+450 { // all, e^(−1) and half of them
		t.Errorf("%d of 3000 are the longest", longest)
	}
	d := Distribution{LogNormal, 1, 5000}
	for range 1000 {
		if d.Draw(&s) == 1 {
			shortest++
		}
	}
	if shortest < 450 || shortest > 550 {
		t.Errorf("%d of 1000 are the shortest", shortest)
	}
}

func TestCapped(t *testing.T) {
	for _, test := range []struct {
		f           Fixed
		scale, want uint64
	}{
		{Fixed{0, 0}, 0, 0}, // only nothing comes out as nothing
		{Fixed{0, 0}, 1, 1},
		{Fixed{0, 1}, 1, 1},
		{Fixed{1, 0}, 1, 1},
		{Fixed{1, 1}, 1, 2},
		{Fixed{longest - 1, 0}, 1, longest - 1},
		{Fixed{longest - 1, 1}, 1, longest},
		{Fixed{longest, 0}, 1, longest},
		{Fixed{longest, 1}, 1, longest},
		{Fixed{longest + 1, 0}, 1, longest},
		{Fixed{math.MaxUint64, math.MaxUint64}, 1, longest},
	} {
		if got := capped(test.f, test.scale); got != test.want {
			t.Errorf("%v comes out as %d, want %d", test.f, got, test.want)
		}
	}
}

// TestScaled: mean·e exactly, rounded up, for all exponential times that can be drawn.
func TestScaled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean := scramble(rapid.Uint64().Draw(t, "mean"))>>rapid.IntRange(3, 63).Draw(t, "shift") | 1
		mean = min(mean, longest)
		e := Fixed{rapid.Uint64Range(0, 47).Draw(t, "e"), anyWord().Draw(t, "frac")}
		exact := new(big.Rat).Mul(rational(e), new(big.Rat).SetUint64(mean))
		got := new(big.Rat).SetUint64(scaled(mean, e))
		if exact.Cmp(new(big.Rat).SetUint64(longest)) >= 0 {
			exact.SetUint64(longest)
		}
		above := new(big.Rat).Sub(got, exact)
		if above.Sign() < 0 || above.Cmp(big.NewRat(1, 1)) >= 0 && exact.Sign() > 0 {
			t.Errorf("%d·%v comes out as %v", mean, e, got)
		}
	})
}

// TestPowers compares median·2^y and median·2^(−y) with large floating-point numbers: rounded up, and
// right to one part in 2⁵⁹.
func TestPowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		median := scramble(rapid.Uint64().Draw(t, "median")) >> rapid.IntRange(3, 63).Draw(t, "shift")
		most := rapid.SampledFrom([]uint64{5, 62, 350}).Draw(t, "most")
		y := Fixed{rapid.Uint64Range(0, most).Draw(t, "y"), anyWord().Draw(t, "frac")}
		exponent := bigFloat(0).Mul(ofWord(y.Frac, 64), bigLn2())
		power := bigFloat(0).SetMantExp(bigExp(exponent), int(y.Whole))
		up := bigFloat(0).Mul(ofWord(median, 0), power)
		down := bigFloat(0).Quo(ofWord(median, 0), power)
		roundedUp(t, "grown", grown(median, y), median, up)
		roundedUp(t, "shrunk", shrunk(median, y), median, down)
	})
}

func roundedUp(t *rapid.T, what string, got, median uint64, exact *big.Float) {
	t.Helper()
	if exact.Cmp(ofWord(longest, 0)) >= 0 {
		exact = ofWord(longest, 0)
	}
	above := bigFloat(0).Sub(ofWord(got, 0), exact)
	allowed := bigFloat(0).SetMantExp(exact, -59)
	if above.Cmp(bigFloat(0).Neg(allowed)) < 0 || above.Cmp(allowed.Add(allowed, bigFloat(1))) > 0 {
		t.Errorf("%s is %d for a median of %d, %s above", what, got, median, above.Text('g', 5))
	}
	if median > 0 && got == 0 {
		t.Errorf("%s is 0", what)
	}
}
