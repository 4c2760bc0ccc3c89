package redis

import (
	"fmt"
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Plan is a plan whose limiters all decide in the store. It is for one run: a second one would go on
// with other keys, from the start.
func (s *Store) Plan(plan *sim.Plan) (*sim.Plan, error) {
	return replaced(plan, func(_ int, name string, e sim.Enforced) (algorithms.Maker, error) {
		return s.maker(name, e.Spec, e.Policy)
	})
}

// Check is a plan whose limiters are decided by the model and compared with the store, and what
// compares them, by limiter. It is for one run.
func (s *Store) Check(plan *sim.Plan) (*sim.Plan, [][]*Checker, error) {
	checkers := make([][]*Checker, len(plan.Limiters))
	twins, err := replaced(plan, func(i int, name string, e sim.Enforced) (algorithms.Maker, error) {
		m, err := s.maker(name, e.Spec, e.Policy)
		if err != nil {
			return nil, err
		}
		c := &Checker{model: e.Maker, store: m}
		checkers[i] = append(checkers[i], c)
		return c, nil
	})
	return twins, checkers, err
}

// replaced is a plan with another maker for each of its limiters, or for each limit that a limiter
// enforces. The names are unique.
func replaced(plan *sim.Plan, maker func(limiter int, name string, e sim.Enforced) (algorithms.Maker, error)) (*sim.Plan, error) {
	if err := fits(plan); err != nil {
		return nil, err
	}
	out := *plan
	out.Limiters = slices.Clone(plan.Limiters)
	for i := range out.Limiters {
		l := &out.Limiters[i]
		enforced := slices.Clone(l.Enforced)
		if len(enforced) == 0 {
			enforced = []sim.Enforced{{Spec: l.Spec, Policy: l.Policy, Maker: l.Maker}}
		}
		for rule, e := range enforced {
			name := l.Name
			if rule > 0 {
				name = fmt.Sprintf("%s:rule-%d", l.Name, rule)
			}
			m, err := maker(i, name, e)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", l.Name, err)
			}
			enforced[rule].Maker = m
		}
		l.Maker = enforced[0].Maker
		if len(l.Enforced) > 0 {
			l.Enforced = enforced
		}
	}
	return &out, nil
}

// fits says why a plan cannot be decided by a store.
func fits(plan *sim.Plan) error {
	for i := range plan.Limiters {
		l := &plan.Limiters[i]
		if plan.System != nil && plan.System.Servers != nil && l.Scheme != servers.CentralAtomic {
			return fmt.Errorf("%s: a store decides by the scheme central-atomic only", l.Name)
		}
		for _, e := range l.Enforced {
			if len(e.Changes) > 0 || e.Loaded != nil {
				return fmt.Errorf("%s: a limit that changes has no script for a store", l.Name)
			}
		}
	}
	return nil
}
