package sim

import (
	"math/bits"
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
)

// bucketStart is ceil(i·span/n).
func bucketStart(i, n int, span Time) Time {
	hi, lo := bits.Mul64(uint64(i), uint64(span))
	q, r := bits.Div64(hi, lo, uint64(n))
	if r > 0 {
		q++
	}
	return Time(q)
}

// recorder fills a Grid as time goes on. Everything comes in order of time, so the present bucket
// is a position that only moves forward.
type recorder struct {
	Grid
	now int  // the present bucket; Len() from Span on
	end Time // where it ends

	shown   uint32 // the key whose level is recorded
	gauge   algorithms.Gauged
	windows algorithms.Windowed
	edge    Time // the next window edge; Never without windows

	shownClient uint32        // whose limiter is shown, with a System
	shownKey    Key           // what else shares it
	flow        *flowRecorder // nil without a System
}

// noKey is the shown key of a recorder that shows none.
const noKey = ^uint32(0)

// newRecorder has at least one bucket and at most one for each nanosecond. The limiter is that of the
// shown key, nil if there is none.
func newRecorder(buckets int, span Time, shown uint32, limiter algorithms.Limiter) recorder {
	n := int(min(Time(max(buckets, 1)), max(span, 1)))
	g := recorder{shown: shown, edge: algorithms.Never}
	g.Span = span
	g.Admitted, g.Delayed, g.Denied, g.Released = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	g.Edges = make([]bool, n)
	g.end = g.Start(1)
	if gauge, ok := limiter.(algorithms.Gauged); ok {
		g.gauge = gauge
		g.Low, g.High = make([]algorithms.Milli, n), make([]algorithms.Milli, n)
		g.open(0)
	}
	if windows, ok := limiter.(algorithms.Windowed); ok {
		g.windows = windows
		g.edge = windows.NextEdge(0)
	}
	return g
}

// advance moves on to now, reading the level where one bucket ends and the next begins.
func (g *recorder) advance(now Time) {
	for now >= g.end && g.now < len(g.Admitted) {
		g.leave()
	}
}

// leave ends the present bucket.
func (g *recorder) leave() {
	if g.edge < g.end {
		g.passEdge()
	}
	if g.gauge != nil {
		g.include(g.now, g.end-1)
	}
	start := g.end
	g.now++
	if g.now == len(g.Admitted) {
		return
	}
	g.end = g.Start(g.now + 1)
	if g.gauge != nil {
		g.open(start)
	}
	if g.flow != nil {
		g.flow.open(g.now)
	}
}

// passEdge marks the present bucket, into which the next edge falls, and finds the first edge after
// the bucket.
func (g *recorder) passEdge() {
	g.Edges[g.now] = true
	g.edge = g.windows.NextEdge(g.end - 1)
}

// open begins the present bucket with the level at its start.
func (g *recorder) open(start Time) {
	level := g.gauge.Level(start)
	g.Low[g.now], g.High[g.now] = level, level
}

// include widens a bucket's lowest and highest level by the level at an instant.
func (g *recorder) include(bucket int, at Time) {
	level := g.gauge.Level(at)
	g.Low[bucket] = min(g.Low[bucket], level)
	g.High[bucket] = max(g.High[bucket], level)
}

// look reads the shown limiter's level at now. It is called on both sides of a decision: just before
// it the level is what the time since the last one made of it.
func (g *recorder) look(now Time) {
	if g.gauge != nil && g.now < len(g.Admitted) {
		g.include(g.now, now)
	}
}

// opened notices a window that a decision of the shown limiter has opened.
func (g *recorder) opened(now Time) {
	if g.windows != nil && g.edge == algorithms.Never {
		g.edge = g.windows.NextEdge(now)
	}
}

// count counts an answered request in the present bucket.
func (g *recorder) count(v algorithms.Verdict) {
	switch v {
	case algorithms.Admit:
		g.Admitted[g.now]++
	case algorithms.Delay:
		g.Delayed[g.now]++
	case algorithms.Deny:
		g.Denied[g.now]++
	}
}

// countAll counts requests answered in the present bucket.
func (g *recorder) countAll(c *counts) {
	g.Admitted[g.now] += c.requests[algorithms.Admit]
	g.Delayed[g.now] += c.requests[algorithms.Delay]
	g.Denied[g.now] += c.requests[algorithms.Deny]
}

// countReleased counts a delayed request that goes ahead.
func (g *recorder) countReleased() {
	if g.now == len(g.Released) {
		g.ReleasedLater++
		return
	}
	g.Released[g.now]++
}

// grid is a copy of what has been recorded so far.
func (g *recorder) grid(plan *Plan) Grid {
	out := g.Grid
	out.Admitted, out.Delayed, out.Denied = slices.Clone(g.Admitted), slices.Clone(g.Delayed), slices.Clone(g.Denied)
	out.Released, out.Edges = slices.Clone(g.Released), slices.Clone(g.Edges)
	out.Low, out.High = slices.Clone(g.Low), slices.Clone(g.High)
	switch {
	case out.Low == nil || plan.Clients.Len() == 0:
	case g.flow != nil && g.shownKey != Key{}:
		out.LevelKey = plan.Clients.Name(g.shownClient)
	case g.flow == nil && !plan.Shared:
		out.LevelKey = plan.Clients.Name(g.shown)
	}
	return out
}
