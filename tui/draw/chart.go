package draw

import (
	"math"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/guptarohit/asciigraph"
)

// unit is one unit of a level.
const unit = 1000

// HasLevel reports whether limiter i has a level to chart.
func (p *Picture) HasLevel(i int) bool {
	gauge, _ := p.results[i].Gauge()
	return gauge.Name != "" && p.columns[i].low != nil
}

// Chart draws the level of limiter i over time on height+1 lines, height at least 3; none if it has
// no level. The dotted line is its capacity.
//
// The lines are not quite to scale, since two questions matter more than any value between: on the
// line at which the limiter denies, a request of one unit has no room; on the line at which it
// rests, it is as if never used. The lines between divide what is left in equal parts.
//
// Where a level moved within a column, the line is at the extreme nearer to a denial, and faint marks
// lead to the other.
func (p *Picture) Chart(i, height int) []string {
	plot := p.Plot(i, height)
	if plot == nil {
		return nil
	}
	return plot.Lines(Playhead{Column: p.layout.Lane})
}

// gaugeScale maps levels to the lines of a chart, 0 the lowest.
type gaugeScale struct {
	capacity  int64 // thousandths of a unit, at least one unit
	top       int   // the highest line
	restsFull bool
	start     int // the line before anything has happened
}

func newGaugeScale(r *sim.Result, height int) gaugeScale {
	gauge, capacity := r.Gauge()
	capacity = min(max(capacity, 1), algorithms.MaxUnits)
	g := gaugeScale{capacity: capacity * unit, top: height, restsFull: gauge.RestsFull}
	if first := r.Grid.Low[0]; !g.restsFull {
		g.start = g.row(int64(first))
	} else {
		g.start = g.row(int64(r.Grid.High[0]))
	}
	return g
}

// row is the line of a level.
func (g gaugeScale) row(level int64) int {
	level = min(max(level, 0), g.capacity)
	var from int64 // the level from which the lines between begin
	switch {
	case g.restsFull && level < unit:
		return 0
	case g.restsFull && level == g.capacity:
		return g.top
	case !g.restsFull && level == 0:
		return 0
	case !g.restsFull && level > g.capacity-unit:
		return g.top
	case g.restsFull:
		from = unit
	}
	part := float64(level-from) / float64(g.capacity-unit)
	return min(1+int(part*float64(g.top-1)), g.top-1)
}

// rows maps a level for each column.
func (g gaugeScale) rows(levels []int64) []int {
	out := make([]int, len(levels))
	for i, level := range levels {
		out[i] = g.row(level)
	}
	return out
}

// plot draws the capacity and over it a level, with the axis before the first column. asciigraph is given lines instead of levels, both bounds, and no colour, so
// that it draws exactly one column for each value, top+1 lines, and no escape sequence; what a
// character is for follows from the character.
func (p *Picture) plot(scale gaugeScale, tight []int) [][]cell {
	capacity := make([]float64, len(tight)+1)
	for i := range capacity {
		capacity[i] = float64(scale.top)
	}
	capacity[0] = math.NaN() // does not mark the axis
	const axis = 3           // the least offset there is: two cells and the axis
	graph := asciigraph.PlotMany(
		[][]float64{capacity, series(tight, scale.start)},
		asciigraph.Height(scale.top), asciigraph.LowerBound(0), asciigraph.UpperBound(float64(scale.top)),
		asciigraph.Offset(axis), asciigraph.YAxisValueFormatter(func(float64) string { return "" }),
		asciigraph.SeriesChars(
			asciigraph.CreateCharSet(string(p.style.glyphs.cap)), charSet(p.style.glyphs.curve)),
	)
	lines := strings.Split(graph, "\n")
	out := make([][]cell, len(lines))
	for i, line := range lines {
		out[i] = p.chartRow([]rune(line)[axis-1:])
	}
	return out
}

// spread marks the levels within each column between its line and the other extreme, where nothing
// is drawn yet but the capacity.
func (p *Picture) spread(rows [][]cell, tight, loose []int) {
	g, top := p.style.glyphs, len(rows)-1
	for col := range tight {
		for level := min(tight[col], loose[col]); level <= max(tight[col], loose[col]); level++ {
			if c := &rows[top-level][col+1]; c.glyph == ' ' || c.glyph == g.cap {
				*c = cell{g.spread, Faint}
			}
		}
	}
}

// chartRow gives the characters of a plotted line, from the axis on, their colours.
func (p *Picture) chartRow(drawn []rune) []cell {
	cells := blank(p.layout.Lane + 1)
	tight := p.style.glyphs.curve
	solid := tight.across + tight.upright + tight.rise + tight.riseEnd + tight.fall + tight.fallEnd
	for i, r := range drawn {
		if i >= len(cells) {
			break
		}
		switch {
		case i == 0 && r == '┼':
			cells[i] = cell{p.style.glyphs.first, Rule}
		case i == 0:
			cells[i] = cell{p.style.glyphs.mark, Rule}
		case strings.ContainsRune(solid, r):
			cells[i] = cell{r, Level}
		case r != ' ':
			cells[i] = cell{r, Rule}
		}
	}
	return cells
}

// series puts the line at which a level starts before the columns' lines.
func series(rows []int, start int) []float64 {
	out := make([]float64, 0, len(rows)+1)
	out = append(out, float64(start))
	for _, row := range rows {
		out = append(out, float64(row))
	}
	return out
}

func charSet(s strokes) asciigraph.CharSet {
	return asciigraph.CharSet{
		Horizontal: s.across, VerticalLine: s.upright,
		ArcUpLeft: s.rise, ArcDownRight: s.riseEnd, ArcDownLeft: s.fall, ArcUpRight: s.fallEnd,
	}
}

// chartGutter is what stands beside a chart's row, up to the axis: the capacity beside the highest,
// 0 beside the lowest, and from the second on the limiter's name and what the level is of.
func (p *Picture) chartGutter(r *sim.Result, scale gaugeScale, row int) string {
	label := ""
	switch row {
	case 0:
		label = compact(scale.capacity/unit, 9)
	case scale.top:
		label = "0"
	}
	room := p.layout.Gutter - 2 // a free cell before, the axis after
	text, role := "", Faint
	if row == 1 {
		text, role = r.Name, Title
	} else if lines := p.gaugeLines(r); row > 1 && row-2 < len(lines) {
		text = lines[row-2]
	}
	text = p.style.Fit(text, room-width(label))
	return " " + p.style.Paint(role, text) + p.style.Paint(Faint, label)
}

// gaugeLines is what a level is of, in lines that leave room for a label of one digit.
func (p *Picture) gaugeLines(r *sim.Result) []string {
	gauge, _ := r.Gauge()
	return Wrap(p.style.Text(gauge.Name), p.layout.Gutter-4)
}
