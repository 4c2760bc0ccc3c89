package traffic

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

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
