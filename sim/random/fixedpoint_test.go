package random

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

const precision = 320 // bits of the big floating-point numbers that results are compared with

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// ofWord is w·2^−shift.
func ofWord(w uint64, shift int) *big.Float {
	x := new(big.Float).SetPrec(precision).SetUint64(w)
	return x.SetMantExp(x, -shift)
}

func ofFixed(f Fixed) *big.Float { return new(big.Float).SetPrec(precision).SetRat(rational(f)) }

func rational(f Fixed) *big.Rat {
	sum := new(big.Int).Lsh(new(big.Int).SetUint64(f.Whole), 64)
	sum.Add(sum, new(big.Int).SetUint64(f.Frac))
	return new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), 64))
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

func bigExp(x *big.Float) *big.Float {
	return series(bigFloat(1), func(k int64) *big.Float {
		return bigFloat(0).Quo(x, bigFloat(float64(k)))
	})
}

// bigLn2 is ln 2 = 2·atanh(1/3) = 2·Σ 1/((2k+1)·3^(2k+1)).
func bigLn2() *big.Float {
	return series(bigFloat(0).Quo(bigFloat(2), bigFloat(3)), func(k int64) *big.Float {
		return bigFloat(0).Quo(bigFloat(float64(2*k-1)), bigFloat(float64(9*(2*k+1))))
	})
}

// closeTo fails unless got is within 2^bound of want.
func closeTo(t rapid.TB, what string, got, want *big.Float, bound int) {
	t.Helper()
	off := bigFloat(0).Sub(got, want)
	if off.Sign() != 0 && off.MantExp(nil) > bound {
		t.Errorf("%s is %s, %s too large; allowed is 2^%d", what, got.Text('g', 25), off.Text('g', 3), bound)
	}
}

func TestConstants(t *testing.T) {
	log2E := bigFloat(0).Quo(bigFloat(1), bigLn2())
	closeTo(t, "ln2", ofWord(ln2, 64), bigLn2(), -64)
	closeTo(t, "log2e", ofWord(log2e, 63), log2E, -63)
	closeTo(t, "log2eF", ofFixed(Log2E()), log2E, -64)
}

func TestInverseFactorialsAndOdds(t *testing.T) {
	factorial := uint64(1)
	for i, got := range inverseFactorials {
		factorial *= uint64(i + 2)
		closeTo(t, "1/n!", ofWord(got, 64), bigFloat(0).Quo(bigFloat(1), ofWord(factorial, 0)), -64)
	}
	for i, got := range inverseOdds {
		closeTo(t, "1/n", ofWord(got, 64), bigFloat(0).Quo(bigFloat(1), bigFloat(float64(2*i+3))), -64)
	}
}

func TestExp2Neg(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyWord().Draw(t, "f")
		exponent := bigFloat(0).Mul(ofWord(f, 64), bigLn2())
		closeTo(t, "2^-f", ofWord(Exp2Neg(f), 63), bigExp(exponent.Neg(exponent)), -61)
	})
	if got := Exp2Neg(0); got != 1<<63 {
		t.Errorf("2^-0 is %#x", got)
	}
}

// TestLog2 checks that 2^(log2 n) is n, to the same number of bits.
func TestLog2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyWord().Draw(t, "n")>>2 | 1
		got := Log2(n)
		power := bigExp(bigFloat(0).Mul(ofWord(got.Frac, 64), bigLn2()))
		want := bigFloat(0).SetMantExp(ofWord(n, 0), -int(got.Whole))
		closeTo(t, "2^log2 n", power, want, -60)
	})
	for k := range 62 {
		if got, want := Log2(1<<k), (Fixed{uint64(k), 0}); got != want {
			t.Errorf("Log2(2^%d) is %v", k, got)
		}
	}
}

func TestFixedArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(most uint64, name string) Fixed {
			return Fixed{rapid.Uint64Range(0, most).Draw(t, name), anyWord().Draw(t, name+" frac")}
		}
		f, g := draw(1<<30, "f"), draw(1<<30, "g")
		n := rapid.Uint64Range(1, 1<<31).Draw(t, "n")
		if got, want := rational(f.Plus(g)), new(big.Rat).Add(rational(f), rational(g)); got.Cmp(want) != 0 {
			t.Errorf("f+g = %v, want %v", got, want)
		}
		product := new(big.Rat).Mul(rational(f), new(big.Rat).SetUint64(n))
		if got := rational(f.Times(n)); got.Cmp(product) != 0 {
			t.Errorf("f·n = %v, want %v", got, product)
		}
		closeTo(t, "f·g", ofFixed(f.TimesFixed(g)), bigFloat(0).Mul(ofFixed(f), ofFixed(g)), -63)
		closeTo(t, "f/n", ofFixed(f.Over(n)), bigFloat(0).Quo(ofFixed(f), ofWord(n, 0)), -64)
	})
}

// anyWord draws words of all sizes, and as often words with bits all over.
func anyWord() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.Uint64(), rapid.Map(rapid.Uint64(), scramble), rapid.Just(uint64(math.MaxUint64)))
}
