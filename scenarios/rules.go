package scenarios

import (
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// rule is one of the limits that hold at the same time. What the first one enforces is each
// limiter's own policy.
type rule struct {
	sim.Rule
	path   string            // where it stands in the file; "" for the main limit
	spec   *algorithms.Spec  // its own algorithm; nil: each limiter's
	policy algorithms.Policy // limit, burst, and the options of its own algorithm
}

// remedy is what helps a limiter that cannot enforce the rule.
func (r *rule) remedy() string {
	if len(r.path) > len("limits") && r.path[:len("limits")] == "limits" {
		return "; give this limit an algorithm of its own"
	}
	return "; leave it out of the limiters, or the limit"
}

// rules are the limits of the scenario in the order in which they are asked: the main one, those of
// the tiers in its place, those of limits, those of the endpoints.
func (s *Scenario) rules() []rule {
	var out []rule
	key := s.Key.parts()
	tiers, endpoints := s.tierNames(), s.endpointNames()
	if s.hasMain() {
		out = append(out, rule{Rule: sim.Rule{Name: "main", Key: key, Tiers: s.withoutLimit(tiers)}})
	}
	for i, t := range s.Tiers {
		if t.Limit.Per != 0 {
			out = append(out, rule{
				Rule: sim.Rule{Name: "tier " + t.Name, Key: key, Tiers: only(tiers, t.Name)},
				path: index("tiers", i), policy: algorithms.Policy{Limit: t.Limit, Burst: t.Burst},
			})
		}
	}
	for i, r := range s.Limits {
		out = append(out, s.listedRule(&r, index("limits", i), tiers, endpoints))
	}
	for i, e := range s.Endpoints {
		if e.Limit.Per != 0 {
			out = append(out, rule{
				Rule: sim.Rule{Name: "endpoint " + e.Path, Key: key, Endpoints: only(endpoints, e.Path)},
				path: index("endpoints", i), policy: algorithms.Policy{Limit: e.Limit, Burst: e.Burst},
			})
		}
	}
	return out
}

// listedRule is an entry of limits.
func (s *Scenario) listedRule(r *Rule, path string, tiers, endpoints []string) rule {
	key := r.Key
	if key == "" {
		key = s.Key
	}
	out := rule{
		Rule: sim.Rule{Name: r.name(key), Key: key.parts(), Tiers: only(tiers, r.Tier), Endpoints: only(endpoints, r.Endpoint)},
		path: path, policy: algorithms.Policy{Limit: r.Limit, Burst: r.Burst, Options: r.Options},
	}
	out.spec, _ = algorithms.Lookup(r.Algorithm)
	if out.spec != nil && out.spec.Holds {
		out.policy.Limit = s.inFlight(r.InFlight)
	}
	return out
}

// name is the name of an entry of limits: its own, or its key and limit.
func (r *Rule) name(key Key) string {
	switch {
	case r.Name != "":
		return r.Name
	case key == "":
		key = "client"
	}
	if r.Limit.Per == 0 {
		return string(key) + " " + r.Algorithm
	}
	return string(key) + " " + FormatRate(r.Limit)
}

// inFlight is so many in flight as a policy has it, whose period means nothing: it is that of the
// main limit, so that peaks compare.
func (s *Scenario) inFlight(n int64) algorithms.Limit {
	if n == 0 && s.Service != nil {
		n = s.Service.Workers
	}
	per := s.Limit.Per
	if per == 0 {
		per = defaultFirst
	}
	return algorithms.Limit{N: n, Per: per}
}

// hasMain reports whether there is a main limit: one for all, or limiters with limits of their own.
func (s *Scenario) hasMain() bool {
	return s.Limit.Per != 0 || slices.ContainsFunc(s.Limiters, func(l Limiter) bool {
		spec, ok := algorithms.Lookup(l.Algorithm)
		return l.Limit.Per != 0 || ok && spec.Holds
	})
}

// withoutLimit says which tiers the main limit holds for; nil for all.
func (s *Scenario) withoutLimit(tiers []string) []bool {
	var out []bool
	for _, t := range s.Tiers {
		if t.Limit.Per == 0 {
			continue
		}
		if out == nil {
			out = slices.Repeat([]bool{true}, len(tiers))
		}
		out[slices.Index(tiers, t.Name)] = false
	}
	return out
}

// only says that of these names it is one alone; nil for all if that is "".
func only(names []string, name string) []bool {
	if name == "" {
		return nil
	}
	out := make([]bool, len(names))
	if i := slices.Index(names, name); i >= 0 {
		out[i] = true
	}
	return out
}
