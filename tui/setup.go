package tui

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// setup is what a run is made from. It is never changed.
type setup struct {
	title, lesson, watch string
	notes                []string
	plan                 *sim.Plan

	scenario *scenarios.Scenario // nil for a plan that comes from no scenario
	opened   *scenarios.Scenario // what it was at first
	original *scenarios.Loaded   // as it was read, before overrides
	name     string              // of the built-in scenario, or the path of the file
	folder   string              // where its trace files are looked for
}

// newSetup is the setup of a scenario with overrides, which become part of it.
func newSetup(l *scenarios.Loaded, over scenarios.Overrides) (*setup, error) {
	plan, err := l.Plan(over)
	if err != nil {
		return nil, err
	}
	s := &setup{
		title: l.Scenario.Name, lesson: l.Scenario.Lesson, watch: l.Scenario.Watch, notes: l.NotesUnder(over),
		plan: plan, scenario: folded(l.Scenario, over, plan), original: l, name: l.Name, folder: ".",
	}
	s.opened = s.scenario
	if l.Path != "" {
		s.folder = filepath.Dir(l.Path)
	}
	if s.title == "" {
		s.title = l.Name
	}
	return s, nil
}

// folded is the scenario with overrides written into it.
func folded(s *scenarios.Scenario, over scenarios.Overrides, plan *sim.Plan) *scenarios.Scenario {
	out := cloned(s)
	limit, burst := out.First()
	if over.Limit != nil {
		*limit = *over.Limit
	}
	if over.Burst != nil {
		*burst = *over.Burst
	}
	if over.Seed != nil {
		out.Seed = over.Seed
	}
	if over.Duration != nil {
		out.Duration = *over.Duration
	}
	if len(over.Algorithms) > 0 || len(over.Set) > 0 || len(s.Limiters) > 0 && (over.Limit != nil || over.Burst != nil) {
		out.SetLimiters(entries(plan.Limiters, out))
	}
	return out
}

// entries are limiters as a scenario lists them, leaving out what they have from the scenario.
func entries(limiters []sim.Limiter, s *scenarios.Scenario) []scenarios.Limiter {
	var out []scenarios.Limiter
	limit, burst := s.First()
	for _, l := range limiters {
		e := listed(s, l.Name) // what else it says stays
		e.Algorithm, e.Name, e.Limit, e.Burst = l.Spec.Name, "", algorithms.Limit{}, 0
		e.Options = maps.Clone(l.Policy.Options)
		if l.Name != e.Called() {
			e.Name = l.Name
		}
		if l.Policy.Limit != *limit && !l.Spec.Holds {
			e.Limit = l.Policy.Limit
		}
		if l.Policy.Burst != *burst && !l.Spec.Holds {
			e.Burst = l.Policy.Burst
			if e.Burst == 0 {
				e.Burst = l.Policy.Capacity() // the scenario's burst does not apply
			}
		}
		if len(e.Options) == 0 {
			e.Options = nil
		}
		out = append(out, e)
	}
	return out
}

// changed is the setup with another scenario, which is checked as a file would be.
func (s *setup) changed(to *scenarios.Scenario) (*setup, error) {
	check := *to
	check.Expect = nil // no longer what is to be expected
	l, err := scenarios.FromScenario(&check, s.name, s.folder)
	if err != nil {
		return nil, err
	}
	plan, err := l.Plan(scenarios.Overrides{})
	if err != nil {
		return nil, err
	}
	out := *s
	out.scenario, out.plan, out.notes = to, plan, l.Notes
	return &out, nil
}

// same reports whether two scenarios are written alike.
func same(a, b *scenarios.Scenario) bool {
	left, errLeft := scenarios.Marshal(a)
	right, errRight := scenarios.Marshal(b)
	return errLeft == nil && errRight == nil && bytes.Equal(left, right)
}

// cloned is a copy that shares nothing that an edit changes.
func cloned(s *scenarios.Scenario) *scenarios.Scenario {
	out := *s
	out.Limiters = slices.Clone(s.Limiters)
	for i := range out.Limiters {
		out.Limiters[i].Options = maps.Clone(out.Limiters[i].Options)
	}
	out.Tiers, out.Limits = slices.Clone(s.Tiers), slices.Clone(s.Limits)
	out.Traffic = slices.Clone(s.Traffic)
	for i := range out.Traffic {
		source := &out.Traffic[i]
		source.Phases = slices.Clone(source.Phases)
		for j := range source.Phases {
			source.Phases[j].Sine = copyOf(source.Phases[j].Sine)
		}
		source.Clients = copyOf(source.Clients)
		source.Requests.Trace = copyOf(source.Requests.Trace)
	}
	return &out
}

// copyOf is a pointer to a copy; nil of nil.
func copyOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// entry is the entry of a limiter in a scenario's list, which is made if there is none.
func entry(s *scenarios.Scenario, name string) *scenarios.Limiter {
	s.Limiters = s.Listed()
	for i := range s.Limiters {
		if l := &s.Limiters[i]; l.Called() == name {
			return l
		}
	}
	return nil
}
