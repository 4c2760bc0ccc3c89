package traffic

import "math/rand/v2"

// flow is a Poisson process whose arrivals are found one at a time. Between pending arrivals it can
// be made to stand still, which is how on-off traffic is made of it.
type flow interface {
	times

	// advance draws the next arrival, which is then pending.
	advance()
	// within reports the pending arrival if it is not later than end.
	within(end Time) (Time, bool)
	// skip has the process stand still from off to on: what is pending comes that much later, as far
	// as the rate allows. The pending arrival must be later than off.
	skip(off, on Time)
}

// clock is a Poisson process of constant rate. It stands at an arrival of the process on the line of
// real numbers, exactly: at now + rest/(n·2⁶⁴) nanoseconds, where n is the pace's. Each arrival is
// rounded up to a nanosecond, and the rounding of one does not touch the next.
type clock struct {
	rng  *rand.PCG
	pace pace
	last Time // the last instant at which an arrival counts
	now  fixed
	rest uint64
}

// beyond is a whole number of nanoseconds later than every Time.
const beyond = 1 << 63

// restart has the process begin afresh at an instant.
func (c *clock) restart(start Time, p pace) {
	c.pace, c.now, c.rest = p, fixed{whole: uint64(start)}, 0
	if p.idle {
		c.now.whole = beyond
	}
}

func (c *clock) next() (Time, bool) {
	c.advance()
	return c.within(c.last)
}

// advance adds e·P/N nanoseconds for an exponential time e of mean 1. With P/N = whole + part/n that
// is e·whole, in which nothing is lost, and e·part/n, whose remainder is kept.
//
// The time added is below 48 · 3.2·10¹⁷ ns (the longest period), which fits.
func (c *clock) advance() {
	e := exponential(c.rng)
	step := e.times(c.pace.whole)
	if c.pace.part != 0 {
		step = step.plus(c.fraction(e))
	}
	next := c.now.plus(step)
	if next.whole < step.whole { // past 2⁶⁴ ns
		next.whole = beyond
	}
	c.now = next
}

// fraction is e·part/n, rounded down to a multiple of 2⁻⁶⁴; it moves what falls below that to rest.
func (c *clock) fraction(e fixed) fixed {
	n := c.pace.n
	f, rest := e.times(c.pace.part).divide(n)
	c.rest += rest
	if c.rest >= n {
		c.rest -= n
		f = f.plus(fixed{0, 1})
	}
	return f
}

func (c *clock) within(end Time) (Time, bool) {
	if c.now.whole > uint64(end) {
		return 0, false
	}
	at := Time(c.now.whole)
	if c.now.frac|c.rest != 0 {
		at++
	}
	return at, at <= end
}

func (c *clock) skip(off, on Time) {
	if c.now.whole < beyond { // else it stays there; off and on are Times, so the sum fits
		c.now.whole += uint64(on - off)
	}
}
