package traffic

import "math/bits"

// ramp is the area under a rate that moves linearly from r₀ to r₁ over D nanoseconds. With
// r₀ = a/L and r₁ = b/L arrivals a nanosecond over a common denominator L it is
//
//	r₀·t + (r₁ − r₀)·t²/(2D) = (2D·a + (b − a)·t)·t / (2D·L)
//
// and so a whole number of units of 1/(2D·L) of an arrival: nothing is rounded.
//
// Sizes, for the largest accepted values (N to 10¹² < 2⁴⁰, P to ten years < 2⁵⁹ ns): L < 2¹¹⁸,
// a and b < 2⁹⁹, and for a D below 2⁵⁹ the area is below 2·D²·b < 2²¹⁷. A sine multiplies all by 2³²,
// which still fits 256 bits; without one D may go to 2⁶³.
type ramp struct {
	linear  wide // 2D·a
	bend    wide // |b − a|
	falling bool // b < a
	request wide // 2D·L: units to a request

	linearF, bendF float64 // the same for guesses; bendF has b − a's sign
}

// fineShift makes the units of area finer where a sine is to be rounded to them: in such a unit the
// least rate above zero is 2³² a nanosecond.
const fineShift = 32

func newRamp(p *Part) ramp {
	n0, p0 := reduced(p.Rate)
	n1, p1 := reduced(p.To)
	g := gcd(p0, p1)
	a, b := product(n0, p1/g), product(n1, p0/g)
	d := uint64(p.Until - p.From)
	r := ramp{
		linear:  a.times(d).times(2),
		falling: b.less(a),
		request: product(p0, p1/g).times(d).times(2),
	}
	if r.bend = b.minus(a); r.falling {
		r.bend = a.minus(b)
	}
	if p.Amplitude.N != 0 {
		r.refine(1 << fineShift)
	}
	r.linearF, r.bendF = r.linear.float(), r.bend.float()
	if r.falling {
		r.bendF = -r.bendF
	}
	return r
}

func product(a, b uint64) wide {
	hi, lo := bits.Mul64(a, b)
	return wide{w1: hi, w0: lo}
}

// refine makes the units of area finer by a factor.
func (r *ramp) refine(factor uint64) {
	r.linear = r.linear.times(factor)
	r.bend = r.bend.times(factor)
	r.request = r.request.times(factor)
}

// area is the area up to t ≤ D, in units of 1/request of a request.
func (r *ramp) area(t uint64) wide {
	if r.falling {
		return r.linear.minus(r.bend.times(t)).times(t)
	}
	return r.linear.plus(r.bend.times(t)).times(t)
}

// slope is the rate at t in units a nanosecond, and half of what it changes by each nanosecond, both
// in floating point.
func (r *ramp) slope(t uint64) (rate, bend float64) {
	return r.linearF + float64(2*r.bendF*float64(t)), r.bendF
}

// constantRate reports that a part has the same rate throughout: 8 per 1 s and 16 per 2 s are the
// same.
func constantRate(p *Part) bool {
	n0, p0 := reduced(p.Rate)
	n1, p1 := reduced(p.To)
	return n0 == n1 && p0 == p1 && p.Amplitude.N == 0
}

// noRate reports that a part has a rate of zero throughout.
func noRate(p *Part) bool { return p.Rate.N == 0 && p.To.N == 0 && p.Amplitude.N == 0 }
