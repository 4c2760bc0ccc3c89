package random

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

func newEighthTable() *Alias {
	var weights [eighths]uint64
	for k := range weights {
		// e^(−k/8) = 2^(−k·log₂e/8). All of them add up to 8.51 times the first, 2⁶⁰: less than 2⁶⁴.
		x := Log2E().Times(uint64(k)).Over(8)
		weights[k] = Exp2Neg(x.Frac) >> 3 >> x.Whole
	}
	return NewAlias(weights[:])
}

// Exponential draws a time of mean 1: below 48, a multiple of 2⁻⁶⁴.
func (s *Stream) Exponential() Fixed {
	k := uint64(eighthTable.Draw(s))
	x, first := fraction(s)
	if first == 0 {
		x = settle(x, s)
	}
	return Fixed{k >> 3, k<<eighthShift | x}
}

// fraction draws x, below an eighth, and the first three bits of u₁ with it: if they are not all 0,
// u₁ is an eighth or more, so above x, and x is accepted.
func fraction(s *Stream) (x, first uint64) {
	u := s.Uint64()
	return u >> 3, u & 7
}

// settle goes on where u₁ is below an eighth too: it returns x if that is accepted, and otherwise
// the first one after it that is.
func settle(x uint64, s *Stream) uint64 {
	for !accepted(x, s) {
		var first uint64
		if x, first = fraction(s); first != 0 {
			break
		}
	}
	return x
}

// accepted decides about x given that u₁ is below an eighth: whether the first place where the run
// x > u₁ > u₂ > … does not fall on is an odd one.
func accepted(x uint64, s *Stream) bool {
	odd := true
	for last, u := x, s.Uint64()>>3; u < last; odd = !odd {
		last, u = u, s.Uint64()
	}
	return odd
}
