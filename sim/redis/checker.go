package redis

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Difference is a decision that a store took otherwise than the model.
type Difference struct {
	Decided
	Store algorithms.Decision
}

// Decided is a decision of the model.
type Decided struct {
	Number int64 // of the limiter's decisions, from 0
	Key    int   // whose limiter decided, by dense id
	At     algorithms.Time
	Cost   int64
	Model  algorithms.Decision

	// Request is the request that was decided, as the run has it; nil where the run does not say. A
	// run of limiters alone does.
	Request *sim.Step
}

// asked is how many questions a checker sends at once.
const asked = 500

// Checker is the Maker of a limiter that decides twice: by the model, whose answer the run takes, and
// by a store, whose answers are compared with it some time later. As an Observer of the run it also
// knows the requests. What the run asks When is not compared.
type Checker struct {
	model algorithms.Maker
	store *maker

	request   *sim.Step // being decided; nil if the run does not say
	waiting   []Decided // not compared yet
	questions []question
	compared  int64
	first     *Difference
}

// Asked implements sim.Observer.
func (c *Checker) Asked(request sim.Step, _ algorithms.Limiter) { c.request = &request }

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
		if model := c.waiting[i]; d != model.Model {
			c.first = &Difference{model, d}
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
	c.waiting = append(c.waiting, Decided{
		Number: c.compared + int64(len(c.waiting)), Key: t.store.number,
		At: now, Cost: cost, Model: d, Request: c.request,
	})
	c.questions = append(c.questions, t.store.decide(now, cost))
	if len(c.questions) == asked {
		c.Finish()
	}
	return d
}
