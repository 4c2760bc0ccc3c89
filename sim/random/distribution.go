package random

import (
	"math/bits"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Kind is a shape that lengths of time have.
type Kind uint8

// What a service or a network takes.
const (
	Constant    Kind = iota // always the same
	Exponential             // mostly short, without memory: however long it has taken, the rest is as long as the whole
	LogNormal               // around a median, with few very long ones: the logarithm is normal
)

// Distribution is a distribution of lengths of time.
type Distribution struct {
	Kind       Kind
	Time       Time  // the length, the mean, or the median
	SigmaMilli int64 // LogNormal: standard deviation of the logarithm, in thousandths, 1 to 5000
}

// longest is the length to which a longer one is cut: 73 years, so that a few of them still add up to
// an instant.
const longest = uint64(algorithms.Never/4) - 1

// Draw draws a length, 0 or more. Exponential and log-normal lengths are rounded up to whole
// nanoseconds, so they are 1 or more unless Time is 0. A length beyond 73 years, a quarter of what a
// Time can tell, comes out as just below that.
func (d *Distribution) Draw(s *Stream) Time {
	most := min(uint64(max(0, d.Time)), longest)
	switch d.Kind {
	case Exponential:
		return Time(scaled(most, s.Exponential()))
	case LogNormal:
		return Time(d.logNormal(most, s))
	}
	return Time(most)
}

// scaled is mean·e rounded up, at least 1 unless the mean is 0, and at most longest.
func scaled(mean uint64, e Fixed) uint64 {
	if hi, _ := bits.Mul64(mean, e.Whole+1); hi != 0 {
		return longest
	}
	return capped(e.Times(mean), mean)
}

// capped is f rounded up, at least 1 unless the scale is 0, and at most longest.
func capped(f Fixed, scale uint64) uint64 {
	switch {
	case f.Whole >= longest:
		return longest
	case f.Frac != 0 || f.Whole == 0 && scale > 0:
		return f.Whole + 1
	}
	return f.Whole
}
