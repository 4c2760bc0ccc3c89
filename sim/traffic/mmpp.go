package traffic

import (
	"github.com/b6db88e4/ratesim/sim/random"
	"math/bits"
)

// mmpp is a Markov-modulated Poisson process: Poisson arrivals whose rate is that of the state in
// which a chain is. As with [onOff], the chain runs on through parts that adjoin one another, begins
// anew in state 0 after a pause, and has a random stream of its own; each change of state is a step.
//
// A Poisson process has no memory, so at a change of state the wait for the next arrival is drawn
// afresh at the new rate.
type mmpp struct {
	clock clock
	chain chain
	begun bool
}

func newMMPP(p *Process, draws *random.Stream, stays random.Stream) *mmpp {
	return &mmpp{clock: clock{rng: draws}, chain: newChain(p, stays)}
}

func (m *mmpp) begin(p *Part) {
	if !m.begun || p.From != m.clock.last+1 {
		m.chain.begin(p.From)
	}
	m.begun, m.clock.last = true, p.Until-1
	for m.chain.end < p.From {
		m.chain.next()
	}
	m.clock.restart(p.From, m.chain.interval())
}

func (m *mmpp) next() (Time, bool) {
	m.clock.advance()
	for {
		if at, ok := m.clock.within(min(m.chain.end, m.clock.last)); ok {
			return at, true
		}
		change := m.chain.end
		if change >= m.clock.last {
			return 0, false
		}
		m.chain.next()
		m.clock.restart(change, m.chain.interval())
		m.clock.advance()
	}
}

// chain is a Markov chain in continuous time.
type chain struct {
	rng      random.Stream
	states   []state
	now      int // index of the present state
	timeline     // its end is the present state's: an arrival at that instant is still of the state
}

type state struct {
	interval interval
	stay     uint64 // mean time in the state, in ns
}

func newChain(p *Process, rng random.Stream) chain {
	states := make([]state, len(p.Rates))
	for i, rate := range p.Rates {
		states[i] = state{newInterval(rate), uint64(p.Stay[i])}
	}
	return chain{rng: rng, states: states}
}

// silent reports that no state has arrivals.
func (c *chain) silent() bool {
	for _, s := range c.states {
		if s.interval.n != 0 {
			return false
		}
	}
	return true
}

func (c *chain) interval() interval { return c.states[c.now].interval }

func (c *chain) begin(at Time) {
	c.timeline.begin(at)
	c.now = 0
	c.stay()
}

// next changes to one of the other states with equal chance.
func (c *chain) next() {
	if others := uint64(len(c.states) - 1); others > 0 {
		pick, _ := bits.Mul64(c.rng.Uint64(), others)
		if int(pick) >= c.now {
			pick++
		}
		c.now = int(pick)
	}
	c.stay()
}

// stay draws how long the present state lasts: an exponential time.
func (c *chain) stay() { c.extend(c.rng.Exponential().Times(c.states[c.now].stay)) }
