package algorithms

func leakyMeterSpec() *Spec {
	s := &Spec{
		Name:    "leaky-meter",
		Summary: "a leaky bucket as a meter: requests fill it, it leaks at N/P, what would overflow is denied",
		Bursts:  true,
		Gauge:   Gauge{Name: "level"},
		Traits: Traits{
			State:   "2 words",
			Time:    "constant",
			Worst:   "B+N−1",
			Burst:   "passes up to B at once",
			Smooths: "no",
			Exact:   "no: up to B more",
		},
		Page: `The bucket starts empty and leaks at N/P. A request of cost c is admitted at once if the level stays within B, and raises it by c; otherwise it is denied and changes nothing.

It is token-bucket upside down and takes the same decisions, always: the level is what is missing from a full bucket of tokens. It only measures. For the leaky bucket that holds requests back and lets them out one by one, see leaky-bucket: published articles mean either.`,
		Worst: func(p Policy) int64 { return p.Capacity() + p.Limit.N - 1 },
	}
	s.Build = func(p Policy) (Maker, error) {
		return s.read(p).make(func() Maker { return newLeakyMeter(p) })
	}
	return s
}

func newLeakyMeter(p Policy) Maker {
	shared := newBucketPolicy(p)
	if shared.fits64() {
		return maker(leakyMeter{bucket{bucketPolicy: shared}})
	}
	return maker(wideLeakyMeter{wideBucket{bucketPolicy: shared}})
}

type leakyMeter struct{ bucket }

// Level is the level of the bucket.
func (b *leakyMeter) Level(now Time) Milli {
	if b.instead != nil {
		return b.instead.Level(now)
	}
	return b.used(now)
}

type wideLeakyMeter struct{ wideBucket }

// Level is the level of the bucket.
func (b *wideLeakyMeter) Level(now Time) Milli { return b.used(now) }
