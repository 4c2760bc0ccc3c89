package traffic

import "github.com/b6db88e4/ratesim/sim/random"

// onOff lets a Poisson process through during on periods and has it stand still during off periods.
// Both have Pareto lengths: many short ones, and now and then a very long one.
//
//	on  ──┐     ┌┐   ┌────────────────────┐
//	off   └─────┘└───┘                    └──
//
// The periods run on through parts that adjoin one another: cutting a rate into several parts does
// not touch them. After a pause, which includes a burst that takes time and a part whose rate is
// zero, they begin anew with an on period, so that a pause of years costs nothing. They have a
// random stream of their own: another rate leaves them as they are.
//
// Each period is a step, so the work for a part grows with its length over their mean.
type onOff struct {
	flow    flow
	periods periods
	last    Time // the last instant of the part
}

// newOnOff wants mean lengths of 1 ns or more.
func newOnOff(p *Process, rng random.Stream) *onOff {
	return &onOff{periods: periods{
		rng:    rng,
		active: newPareto(p.Active, p.AlphaMilli),
		idle:   newPareto(p.Idle, p.AlphaMilli),
	}}
}

// begin sets the process to the start of a part, given the flow for it.
func (o *onOff) begin(p *Part, f flow) {
	adjoins := o.flow != nil && p.From == o.last+1
	o.flow, o.last = f, p.Until-1
	if !adjoins {
		o.periods.begin(p.From)
	}
	for o.periods.end < p.From {
		o.periods.next()
	}
	if !o.periods.on {
		o.standStill(p.From)
	}
}

func (o *onOff) next() (Time, bool) {
	o.flow.advance()
	for o.periods.on {
		if at, ok := o.flow.within(min(o.periods.end, o.last)); ok {
			return at, true
		}
		off := o.periods.end
		if off >= o.last {
			break
		}
		o.periods.next()
		o.standStill(off)
	}
	return 0, false
}

// standStill has the flow skip from an instant of an off period to the next on period, unless that
// is beyond the part.
func (o *onOff) standStill(off Time) {
	if on := o.periods.end; on < o.last {
		o.flow.skip(off, on)
		o.periods.next()
	}
}
