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
	return maker(wideLeakyBucket{wideBucket{bucketPolicy: shared}})
}

// leakyBucket decides as bucket does; what was ahead of an accepted request says when it goes.
type leakyBucket struct{ bucket }

// Decide implements Limiter.
func (b *leakyBucket) Decide(now Time, cost int64) Decision {
	ahead, now := b.at(now)
	b.backlog, b.seen = ahead, now
	if uint64(cost) > uint64(b.burst) {
		return Decision{Deny, Never}
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
func (b *leakyBucket) Level(now Time) Milli { return b.used(now) }

type wideLeakyBucket struct{ wideBucket }

// Decide implements Limiter.
func (b *wideLeakyBucket) Decide(now Time, cost int64) Decision {
	ahead, _ := b.at(now)
	d := b.wideBucket.Decide(now, cost)
	if d.Verdict == Deny || ahead.isZero() {
		return d
	}
	return Decision{Delay, after(d.Until, ahead.divCeil(b.perNs))}
}

// Level is the units waiting, the one under way by what is left of it.
func (b *wideLeakyBucket) Level(now Time) Milli { return b.used(now) }
