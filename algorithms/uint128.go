package algorithms

import "math/bits"

// uint128 is an unsigned 128-bit integer. It holds every product and sum that the accepted range
// can give: 10^12 units · 3.2·10^17 ns, a thousand times over.
type uint128 struct{ hi, lo uint64 }

func mul128(a, b uint64) uint128 {
	hi, lo := bits.Mul64(a, b)
	return uint128{hi, lo}
}

func (a uint128) add(b uint128) uint128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return uint128{hi, lo}
}

// sub is a − b; b must not be larger.
func (a uint128) sub(b uint128) uint128 {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	hi, _ := bits.Sub64(a.hi, b.hi, borrow)
	return uint128{hi, lo}
}

func (a uint128) less(b uint128) bool {
	return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo
}

func (a uint128) isZero() bool { return a.hi|a.lo == 0 }

// times is a·b; the product must fit.
func (a uint128) times(b uint64) uint128 {
	p := mul128(a.lo, b)
	p.hi += a.hi * b
	return p
}

// div is the whole part and the remainder of a/n. Where the whole part needs more than 64 bits it
// is the largest uint64.
func (a uint128) div(n uint64) (quotient, remainder uint64) {
	if a.hi >= n {
		return 1<<64 - 1, 0
	}
	return bits.Div64(a.hi, a.lo, n)
}

// divCeil is a/n rounded up, or the largest uint64 where that needs more than 64 bits.
func (a uint128) divCeil(n uint64) uint64 {
	q, r := a.div(n)
	if r > 0 && q < 1<<64-1 {
		q++
	}
	return q
}

// after is the instant wait nanoseconds after now, or Never if that is beyond every instant.
func after(now Time, wait uint64) Time {
	if wait >= uint64(Never-now) {
		return Never
	}
	return now + Time(wait)
}

// instant is t as a Time, or Never if it is beyond every instant.
func instant(t uint64) Time {
	if t >= uint64(Never) {
		return Never
	}
	return Time(t)
}

// milliCeil is a level of part/whole units in thousandths, rounded up.
func milliCeil(part uint128, whole uint64) Milli {
	return Milli(part.times(1000).divCeil(whole))
}
