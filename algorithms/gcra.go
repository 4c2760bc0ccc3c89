package algorithms

import "math/bits"

func gcraSpec() *Spec {
	s := &Spec{
		Name:    "gcra",
		Summary: "the generic cell rate algorithm: one stored instant, the theoretical arrival time",
		Bursts:  true,
		Gauge:   Gauge{Name: "units ahead of schedule"},
		Traits: Traits{
			State:   "1 instant and its fraction",
			Time:    "constant",
			Worst:   "B+N−1",
			Burst:   "passes up to B at once",
			Smooths: "no",
			Exact:   "no: up to B more",
		},
		Page: `One unit is due every T = P/N, the emission interval. The theoretical arrival time (TAT) is the instant at which the units taken so far would all be due. A request of cost c moves it to max(now, TAT) + c·T, and is admitted if that lies at most B·T ahead of now; otherwise nothing is stored and it is denied.

It takes the same decisions as token-bucket, always: TAT − now is what is missing from a full bucket, measured in time. What it stores is a single instant, which a shared store can compare and swap; that is why it is the usual choice in Redis.

Libraries that call their parameter "burst" or "max burst" often mean B−1.

Defined for ATM cells in ITU-T I.371, as the virtual scheduling algorithm.`,
		Worst: func(p Policy) int64 { return p.Capacity() + p.Limit.N - 1 },
	}
	s.Build = func(p Policy) (Maker, error) {
		return s.read(p).make(func() Maker { return newGCRA(p) })
	}
	return s
}

// stamp is an instant or a length of ns + frac/n nanoseconds, frac below n: what GCRA's multiples
// of T = p/n need to stay exact.
type stamp struct{ ns, frac uint64 }

func (a stamp) less(b stamp) bool { return a.ns < b.ns || a.ns == b.ns && a.frac < b.frac }

// gcraPolicy is what the limiters of one policy share. n/p is N/P in lowest terms.
type gcraPolicy struct {
	n, p      uint64
	burst     int64
	emission  stamp     // T
	tolerance stamp     // B·T; gcra only
	wide      wideStamp // B·T

	instead standIn // as bucketPolicy has it
}

// tooMuch answers a request above the burst, which can never fit.
func (g *gcraPolicy) tooMuch(now Time, cost int64) Decision {
	if g.instead != nil {
		return g.instead.Decide(now, cost)
	}
	return Decision{Deny, Never}
}

// tooMuchFits is when a request above the burst fits.
func (g *gcraPolicy) tooMuchFits(now Time, cost int64) Time {
	if g.instead != nil {
		return g.instead.When(now, cost)
	}
	return Never
}

func newGCRA(p Policy) Maker {
	b := newBucketPolicy(p)
	shared := &gcraPolicy{n: b.perNs, p: b.unit, burst: b.burst}
	shared.wide = shared.spanWide(uint64(b.burst))
	if shared.narrow() {
		shared.emission = shared.span(1)
		shared.tolerance = shared.span(uint64(b.burst))
		return maker(gcra{gcraPolicy: shared})
	}
	return maker(wideGCRA{gcraPolicy: shared})
}

// narrow reports whether B·T has at most 61 bits of nanoseconds, so that now + 2·B·T fits 64.
func (g *gcraPolicy) narrow() bool { return g.wide.hi == 0 && g.wide.ns < 1<<61 }

// span is c·T.
func (g *gcraPolicy) span(c uint64) stamp {
	ns, frac := mul128(c, g.p).div(g.n)
	return stamp{ns, frac}
}

// add is a + b.
func (g *gcraPolicy) add(a, b stamp) stamp {
	sum := stamp{a.ns + b.ns, a.frac + b.frac}
	if sum.frac >= g.n {
		sum.frac -= g.n
		sum.ns++
	}
	return sum
}

// gcra is the limiter under a narrow policy.
type gcra struct {
	*gcraPolicy
	tat  stamp // the theoretical arrival time; long past is as good as unset
	seen Time
}

// next is the theoretical arrival time if cost were taken at now.
func (g *gcra) next(now Time, cost int64) stamp {
	from := stamp{uint64(now), 0}
	if from.less(g.tat) {
		from = g.tat
	}
	if cost == 1 {
		return g.add(from, g.emission)
	}
	return g.add(from, g.span(uint64(cost)))
}

// earliest is when next lies at most B·T ahead.
func (g *gcra) earliest(now Time, next stamp) Time {
	t := g.tolerance
	if limit := (stamp{uint64(now) + t.ns, t.frac}); !limit.less(next) {
		return now
	}
	wait := next.ns - t.ns // next − B·T, rounded up
	if next.frac > t.frac {
		wait++
	}
	return instant(wait)
}

