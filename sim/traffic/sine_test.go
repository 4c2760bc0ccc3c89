package traffic

import (
	"math/big"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

// bigSin2 is sin²(x) = Σ (−1)^(k+1)·2^(2k−1)·x^(2k)/(2k)!.
func bigSin2(x *big.Float) *big.Float {
	square := bigFloat(0).Mul(x, x)
	return series(square, func(k int64) *big.Float {
		n := float64(k + 1)
		factor := bigFloat(0).Mul(bigFloat(-4), square)
		return factor.Quo(factor, bigFloat((2*n-1)*2*n))
	})
}

// TestPi checks the digits of π.
func TestPi(t *testing.T) {
	digits, _ := new(big.Int).SetString(pi, 16)
	closeTo(t, "pi", bigFloat(0).SetMantExp(bigFloat(0).SetInt(digits), -256), bigPi(), -256)
}

func TestSinCoefficients(t *testing.T) {
	halfPiSquared := bigFloat(0).Quo(bigFloat(0).Mul(bigPi(), bigPi()), bigFloat(4))
	c := bigFloat(0).Quo(halfPiSquared, bigFloat(4)) // (π/2)²/(2·2!)
	for i, got := range sinCoefficients {
		closeTo(t, "coefficient", ofWord(got, 64), c, -64)
		k := float64(i + 2)
		c.Quo(c.Mul(c, halfPiSquared), bigFloat((2*k-1)*2*k))
	}
}

func TestSinSquared(t *testing.T) {
	quarter := bigFloat(0).Quo(circle, bigFloat(4))
	rapid.Check(t, func(t *rapid.T) {
		x := anyWord().Draw(t, "x")
		want := bigSin2(bigFloat(0).Mul(quarter, ofWord(x, 64)))
		closeTo(t, "sin²", ofWord(sinSquared(x), 64), want, -62)
	})
}

// TestPhase covers whole turns, of periods from 1 ns to ten years.
func TestPhase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := anySize(tenYears).Draw(t, "period")
		at := anySize(tenYears).Draw(t, "t") - 1
		steady := algorithms.Limit{N: 1, Per: time.Second}
		p := Part{Until: Time(tenYears), Rate: steady, To: steady, Amplitude: steady, Period: Time(period)}
		r := newRamp(&p)
		w := newWave(&p, &r)
		got := w.phase(uint64(at))
		turn := new(big.Float).SetPrec(precision).SetRat(big.NewRat(at%period, period))
		closeTo(t, "sin²", ofWord(got.sin2, 64), bigSin2(turn.Mul(turn, circle)), -61)
	})
}

// circle is π, made once.
var circle = bigPi()

// trueArea is the area under a part with a sine up to t.
func trueArea(p *Part, t int64) *big.Float {
	sum := new(big.Float).SetPrec(precision).SetRat(areaUnder(p, t))
	turn := new(big.Float).SetPrec(precision).SetRat(big.NewRat(t%int64(p.Period), int64(p.Period)))
	wave := new(big.Float).SetPrec(precision).SetRat(perNanosecond(p.Amplitude))
	wave.Mul(wave, bigFloat(float64(p.Period)))
	wave.Quo(wave, circle)
	return sum.Add(sum, wave.Mul(wave, bigSin2(turn.Mul(turn, circle))))
}

