package tui

import (
	"math/bits"

	"github.com/b6db88e4/ratesim/sim"
)

// port is the part of a run that is on screen: [from, from+span).
type port struct{ from, span sim.Time }

// column is which of n columns an instant falls into: −1 before the first, n after the last.
func (p port) column(t sim.Time, n int) int {
	switch {
	case t < p.from:
		return -1
	case t >= p.from+p.span:
		return n
	}
	return int(scaled(t-p.from, sim.Time(n), p.span))
}

// start is the first instant of a column of n.
func (p port) start(column, n int) sim.Time {
	hi, lo := bits.Mul64(uint64(column), uint64(p.span))
	q, rest := bits.Div64(hi, lo, uint64(n))
	if rest > 0 {
		q++
	}
	return p.from + sim.Time(q)
}

// zoomed is the port at another span, with at staying where it is on screen.
func (p port) zoomed(span, at, duration sim.Time) port {
	at = min(max(at, p.from), p.from+p.span)
	out := port{at - scaled(at-p.from, span, p.span), span}
	return out.within(duration)
}

// within moves the port so that it lies in [0, duration).
func (p port) within(duration sim.Time) port {
	p.span = min(p.span, duration)
	p.from = max(min(p.from, duration-p.span), 0)
	return p
}

// showing is the port moved, if it must be, so that at is on screen: a quarter in from the side
// that it has moved over.
func (p port) showing(at, duration sim.Time) port {
	switch {
	case at < p.from:
		p.from = at - p.span*3/4
	case at >= p.from+p.span:
		p.from = at - p.span/4
	}
	return p.within(duration)
}

// scaled is t·by/of, rounded down, for t of at most of.
func scaled(t, by, of sim.Time) sim.Time {
	if of <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(t), uint64(by))
	if hi >= uint64(of) {
		return by
	}
	q, _ := bits.Div64(hi, lo, uint64(of))
	return sim.Time(q)
}
