package algorithms

import "math/bits"

// The bucket family keeps one number, the backlog: the units taken that have not drained yet. It
// drains at N/P and may not pass the burst B. Seen as a token bucket, the backlog is what is
// missing from a full bucket.
//
// With n/p = N/P in lowest terms the backlog is kept in units of 1/p, so that one nanosecond drains
// exactly n of them and nothing is ever rounded. B·p of them must fit the type: bucket holds 62
// bits, wideBucket 128.

// bucketPolicy is what the limiters of one policy share.
type bucketPolicy struct {
	perNs    uint64 // n: what one nanosecond drains, in units of 1/p
	unit     uint64 // p: one unit, in units of 1/p
	burst    int64  // B, in units
	capacity uint64 // B·p, in units of 1/p; bucket only
	wide     uint128

	drain, thousandth reciprocal // of n, and of p

	// instead answers for a limiter that a change has put under a policy which its own form cannot
	// keep. The policy is then that limiter's alone, and its burst is 0: whatever a request costs is
	// then too much, so that only what costs too much has to look here.
	instead standIn
}

// standIn is a limiter of this package with a level.
type standIn interface {
	Limiter
	Gauged
	Copying
	Adjusting
	Resting
}

func newBucketPolicy(p Policy) *bucketPolicy {
	n, per := uint64(p.Limit.N), uint64(p.Limit.Per)
	g := gcd(n, per)
	b := &bucketPolicy{perNs: n / g, unit: per / g, burst: p.Capacity()}
	b.wide = mul128(uint64(b.burst), b.unit)
	b.capacity = b.wide.lo
	b.drain, b.thousandth = reciprocalOf(b.perNs), reciprocalOf(b.unit)
	return b
}

// fits64 reports whether B·p leaves room to add another B·p within 64 bits.
func (p *bucketPolicy) fits64() bool { return p.wide.hi == 0 && p.wide.lo < 1<<62 }

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// tooMuch answers a request above the burst, which can never fit.
func (p *bucketPolicy) tooMuch(now Time, cost int64) Decision {
	if p.instead != nil {
		return p.instead.Decide(now, cost)
	}
	return Decision{Deny, Never}
}

// tooMuchFits is when a request above the burst fits.
func (p *bucketPolicy) tooMuchFits(now Time, cost int64) Time {
	if p.instead != nil {
		return p.instead.When(now, cost)
	}
	return Never
}

// bucket is token-bucket and leaky-meter where 64 bits are enough.
type bucket struct {
	*bucketPolicy
	backlog uint64 // at the instant seen, in units of 1/p
	seen    Time   // the latest instant handed to Decide
}

// at is the backlog at now, and now itself unless it went back.
func (b *bucket) at(now Time) (uint64, Time) {
	now = max(now, b.seen)
	hi, drained := bits.Mul64(uint64(now-b.seen), b.perNs)
	if hi != 0 || drained >= b.backlog {
		return 0, now
	}
	return b.backlog - drained, now
}

// When implements Limiter.
func (b *bucket) When(now Time, cost int64) Time {
	backlog, now := b.at(now)
	if uint64(cost) > uint64(b.burst) {
		return b.tooMuchFits(now, cost)
	}
	return b.fitsAt(now, backlog+uint64(cost)*b.unit)
}

// fitsAt is when a backlog that would be level at now has drained to the capacity.
func (b *bucket) fitsAt(now Time, level uint64) Time {
	if level <= b.capacity {
		return now
	}
	return after(now, b.drainTime(level-b.capacity))
}

// drainTime is amount/n rounded up, for an amount below 2^63.
func (p *bucketPolicy) drainTime(amount uint64) uint64 { return p.drain.divCeil(amount, p.perNs) }

// reciprocal is floor((2^64−1)/n): multiplying by it takes a third of the time of a division by n.
type reciprocal uint64

func reciprocalOf(n uint64) reciprocal { return reciprocal((1<<64 - 1) / n) }

// divCeil is amount/n rounded up, for an amount below 2^63. What the multiplication gives is at most 2
// too small.
func (r reciprocal) divCeil(amount, n uint64) uint64 {
	q, _ := bits.Mul64(amount, uint64(r))
	for rest := amount - q*n; rest > 0; q++ {
		rest -= min(rest, n)
	}
	return q
}

// Decide implements Limiter.
func (b *bucket) Decide(now Time, cost int64) Decision {
	backlog, now := b.at(now)
	b.backlog, b.seen = backlog, now
	if uint64(cost) > uint64(b.burst) {
		return b.tooMuch(now, cost)
	}
	level := backlog + uint64(cost)*b.unit
	if level > b.capacity {
		return Decision{Deny, b.fitsAt(now, level)}
	}
	b.backlog = level
	return Decision{Admit, now}
}

// used is the backlog at now in whole thousandths of a unit, rounded up.
func (b *bucket) used(now Time) Milli {
	backlog, _ := b.at(now)
	if backlog < 1<<53 { // a thousand times as much is below 2^63
		return Milli(b.thousandth.divCeil(1000*backlog, b.unit))
	}
	return milliCeil(uint128{0, backlog}, b.unit)
}

// wideBucket is bucket where 64 bits are not enough.
type wideBucket struct {
	*bucketPolicy
	backlog uint128
	seen    Time
}

func (b *wideBucket) at(now Time) (uint128, Time) {
	if now <= b.seen {
		return b.backlog, b.seen
	}
	drained := mul128(uint64(now-b.seen), b.perNs)
	if !drained.less(b.backlog) {
		return uint128{}, now
	}
	return b.backlog.sub(drained), now
}

// When implements Limiter.
func (b *wideBucket) When(now Time, cost int64) Time {
	backlog, now := b.at(now)
	if uint64(cost) > uint64(b.burst) {
		return Never
	}
	return b.fitsAt(now, backlog.add(mul128(uint64(cost), b.unit)))
}

func (b *wideBucket) fitsAt(now Time, level uint128) Time {
	if !b.wide.less(level) {
		return now
	}
	return after(now, level.sub(b.wide).divCeil(b.perNs))
}

// Decide implements Limiter.
func (b *wideBucket) Decide(now Time, cost int64) Decision {
	backlog, now := b.at(now)
	b.backlog, b.seen = backlog, now
	if uint64(cost) > uint64(b.burst) {
		return Decision{Deny, Never}
	}
	level := backlog.add(mul128(uint64(cost), b.unit))
	if b.wide.less(level) {
		return Decision{Deny, b.fitsAt(now, level)}
	}
	b.backlog = level
	return Decision{Admit, now}
}

func (b *wideBucket) used(now Time) Milli {
	backlog, _ := b.at(now)
	return milliCeil(backlog, b.unit)
}
