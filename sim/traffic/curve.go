package traffic

import (
	"github.com/b6db88e4/ratesim/sim/random"
	"math"
)

// curve is the area under a rate that changes over time: a ramp, a sine, or both. Arrivals under it
// are where the area reaches given targets.
//
//	rate │            ╱│          area(t) = r₀·t + (r₁ − r₀)·t²/(2D) + A·Period/π·sin²(π·t/Period)
//	  r₁ ┤          ╱  │
//	     │        ╱    │
//	     │      ╱      │          r₀ at t = 0, r₁ at t = D, and a sine of amplitude A
//	  r₀ ┤    ╱        │
//	     └────┼────────┼─ t
//	          0        D
//
// The last term is the integral of A·sin(2π·t/Period). All instants are in nanoseconds from the
// part's beginning.
type curve struct {
	from Time
	ramp ramp
	wave wave
	here point // the latest arrival, or the beginning

	last     uint64 // the last instant of the part,
	lastArea wide   // and the area up to it
}

// point is a point on the curve. The search for one handles its fields one by one, since Go does not
// keep a struct of this size in registers.
type point struct {
	t     uint64
	area  wide  // in units of 1/ramp.request of a request
	phase phase // of the sine
}

// begin sets the curve to the start of a part, D = Until − From > 0.
func (c *curve) begin(p *Part) {
	c.from = p.From
	c.ramp = newRamp(p)
	c.wave = newWave(p, &c.ramp)
	c.last = uint64(p.Until - p.From - 1)
	c.lastArea, _ = c.at(c.last)
	c.moveTo(0)
}

// at is the area up to an instant of the part, and the phase of the sine there.
func (c *curve) at(t uint64) (wide, phase) {
	area := c.ramp.area(t)
	if !c.wave.present {
		return area, phase{}
	}
	phase := c.wave.phase(t)
	return area.plus(c.wave.area(phase)), phase
}

func (c *curve) moveTo(t uint64) {
	c.here.t = t
	c.here.area, c.here.phase = c.at(t)
}

// maxGuesses is how often a search guesses before it halves: two or three nearly always do.
const maxGuesses = 12

// reach finds the earliest instant up to end at which the area is at least target, and moves there.
// endArea is the area up to end. Targets must not fall from call to call.
//
// The guesses are made in floating point, but the search keeps the target between two instants,
// compares whole numbers, and ends when the two are neighbours. On a ramp the area is exact, and the
// result does not depend on the guesses.
func (c *curve) reach(target wide, end uint64, endArea wide) bool {
	if !c.here.area.less(target) {
		return c.here.t <= end // several arrivals in one nanosecond
	}
	if endArea.less(target) {
		return false
	}
	short, enough, enoughArea := c.here.t, end, endArea
	t, area, phase := c.here.t, c.here.area, c.here.phase
	for tries := 0; enough-short > 1; tries++ {
		switch {
		case tries > maxGuesses:
			t = short + (enough-short)/2
		case t == short:
			t += clamp(math.Ceil(c.distance(t, phase, target.minus(area).float())), enough-short-1)
		case tries == 1 && !c.wave.present:
			t-- // a first guess that is enough is nearly always the answer
		default:
			t -= clamp(math.Floor(-c.distance(t, phase, -area.minus(target).float())), enough-short-1)
		}
		area, phase = c.at(t)
		if area.less(target) {
			short = t
		} else {
			enough, enoughArea, c.here.phase = t, area, phase
		}
	}
	if enough == end {
		_, c.here.phase = c.at(end)
	}
	c.here.t, c.here.area = enough, enoughArea
	return true
}

// clamp turns a distance into a whole number from 1 to most. Whatever is not a number counts as most.
func clamp(distance float64, most uint64) uint64 {
	if !(distance < float64(most)) {
		return most
	}
	return min(most, uint64(int64(max(1, distance))))
}

// distance is how far from t the area has grown by growth, where the rate goes on as a straight line:
// the root nearest to 0 of rate·d + bend·d² = growth, in the form that stays exact for a small bend.
//
// The explicit conversions keep the compiler from fusing multiplications and additions, so that even
// the guesses are the same on every machine.
func (c *curve) distance(t uint64, p phase, growth float64) float64 {
	rate, bend := c.ramp.slope(t)
	if c.wave.present {
		waveRate, waveBend := c.wave.slope(p)
		quarter := float64(c.wave.quarter * (rate + waveRate)) // what a quarter of a period adds
		if math.Abs(growth) < quarter {
			rate, bend = rate+waveRate, bend+waveBend
		} // else the sine evens out on the way
	}
	root := math.Sqrt(max(0, float64(rate*rate)+float64(4*bend*growth)))
	return 2 * growth / (rate + root)
}

// evenCurve gives the arrivals 0, 1, 2, … of a part under its curve.
type evenCurve struct {
	curve
	target wide
}

func (e *evenCurve) begin(p *Part) {
	e.curve.begin(p)
	e.target = wide{}
}

func (e *evenCurve) next() (Time, bool) {
	if !e.reach(e.target, e.last, e.lastArea) {
		return 0, false
	}
	e.target = e.target.plus(e.ramp.request)
	return e.from + Time(e.here.t), true
}

// poissonCurve gives the arrivals of a Poisson process under a part's curve: the targets are running
// sums of exponential times of mean 1. It is a flow.
type poissonCurve struct {
	curve
	rng    *random.Stream
	target wide   // the sum, in units of the area,
	frac   uint64 // and its fraction of 2⁶⁴ of a unit

	end     uint64 // where the latest search ended at the latest,
	endArea wide   // and the area up to it
}

func (c *poissonCurve) begin(p *Part) {
	c.curve.begin(p)
	c.target, c.frac = wide{}, 0
	c.end, c.endArea = c.last, c.lastArea
}

func (c *poissonCurve) next() (Time, bool) {
	c.advance()
	return c.within(c.from + Time(c.last))
}

func (c *poissonCurve) advance() {
	e := c.rng.Exponential()
	whole, frac := c.ramp.request.timesFraction(e.Frac)
	c.target = c.target.plus(c.ramp.request.times(e.Whole)).plus(whole)
	c.frac += frac
	if c.frac < frac {
		c.target = c.target.plus(wide{w0: 1})
	}
}

// within searches for the target rounded up, since the area is a whole number.
func (c *poissonCurve) within(end Time) (Time, bool) {
	if t := c.instant(end); t != c.end {
		c.end = t
		c.endArea, _ = c.at(t)
	}
	target := c.target
	if c.frac != 0 {
		target = target.plus(wide{w0: 1})
	}
	ok := c.reach(target, c.end, c.endArea)
	return c.from + Time(c.here.t), ok
}

// skip moves the target by the area between the two instants. What is pending is then later than on.
func (c *poissonCurve) skip(off, on Time) {
	before, _ := c.at(c.instant(off))
	c.moveTo(c.instant(on))
	c.target = c.target.plus(c.here.area.minus(before))
}

// instant counts from the part's beginning.
func (c *poissonCurve) instant(at Time) uint64 { return uint64(at - c.from) }
