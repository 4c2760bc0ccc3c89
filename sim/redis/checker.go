package redis

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Difference is a request that a store decided otherwise than the model.
type Difference struct {
	Step         sim.Step // the request, as the run has it; its Decision is the model's
	Model, Store algorithms.Decision
}

// asked is how many questions a checker sends at once.
const asked = 500

// Checker is one limiter of a run that is decided twice: by the model, whose answer the run takes, and
// by a store, whose answers are compared with it some time later. It is the Maker of the limiter, and
// must be the Observer of its run. What the run asks When is not compared.
type Checker struct {
	model algorithms.Maker
	store *maker
	step  sim.Step // the request being decided

	waiting   []pending
	questions []question
	compared  int64
	first     *Difference
}

// pending is a decision of the model that has not been compared.
type pending struct {
	step  sim.Step
	model algorithms.Decision
}

// Checker compares a limiter of a plan with its script.
func (s *Store) Checker(l *sim.Limiter) (*Checker, error) {
	m, err := s.maker(l.Name, l.Spec, l.Policy)
	if err != nil {
		return nil, err
	}
	return &Checker{model: l.Maker, store: m}, nil
}

// Asked implements sim.Observer.
func (c *Checker) Asked(step sim.Step, _ algorithms.Limiter) { c.step = step }

// Answered implements sim.Observer.
func (c *Checker) Answered(sim.Step) {}

// New implements algorithms.Maker.
func (c *Checker) New() algorithms.Limiter {
	return &twin{Limiter: c.model.New(), checker: c, store: c.store.New().(*limiter)}
}

// Compared is how many decisions have been compared, up to and with the first that differs.
func (c *Checker) Compared() int64 { return c.compared }

// Difference is the first decision that differs, nil if none does. What comes after it is not
// compared: the states differ from there on.
func (c *Checker) Difference() *Difference { return c.first }

// Finish compares what has not been compared yet. It is called when the run is over.
func (c *Checker) Finish() {
	answers := c.store.store.answers(c.questions)
	for i, d := range answers {
		if c.first != nil {
			break
		}
		c.compared++
		if p := c.waiting[i]; d != p.model {
			c.first = &Difference{Step: p.step, Model: p.model, Store: d}
		}
	}
	c.waiting, c.questions = c.waiting[:0], c.questions[:0]
}

// twin is one key's limiter in the model, beside its state in the store.
type twin struct {
	algorithms.Limiter
	checker *Checker
	store   *limiter
}

// Decide implements algorithms.Limiter.
func (t *twin) Decide(now algorithms.Time, cost int64) algorithms.Decision {
	d := t.Limiter.Decide(now, cost)
	c := t.checker
	if c.first != nil {
		return d
	}
	c.waiting = append(c.waiting, pending{c.step, d})
	c.questions = append(c.questions, t.store.decide(now, cost))
	if len(c.questions) == asked {
		c.Finish()
	}
	return d
}