// TestSineInstants compares with the true area: an arrival must be where the true area reaches its
// target give or take the stated error, and not where it had been reached a nanosecond before.
func TestSineInstants(t *testing.T) {
	for _, test := range []struct {
		story string
		part  Part
	}{
		{"a minute's swing", Part{Until: 5 * minute, Rate: per(20, 1), To: per(20, 1), Amplitude: per(10, 1), Period: minute}},
		{"down to zero at the trough", Part{Until: minute, Rate: per(1, 1), To: per(1, 1), Amplitude: per(1, 1), Period: 20 * second}},
		{"on a rising ramp", Part{From: 77, Until: minute, Rate: per(3, 1), To: per(90, 7), Amplitude: per(17, 6), Period: 7 * second}},
		{"on a ramp that falls to zero", Part{Until: minute, Rate: per(5, 1), To: per(2, 1), Amplitude: per(2, 1), Period: 11 * second}},
		{"faster than the arrivals", Part{Until: minute, Rate: per(2, 1), To: per(2, 1), Amplitude: per(2, 1), Period: second / 100}},
		{"much faster than the arrivals", Part{Until: year, Rate: per(1, 86400), To: per(1, 86400), Amplitude: per(1, 86400), Period: second}},
		{"ten years' swing", Part{Until: 10 * year, Rate: per(1, 86400*30), To: per(1, 86400*30), Amplitude: per(1, 86400*60), Period: 10 * year}},
		{"a period longer than the part", Part{Until: second, Rate: per(100, 1), To: per(100, 1), Amplitude: per(100, 1), Period: 10 * year}},
		{"a period of one nanosecond", Part{Until: 100, Rate: algorithms.Limit{N: 1, Per: 3}, To: algorithms.Limit{N: 1, Per: 3}, Amplitude: algorithms.Limit{N: 1, Per: 4}, Period: 1}},
		{"many a nanosecond", Part{Until: 20, Rate: algorithms.Limit{N: 7, Per: 2}, To: algorithms.Limit{N: 9, Per: 1}, Amplitude: algorithms.Limit{N: 3, Per: 1}, Period: 5}},
	} {
		instants := firstInstants(source(Process{}, test.part), 80)
		checkSine(t, test.story, &test.part, instants)
		if len(instants) < 80 {
			end := trueArea(&test.part, int64(test.part.Until-test.part.From)-1)
			if end.Cmp(bigFloat(float64(len(instants))+1e-9)) > 0 {
				t.Errorf("%s: only %d arrivals", test.story, len(instants))
			}
		}
	}
}

func checkSine(t rapid.TB, story string, p *Part, instants []Time) {
	// A·Period/π·2⁻⁶¹, and 2⁻³² for the units
	allowed := new(big.Float).SetPrec(precision).SetRat(perNanosecond(p.Amplitude))
	allowed.Mul(allowed, bigFloat(float64(p.Period)*0x1p-62)).Add(allowed, bigFloat(0x1p-64))
	for n, at := range instants {
		target := bigFloat(float64(n))
		if trueArea(p, int64(at-p.From)).Cmp(bigFloat(0).Sub(target, allowed)) < 0 {
			t.Errorf("%s: arrival %d at %d comes before its time", story, n, at)
		}
		if at > p.From && trueArea(p, int64(at-p.From)-1).Cmp(target.Add(target, allowed)) > 0 {
			t.Errorf("%s: arrival %d at %d comes after its time", story, n, at)
		}
	}
}

// TestSineOverNanoseconds compares likewise where a rounded area would show: in parts so short that
// there are few units to a request.
func TestSineOverNanoseconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := func(most int64, name string) int64 { return rapid.Int64Range(1, most).Draw(t, name) }
		rate := algorithms.Limit{N: small(10, "n"), Per: time.Duration(small(5, "per"))}
		p := Part{Until: Time(small(20, "length")), Rate: rate, To: rate, Period: Time(small(40, "period"))}
		p.Amplitude = algorithms.Limit{N: small(rate.N, "amplitude"), Per: rate.Per}
		p.To.N += small(5, "rise") - 1
		checkSine(t, "short", &p, firstInstants(source(Process{}, p), 25))
	})
}

// TestSineOfAnySize looks for overflow and for searches that do not end, at any rate, length and period.
func TestSineOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPart().Draw(t, "part")
		least := p.Rate
		if perNanosecond(p.To).Cmp(perNanosecond(least)) < 0 {
			least = p.To
		}
		if least.N == 0 {
			return
		}
		p.Amplitude = algorithms.Limit{N: rapid.Int64Range(1, least.N).Draw(t, "amplitude"), Per: least.Per}
		p.Period = Time(anySize(tenYears).Draw(t, "period"))
		kind := rapid.SampledFrom([]ProcessKind{Even, Poisson}).Draw(t, "kind")
		instants := firstInstants(source(Process{Kind: kind}, p), 20)
		for n := range instants {
			if n > 0 && instants[n] < instants[n-1] || instants[n] < p.From || instants[n] >= p.Until {
				t.Fatalf("arrivals %v are out of order or outside", instants)
			}
		}
	})
}
