package scenarios

import (
	"slices"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Here is what an entry of limiters says to be otherwise around that limiter than around the others:
// the same traffic under two ways to treat it, side by side.

// isApart reports whether something is.
func (l *Limiter) isApart() bool {
	return l.Key != "" || l.OnPartialDeny != "" || l.OnLimit.Action != "" || l.Retry != nil || l.Load != "" || l.Fail != "" || l.Store != nil
}

// apart is the system around the limiter; nil where it is that around all.
func (l *Limiter) apart(s *Scenario, all *sim.System) *sim.System {
	if l == nil || !l.isApart() {
		return nil
	}
	out := *all
	if l.Key != "" {
		out.Rules = slices.Clone(all.Rules)
		out.Rules[0].Key = l.Key.parts()
	}
	if l.OnPartialDeny != "" {
		out.KeepPartial = l.OnPartialDeny == "keep"
	}
	if l.OnLimit.Action != "" {
		out.OnLimit, out.Waiting = l.OnLimit.compile()
	}
	if l.Retry != nil {
		out.Profiles = retrying(all.Profiles, l.Retry.compile())
	}
	if s.Servers != nil && (l.Fail != "" || l.Store != nil) {
		out.Servers = s.Servers.apart(l).compile()
	}
	return &out
}

// apart are the servers as they are around one limiter; around all if it is nil.
func (v *Servers) apart(l *Limiter) *Servers {
	out := *v
	if l != nil && l.Fail != "" {
		out.Fail = l.Fail
	}
	if l != nil && l.Store != nil {
		out.Store = l.Store
	}
	return &out
}

// retrying are the profiles with another policy for those who send again.
func retrying(profiles []sim.Profile, policy retry.Policy) []sim.Profile {
	out := slices.Clone(profiles)
	for i := range out {
		if out[i].Retry.Kind != retry.Never {
			out[i].Retry = policy
		}
	}
	return out
}

// compile is what becomes of refused requests, and how many of a key may wait.
func (o OnLimit) compile() (action sim.OnLimit, waiting int) {
	waiting = defaultWaiting
	if o.Queue != 0 {
		waiting = int(o.Queue)
	}
	switch o.Action {
	case "queue":
		return sim.Queue, waiting
	case "degrade":
		return sim.Degrade, waiting
	}
	return sim.Reject, waiting
}

// checkApart sees to it that an entry differs only in what there is.
func (c *checker) checkApart() {
	for i, l := range c.scenario.Limiters {
		path := index("limiters", i)
		if l.Load == "none" && !c.has("load") {
			c.fail(join(path, "load"), "load: none keeps a limit from following the service's queue, and no limit does; give the scenario a load, or leave this out")
		}
		if c.has("servers") {
			c.apartOnServers(path, &l)
			continue
		}
		if l.Fail != "" && !c.bad[join(path, "fail")] {
			c.fail(join(path, "fail"), "fail says what a server answers that cannot reach the store, and the scenario has no servers; write servers: {count: 4}")
		}
		if l.Store != nil && !c.bad[join(path, "store")] {
			c.fail(join(path, "store"), "the store is where servers keep their counts, and the scenario has no servers; write servers: {count: 4}")
		}
	}
}

// apartOnServers sees to it that an entry differs only in what goes with several servers.
func (c *checker) apartOnServers(path string, l *Limiter) {
	if l.OnLimit.Action == "queue" {
		c.fail(join(path, "on_limit"), "on_limit queue does not go with several servers")
	}
	if l.Retry != nil && l.Retry.Wait == "pace" {
		c.fail(join(path, "retry"), "clients that pace themselves do not go with servers, whose answers do not say how much is left over all of them")
	}
	if c.bad["servers"] || c.bad[join(path, "scheme")] {
		return
	}
	scheme := c.scenario.scheme()
	if l.Scheme != "" {
		scheme, _ = servers.ParseScheme(string(l.Scheme))
	}
	for _, key := range []string{"fail", "store"} {
		if info := servers.Schemes()[scheme]; !info.Central && c.has(join(path, key)) {
			c.fail(join(path, key), "%s matters to central-atomic and central-racy only, and this limiter's scheme is %s", key, info.Name)
		}
	}
}
