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
	traffic             int // lines of the traffic
	rows                int // lines of a lane
	first, lanes        int // the first limiter shown and how many are, of those not switched off
	gap                 int // free lines below the lanes
	chart, text         int // lines of the charts and of what is below them
	help                int
	wide                bool // two charts, and two things side by side below them
}

// The lines that are always there: the title, where the playhead stands, and the time axis.
const (
	titleLines = 2
	axisLines  = 2
)

// newLayout lays out lanes of so many limiters, the longest name of which has so many cells. The one
// at position selected is among those shown. extra is wider numbers on the right.
func newLayout(width, height, name, limiters, selected, extra int) layout {
	l := layout{width: width, height: height, traffic: 1, help: 1, wide: width >= peakFrom}
	if height >= 32 {
		l.traffic, l.help = 2, 2
	}
	l.gutter = min(max(name+4, 14), 22)
	l.right = numbersWidth(width) + extra
	l.lane = width - l.gutter - l.right - 1
	free := height - titleLines - axisLines - l.traffic - l.help
	below := leastBelow(height)
	l.rows = min(max((free-below)/max(limiters, 1), 1), 4)
	l.lanes = min(limiters, max((free-below)/l.rows, 1))
	l.first = min(max(selected-l.lanes/2, 0), limiters-l.lanes)
	l.divide(free - l.lanes*l.rows)
	return l
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
func (l *layout) divide(below int) {
	if below > 11 {
		l.gap = 1
	}
	below -= l.gap
	l.chart = min(max(below*2/5, 4), 10)
	l.text = below - l.chart
}

// numbersWidth is how wide the numbers on the right of the lanes are.
func numbersWidth(width int) int {
	sum := 0
	for _, n := range numberCells(width) {
		sum += n
	}
	return sum
}

// numberCells are the widths of admitted, delayed, denied, and where there is room for it the room
// left and the peak.
func numberCells(width int) []int {
	switch {
	case width >= peakFrom:
		return []int{10, 10, 10, 16, 10}
	case width >= roomFrom:
		return []int{8, 8, 8, 14}
	}
	return []int{6, 6, 6}
}

// cells is how many cells text takes; escape sequences take none.
func cells(text string) int { return ansi.StringWidth(text) }
