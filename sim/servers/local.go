package servers

import (
	"strconv"

	"github.com/b6db88e4/ratesim/algorithms"
)

// local is split and independent: each server has limiters of its own, and asks nobody.
type local struct {
	*Cluster
	tables []algorithms.Table // by server
}

func newLocal(c *Cluster, scheme Scheme) way {
	l := &local{Cluster: c}
	maker, policy := shareOf(c.limit, scheme, int64(c.cfg.Count))
	c.share = policy
	for range c.cfg.Count {
		l.tables = append(l.tables, algorithms.NewTable(maker))
	}
	units := int64(0)
	for i := range c.clocks {
		units += c.clocks.cuts(i, c.ledger.period) * policy.Limit.N
	}
	c.ledger.atMost(units)
	return l
}

// ask implements way.
func (l *local) ask(now Time, id uint32) {
	f := &l.all[id]
	t := l.tables[f.server]
	t.Grow(int(f.key) + 1)
	l.decide(now, f, t.At(f.key))
	l.finish(now, id)
}

// decide asks a limiter by the clock of the server that the flight is at.
func (c *Cluster) decide(now Time, f *flight, l algorithms.Limiter) {
	shown := c.clocks.shows(f.place, now)
	d := l.Decide(shown, f.cost)
	c.watched(f, shown, l)
	f.decision, f.at = c.clocks.toRun(f.place, now, d), now
	c.ledger.decided(now, f.place, f.key, f.cost, d.Verdict)
}

// take implements way.
func (l *local) take(Time, uint32) {}

// advance implements way.
func (l *local) advance(Time) {}

// report implements way.
func (l *local) report(*Report) {}

// shareOf makes the limiters of one server, and says what they enforce.
func shareOf(limit Limit, scheme Scheme, servers int64) (algorithms.Maker, algorithms.Policy) {
	if scheme == Independent {
		return limit.Maker, limit.Policy
	}
	p, ok := split(limit.Policy, scheme == SplitUp, servers)
	if !ok {
		p.Limit.N, p.Burst = 0, 0
		return nothing{}, p
	}
	maker, err := limit.Spec.Build(p)
	if err != nil {
		panic("servers: a share of a valid policy is not valid: " + err.Error())
	}
	return maker, p
}

// split is a server's share of a policy: limit, burst and the tokens to begin with, rounded up or
// down. It is false where the limit or the burst rounds down to nothing: then the server admits
// nothing, since a limit of 1 on each would add up to more than there is.
func split(p algorithms.Policy, up bool, servers int64) (algorithms.Policy, bool) {
	share := func(units int64) int64 {
		if up {
			units += servers - 1
		}
		return units / servers
	}
	burst := share(p.Capacity())
	p.Limit.N = share(p.Limit.N)
	if p.Burst != 0 {
		p.Burst = burst
	}
	if initial, err := strconv.ParseInt(p.Options["initial"], 10, 64); err == nil {
		options := map[string]string{}
		for name, value := range p.Options {
			options[name] = value
		}
		options["initial"] = strconv.FormatInt(share(initial), 10)
		p.Options = options
	}
	return p, p.Limit.N > 0 && burst > 0
}

// nothing is a limit of nothing: both Maker and Limiter.
type nothing struct{}

// New implements algorithms.Maker.
func (nothing) New() algorithms.Limiter { return nothing{} }

// When implements algorithms.Limiter.
func (nothing) When(Time, int64) Time { return algorithms.Never }

// Decide implements algorithms.Limiter.
func (nothing) Decide(Time, int64) algorithms.Decision {
	return algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}
}
