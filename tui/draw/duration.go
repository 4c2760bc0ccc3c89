package draw

import (
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Lengths of time, in nanoseconds.
const (
	nanosecond  sim.Time = 1
	microsecond          = 1000 * nanosecond
	millisecond          = 1000 * microsecond
	second               = 1000 * millisecond
	minute               = 60 * second
	hour                 = 60 * minute
	day                  = 24 * hour
)

// Exact writes an instant or a length of time in full, in the units of a scenario file: 1m30s,
// 1.5ms, 7d. Of the units below a minute only one is used, with decimals.
func (s *Style) Exact(t sim.Time) string { return exact(t, s.glyphs.micro) }

// exact is Exact with a name for the microsecond.
func exact(t sim.Time, micro string) string {
	if t < 0 {
		return "-" + exact(-max(t, -algorithms.Never), micro)
	}
	var b strings.Builder
	for _, u := range []struct {
		length sim.Time
		name   string
	}{{day, "d"}, {hour, "h"}, {minute, "m"}} {
		if n := t / u.length; n > 0 {
			b.WriteString(strconv.FormatInt(int64(n), 10) + u.name)
			t %= u.length
		}
	}
	if t > 0 || b.Len() == 0 {
		b.WriteString(seconds(t, micro))
	}
	return b.String()
}

// seconds writes a time of less than a minute in full, with one unit.
func seconds(t sim.Time, micro string) string {
	unit, name := unitOf(t, micro)
	text := strconv.FormatInt(int64(t/unit), 10)
	if rest := t % unit; rest > 0 {
		decimals := strconv.FormatInt(int64(unit+rest), 10)[1:] // keeps the leading zeros
		text += "." + strings.TrimRight(decimals, "0")
	}
	return text + name
}

// unitOf is the largest of s, ms, µs and ns that t reaches; seconds for 0.
func unitOf(t sim.Time, micro string) (sim.Time, string) {
	switch {
	case t >= second || t == 0:
		return second, "s"
	case t >= millisecond:
		return millisecond, "ms"
	case t >= microsecond:
		return microsecond, micro
	}
	return nanosecond, "ns"
}

// Short writes a time to about three digits, in at most six cells: 12.3ms, 59.9s, 1h30m.
func (s *Style) Short(t sim.Time) string {
	if t < 0 || t >= 100_000*day {
		return s.glyphs.none
	}
	step := resolution(t)
	rounded := (t + step/2) / step * step
	if resolution(rounded) != step {
		return s.Short(rounded) // rounding has reached the next unit
	}
	return s.Exact(rounded)
}

// resolution is the step to which Short rounds t.
func resolution(t sim.Time) sim.Time {
	switch {
	case t < microsecond:
		return nanosecond
	case t < minute:
		return decimal(t)
	case t < hour:
		return second
	case t < day:
		return minute
	case t < 100*day:
		return hour
	}
	return day
}

// decimal is the power of ten that leaves three digits of t.
func decimal(t sim.Time) sim.Time {
	step := sim.Time(1)
	for t/step >= 1000 {
		step *= 10
	}
	return step
}

// per writes a limit as a scenario file does: 100/m, 7/3s.
func (s *Style) per(l algorithms.Limit) string { return compact(l.N, 9) + "/" + s.period(l) }

// period writes what a limit is per: m, 3s.
func (s *Style) period(l algorithms.Limit) string {
	period := s.Exact(sim.Time(l.Per))
	if len(period) > 1 && period[0] == '1' && !strings.ContainsAny(period[1:], "0123456789.") {
		period = period[1:] // one whole unit
	}
	return period
}
