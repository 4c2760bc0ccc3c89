package draw

import (
	"math"
	"strings"

	"github.com/b6db88e4/ratesim/sim"
)

// Bars draws one value a column as bars of one row. A bar is full at most; whatever is not nothing
// shows: its height is rounded up.
func (s *Style) Bars(values []int64, most int64, role Role) string {
	return s.paint(barCells(values, most, s.glyphs.bars, role))
}

// barCells draws bars of one row by glyphs from low to full.
func barCells(values []int64, most int64, glyphs []rune, role Role) []cell {
	cells := blank(len(values))
	steps := len(glyphs)
	for i, v := range values {
		if v > 0 {
			height := int(math.Ceil(float64(min(v, most)) / float64(max(most, 1)) * float64(steps)))
			cells[i] = cell{glyphs[height-1], role}
		}
	}
	return cells
}

// TimeAxis is a time axis for lanes of so many columns: a line of labels at round instants, and a
// ruler with their ticks.
func (s *Style) TimeAxis(span sim.Time, columns int) (labels, ruler string) {
	return s.axis(0, span, columns)
}

// HorizontalBar draws a value as a bar of at most so many cells, on a scale from 0 to most. Whatever
// is not nothing shows.
func (s *Style) HorizontalBar(value, most int64, cells int) string {
	if value <= 0 {
		return ""
	}
	full := s.glyphs.bars[len(s.glyphs.bars)-1]
	n := int(math.Ceil(float64(min(value, most)) / float64(max(most, 1)) * float64(cells)))
	return strings.Repeat(string(full), n)
}
