package algorithms

import "fmt"

func tokenBucketSpec() *Spec {
	s := &Spec{
		Name:    "token-bucket",
		Summary: "a bucket of B tokens refilled at N/P; a request takes its cost in tokens",
		Bursts:  true,
		Gauge:   Gauge{Name: "tokens left", RestsFull: true},
		Options: []Option{
			{Name: "refill", Kind: Choice, Default: "continuous", Choices: []string{"continuous", "interval"},
				Meaning: "continuous: at N/P; interval: N tokens at once at every multiple of P"},
			{Name: "initial", Kind: Int, Min: 0, Max: MaxUnits,
				Meaning: "tokens at instant 0 (default: the burst, a full bucket)"},
		},
		Traits: Traits{
			State:   "2 words",
			Time:    "constant",
			Worst:   "B+N−1",
			Burst:   "passes up to B at once",
			Smooths: "no",
			Exact:   "no: up to B more",
		},
		Page: `The bucket holds at most B tokens and starts full. Tokens flow in at N/P, continuously; what exceeds B is lost. A request of cost c is admitted if c tokens are there, and takes them; otherwise it is denied and takes nothing. A denied request would be admitted as soon as the bucket holds c.

With refill: interval nothing flows in between: N tokens arrive at once at every multiple of P since the Unix epoch. A client that empties the bucket just before and just after such an instant gets B+min(B, N) within a moment.

Choose it when short bursts are welcome and the long-run rate matters: B says how much may come at once, N/P how much over time. It is the algorithm behind most API gateways.

gcra and leaky-meter take the same decisions, always; they only keep the same number in another form.`,
		Worst: func(p Policy) int64 {
			if p.Options["refill"] == "interval" {
				return p.Capacity() + min(p.Capacity(), p.Limit.N)
			}
			return p.Capacity() + p.Limit.N - 1
		},
	}
	s.Build = func(p Policy) (Maker, error) {
		r := s.read(p)
		initial := r.number("initial", p.Capacity())
		if initial > p.Capacity() {
			r.refuse("initial", fmt.Sprint(initial), fmt.Sprintf("must be 0 to the burst, %d", p.Capacity()))
		}
		return r.make(func() Maker {
			if r.text("refill") == "interval" {
				return newIntervalBucket(p, initial)
			}
			return newTokenBucket(p, initial)
		})
	}
	return s
}

// newTokenBucket starts with some tokens: what is missing from a full bucket is its backlog.
func newTokenBucket(p Policy, initial int64) Maker {
	shared := newBucketPolicy(p)
	missing := uint64(shared.burst - initial)
	if shared.fits64() {
		return maker(tokenBucket{bucket{bucketPolicy: shared, backlog: missing * shared.unit}})
	}
	return maker(wideTokenBucket{wideBucket{bucketPolicy: shared, backlog: mul128(missing, shared.unit)}})
}

type tokenBucket struct{ bucket }

// Level is the tokens left.
func (b *tokenBucket) Level(now Time) Milli {
	if b.instead != nil {
		return b.instead.Level(now)
	}
	return Milli(b.burst)*1000 - b.used(now)
}

type wideTokenBucket struct{ wideBucket }

// Level is the tokens left.
func (b *wideTokenBucket) Level(now Time) Milli { return Milli(b.burst)*1000 - b.used(now) }