// When implements Limiter.
func (g *gcra) When(now Time, cost int64) Time {
	now = max(now, g.seen)
	if uint64(cost) > uint64(g.burst) {
		return g.tooMuchFits(now, cost)
	}
	return g.earliest(now, g.next(now, cost))
}

// Decide implements Limiter.
func (g *gcra) Decide(now Time, cost int64) Decision {
	now = max(now, g.seen)
	g.seen = now
	if uint64(cost) > uint64(g.burst) {
		return g.tooMuch(now, cost)
	}
	next := g.next(now, cost)
	if at := g.earliest(now, next); at > now {
		return Decision{Deny, at}
	}
	g.tat = next
	return Decision{Admit, now}
}

// Level is how far the theoretical arrival time lies ahead of now, in units of T.
func (g *gcra) Level(now Time) Milli {
	if g.instead != nil {
		return g.instead.Level(now)
	}
	now = max(now, g.seen)
	if !(stamp{uint64(now), 0}).less(g.tat) {
		return 0
	}
	ahead := mul128(g.tat.ns-uint64(now), g.n).add(uint128{0, g.tat.frac})
	return milliCeil(ahead, g.p)
}

// wideStamp is a stamp with 128 bits of nanoseconds.
type wideStamp struct{ hi, ns, frac uint64 }

func (a wideStamp) whole() uint128 { return uint128{a.hi, a.ns} }

func (a wideStamp) less(b wideStamp) bool {
	return a.whole().less(b.whole()) || a.whole() == b.whole() && a.frac < b.frac
}

// spanWide is c·T.
func (g *gcraPolicy) spanWide(c uint64) wideStamp { return g.length(mul128(c, g.p)) }

// length is how long a backlog in units of 1/p takes to drain, at n of them in a nanosecond.
func (g *gcraPolicy) length(backlog uint128) wideStamp {
	hi := backlog.hi / g.n
	ns, frac := bits.Div64(backlog.hi%g.n, backlog.lo, g.n)
	return wideStamp{hi, ns, frac}
}

// addWide is a + b.
func (g *gcraPolicy) addWide(a, b wideStamp) wideStamp {
	whole, frac := a.whole().add(b.whole()), a.frac+b.frac
	if frac >= g.n {
		frac -= g.n
		whole = whole.add(uint128{0, 1})
	}
	return wideStamp{whole.hi, whole.lo, frac}
}

// wideGCRA is gcra where 64 bits are not enough.
type wideGCRA struct {
	*gcraPolicy
	tat  wideStamp
	seen Time
}

func (g *wideGCRA) next(now Time, cost int64) wideStamp {
	from := wideStamp{ns: uint64(now)}
	if from.less(g.tat) {
		from = g.tat
	}
	return g.addWide(from, g.spanWide(uint64(cost)))
}

func (g *wideGCRA) earliest(now Time, next wideStamp) Time {
	if limit := g.addWide(wideStamp{ns: uint64(now)}, g.wide); !limit.less(next) {
		return now
	}
	wait := next.whole().sub(g.wide.whole())
	if next.frac > g.wide.frac {
		wait = wait.add(uint128{0, 1})
	}
	if wait.hi != 0 {
		return Never
	}
	return instant(wait.lo)
}

// When implements Limiter.
func (g *wideGCRA) When(now Time, cost int64) Time {
	now = max(now, g.seen)
	if uint64(cost) > uint64(g.burst) {
		return Never
	}
	return g.earliest(now, g.next(now, cost))
}

// Decide implements Limiter.
func (g *wideGCRA) Decide(now Time, cost int64) Decision {
	now = max(now, g.seen)
	g.seen = now
	if uint64(cost) > uint64(g.burst) {
		return Decision{Deny, Never}
	}
	next := g.next(now, cost)
	if at := g.earliest(now, next); at > now {
		return Decision{Deny, at}
	}
	g.tat = next
	return Decision{Admit, now}
}

// Level is how far the theoretical arrival time lies ahead of now, in units of T.
func (g *wideGCRA) Level(now Time) Milli {
	return milliCeil(g.backlog(max(now, g.seen)), g.p)
}

// backlog is how far the theoretical arrival time lies ahead of now, in units of 1/p.
func (g *wideGCRA) backlog(now Time) uint128 {
	if !(wideStamp{ns: uint64(now)}).less(g.tat) {
		return uint128{}
	}
	return g.tat.whole().sub(uint128{0, uint64(now)}).times(g.n).add(uint128{0, g.tat.frac})
}
