package algorithms

import "time"

// Windows anchored to the clock have their edges at multiples of P since the Unix epoch. Edges are
// uint64 nanoseconds since the run began: one period past the last Time still fits.

// firstEdge is the first edge after instant 0.
func firstEdge(p Policy) uint64 {
	return uint64(p.Limit.Per) - phase(p.Start, p.Limit.Per)
}

// phase is how far instant 0 lies into its window.
func phase(start int64, period time.Duration) uint64 {
	into := start % int64(period)
	if into < 0 {
		into += int64(period)
	}
	return uint64(into)
}

// passEdges counts the edges in [edge, now], at least one, and gives the first edge after now.
func passEdges(edge, period uint64, now Time) (passed, next uint64) {
	if late := uint64(now) - edge; late >= period {
		passed = late / period
		edge += passed * period
	}
	return passed + 1, edge + period
}

// began is the instant some length before an edge, not before instant 0.
func began(edge, length uint64) Time {
	if edge <= length {
		return 0
	}
	return instant(edge - length)
}
