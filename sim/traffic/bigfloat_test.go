package traffic

import (
	"math"
	"math/big"

	"pgregory.net/rapid"
)

// Large floating-point numbers, which results are compared with.

const precision = 320 // bits of the big floating-point numbers that results are compared with

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// ofWord is w·2^−shift.
func ofWord(w uint64, shift int) *big.Float {
	x := new(big.Float).SetPrec(precision).SetUint64(w)
	return x.SetMantExp(x, -shift)
}

// series sums first·(1 + x₁ + x₁·x₂ + …), where each term is the one before times factor(k), until the
// terms no longer count.
func series(first *big.Float, factor func(k int64) *big.Float) *big.Float {
	sum := bigFloat(0).Set(first)
	term := bigFloat(0).Set(first)
	for k := int64(1); term.Sign() != 0 && term.MantExp(nil) > -precision; k++ {
		term.Mul(term, factor(k))
		sum.Add(sum, term)
	}
	return sum
}

// bigAtanInverse is atan(1/n), and with sign +1 atanh(1/n): Σ (sign)ᵏ/((2k+1)·n^(2k+1)).
func bigAtanInverse(n, sign float64) *big.Float {
	power := bigFloat(0).Quo(bigFloat(1), bigFloat(n))
	sum := bigFloat(0).Set(power)
	for k := 1; power.MantExp(nil) > -precision; k++ {
		power.Quo(power, bigFloat(sign*n*n))
		sum.Add(sum, bigFloat(0).Quo(power, bigFloat(float64(2*k+1))))
	}
	return sum
}

// bigPi is Machin's 16·atan(1/5) − 4·atan(1/239).
func bigPi() *big.Float {
	a := bigFloat(0).Mul(bigFloat(16), bigAtanInverse(5, -1))
	return a.Sub(a, bigFloat(0).Mul(bigFloat(4), bigAtanInverse(239, -1)))
}

// closeTo fails unless got is within 2^bound of want.
func closeTo(t rapid.TB, what string, got, want *big.Float, bound int) {
	t.Helper()
	off := bigFloat(0).Sub(got, want)
	if off.Sign() != 0 && off.MantExp(nil) > bound {
		t.Errorf("%s is %s, %s too large; allowed is 2^%d", what, got.Text('g', 25), off.Text('g', 3), bound)
	}
}

// anyWord draws words of all sizes, and as often words with bits all over.
func anyWord() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.Uint64(), rapid.Map(rapid.Uint64(), spread), rapid.Just(uint64(math.MaxUint64)))
}

// spread sets bits all over, by a multiplication with an odd number.
func spread(x uint64) uint64 { return x * 0x9e3779b97f4a7c15 }
