package traffic

import "math/rand/v2"

// Exponential times of mean 1, in integers only.
//
// Von Neumann (1951) draws the fraction x of an exponential time by comparing uniforms alone: x is
// accepted with chance e^(−x) if the falling run x > u₁ > u₂ > … breaks off at an odd place. That
// costs 4.3 uniforms a draw. Here the comparisons decide only within an eighth, where x < 1/8 is
// nearly always accepted; which eighth it is, whole part included, comes from an alias table. A draw
// costs 2.3 uniforms.

const (
	eighths     = 48 * 8 // the table ends at 48: the chance of more, e^(−48) < 2⁻⁶⁹, is less than a 64-bit uniform can tell
	eighthShift = 64 - 3 // an eighth is 2⁶¹ fractions of 2⁶⁴
)

// eighthTable draws k with chance proportional to e^(−k/8), within 2⁻⁶³. It never changes.
var eighthTable = newEighthTable()

func newEighthTable() *alias {
	var weights [eighths]uint64
	for k := range weights {
		// e^(−k/8) = 2^(−k·log₂e/8). All of them add up to 8.51 times the first, 2⁶⁰: less than 2⁶⁴.
		x := fixed{1, log2eF}.times(uint64(k)).over(8)
		weights[k] = exp2Neg(x.frac) >> 3 >> x.whole
	}
	return newAlias(weights[:])
}

// exponential draws a time of mean 1: below 48, a multiple of 2⁻⁶⁴.
func exponential(rng *rand.PCG) fixed {
	k := uint64(eighthTable.draw(rng.Uint64()))
	x, first := fraction(rng)
	if first == 0 {
		x = settle(x, rng)
	}
	return fixed{k >> 3, k<<eighthShift | x}
}

// fraction draws x, below an eighth, and the first three bits of u₁ with it: if they are not all 0,
// u₁ is an eighth or more, so above x, and x is accepted.
func fraction(rng *rand.PCG) (x, first uint64) {
	u := rng.Uint64()
	return u >> 3, u & 7
}

// settle goes on where u₁ is below an eighth too: it returns x if that is accepted, and otherwise
// the first one after it that is.
func settle(x uint64, rng *rand.PCG) uint64 {
	for !accepted(x, rng) {
		var first uint64
		if x, first = fraction(rng); first != 0 {
			break
		}
	}
	return x
}

// accepted decides about x given that u₁ is below an eighth: whether the first place where the run
// x > u₁ > u₂ > … does not fall on is an odd one.
func accepted(x uint64, rng *rand.PCG) bool {
	odd := true
	for last, u := x, rng.Uint64()>>3; u < last; odd = !odd {
		last, u = u, rng.Uint64()
	}
	return odd
}
