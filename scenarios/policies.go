package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// candidate is a limiter that may be run: an entry of the scenario's list, or an algorithm under
// the scenario's policy.
type candidate struct {
	name   string
	spec   *algorithms.Spec
	policy algorithms.Policy
	scheme servers.Scheme
	entry  *Limiter // in the list; nil if it has none
	path   string   // of its entry; "" if it has none
}

// candidates are the limiters of the scenario in order: its list, or else every algorithm that can
// be put to any traffic and that the servers can share.
func (s *Scenario) candidates() []candidate {
	var out []candidate
	first := s.first()
	if len(s.Limiters) == 0 {
		for _, spec := range algorithms.Defaults() {
			if takes(s.scheme(), spec) {
				out = append(out, s.under(spec, first))
			}
		}
		return out
	}
	for i, l := range s.Limiters {
		if spec, ok := algorithms.Lookup(l.Algorithm); ok {
			out = append(out, s.listed(l, s.under(spec, first), index("limiters", i)))
		}
	}
	return out
}

// first is the policy that limiters have unless they say otherwise: the main limit, or where there
// is none the first of the others.
func (s *Scenario) first() algorithms.Policy {
	limit, burst := s.First()
	return algorithms.Policy{Limit: *limit, Burst: *burst, Start: s.startNanos()}
}

// under is an algorithm under the policy that limiters have unless they say otherwise.
func (s *Scenario) under(spec *algorithms.Spec, first algorithms.Policy) candidate {
	c := candidate{name: spec.Name, spec: spec, policy: first, scheme: s.scheme()}
	if spec.Holds {
		c.policy.Limit, c.policy.Burst = s.inFlight(0), 0
	}
	return c
}

// listed is an entry of the list. What it leaves out it has from the scenario.
func (s *Scenario) listed(l Limiter, c candidate, path string) candidate {
	c.path, c.entry = path, &l
	c.name = l.Called()
	if l.Limit.Per != 0 && !c.spec.Holds {
		c.policy.Limit = l.Limit
	}
	if l.Burst != 0 && !c.spec.Holds {
		c.policy.Burst = l.Burst
	}
	if c.spec.Holds {
		c.policy.Limit = s.inFlight(l.InFlight)
	}
	if l.Scheme != "" {
		c.scheme, _ = servers.ParseScheme(string(l.Scheme))
	}
	c.policy.Options = l.Options
	return c
}

// Called is the name of an entry: its own, its scheme's, or its algorithm's.
func (l *Limiter) Called() string { return cmp.Or(l.Name, string(l.Scheme), l.Algorithm) }

// Listed are the limiters of the scenario as a list: its own, or else what would stand there.
func (s *Scenario) Listed() []Limiter {
	if len(s.Limiters) > 0 {
		return s.Limiters
	}
	var out []Limiter
	for _, c := range s.candidates() {
		out = append(out, Limiter{Algorithm: c.spec.Name})
	}
	return out
}

// First is where the limit and the burst are written that limiters have unless they say otherwise:
// the main limit, or where there is none the first of the others.
func (s *Scenario) First() (*algorithms.Limit, *int64) {
	if !s.hasMain() {
		for i := range s.Tiers {
			if t := &s.Tiers[i]; t.Limit.Per != 0 {
				return &t.Limit, &t.Burst
			}
		}
		if len(s.Limits) > 0 {
			return &s.Limits[0].Limit, &s.Limits[0].Burst
		}
	}
	return &s.Limit, &s.Burst
}

// startNanos is the Unix time of t = 0.
func (s *Scenario) startNanos() int64 {
	if s.Start == nil {
		return 0
	}
	return s.Start.UnixNano()
}

// checkPolicies has every limiter of the scenario built once.
func (c *checker) checkPolicies() {
	if n := len(c.scenario.Limiters); n > maxLimiters {
		c.fail("limiters", "limiters has %d entries; a scenario may have up to %d", n, maxLimiters)
		return
	}
	c.checkNames()
	c.checkHolding()
	c.checkSchemes()
	c.checkApart()
	rules := c.scenario.rules()
	seen := map[string]bool{} // one mistake in the scenario's policy is one mistake, not nine
	fail := func(path, message string) {
		if _, reason, _ := strings.Cut(message, " "); !seen[path+reason] {
			seen[path+reason] = true
			c.fail(path, "%s", visible(message))
		}
	}
	for _, x := range c.scenario.candidates() {
		if x.policy.Limit.Per == 0 {
			c.limitMissing(x)
			continue
		}
		if x.policy.Limit.N == 0 || c.bad[x.path] && x.path != "" || c.bad["burst"] || c.bad["start"] {
			continue
		}
		maker, err := x.spec.Build(x.policy)
		for _, e := range policyErrors(err) {
			fail(c.fieldPath(x, e.Field), fmt.Sprintf("%s: %s %s: %s", x.name, e.Field, quoted(e.Value), e.Reason))
		}
		c.checkLane(x, maker, rules, fail)
	}
}

