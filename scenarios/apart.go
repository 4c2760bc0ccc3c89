package scenarios

import (
	"slices"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/retry"
)

// Here is what an entry of limiters says to be otherwise around that limiter than around the others:
// the same traffic under two ways to treat it, side by side.

// isApart reports whether something is.
func (l *Limiter) isApart() bool {
	return l.Key != "" || l.OnPartialDeny != "" || l.OnLimit.Action != "" || l.Retry != nil || l.Load != "" || l.Fail != ""
}

// apart is the system around the limiter; nil where it is that around all.
func (l *Limiter) apart(all *sim.System) *sim.System {
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
	if l.Fail != "" && all.Servers != nil {
		config := *all.Servers
		config.FailOpen = l.Fail == "open"
		out.Servers = &config
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
		if l.Load != "" && !c.has("load") {
			c.fail(join(path, "load"), "load: none keeps a limit from following the service's queue, and no limit does; give the scenario a load, or leave this out")
		}
		if l.Fail != "" && !c.has("servers") {
			c.fail(join(path, "fail"), "fail says what a server answers that cannot reach the store, and the scenario has no servers; write servers: {count: 4}")
		}
		if l.OnLimit.Action == "queue" && c.has("servers") {
			c.fail(join(path, "on_limit"), "on_limit queue does not go with several servers")
		}
	}
}
