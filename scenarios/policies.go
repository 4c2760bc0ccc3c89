package scenarios

import (
	"errors"
	"fmt"

	"github.com/b6db88e4/ratesim/algorithms"
)

// candidate is a limiter that may be run: an entry of the scenario's list, or an algorithm under
// the scenario's policy.
type candidate struct {
	name   string
	spec   *algorithms.Spec
	policy algorithms.Policy
	path   string // of its entry; "" if it has none
}

// candidates are the limiters of the scenario in order: its list, or else every algorithm.
func (s *Scenario) candidates() []candidate {
	var out []candidate
	if len(s.Limiters) == 0 {
		for _, spec := range algorithms.Defaults() {
			out = append(out, s.under(spec))
		}
		return out
	}
	for i, l := range s.Limiters {
		if spec, ok := algorithms.Lookup(l.Algorithm); ok {
			out = append(out, s.listed(l, spec, index("limiters", i)))
		}
	}
	return out
}

// under is an algorithm under the scenario's own policy.
func (s *Scenario) under(spec *algorithms.Spec) candidate {
	return candidate{
		name:   spec.Name,
		spec:   spec,
		policy: algorithms.Policy{Limit: s.Limit, Burst: s.Burst, Start: s.startNanos()},
	}
}

// listed is an entry of the list. What it leaves out it has from the scenario.
func (s *Scenario) listed(l Limiter, spec *algorithms.Spec, path string) candidate {
	c := s.under(spec)
	c.path = path
	if l.Name != "" {
		c.name = l.Name
	}
	if l.Limit.Per != 0 {
		c.policy.Limit = l.Limit
	}
	if l.Burst != 0 {
		c.policy.Burst = l.Burst
	}
	c.policy.Options = l.Options
	return c
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
	seen := map[string]bool{} // one mistake in the scenario's policy is one mistake, not nine
	for _, x := range c.scenario.candidates() {
		if x.policy.Limit.Per == 0 {
			c.limitMissing(x)
			continue
		}
		if c.bad[x.path] && x.path != "" || c.bad["burst"] || c.bad["start"] {
			continue
		}
		_, err := x.spec.Build(x.policy)
		for _, e := range policyErrors(err) {
			path := c.fieldPath(x, e.Field)
			if message := fmt.Sprintf("%s: %s %s: %s", x.name, e.Field, quoted(e.Value), e.Reason); !seen[path+e.Reason] {
				seen[path+e.Reason] = true
				c.fail(path, "%s", visible(message))
			}
		}
	}
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
		path, name := index("limiters", i), l.Name
		if name == "" {
			name = l.Algorithm
		}
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