// checkHolding sees to it that what is in flight is limited where there is a service, and by a
// number of its own.
func (c *checker) checkHolding() {
	for i, l := range c.scenario.Limiters {
		spec, ok := algorithms.Lookup(l.Algorithm)
		path := index("limiters", i)
		if ok && !c.bad[path] {
			c.holding(path, spec, l.InFlight)
		}
	}
	for i, r := range c.scenario.Limits {
		spec, ok := algorithms.Lookup(r.Algorithm)
		path := index("limits", i)
		switch {
		case c.bad[path]:
		case ok:
			c.holding(path, spec, r.InFlight)
		case r.InFlight != 0:
			c.fail(join(path, "in_flight"), "in_flight needs an algorithm that counts what is in flight; write algorithm: concurrency beside it")
		}
	}
}

// holding judges what an entry says about units in flight.
func (c *checker) holding(path string, spec *algorithms.Spec, inFlight int64) {
	if !spec.Holds {
		if inFlight != 0 {
			c.fail(join(path, "in_flight"), "in_flight does not go with %s, which limits a rate; write a limit such as 100/m", spec.Name)
		}
		return
	}
	for _, key := range []string{"limit", "burst"} {
		if c.has(join(path, key)) {
			c.fail(join(path, key), "%s does not go with %s, which counts what is in flight; write in_flight: 20", key, spec.Name)
		}
	}
	if !c.has("service") {
		c.fail(join(path, "algorithm"), "%s", needsService(spec))
	}
	if c.has("servers") {
		c.fail(join(path, "algorithm"), "%s does not go with several servers, which do not hear of the ends of services", spec.Name)
	}
}

func needsService(spec *algorithms.Spec) string {
	return spec.Name + " holds a request until its service ends, and the scenario has no service; give it one, such as service: {workers: 4, time: 100ms}"
}

// checkLane has everything built that a limiter enforces besides its own policy, when that is in
// order.
func (c *checker) checkLane(x candidate, maker algorithms.Maker, rules []rule, fail func(path, message string)) {
	if maker == nil || !c.scenario.hasSystem() {
		return
	}
	for _, path := range []string{"limits", "tiers", "endpoints", "changes", "load", "servers", "service"} {
		if c.bad[path] {
			return
		}
	}
	l := lane{scenario: c.scenario, entry: x.entry, path: x.path, fail: fail}
	l.limiter = sim.Limiter{Name: x.name, Spec: x.spec, Policy: x.policy, Maker: maker, Scheme: x.scheme}
	l.enforced(rules)
	l.shared()
}

// limitMissing notes that a limiter has no limit, unless there is one that is wrong.
func (c *checker) limitMissing(x candidate) {
	switch {
	case c.bad["limit"] || x.path != "" && c.bad[join(x.path, "limit")]:
	case x.path == "":
		c.fail("limit", `"limit" is missing; write one for all, such as limit: 100/m, or list limiters with a limit each`)
	default:
		c.fail(join(x.path, "limit"), `%s has no limit; give it one, or write one for all at the top of the file`, quoted(x.name))
	}
}

// checkNames sees to it that every limiter has a name of its own.
func (c *checker) checkNames() {
	lines := map[string]int{}
	for i, l := range c.scenario.Limiters {
		path, name := index("limiters", i), l.Called()
		line, taken := lines[name]
		if taken && name != "" {
			c.fail(path, "a second limiter called %s (the first is on line %d); give it a name of its own, such as name: %s-2",
				quoted(name), line, visible(name))
			continue
		}
		lines[name] = c.span(path).line
	}
}

// fieldPath is where a field of a limiter's policy stands in the file.
func (c *checker) fieldPath(x candidate, policyField string) string {
	key := policyField
	if key == "per" {
		key = "limit"
	}
	if x.path != "" && (c.has(join(x.path, key)) || key != "limit" && key != "burst") {
		return join(x.path, key)
	}
	return key
}

// policyErrors takes a joined error apart.
func policyErrors(err error) []*algorithms.PolicyError {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*algorithms.PolicyError
		for _, e := range joined.Unwrap() {
			all = append(all, policyErrors(e)...)
		}
		return all
	}
	var one *algorithms.PolicyError
	if errors.As(err, &one) {
		return []*algorithms.PolicyError{one}
	}
	return nil
}
