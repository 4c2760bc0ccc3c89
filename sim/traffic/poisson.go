package traffic

import (
	"github.com/b6db88e4/ratesim/sim/random"
	"math"
	"math/bits"

	"github.com/b6db88e4/ratesim/algorithms"
)

// flow is a Poisson process whose arrivals are found one at a time. Between pending arrivals it can
// be made to stand still, which is how on-off traffic is made of it.
type flow interface {
	times

	// advance draws the next arrival, which is then pending.
	advance()
	// within reports the pending arrival if it is not later than end, an instant of the part.
	within(end Time) (Time, bool)
	// skip has the process stand still from off to on, instants of the part: what is pending, which
	// must be later than off, is put off by the area between them.
	skip(off, on Time)
}

// interval is the mean time P/N between two arrivals at a rate of N per P, in lowest terms.
type interval struct {
	n, per  uint64 // no arrivals at all: n is 0
	inverse uint64 // (2⁶⁴−1)/n, rounded down
}

func newInterval(rate algorithms.Limit) interval {
	n, per := reduced(rate)
	return interval{n, per, math.MaxUint64 / max(n, 1)}
}

// divide is x/n and the remainder, by a multiplication. The inverse is at most 1 too small, which
// makes the product less than 1 too small, and so its whole part too small by 0 or 1. Which of them
// cannot be foreseen: there is no branch.
func (i *interval) divide(x uint64) (quotient, rest uint64) {
	quotient = high(x, i.inverse)
	rest = x - quotient*i.n
	lower, borrow := bits.Sub64(rest, i.n, 0)
	return quotient + 1 - borrow, lower + i.n&-borrow
}

// clock is a Poisson process of constant rate. It stands at an arrival of the process on the line of
// real numbers, exactly: at ns + (rest + frac/2⁶⁴)/n. Each arrival is rounded up to a nanosecond, and
// the rounding of one does not touch the next.
type clock struct {
	rng      *random.Stream
	interval interval
	last     Time // the last instant at which an arrival counts
	ns       uint64
	rest     uint64 // below n
	frac     uint64
}

// beyond is later than every Time, in ns.
const beyond = 1 << 63

// begin sets the clock to the start of a part with a constant rate.
func (c *clock) begin(p *Part) {
	c.last = p.Until - 1
	c.restart(p.From, newInterval(p.Rate))
}

// restart has the process begin afresh at an instant.
func (c *clock) restart(start Time, i interval) {
	c.interval = i
	c.ns, c.rest, c.frac = uint64(start), 0, 0
	if i.n == 0 {
		c.ns = beyond
	}
}

func (c *clock) next() (Time, bool) {
	c.advance()
	return c.within(c.last)
}

// advance adds e·P/N nanoseconds for an exponential time e of mean 1.
//
// In units of 1/N ns that is e·P, below 48 · 3.2·10¹⁷ (the longest period) plus a remainder below
// 10¹²: it fits a word and needs no rounding.
func (c *clock) advance() {
	e := c.rng.Exponential().Times(c.interval.per).Plus(random.Fixed{Whole: c.rest, Frac: c.frac})
	step, rest := c.interval.divide(e.Whole)
	c.rest, c.frac = rest, e.Frac
	c.ns += step
	if c.ns < step { // past 2⁶⁴ ns
		c.ns = beyond
	}
}

func (c *clock) within(end Time) (Time, bool) {
	if c.ns > uint64(end) {
		return 0, false
	}
	at := Time(c.ns)
	if c.rest|c.frac != 0 {
		at++
	}
	return at, at <= end
}

func (c *clock) skip(off, on Time) {
	if c.ns < beyond { // else it stays there; off and on are Times, so the sum fits
		c.ns += uint64(on - off)
	}
}
