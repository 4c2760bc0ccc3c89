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

// Overrides replace parts of a scenario for one plan. The zero value replaces nothing.
type Overrides struct {
	// Algorithms are the limiters to run, in this order, by the name of an entry or of an
	// algorithm, which stands for all entries of it. An algorithm that is not in the scenario's list
	// comes in under the scenario's policy.
	Algorithms []string

	// Limit and Burst are put to every limiter in place of the main limit, or of the first where
	// there is none. Further limits, those of tiers and endpoints, and changes stay as they are, and
	// so do limiters that count what is in flight.
	Limit *algorithms.Limit
	Burst *int64

	Set      []string // OPTION=VALUE, put to every limiter that has the option
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
		if err == nil && l.system != nil {
			limiter, err = l.surrounded(c, limiter)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, limiter)
	}
	return out, nil
}

// surrounded is a limiter with what it enforces under every rule.
func (l *Loaded) surrounded(c candidate, limiter sim.Limiter) (sim.Limiter, error) {
	var mistakes []error
	x := lane{scenario: l.Scenario, limiter: limiter, entry: c.entry, path: c.path, fail: func(_, message string) {
		mistakes = append(mistakes, errors.New(visible(message)))
	}}
	limiter.Enforced = x.enforced(l.rules)
	limiter.System = c.entry.apart(l.Scenario, l.system)
	x.shared()
	return limiter, errors.Join(mistakes...)
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
	if spec.Holds && l.Scenario.Service == nil {
		return nil, errors.New(needsService(spec))
	}
	return []candidate{l.Scenario.under(spec, l.Scenario.first())}, nil
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
	switch {
	case over.Limit != nil && c.spec.Holds:
		p.Limit.Per = over.Limit.Per // in which peaks are counted
	case over.Limit != nil:
		p.Limit = *over.Limit
	}
	if over.Burst != nil && !c.spec.Holds {
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
	return sim.Limiter{Name: c.name, Spec: c.spec, Policy: p, Maker: maker, Scheme: c.scheme}, nil
}
