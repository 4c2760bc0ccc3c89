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

// Layout divides a width into the gutter for names, the lanes, and, where there is room, numbers on
// the lanes' right. The three together are Width.
type Layout struct{ Width, Gutter, Lane, Right int }

// NewLayout lays out a page of so many cells for limiters of these names.
func NewLayout(cells int, names ...string) Layout {
	cells = min(max(cells, MinWidth), MaxWidth)
	l := Layout{Width: cells, Gutter: minGutter}
	for _, name := range names {
		l.Gutter = max(l.Gutter, width(Clean(name))+3) // a cell before, two after
	}
	l.Gutter = min(l.Gutter, maxGutter, cells*3/10)
	if cells >= rightFrom {
		l.Right = rightWidth(cells)
	}
	l.Lane = cells - l.Gutter - l.Right - 1 // and one cell free at the lanes' end
	return l
}

// LaneWidth is how many columns the lanes get on a page of so many cells. A run recorded with as
// many buckets is drawn one bucket a column.
func LaneWidth(cells int, names ...string) int { return NewLayout(cells, names...).Lane }

// columns is a grid brought to a lane's width.
type columns struct {
	admitted, delayed, denied, released []int64
	low, high                           []int64 // level in thousandths; nil without a gauge
	edge                                []bool
}

// newColumns sums the counts of the buckets that fall into a column, and takes the lowest and
// highest of their levels. With more columns than buckets, a bucket repeats.
func newColumns(g *sim.Grid, width int) columns {
	n := g.Len()
	c := columns{
		admitted: sums(g.Admitted, n, width), delayed: sums(g.Delayed, n, width),
		denied: sums(g.Denied, n, width), released: sums(g.Released, n, width),
		edge: make([]bool, width),
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
