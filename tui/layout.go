package tui

import "github.com/charmbracelet/x/ansi"

// The smallest window that everything essential fits into.
const (
	minWidth  = 80
	minHeight = 24
)

// From these widths on there is more beside the lanes and below them.
const (
	roomFrom = 100 // the room that each limiter has left
	peakFrom = 150 // the peak of the whole run; two charts side by side; explanation and table
)

// layout divides the window. Heights are in lines, widths in cells; the gutter, the lanes, one free
// cell and the numbers on the right are the width.
type layout struct {
	width, height       int
	gutter, lane, right int
	traffic             int  // lines of the traffic
	rows                int  // lines of a lane
	first, lanes        int  // the first limiter shown and how many are, of those not switched off
	strips              int  // small lanes of what is around a limiter
	everyStrip          bool // of all limiters, not only of the selected one
	above               int  // lines above the time axis
	gap                 int  // free lines below the lanes
	chart, text         int  // lines of the charts and of what is below them
	help                int
	wide                bool // two charts, and two things side by side below them
}

// The lines that are always there: the title, where the playhead stands, and the time axis.
const (
	titleLines = 2
	axisLines  = 2
)

// content is what there is to lay out.
type content struct {
	chartless bool // there is no level to chart
	name      int  // cells of the longest name of a limiter
	limiters  int
	selected  int // the position of the one that is among those shown, whatever the room
	right     int // cells of the numbers on the right of the lanes
	around    int // lines above that say what stands around the limiters
	strips    int // small lanes of what is around a limiter
}

// newLayout lays a window out.
func newLayout(width, height int, c content) layout {
	l := layout{width: width, height: height, traffic: 1, help: 1, wide: width >= peakFrom, above: titleLines + c.around, strips: c.strips}
	if height >= 32 {
		l.traffic, l.help = 2, 2
	}
	l.gutter = min(max(c.name+4, 14), 24)
	l.right = c.right
	l.lane = width - l.gutter - l.right - 1
	free := height - l.above - axisLines - l.traffic - l.help
	room := free - leastBelow(height)
	if c.around > 0 && height < 32 {
		room-- // a story is longer than why one limiter alone decided something
	}
	l.everyStrip = c.strips > 0 && c.limiters*(c.strips+2) <= room
	if l.everyStrip {
		room -= c.limiters * c.strips
	} else {
		room -= c.strips
	}
	l.rows = min(max(room/max(c.limiters, 1), 1), 4)
	l.lanes = min(c.limiters, max(room/l.rows, 1))
	l.first = min(max(c.selected-l.lanes/2, 0), c.limiters-l.lanes)
	l.divide(free-l.boardLines(), c.chartless)
	return l
}

// boardLines is how many lines the lanes take, with the small ones.
func (l *layout) boardLines() int {
	lines := l.lanes * l.rows
	if l.everyStrip {
		return lines + l.lanes*l.strips
	}
	return lines + l.strips
}

// stripsOf is how many small lanes stand below a limiter's lane.
func (l *layout) stripsOf(selected bool) int {
	if selected || l.everyStrip {
		return l.strips
	}
	return 0
}

// leastBelow is how many lines below the lanes are worth more than taller lanes.
func leastBelow(height int) int {
	switch {
	case height < 32:
		return 9
	case height < 50:
		return 14
	}
	return 24
}

// divide shares out the lines below the lanes.
func (l *layout) divide(below int, chartless bool) {
	if below > 11 {
		l.gap = 1
	}
	below -= l.gap
	if !chartless {
		l.chart = min(max(below*2/5, 4), 10)
	}
	l.text = below - l.chart
}

// cells is how many cells text takes; escape sequences take none.
func cells(text string) int { return ansi.StringWidth(text) }
