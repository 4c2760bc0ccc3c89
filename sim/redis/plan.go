package redis

import (
	"errors"
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
	out := *plan
	out.Limiters = slices.Clone(plan.Limiters)
	for i := range out.Limiters {
		l := &out.Limiters[i]
		if err := Fits(plan, l); err != nil {
			return nil, fmt.Errorf("%s: a store cannot decide it, %w", l.Name, err)
		}
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

// Why a store cannot decide a limiter.
var (
	ErrScript = errors.New("for want of a script")
	ErrChange = errors.New("for a limit that changes, which no script does")
	ErrScheme = errors.New("for a scheme other than central-atomic, by which a store decides")
)

// Fits says why a store cannot decide a limiter of a plan: one of the errors above, nil if it can.
func Fits(plan *sim.Plan, l *sim.Limiter) error {
	if !decides(l.Spec) {
		return ErrScript
	}
	for _, e := range l.Enforced {
		switch {
		case !decides(e.Spec):
			return ErrScript
		case len(e.Changes) > 0 || e.Loaded != nil:
			return ErrChange
		}
	}
	if plan.System != nil && plan.System.Servers != nil && l.Scheme != servers.CentralAtomic {
		return ErrScheme
	}
	return nil
}

// decides reports whether a store can decide by an algorithm.
func decides(spec *algorithms.Spec) bool { return slices.Contains(Algorithms(), spec.Name) }
