package traffic

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// wide is an unsigned integer of 256 bits, most significant word first. Its arithmetic is modulo
// 2²⁵⁶; where that matters the caller says why the result fits. It is a struct because Go keeps
// structs of four words in registers, and arrays not.
type wide struct{ w3, w2, w1, w0 uint64 }

func (x wide) plus(y wide) wide {
	var c uint64
	x.w0, c = bits.Add64(x.w0, y.w0, 0)
	x.w1, c = bits.Add64(x.w1, y.w1, c)
	x.w2, c = bits.Add64(x.w2, y.w2, c)
	x.w3, _ = bits.Add64(x.w3, y.w3, c)
	return x
}

func (x wide) minus(y wide) wide {
	var b uint64
	x.w0, b = bits.Sub64(x.w0, y.w0, 0)
	x.w1, b = bits.Sub64(x.w1, y.w1, b)
	x.w2, b = bits.Sub64(x.w2, y.w2, b)
	x.w3, _ = bits.Sub64(x.w3, y.w3, b)
	return x
}

// less reports x < y: whether x − y borrows.
func (x wide) less(y wide) bool {
	_, b := bits.Sub64(x.w0, y.w0, 0)
	_, b = bits.Sub64(x.w1, y.w1, b)
	_, b = bits.Sub64(x.w2, y.w2, b)
	_, b = bits.Sub64(x.w3, y.w3, b)
	return b != 0
}

func (x wide) times(m uint64) wide {
	h0, l0 := bits.Mul64(x.w0, m)
	h1, l1 := bits.Mul64(x.w1, m)
	h2, l2 := bits.Mul64(x.w2, m)
	w1, c := bits.Add64(l1, h0, 0)
	w2, c := bits.Add64(l2, h1, c)
	return wide{x.w3*m + h2 + c, w2, w1, l0}
}

// timesFraction is x·f/2⁶⁴: the whole part, and the fraction of 2⁶⁴ that is left.
func (x wide) timesFraction(f uint64) (wide, uint64) {
	h0, frac := bits.Mul64(x.w0, f)
	h1, l1 := bits.Mul64(x.w1, f)
	h2, l2 := bits.Mul64(x.w2, f)
	h3, l3 := bits.Mul64(x.w3, f)
	w0, c := bits.Add64(l1, h0, 0)
	w1, c := bits.Add64(l2, h1, c)
	w2, c := bits.Add64(l3, h2, c)
	return wide{h3 + c, w2, w1, w0}, frac
}

// float is x as a floating-point number, from its uppermost 64 bits or more. It serves guesses only.
func (x wide) float() float64 {
	switch {
	case x.w3 != 0:
		return float(x.w3, x.w2) * 0x1p128
	case x.w2 != 0:
		return float(x.w2, x.w1) * 0x1p64
	}
	return float(x.w1, x.w0)
}

// float is hi·2⁶⁴ + lo but for the last bit of lo. A processor turns only signed integers into
// floating point without a branch, and one that depends on such a bit cannot be foreseen.
func float(hi, lo uint64) float64 {
	upper := float64(float64(int64(hi>>1))*0x1p65) + float64(float64(int64(hi&1))*0x1p64)
	return upper + float64(float64(int64(lo>>1))*2)
}

func (x wide) big() *big.Int {
	var b [32]byte
	for i, w := range [...]uint64{x.w3, x.w2, x.w1, x.w0} {
		binary.BigEndian.PutUint64(b[8*i:], w)
	}
	return new(big.Int).SetBytes(b[:])
}

// wideOf is b, which must not be negative and must fit 256 bits.
func wideOf(b *big.Int) wide {
	var buf [32]byte
	b.FillBytes(buf[:])
	word := func(i int) uint64 { return binary.BigEndian.Uint64(buf[8*i:]) }
	return wide{word(0), word(1), word(2), word(3)}
}

// high is the upper word of a·b: the product of two fractions of 2⁶⁴, rounded down.
func high(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}
