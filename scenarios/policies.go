package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
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
		for _, spec := range algorithms.Specs() {
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

// Overrides replace parts of a scenario for one plan. The zero value replaces nothing.
type Overrides struct {
	// Algorithms are the limiters to run, in this order, by the name of an entry or of an
	// algorithm, which stands for all entries of it. An algorithm that is not in the scenario's list
	// comes in under the scenario's policy.
	Algorithms []string

	Limit    *algorithms.Limit // put to every limiter
	Burst    *int64            // put to every limiter
	Set      []string          // OPTION=VALUE, put to every limiter that has the option
	Seed     *uint64
	Duration *time.Duration
}

// limiters are the limiters of a plan.
func (l *Loaded) limiters(over Overrides) ([]sim.Limiter, error) {
	chosen, err := l.choose(over.Algorithms)
	if err != nil {
		return nil, err
	}
	options, err := settings(over.Set, chosen)
	if err != nil {
		return nil, err
	}
	var out []sim.Limiter
	for _, c := range chosen {
		limiter, err := c.build(over, options)
		if err != nil {
			return nil, err
		}
		out = append(out, limiter)
	}
	return out, nil
}

// choose picks candidates by name, each once.
func (l *Loaded) choose(names []string) ([]candidate, error) {
	all := l.Scenario.candidates()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []candidate
	for _, name := range names {
		found, err := l.named(name, all)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if !slices.ContainsFunc(chosen, func(c candidate) bool { return c.name == f.name }) {
				chosen = append(chosen, f)
			}
		}
	}
	return chosen, nil
}

// named finds the candidates that a name stands for.
func (l *Loaded) named(name string, all []candidate) ([]candidate, error) {
	if i := slices.IndexFunc(all, func(c candidate) bool { return c.name == name }); i >= 0 {
		return all[i : i+1], nil
	}
	var found []candidate
	for _, c := range all {
		if c.spec.Name == name {
			found = append(found, c)
		}
	}
	if found != nil {
		return found, nil
	}
	spec, ok := algorithms.Lookup(name)
	if !ok {
		return nil, unknownLimiter(name, all)
	}
	return []candidate{l.Scenario.under(spec)}, nil
}

func unknownLimiter(name string, all []candidate) error {
	names := limiterNames(all)
	for _, a := range algorithmNames() {
		if !slices.Contains(names, a) {
			names = append(names, a)
		}
	}
	return fmt.Errorf("unknown algorithm %s%s; there are %s", quoted(name), suggestion(name, names), visible(strings.Join(names, ", ")))
}

func limiterNames(all []candidate) []string {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	return names
}

// settings reads OPTION=VALUE pairs; each option must be one that a limiter of the plan has.
func settings(set []string, chosen []candidate) (map[string]string, error) {
	options := map[string]string{}
	for _, text := range set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("--set %s: must be OPTION=VALUE, such as slots=10", quoted(text))
		}
		known := false
		for _, c := range chosen {
			o, has := c.spec.Option(name)
			if !has {
				continue
			}
			known = true
			if err := o.Check(value); err != nil {
				return nil, fmt.Errorf("--set %s: %s %w", quoted(text), name, err)
			}
		}
		if !known {
			return nil, unknownOption(name, chosen)
		}
		options[name] = value
	}
	return options, nil
}

func unknownOption(name string, chosen []candidate) error {
	var known []string
	for _, c := range chosen {
		for _, o := range optionNames(c.spec) {
			if !slices.Contains(known, o) {
				known = append(known, o)
			}
		}
	}
	if len(known) == 0 {
		return fmt.Errorf("--set: unknown option %s; none of the limiters that are run has options", quoted(name))
	}
	return fmt.Errorf("--set: unknown option %s%s; the limiters that are run have %s", quoted(name), suggestion(name, known), strings.Join(known, ", "))
}

// build makes the candidate ready, with the overrides in place of its own policy.
func (c candidate) build(over Overrides, options map[string]string) (sim.Limiter, error) {
	p := c.policy
	if over.Limit != nil {
		p.Limit = *over.Limit
	}
	if over.Burst != nil {
		p.Burst = *over.Burst
	}
	p.Options = map[string]string{}
	for _, o := range c.spec.Options {
		if value, ok := options[o.Name]; ok {
			p.Options[o.Name] = value
		} else if value, ok := c.policy.Options[o.Name]; ok {
			p.Options[o.Name] = value
		}
	}
	if p.Limit.Per == 0 {
		return sim.Limiter{}, fmt.Errorf("%s is not among the scenario's limiters, and there is no limit for it; give one with --limit", c.name)
	}
	maker, err := c.spec.Build(p)
	if err != nil {
		return sim.Limiter{}, fmt.Errorf("%s: %w", visible(c.name), err)
	}
	return sim.Limiter{Name: c.name, Spec: c.spec, Policy: p, Maker: maker}, nil
}
