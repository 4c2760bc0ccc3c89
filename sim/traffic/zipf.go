package traffic

import (
	"math/bits"

	"github.com/b6db88e4/ratesim/sim/random"
)

// zipfWeights are the weights of ranks 1 to n, proportional to 1/rank^s with s in thousandths, the
// largest at least 2⁶⁴/(4n) and their sum below 2⁶⁴. Each is rounded down to a whole number: of a
// million clients with s = 1.1, the last one's share is right to one part in a million.
//
// A rank too light to count at all has weight 0: it would be drawn less than once in 2⁶³/n requests.
func zipfWeights(n uint32, sMilli int64) []uint64 {
	weights := make([]uint64, n)
	shift := uint(bits.Len32(n)) // 2⁶³ at most for each, shifted by this, adds up to less than 2⁶³
	for i := range weights {
		x := random.Log2(uint64(i) + 1).Times(uint64(sMilli)).Over(1000) // rank^s = 2^x
		weights[i] = random.Exp2Neg(x.Frac) >> shift >> min(x.Whole, 64)
	}
	return weights
}
