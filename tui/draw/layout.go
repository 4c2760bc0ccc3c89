package draw

import (
	"math"
	"math/bits"

	"github.com/b6db88e4/ratesim/sim"
)

// The widths, in cells, between which a page is laid out. A narrower terminal gets MinWidth.
const (
	MinWidth = 60
	MaxWidth = 250

	minGutter = 16 // room for a chart's labels
	maxGutter = 24 // names beyond it are cut
)

// Layout divides a width into the gutter for names, the lanes, a gap after them, and, where there is
// room, numbers on their right. The four together are Width.
type Layout struct{ Width, Gutter, Lane, Gap, Right int }

// NewLayout lays out a page of so many cells for a run of that length and limiters of these names.
//
// The lanes may get a few columns less than there is room for, so that the ticks of the axis fall on
// the first instant of a column: what happens just before a round instant and just after it then
// stands in two columns.
func NewLayout(cells int, span sim.Time, names ...string) Layout {
	cells = min(max(cells, MinWidth), MaxWidth)
	l := Layout{Width: cells, Gutter: minGutter}
	for _, name := range names {
		l.Gutter = max(l.Gutter, width(Clean(name))+3) // a cell before, two after
	}
	l.Gutter = min(l.Gutter, maxGutter, cells*3/10)
	if cells >= rightFrom {
		l.Right = rightWidth(cells)
	}
	room := cells - l.Gutter - l.Right
	l.Lane = alignedLane(room-1, span)
	l.Gap = room - l.Lane
	return l
}

// alignedLane is the largest number of columns up to room, but not much less, at which the ticks of
// a span begin columns; room if there is none.
func alignedLane(room int, span sim.Time) int {
	for lane := room; lane > room*7/8; lane-- {
		step := tickStep(span, lane)
		if hi, lo := bits.Mul64(uint64(step), uint64(lane)); span > 0 && bits.Rem64(hi, lo, uint64(span)) == 0 {
			return lane
		}
	}
	return room
}

// LaneWidth is how many columns the lanes get on a page of so many cells, for a run of that length
// and limiters of these names. A run recorded with as many buckets is drawn one bucket a column.
func LaneWidth(cells int, span sim.Time, names ...string) int {
	return NewLayout(cells, span, names...).Lane
}

// columns is a grid brought to a lane's width.
type columns struct {
	admitted, delayed, denied, released []int64
	low, high                           []int64 // level in thousandths; nil without a gauge
	edge                                []bool

	// Of a run with a system around the limiters: nil without one, but for what got a cheap answer.
	degraded                 []int64
	wanted, succeeded, again []int64
	queue, latency           []int64 // the longest; nil without a service
}

// newColumns sums the counts of the buckets that fall into a column, and takes the lowest and
// highest of their levels. With more columns than buckets, a bucket repeats.
func newColumns(g *sim.Grid, width int) columns {
	n := g.Len()
	c := columns{
		admitted: sums(g.Admitted, n, width), delayed: sums(g.Delayed, n, width),
		denied: sums(g.Denied, n, width), released: sums(g.Released, n, width),
		edge: make([]bool, width), degraded: make([]int64, width),
	}
	if g.System != nil {
		c.around(g.System, n, width)
	}
	for i := range min(len(g.Edges), n) {
		if first, _ := share(i, n, width); g.Edges[i] {
			c.edge[first] = true
		}
	}
	if len(g.Low) > 0 && len(g.High) > 0 {
		c.low = extremes(g.Low, width, func(a, b int64) int64 { return min(a, b) })
		c.high = extremes(g.High, width, func(a, b int64) int64 { return max(a, b) })
	}
	return c
}

// around adds what is around the limiter.
func (c *columns) around(g *sim.SystemGrid, n, width int) {
	c.degraded, c.again, c.succeeded = sums(g.Degraded, n, width), sums(g.Again, n, width), sums(g.Succeeded, n, width)
	if g.Wanted != nil {
		c.wanted = sums(g.Wanted, n, width)
	}
	if longest := func(a, b int64) int64 { return max(a, b) }; g.Queue != nil && g.Latency != nil {
		c.queue, c.latency = extremes(g.Queue, width, longest), extremes(g.Latency, width, longest)
	}
}

// share gives the first and last column that bucket i of n belongs to.
func share(i, n, width int) (first, last int) {
	first = i * width / n
	return first, max(first, (i+1)*width/n-1)
}

// sums adds the counts of n buckets up by column; it stops at the largest number there is.
func sums(counts []int64, n, width int) []int64 {
	out := make([]int64, width)
	for i := range min(len(counts), n) {
		first, last := share(i, n, width)
		for col := first; col <= last; col++ {
			out[col] = plus(out[col], max(counts[i], 0))
		}
	}
	return out
}

// plus adds two counts, neither negative, without overflow.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// extremes brings levels to columns, joining those of one column by pick.
func extremes[T ~int64](levels []T, width int, pick func(a, b int64) int64) []int64 {
	out, filled := make([]int64, width), make([]bool, width)
	for i, level := range levels {
		first, last := share(i, len(levels), width)
		for col := first; col <= last; col++ {
			if filled[col] {
				out[col] = pick(out[col], int64(level))
				continue
			}
			out[col], filled[col] = int64(level), true
		}
	}
	return out
}

// columnOf is the column of width that instant t of a span falls into, the last one for the span's
// end: floor(t·width/span), as the buckets of a grid.
func columnOf(t, span sim.Time, width int) int {
	if span <= 0 || t <= 0 {
		return 0
	}
	if t >= span {
		return width - 1
	}
	hi, lo := bits.Mul64(uint64(t), uint64(width))
	col, _ := bits.Div64(hi, lo, uint64(span)) // t < span, so the quotient fits
	return int(col)
}
