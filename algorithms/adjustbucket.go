package algorithms

// A bucket under another policy keeps its tokens, cut to the new burst. What is kept of it is the
// backlog, what is missing from a full bucket, in units of 1/p; under the new policy it is counted in
// units of 1/p'. Only where those do not divide it is it rounded, up: what is left rounds down.

// scale is what a policy's backlogs are measured by.
type scale struct {
	unit  uint64 // p
	burst int64  // B
}

func (p *bucketPolicy) scale() scale { return scale{p.unit, p.burst} }
func (g *gcraPolicy) scale() scale   { return scale{g.p, g.burst} }

// convert is a backlog of from as to keeps it: B' − min(B', B − backlog). With backlog = whole + part
// units that is (B' − B + whole) + part, or 0 where the tokens are more than the new burst holds.
func (from scale) convert(backlog uint128, to scale) uint128 {
	whole, part := backlog.div(from.unit)
	units := to.burst - from.burst + int64(whole)
	if units < 0 {
		return uint128{}
	}
	rest := mul128(part, to.unit).divCeil(from.unit)
	return mul128(uint64(units), to.unit).add(uint128{0, rest})
}

// bucketForm is a limiter that keeps its backlog under a bucketPolicy.
type bucketForm interface {
	Limiter
	shared() *bucketPolicy
}

func (p *bucketPolicy) shared() *bucketPolicy { return p }

// sharedBy is the policy of a limiter if it is of one of the two forms of an algorithm, otherwise nil.
func sharedBy[Narrow, Wide bucketForm](l Limiter) *bucketPolicy {
	switch l := l.(type) {
	case Narrow:
		return l.shared()
	case Wide:
		return l.shared()
	}
	return nil
}

// Adjust implements Adjusting.
func (b *tokenBucket) Adjust(now Time, to Limiter) bool {
	policy := sharedBy[*tokenBucket, *wideTokenBucket](to)
	return b.adjust(now, to, policy, func(w wideBucket) standIn { return &wideTokenBucket{w} })
}

// Adjust implements Adjusting.
func (b *wideTokenBucket) Adjust(now Time, to Limiter) bool {
	return b.adjust(now, sharedBy[*tokenBucket, *wideTokenBucket](to))
}

// Adjust implements Adjusting.
func (b *leakyMeter) Adjust(now Time, to Limiter) bool {
	policy := sharedBy[*leakyMeter, *wideLeakyMeter](to)
	return b.adjust(now, to, policy, func(w wideBucket) standIn { return &wideLeakyMeter{w} })
}

// Adjust implements Adjusting.
func (b *wideLeakyMeter) Adjust(now Time, to Limiter) bool {
	return b.adjust(now, sharedBy[*leakyMeter, *wideLeakyMeter](to))
}

// adjust puts the bucket under policy, that of to. Where 64 bits are not enough for it the wide form
// stands in.
func (b *bucket) adjust(now Time, to Limiter, policy *bucketPolicy, wide func(wideBucket) standIn) bool {
	switch {
	case policy == nil:
		return false
	case b.instead != nil:
		return b.instead.Adjust(now, to)
	}
	backlog, now := b.at(now)
	kept := b.scale().convert(uint128{0, backlog}, policy.scale())
	*b = bucket{policy, kept.lo, now}
	if !policy.fits64() {
		*b = bucket{&bucketPolicy{instead: wide(wideBucket{policy, kept, now})}, 0, now}
	}
	return true
}

func (b *wideBucket) adjust(now Time, policy *bucketPolicy) bool {
	if policy == nil {
		return false
	}
	backlog, now := b.at(now)
	*b = wideBucket{policy, b.scale().convert(backlog, policy.scale()), now}
	return true
}

// Adjust implements Adjusting. As soon as what is accepted by and what was promised are no longer the
// same the wide form stands in, which keeps both.
func (b *leakyBucket) Adjust(now Time, to Limiter) bool {
	policy := sharedBy[*leakyBucket, *wideLeakyBucket](to)
	switch {
	case policy == nil:
		return false
	case b.instead != nil:
		return b.instead.Adjust(now, to)
	}
	backlog, now := b.at(now)
	w := &wideLeakyBucket{wideBucket: wideBucket{b.bucketPolicy, uint128{0, backlog}, now}}
	w.Adjust(now, to)
	b.bucket = bucket{policy, w.backlog.lo, now}
	if w.apart || !policy.fits64() {
		b.bucket = bucket{&bucketPolicy{instead: w}, 0, now}
	}
	return true
}

// Adjust implements Adjusting. What was promised goes ahead as promised: it drains at the same instant
// under the new policy as it did under the old one.
func (b *wideLeakyBucket) Adjust(now Time, to Limiter) bool {
	policy := sharedBy[*leakyBucket, *wideLeakyBucket](to)
	if policy == nil {
		return false
	}
	promised := sameWait(b.ahead(now), b.perNs, policy.perNs)
	b.wideBucket.adjust(now, policy)
	b.promised, b.apart = promised, promised != b.backlog
	return true
}

// sameWait is what takes as long to drain at n' in a nanosecond as work does at n, rounded up. A wait
// of 2^64 ns stands for every longer one: no instant is so late.
func sameWait(work uint128, n, to uint64) uint128 {
	ns, part := work.div(n)
	return mul128(ns, to).add(uint128{0, mul128(part, to).divCeil(n)})
}

// joined goes back to the one number of leakyBucket once both of the wide form's have drained.
func (b *leakyBucket) joined(now Time) bool {
	w, ok := b.instead.(*wideLeakyBucket)
	if !ok || !w.fits64() || !w.Resting(now) {
		return false
	}
	b.bucket = bucket{bucketPolicy: w.bucketPolicy, seen: now}
	return true
}

// policyOfGCRA is the policy of either form of gcra, nil of anything else.
func policyOfGCRA(l Limiter) *gcraPolicy {
	switch l := l.(type) {
	case *gcra:
		return l.gcraPolicy
	case *wideGCRA:
		return l.gcraPolicy
	}
	return nil
}

// Adjust implements Adjusting.
func (g *gcra) Adjust(now Time, to Limiter) bool {
	policy := policyOfGCRA(to)
	switch {
	case policy == nil:
		return false
	case g.instead != nil:
		return g.instead.Adjust(now, to)
	}
	w := &wideGCRA{g.gcraPolicy, wideStamp{0, g.tat.ns, g.tat.frac}, g.seen}
	w.Adjust(now, to)
	*g = gcra{policy, stamp{w.tat.ns, w.tat.frac}, w.seen}
	if !policy.narrow() {
		*g = gcra{gcraPolicy: &gcraPolicy{instead: w}, seen: w.seen}
	}
	return true
}

// Adjust implements Adjusting. (TAT − now)·n is the backlog, so the new one stands that much over n'
// ahead of now.
func (g *wideGCRA) Adjust(now Time, to Limiter) bool {
	policy := policyOfGCRA(to)
	if policy == nil {
		return false
	}
	g.seen = max(now, g.seen)
	kept := g.gcraPolicy.scale().convert(g.backlog(g.seen), policy.scale())
	g.gcraPolicy = policy
	g.tat = policy.addWide(wideStamp{ns: uint64(g.seen)}, policy.length(kept))
	return true
}

// Adjust implements Adjusting. What has flowed in by now is kept, the refill of this instant included.
func (b *intervalBucket) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*intervalBucket)
	if !ok {
		return false
	}
	b.tokens, _, b.seen = b.at(now)
	b.intervalPolicy, b.tokens = t.intervalPolicy, min(b.tokens, t.burst)
	_, b.edge, _ = t.at(b.seen)
	return true
}
