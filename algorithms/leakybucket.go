package algorithms

func leakyBucketSpec() *Spec {
	s := &Spec{
		Name:    "leaky-bucket",
		Summary: "a leaky bucket as a queue: requests wait their turn and go ahead P/N apart",
		Bursts:  true,
		Gauge:   Gauge{Name: "queue"},
		Traits: Traits{
			State:   "2 words, and the waiting requests",
			Time:    "constant",
			Worst:   "N; at mixed costs N−1+B",
			Burst:   "queues up to B",
			Smooths: "yes",
			Exact:   "yes, at unit cost",
		},
		Page: `It accepts exactly what leaky-meter accepts, but an accepted request goes ahead only when all that was ahead of it has drained: now + ceil(queue·P/N). The first of a burst goes at once, the others P/N apart, so the output is smooth whatever the input.

Choose it to protect something that cannot take bursts, when waiting is better than a refusal. Its price is delay, up to B·P/N for the last in the queue, and the memory of what waits. B bounds both.

The nginx module limit_req works like this, with "burst" meaning B−1; with its option nodelay it is leaky-meter.`,
		Worst: func(p Policy) int64 { return p.Capacity() + p.Limit.N - 1 },
	}
	s.Build = func(p Policy) (Maker, error) {
		return s.read(p).make(func() Maker { return newLeakyBucket(p) })
	}
	return s
}

func newLeakyBucket(p Policy) Maker {
	shared := newBucketPolicy(p)
	if shared.fits64() {
		return maker(leakyBucket{bucket{bucketPolicy: shared}})
	}
	return maker(wideLeakyBucket{wideBucket: wideBucket{bucketPolicy: shared}})
}

// leakyBucket decides as bucket does; what was ahead of an accepted request says when it goes.
type leakyBucket struct{ bucket }

// Decide implements Limiter.
func (b *leakyBucket) Decide(now Time, cost int64) Decision {
	ahead, now := b.at(now)
	b.backlog, b.seen = ahead, now
	if uint64(cost) > uint64(b.burst) {
		if b.joined(now) {
			return b.Decide(now, cost)
		}
		return b.tooMuch(now, cost)
	}
	level := ahead + uint64(cost)*b.unit
	if level > b.capacity {
		return Decision{Deny, b.fitsAt(now, level)}
	}
	b.backlog = level
	if ahead == 0 {
		return Decision{Admit, now}
	}
	return Decision{Delay, after(now, b.drainTime(ahead))}
}

// Level is the units waiting, the one under way by what is left of it.
func (b *leakyBucket) Level(now Time) Milli {
	if b.instead != nil {
		return b.instead.Level(now)
	}
	return b.used(now)
}

// wideLeakyBucket is leakyBucket where 64 bits are not enough, and where a change has set apart what
// is accepted by, the backlog, and what was promised.
type wideLeakyBucket struct {
	wideBucket
	apart    bool
	promised uint128 // if apart: what goes ahead before the next, at the instant seen, in units of 1/p
}

// ahead is what must drain at now before another request goes ahead.
func (b *wideLeakyBucket) ahead(now Time) uint128 {
	if !b.apart {
		ahead, _ := b.at(now)
		return ahead
	}
	queue := wideBucket{b.bucketPolicy, b.promised, b.seen}
	ahead, _ := queue.at(now)
	return ahead
}

// Decide implements Limiter.
func (b *wideLeakyBucket) Decide(now Time, cost int64) Decision {
	ahead := b.ahead(now)
	d := b.wideBucket.Decide(now, cost)
	if b.apart {
		b.promised = ahead
		if d.Verdict.Accepted() {
			b.promised = ahead.add(mul128(uint64(cost), b.unit))
		}
	}
	if d.Verdict == Deny || ahead.isZero() {
		return d
	}
	return Decision{Delay, after(d.Until, ahead.divCeil(b.perNs))}
}

// Level is the units waiting, the one under way by what is left of it.
func (b *wideLeakyBucket) Level(now Time) Milli { return b.used(now) }
