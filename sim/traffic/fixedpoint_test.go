package traffic

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

func ofFixed(f fixed) *big.Float { return new(big.Float).SetPrec(precision).SetRat(rational(f)) }

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

// bigLn2 is ln 2 = 2·atanh(1/3).
func bigLn2() *big.Float { return bigFloat(0).Mul(bigFloat(2), bigAtanInverse(3, 1)) }

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

func TestConstants(t *testing.T) {
	log2E := bigFloat(0).Quo(bigFloat(1), bigLn2())
	closeTo(t, "ln2", ofWord(ln2, 64), bigLn2(), -64)
	closeTo(t, "log2e", ofWord(log2e, 63), log2E, -63)
	closeTo(t, "log2eF", ofFixed(fixed{1, log2eF}), log2E, -64)
	circle, _ := new(big.Int).SetString(pi, 16)
	closeTo(t, "pi", bigFloat(0).SetMantExp(bigFloat(0).SetInt(circle), -256), bigPi(), -256)
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

func TestSinCoefficients(t *testing.T) {
	halfPiSquared := bigFloat(0).Quo(bigFloat(0).Mul(bigPi(), bigPi()), bigFloat(4))
	c := bigFloat(0).Quo(halfPiSquared, bigFloat(4)) // (π/2)²/(2·2!)
	for i, got := range sinCoefficients {
		closeTo(t, "coefficient", ofWord(got, 64), c, -64)
		k := float64(i + 2)
		c.Quo(c.Mul(c, halfPiSquared), bigFloat((2*k-1)*2*k))
	}
}

func TestExp2Neg(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyWord().Draw(t, "f")
		exponent := bigFloat(0).Mul(ofWord(f, 64), bigLn2())
		closeTo(t, "2^-f", ofWord(exp2Neg(f), 63), bigExp(exponent.Neg(exponent)), -61)
	})
	if got := exp2Neg(0); got != 1<<63 {
		t.Errorf("2^-0 is %#x", got)
	}
}

// TestLog2 checks that 2^(log2 n) is n, to the same number of bits.
func TestLog2(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyWord().Draw(t, "n")>>2 | 1
		got := log2(n)
		power := bigExp(bigFloat(0).Mul(ofWord(got.frac, 64), bigLn2()))
		want := bigFloat(0).SetMantExp(ofWord(n, 0), -int(got.whole))
		closeTo(t, "2^log2 n", power, want, -60)
	})
	for k := range 62 {
		if got, want := log2(1<<k), (fixed{uint64(k), 0}); got != want {
			t.Errorf("log2(2^%d) is %v", k, got)
		}
	}
}

func TestFixedArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(most uint64, name string) fixed {
			return fixed{rapid.Uint64Range(0, most).Draw(t, name), anyWord().Draw(t, name+" frac")}
		}
		f, g := draw(1<<30, "f"), draw(1<<30, "g")
		n := rapid.Uint64Range(1, 1<<31).Draw(t, "n")
		if got, want := rational(f.plus(g)), new(big.Rat).Add(rational(f), rational(g)); got.Cmp(want) != 0 {
			t.Errorf("f+g = %v, want %v", got, want)
		}
		product := new(big.Rat).Mul(rational(f), new(big.Rat).SetUint64(n))
		if got := rational(f.times(n)); got.Cmp(product) != 0 {
			t.Errorf("f·n = %v, want %v", got, product)
		}
		closeTo(t, "f·g", ofFixed(f.timesFixed(g)), bigFloat(0).Mul(ofFixed(f), ofFixed(g)), -63)
		closeTo(t, "f/n", ofFixed(f.over(n)), bigFloat(0).Quo(ofFixed(f), ofWord(n, 0)), -64)
	})
}

// anyWord draws words of all sizes, and as often words with bits all over.
func anyWord() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.Uint64(), rapid.Map(rapid.Uint64(), scramble), rapid.Just(uint64(math.MaxUint64)))
}

func anyWide(t *rapid.T, name string, words int) wide {
	word := func(i int) uint64 {
		if i >= words {
			return 0
		}
		return anyWord().Draw(t, name)
	}
	return wide{word(3), word(2), word(1), word(0)}
}

func TestWideArithmetic(t *testing.T) {
	modulus := new(big.Int).Lsh(big.NewInt(1), 256)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.IntRange(0, 4).Draw(t, "words")
		x, y, m := anyWide(t, "x", words), anyWide(t, "y", words), anyWord().Draw(t, "m")
		same := func(what string, got wide, want *big.Int) {
			if want.Mod(want, modulus); got.big().Cmp(want) != 0 {
				t.Errorf("%s is %v, want %v", what, got.big(), want)
			}
		}
		word := new(big.Int).SetUint64(m)
		same("x", wideOf(x.big()), x.big())
		same("x + y", x.plus(y), new(big.Int).Add(x.big(), y.big()))
		same("x − y", x.minus(y), new(big.Int).Sub(x.big(), y.big()))
		same("x·m", x.times(m), new(big.Int).Mul(x.big(), word))
		whole, frac := x.timesFraction(m)
		product := new(big.Int).Mul(x.big(), word)
		same("x·m/2⁶⁴", whole, new(big.Int).Rsh(product, 64))
		if frac != new(big.Int).And(product, new(big.Int).SetUint64(math.MaxUint64)).Uint64() {
			t.Errorf("fraction of x·m/2⁶⁴ is %d", frac)
		}
		if x.less(y) != (x.big().Cmp(y.big()) < 0) {
			t.Errorf("less is %v", x.less(y))
		}
		f, _ := new(big.Float).SetInt(x.big()).Float64()
		if math.Abs(x.float()-f) > f*0x1p-51+2 {
			t.Errorf("in floating point it is %g, want %g", x.float(), f)
		}
	})
}
