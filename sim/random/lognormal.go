package random

import (
	"math"
	"math/bits"
)

// logNormal draws median·e^(σ·z) for a normal z, which is median·2^(σ·z·log₂e).
//
// The exponent is below 48 · 5 · 1.45 = 348 and right within 2⁻⁵⁶, so the length is right to one part
// in 2⁵⁵, and then rounded up.
func (d *Distribution) logNormal(median uint64, s *Stream) uint64 {
	size, negative := s.Normal()
	y := size.TimesFixed(Log2E().Times(uint64(d.SigmaMilli)).Over(1000))
	if negative {
		return shrunk(median, y)
	}
	return grown(median, y)
}

// grown is median·2^y, rounded up and cut to longest, as is everything from 2⁶² on. The power is
// 2^(whole+1) · 2^(frac−1).
func grown(median uint64, y Fixed) uint64 {
	hi, lo := bits.Mul64(median, Exp2Neg(^y.Frac)) // in units of 2^(whole−62)
	return capped(overPower(hi, lo, 62-uint(min(y.Whole, 62))), median)
}

// shrunk is median·2^(−y), rounded up.
func shrunk(median uint64, y Fixed) uint64 {
	hi, lo := bits.Mul64(median, Exp2Neg(y.Frac)) // in units of 2^(−whole−63)
	return capped(overPower(hi, lo, 63+uint(min(y.Whole, 64))), median)
}

// overPower is (hi·2⁶⁴ + lo)/2ⁿ for n < 128, rounded down to a multiple of 2⁻⁶⁴. Where that is 2⁶⁴ or
// more, it is the largest number there is.
func overPower(hi, lo uint64, n uint) Fixed {
	if n >= 64 {
		n -= 64
		return Fixed{hi >> n, hi<<(64-n) | lo>>n}
	}
	if hi>>n != 0 {
		return Fixed{math.MaxUint64, math.MaxUint64}
	}
	return Fixed{hi<<(64-n) | lo>>n, lo << (64 - n)}
}
