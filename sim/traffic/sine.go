package traffic

import (
	"math"
	"math/big"
	"math/bits"
)

// wave is the area that a sine adds to a ramp: the integral of A·sin(2π·t/Period) is
//
//	A·Period/(2π)·(1 − cos(2π·t/Period)) = A·Period/π · sin²(π·t/Period)
//
// sin² is computed in integers to within 2⁻⁶¹, so the area is within A·Period/π·2⁻⁶¹, and an arrival
// where the rate is about A or more within Period/π·2⁻⁶¹ of its true instant before it is rounded up
// to a nanosecond: 10⁻⁸ ns for a period of a minute, 0.05 ns for one of ten years.
type wave struct {
	present bool
	height  wide   // A·Period/π, in the ramp's units of area
	turns   uint64 // 2¹²⁸/Period: turns a nanosecond as a fraction of 2¹²⁸, upper word
	turnsLo uint64 // lower word

	// For guesses: a quarter of the period in ns; A in units of area a nanosecond; half the most by
	// which the rate changes each nanosecond, π·A/Period.
	quarter, amplitude, bend float64
}

// newWave returns the sine of a part, or none.
func newWave(p *Part, r *ramp) wave {
	if p.Amplitude.N == 0 {
		return wave{}
	}
	period := uint64(p.Period)
	hi, rest := bits.Div64(1%period, 0, period) // for a period of 1 ns all phases are 0
	lo, _ := bits.Div64(rest, 0, period)
	w := wave{present: true, height: waveHeight(p, r), turns: hi, turnsLo: lo, quarter: float64(period) / 4}
	w.amplitude = w.height.float() * math.Pi / float64(period)
	w.bend = w.amplitude * math.Pi / float64(period)
	return w
}

// pi is π·2²⁵⁶ in hexadecimal, rounded down.
const pi = "3243F6A8885A308D313198A2E03707344A4093822299F31D0082EFA98EC4E6C89"

// waveHeight is A·Period/π in the ramp's units of area, rounded down. As the rate is never negative
// A is at most the larger of the ramp's rates, b/L in the terms of [ramp], so the height is below
// 2³²·2D·b·Period/π < 2²⁴⁹ for a D and a period below 2⁵⁹.
func waveHeight(p *Part, r *ramp) wide {
	n, per := reduced(p.Amplitude)
	height := r.request.big()
	height.Mul(height, new(big.Int).SetUint64(n))
	height.Mul(height, new(big.Int).SetUint64(uint64(p.Period)))
	height.Lsh(height, 256)
	divisor, _ := new(big.Int).SetString(pi, 16)
	divisor.Mul(divisor, new(big.Int).SetUint64(per))
	return wideOf(height.Quo(height, divisor))
}

// phase is sin²(π·t/Period) as a fraction of 2⁶⁴, and whether the sine itself is above zero.
type phase struct {
	sin2   uint64
	rising bool
}

// phase is the phase at t. t·2¹²⁸/Period modulo 2¹²⁸ is the fraction of a turn; it comes out at most
// t·2⁻¹²⁸ too small.
func (w *wave) phase(t uint64) phase {
	carry, lo := bits.Mul64(t, w.turnsLo)
	turn := t*w.turns + carry
	// x runs through a quarter of a turn: once up, once down, and the same again.
	quarter, x := turn>>62, turn<<2|lo>>62
	if quarter&1 != 0 {
		x = ^x
	}
	s := sinSquared(x)
	if quarter == 1 || quarter == 2 {
		s = ^s // sin²(π/2 − α) = 1 − sin²(α)
	}
	return phase{s, quarter < 2}
}

// sinCoefficients are (π/2)²ᵏ/(2·(2k)!) for k = 1 … 12 as fractions of 2⁶⁴, rounded to nearest. The
// next would be below 2⁻⁷².
var sinCoefficients = [...]uint64{
	0x9de9e64df22ef2d2, 0x20783e1036b58767, 0x02aba78fc797ff40, 0x001e1f506891babb,
	0x0000d368f9510254, 0x000003f3a7146ec8, 0x0000000db7127a26, 0x000000002418c586,
	0x00000000004a8316, 0x0000000000007bdc, 0x00000000000000a9, 0x0000000000000001,
}

// sinSquared is sin²(π/4·x) for a fraction x of 2⁶⁴, as a fraction of 2⁶⁴. With u = x² it is
// c₁·u − c₂·u² + c₃·u³ − …, summed as u·(odd − u·even) with odd = c₁ + c₃·u² + c₅·u⁴ + … and
// even = c₂ + c₄·u² + …: two short chains of multiplications side by side instead of a long one.
func sinSquared(x uint64) uint64 {
	u := high(x, x)
	u2 := high(u, u)
	odd, even := uint64(0), uint64(0)
	for i := len(sinCoefficients) - 2; i >= 0; i -= 2 {
		odd = sinCoefficients[i] + high(u2, odd)
		even = sinCoefficients[i+1] + high(u2, even)
	}
	return high(u, odd-high(u, even))
}

func (w *wave) area(p phase) wide {
	area, _ := w.height.timesFraction(p.sin2)
	return area
}

// slope is what the sine adds to the rate in units a nanosecond, A·sin(2πt/Period), and half of what
// that changes by each nanosecond, π·A/Period·cos(2πt/Period), in floating point.
func (w *wave) slope(p phase) (rate, bend float64) {
	s := float64(p.sin2) * 0x1p-64
	sin := 2 * math.Sqrt(float64(s*(1-s))) // sin 2α = 2·sin α·cos α
	if !p.rising {
		sin = -sin
	}
	return w.amplitude * sin, w.bend * float64(1-float64(2*s))
}
