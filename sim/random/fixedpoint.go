package random

import "math/bits"

// Everything that decides an instant is computed in integers, so that a run is the same on every
// machine: the functions of package math differ in their last bits from one processor to the next,
// and a compiler may fuse a floating-point multiplication with the addition after it.

// Fixed is the number Whole + Frac/2⁶⁴, never negative.
type Fixed struct{ Whole, Frac uint64 }

// Plus is f + g; the sum must stay below 2⁶⁴.
func (f Fixed) Plus(g Fixed) Fixed {
	frac, carry := bits.Add64(f.Frac, g.Frac, 0)
	return Fixed{f.Whole + g.Whole + carry, frac}
}

// Times is f·n, exactly; the product must stay below 2⁶⁴.
func (f Fixed) Times(n uint64) Fixed {
	hi, lo := bits.Mul64(f.Frac, n)
	return Fixed{f.Whole*n + hi, lo}
}

// divide is f/n, rounded down to a multiple of 2⁻⁶⁴, and the remainder in units of 2⁻⁶⁴/n.
func (f Fixed) divide(n uint64) (quotient Fixed, rest uint64) {
	frac, rest := bits.Div64(f.Whole%n, f.Frac, n)
	return Fixed{f.Whole / n, frac}, rest
}

// Over is f/n, rounded down to a multiple of 2⁻⁶⁴.
func (f Fixed) Over(n uint64) Fixed {
	quotient, _ := f.divide(n)
	return quotient
}

// TimesFixed is f·g, rounded down to a multiple of 2⁻⁶⁴ (or one below); it must stay below 2⁶⁴.
func (f Fixed) TimesFixed(g Fixed) Fixed {
	low, _ := bits.Mul64(f.Frac, g.Frac)
	return f.Times(g.Whole).Plus(Fixed{0, f.Whole * g.Frac}).Plus(Fixed{high(f.Whole, g.Frac), low})
}

// high is the upper word of a·b: the product of two fractions of 2⁶⁴, rounded down.
func high(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}

const (
	one63 = 1 << 63 // 1 as a fraction of 2⁶³

	ln2    = 0xB17217F7D1CF79AB // ln 2 as a fraction of 2⁶⁴, rounded down
	log2e  = 0xB8AA3B295C17F0BB // 1/ln 2 = log₂ e as a fraction of 2⁶³, rounded down
	log2eF = 0x71547652B82FE177 // log₂ e − 1 as a fraction of 2⁶⁴, rounded down
)

// Log2E is log₂ e = 1/ln 2, rounded down: e^x is 2^(x·Log2E).
func Log2E() Fixed { return Fixed{1, log2eF} }

// inverseFactorials are 1/2!, 1/3!, … 1/19! as fractions of 2⁶⁴: ln 2 to the 20th over 20! is
// below 2⁻⁷⁰, so these terms give 2⁻ᶠ to the last bit or two.
var inverseFactorials = [...]uint64{
	1 << 64 / 2, 1 << 64 / 6, 1 << 64 / 24, 1 << 64 / 120, 1 << 64 / 720, 1 << 64 / 5040,
	1 << 64 / 40320, 1 << 64 / 362880, 1 << 64 / 3628800, 1 << 64 / 39916800,
	1 << 64 / 479001600, 1 << 64 / 6227020800, 1 << 64 / 87178291200,
	1 << 64 / 1307674368000, 1 << 64 / 20922789888000, 1 << 64 / 355687428096000,
	1 << 64 / 6402373705728000, 1 << 64 / 121645100408832000,
}

// Exp2Neg is 2^(−f) for a fraction f of 2⁶⁴, as a fraction of 2⁶³: from 2⁶³ for f = 0 down to a
// little above 2⁶². It is within 2⁻⁶¹ of the truth.
//
// With g = f·ln 2 it sums 1 − g + g²·(1/2! − g·(1/3! − g·(1/4! − …))).
func Exp2Neg(f uint64) uint64 {
	g := high(f, ln2)
	tail := uint64(0)
	for i := len(inverseFactorials) - 1; i >= 0; i-- {
		tail = inverseFactorials[i] - high(g, tail)
	}
	return one63 - (g-high(high(g, g), tail))>>1
}

// inverseOdds are 1/3, 1/5, … 1/41 as fractions of 2⁶⁴. The first term left out of Log2 is below
// (1/9)²¹ ≈ 2⁻⁶⁶.
var inverseOdds = [...]uint64{
	1 << 64 / 3, 1 << 64 / 5, 1 << 64 / 7, 1 << 64 / 9, 1 << 64 / 11, 1 << 64 / 13, 1 << 64 / 15,
	1 << 64 / 17, 1 << 64 / 19, 1 << 64 / 21, 1 << 64 / 23, 1 << 64 / 25, 1 << 64 / 27, 1 << 64 / 29,
	1 << 64 / 31, 1 << 64 / 33, 1 << 64 / 35, 1 << 64 / 37, 1 << 64 / 39, 1 << 64 / 41,
}

// Log2 is the binary logarithm of n, 1 ≤ n < 2⁶², within 2⁻⁶⁰ of the truth.
//
// n is m·2^k with 1 ≤ m < 2, and log₂ m = 2/ln 2 · atanh y with y = (m−1)/(m+1) < 1/3, where
// atanh y = y + y·z·(1/3 + z·(1/5 + z·(1/7 + …))) with z = y².
func Log2(n uint64) Fixed {
	m := n << bits.LeadingZeros64(n) // as a fraction of 2⁶³; its last bit is 0
	y, _ := bits.Div64((m-one63)>>1, 0, m>>1+one63>>1)
	z := high(y, y)
	tail := uint64(0)
	for i := len(inverseOdds) - 1; i >= 0; i-- {
		tail = inverseOdds[i] + high(z, tail)
	}
	atanh := y + high(y, high(z, tail))
	return Fixed{uint64(bits.Len64(n) - 1), high(atanh, log2e) << 2}
}
