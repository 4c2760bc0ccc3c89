package algorithms

import "math/bits"

// intervalPolicy is what the limiters of one policy share.
type intervalPolicy struct {
	limit, burst int64
	period       uint64
}

// intervalBucket is token-bucket with refill: interval. N tokens arrive at every multiple of P
// since the Unix epoch, nothing in between.
type intervalBucket struct {
	*intervalPolicy
	tokens int64
	edge   uint64 // the next refill
	seen   Time
}

func newIntervalBucket(p Policy, initial int64) Maker {
	shared := &intervalPolicy{limit: p.Limit.N, burst: p.Capacity(), period: uint64(p.Limit.Per)}
	first := firstEdge(p)
	return maker(intervalBucket{intervalPolicy: shared, tokens: initial, edge: first})
}

// at is the tokens at now, the refill that follows, and now itself unless it went back.
func (b *intervalBucket) at(now Time) (tokens int64, edge uint64, at Time) {
	now = max(now, b.seen)
	if uint64(now) < b.edge {
		return b.tokens, b.edge, now
	}
	passed, edge := passEdges(b.edge, b.period, now)
	hi, refill := bits.Mul64(passed, uint64(b.limit))
	if hi != 0 || refill >= uint64(b.burst-b.tokens) {
		return b.burst, edge, now
	}
	return b.tokens + int64(refill), edge, now
}

// When implements Limiter.
func (b *intervalBucket) When(now Time, cost int64) Time {
	tokens, edge, now := b.at(now)
	if uint64(cost) > uint64(b.burst) {
		return Never
	}
	return b.fitsAt(now, tokens, edge, cost)
}

// fitsAt is the refill at which the bucket holds cost: the ceil((cost−tokens)/N)-th from now.
func (b *intervalBucket) fitsAt(now Time, tokens int64, edge uint64, cost int64) Time {
	if cost <= tokens {
		return now
	}
	hi, more := bits.Mul64(uint64((cost-tokens-1)/b.limit), b.period) // refills after the next one
	if hi != 0 || more >= uint64(Never) || edge >= uint64(Never)-more {
		return Never
	}
	return Time(edge + more)
}

// Decide implements Limiter.
func (b *intervalBucket) Decide(now Time, cost int64) Decision {
	tokens, edge, now := b.at(now)
	b.tokens, b.edge, b.seen = tokens, edge, now
	if uint64(cost) > uint64(b.burst) {
		return Decision{Deny, Never}
	}
	if cost > tokens {
		return Decision{Deny, b.fitsAt(now, tokens, edge, cost)}
	}
	b.tokens -= cost
	return Decision{Admit, now}
}

// Level is the tokens left.
func (b *intervalBucket) Level(now Time) Milli {
	tokens, _, _ := b.at(now)
	return Milli(tokens) * 1000
}

// NextEdge is the next refill.
func (b *intervalBucket) NextEdge(now Time) Time {
	_, edge, _ := b.at(now)
	return instant(edge)
}
