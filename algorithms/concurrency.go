package algorithms

func concurrencySpec() *Spec {
	s := &Spec{
		Name:    "concurrency",
		Summary: "admits while fewer than N units are in flight; a request holds its units until its service ends",
		Holds:   true,
		Gauge:   Gauge{Name: "in flight"},
		Traits: Traits{
			State:   "1 counter",
			Time:    "constant",
			Worst:   "no bound",
			Burst:   "passes up to N at once",
			Smooths: "no",
			Exact:   "no: a number under way, not a rate",
		},
		Page: `It counts what is in flight: a request of cost c is admitted if the count stays within N, and holds its c units until its service ends, however it ends. P means nothing to it.

It needs no idea of how fast the service is. While the service is quick, more than any rate may pass; when it slows down, requests stay longer and fewer are let in: as many per second as end (Little's law: N in flight that take W seconds each are N/W per second). A rate limit cannot do that.

A denied request cannot be told when to come back, since nobody knows when a service ends: there is no Retry-After.

Choose it in front of something that drowns when too much is under way at once: a pool of connections, of workers, of memory. It is what most servers call max connections, and a bulkhead where each caller has its own.`,
		Worst: func(Policy) int64 { return -1 },
	}
	s.Build = func(p Policy) (Maker, error) {
		return s.read(p).make(func() Maker {
			return maker(concurrency{permitPolicy: &permitPolicy{p.Limit.N}})
		})
	}
	return s
}

// permitPolicy is what the limiters of one policy share.
type permitPolicy struct{ limit int64 }

// permits are units that are lent out until a service ends.
type permits struct {
	inFlight int64 // units; above the limit only after the limit fell
	seen     Time
}

// when is now if cost fits under a limit, otherwise Never: no instant can be named before a service
// ends.
func (p *permits) when(now Time, cost, limit int64) Time {
	if uint64(cost) > uint64(max(0, limit-p.inFlight)) {
		return Never
	}
	return max(now, p.seen)
}

// take lends cost out if it fits.
func (p *permits) take(now Time, cost, limit int64) Decision {
	p.seen = max(now, p.seen)
	if uint64(cost) > uint64(max(0, limit-p.inFlight)) {
		return Decision{Deny, Never}
	}
	p.inFlight += cost
	return Decision{Admit, p.seen}
}

// giveBack takes cost back: never more than was lent out.
func (p *permits) giveBack(now Time, cost int64) {
	p.seen = max(now, p.seen)
	p.inFlight -= min(max(0, cost), p.inFlight)
}

// Level is the units in flight.
func (p *permits) Level(Time) Milli { return Milli(p.inFlight) * 1000 }

// concurrency lends out a fixed number of permits.
type concurrency struct {
	*permitPolicy
	permits
}

// When implements Limiter.
func (c *concurrency) When(now Time, cost int64) Time { return c.when(now, cost, c.limit) }

// Decide implements Limiter.
func (c *concurrency) Decide(now Time, cost int64) Decision { return c.take(now, cost, c.limit) }

// Done implements Holding.
func (c *concurrency) Done(now Time, cost int64, _ bool) { c.giveBack(now, cost) }
