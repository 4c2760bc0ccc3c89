package sim

import (
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
)

// gate is the limits of one lane that hold at the same time, in one place. It answers at once.
type gate struct {
	sys   *System
	rules []*rule
	apply [][]*rule // by tier · endpoints + endpoint: the rules that apply, in order
	asked []algorithms.Limiter
	holds bool // one of the rules holds units until a request's service ends
}

// rule is one of the limits of a gate.
type rule struct {
	number   int
	keys     *keyed
	enforced *Enforced

	// What holds now; enforced says what holds at first.
	policy    algorithms.Policy
	capacity  int64 // the most that a single request may cost
	scheduled int   // changes of its schedule that have come

	trail trail // what went ahead of calls to which no rule before this one applies

	counts bool // denied requests count too
	holds  bool // units are held until a request's service ends
}

// ruling is what a gate answers.
type ruling struct {
	Decision
	refused int // number of the rule that refused; -1 if none did
}

func newGate(sys *System, entry *Limiter) *gate {
	g := &gate{sys: sys}
	for i := range sys.Rules {
		e := &entry.Enforced[i]
		g.rules = append(g.rules, &rule{
			number: i, enforced: e, policy: e.Policy, trail: newTrail(e.Policy.Limit),
			keys:     newKeyed(sys, sys.Rules[i].Key, e.Maker),
			capacity: e.Spec.Capacity(e.Policy),
			counts:   e.Policy.Options["count_denied"] == "true",
			holds:    e.Spec.Holds,
		})
	}
	g.holds = slices.ContainsFunc(g.rules, func(r *rule) bool { return r.holds })
	for tier := range sys.Tiers {
		for endpoint := range sys.Endpoints {
			g.apply = append(g.apply, g.applying(tier, endpoint))
		}
	}
	return g
}

func (g *gate) applying(tier, endpoint int) []*rule {
	var out []*rule
	for i, r := range g.sys.Rules {
		if (r.Tiers == nil || r.Tiers[tier]) && (r.Endpoints == nil || r.Endpoints[endpoint]) {
			out = append(out, g.rules[i])
		}
	}
	return out
}

// profile is the kind of a client.
func (s *System) profile(client uint32) int {
	if int(client) < len(s.ProfileOf) {
		return int(s.ProfileOf[client])
	}
	return 0
}

// rulesFor are the rules that apply to a request.
func (g *gate) rulesFor(client, endpoint uint32) []*rule {
	tier := g.sys.Profiles[g.sys.profile(client)].Tier
	return g.apply[tier*len(g.sys.Endpoints)+int(endpoint)]
}

// limiter is the rule's limiter for a request.
func (r *rule) limiter(now Time, client, endpoint uint32) algorithms.Limiter {
	return r.keys.at(now, r.keys.id(client, endpoint))
}

// ask puts a request to all limits that apply to it. They charge it if all of them accept it.
func (g *gate) ask(now Time, client, endpoint uint32, cost int64) ruling {
	rules := g.rulesFor(client, endpoint)
	if len(rules) == 1 || g.sys.KeepPartial {
		return inTurn(now, rules, client, endpoint, cost)
	}
	g.asked = g.asked[:0]
	out := ruling{Decision{Verdict: algorithms.Admit, Until: now}, -1}
	for _, r := range rules {
		l := r.limiter(now, client, endpoint)
		g.asked = append(g.asked, l)
		if out.refused < 0 && l.When(now, cost) > now {
			out.refused = r.number
		}
	}
	if out.refused >= 0 {
		return g.refuse(now, rules, cost, out.refused)
	}
	for _, l := range g.asked {
		out.join(l.Decide(now, cost))
	}
	return out
}

// inTurn asks one limit after the other until one refuses; those before it keep what they charged.
// Limits that hold units are asked in turn too, but take them only when all have accepted, so that no
// unit is held for a request that never goes ahead.
func inTurn(now Time, rules []*rule, client, endpoint uint32, cost int64) ruling {
	out := ruling{Decision{Verdict: algorithms.Admit, Until: now}, -1}
	for _, r := range rules {
		l := r.limiter(now, client, endpoint)
		if r.holds && l.When(now, cost) <= now {
			continue
		}
		d := l.Decide(now, cost)
		if d.Verdict == algorithms.Deny {
			return ruling{Decision{Verdict: d.Verdict, Until: latest(now, d.Until, rules, client, endpoint, cost)}, r.number}
		}
		out.join(d)
	}
	for _, r := range rules {
		if r.holds {
			r.limiter(now, client, endpoint).Decide(now, cost)
		}
	}
	return out
}

// latest is when all limits would accept a request, which is when the last of them does: not before
// until, which one of them named.
func latest(now, until Time, rules []*rule, client, endpoint uint32, cost int64) Time {
	if len(rules) == 1 {
		return until
	}
	for _, r := range rules {
		until = max(until, r.limiter(now, client, endpoint).When(now, cost))
	}
	return until
}

// join adds what one limit accepted: the request goes ahead when the last of them lets it.
func (o *ruling) join(d Decision) {
	if d.Verdict == algorithms.Delay {
		o.Verdict = algorithms.Delay
	}
	o.Until = max(o.Until, d.Until)
}

// refuse is the answer where a limit refuses. Those that count denied requests do so if they refuse
// it themselves. The request fits when it fits them all: what fits stays fits.
func (g *gate) refuse(now Time, rules []*rule, cost int64, refused int) ruling {
	out := ruling{Decision{Verdict: algorithms.Deny, Until: now}, refused}
	for i, l := range g.asked {
		when := l.When(now, cost)
		if when > now && rules[i].counts {
			when = l.Decide(now, cost).Until
		}
		out.Until = max(out.Until, when)
	}
	return out
}

// giveBack gives back what limits hold of a request until its service ends.
func giveBack(now Time, rules []*rule, client, endpoint uint32, cost int64, late bool) {
	for _, r := range rules {
		if r.holds {
			r.limiter(now, client, endpoint).(algorithms.Holding).Done(now, cost, late)
		}
	}
}

// fits reports whether limits could ever accept a cost.
func fits(rules []*rule, cost int64) bool {
	for _, r := range rules {
		if cost > r.capacity {
			return false
		}
	}
	return true
}

// headers is the HTTP answer of the limit with the least left, after a decision.
func (g *gate) headers(now Time, client, endpoint uint32, cost int64, out ruling) Response {
	var tightest Response
	rules := g.rulesFor(client, endpoint)
	for i, r := range rules {
		entry := Limiter{Spec: r.enforced.Spec, Policy: r.policy}
		answer := respond(r.limiter(now, client, endpoint), &entry, now, cost, algorithms.Admit)
		if i == 0 || answer.Remaining < tightest.Remaining {
			tightest = answer
		}
	}
	tightest.Cost, tightest.Status, tightest.Never = cost, 200, !fits(rules, cost)
	tightest.refuse(now, out, g.sys)
	return tightest
}

// refuse adds what a refusal tells.
func (r *Response) refuse(now Time, out ruling, sys *System) {
	switch out.Verdict {
	case algorithms.Deny:
		r.Status = 429
	case Degraded:
		r.Degraded = true
	default:
		return
	}
	r.RetryAfter = retryAfter(out.Until, now)
	if out.refused >= 0 && len(sys.Rules) > 1 {
		r.Refused = sys.Rules[out.refused].Name
	}
}
