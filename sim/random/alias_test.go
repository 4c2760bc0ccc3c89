package random

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// chances are the chances of the choices, read off the table.
func chances(a *Alias) []*big.Rat {
	n := len(a.keep)
	result := make([]*big.Rat, n)
	for i := range result {
		result[i] = new(big.Rat)
	}
	column := big.NewRat(1, int64(n))
	for i, keep := range a.keep {
		share := rational(Fixed{0, keep})
		share.Mul(share, column)
		result[i].Add(result[i], share)
		other := result[a.other[i]]
		other.Add(other, share.Sub(column, share))
	}
	return result
}

func TestAliasChances(t *testing.T) {
	grain := rational(Fixed{0, 1})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		weights := make([]uint64, n)
		sum := uint64(0)
		for i := range weights {
			weights[i] = rapid.Uint64Range(0, math.MaxUint64/uint64(n)).Draw(t, "weight")
			sum += weights[i]
		}
		if sum == 0 {
			return
		}
		allowed := new(big.Rat).Mul(grain, big.NewRat(int64(n), 1))
		for i, got := range chances(NewAlias(weights)) {
			want := new(big.Rat).SetFrac(new(big.Int).SetUint64(weights[i]), new(big.Int).SetUint64(sum))
			if got.Sub(got, want).Abs(got).Cmp(allowed) > 0 {
				t.Errorf("weights %v: chance %d is off by %s", weights, i, got.FloatString(25))
			}
		}
	})
}

// TestAliasDraw checks which uniforms give which choice: with weights 1 and 3 the lower half of the
// uniforms is column 0, half of it its own, and the upper half is column 1, all its own.
func TestAliasDraw(t *testing.T) {
	a := NewAlias([]uint64{1, 3})
	for _, test := range []struct {
		uniform uint64
		want    uint32
	}{
		{0, 0}, {1<<62 - 1, 0}, {1 << 62, 1}, {1<<63 - 1, 1}, {1 << 63, 1}, {math.MaxUint64, 1},
	} {
		if got := a.choose(test.uniform); got != test.want {
			t.Errorf("%#x gives %d, want %d", test.uniform, got, test.want)
		}
	}
}
