package draw

import (
	"time"

	"github.com/b6db88e4/ratesim/sim"
)

// ClockAxis is a time axis that tells the time of day in UTC, and the date where the span has
// several: a line of labels at round instants, and a ruler with their ticks. from is the Unix time
// at its left end, in ns. ok is false where the span is too short for the clock: TimeAxis then says
// more.
func (s *Style) ClockAxis(from int64, span sim.Time, columns int) (labels, ruler string, ok bool) {
	step, layout := clockStep(from, span, columns)
	if step == 0 {
		return "", "", false
	}
	texts, marks := blank(columns), blank(columns)
	for i := range marks {
		marks[i] = cell{s.glyphs.line, Rule}
	}
	taken := -len(layout) // first column that a label may use; at the left end it is moved in
	for t := (from + step - 1) / step * step; t-from < int64(span); t += step {
		label := time.Unix(0, t).UTC().Format(layout)
		col := columnOf(sim.Time(t-from), span, columns)
		at := min(col-len(label)/2, columns-len(label))
		next := columnOf(sim.Time(t+step-from), span, columns) - len(label)/2
		if at < taken || at < 0 && next <= len(label) {
			continue // a tick without its label would only raise a question
		}
		at = max(at, 0)
		marks[col] = cell{s.glyphs.tick, Rule}
		put(texts, at, label, Faint)
		taken = at + len(label) + 1
	}
	marks[0].glyph, marks[columns-1].glyph = s.glyphs.left, s.glyphs.right
	return s.paint(texts), s.paint(marks), true
}

// clockStep is the smallest round step of whole seconds at which labels have room, and how they are
// written; 0 if there is none within the span.
func clockStep(from int64, span sim.Time, columns int) (step int64, layout string) {
	for _, step := range steps() {
		if step < second {
			continue
		}
		if step > span {
			break
		}
		layout := clockLayout(from, from+int64(span)-1, step)
		if room := float64(columns) * float64(step) / float64(span); room >= float64(len(layout)+2) {
			return int64(step), layout
		}
	}
	return 0, ""
}

// clockLayout writes instants between two as shortly as tells them apart at steps of this length.
// Every layout is as wide as what it gives.
func clockLayout(first, last int64, step sim.Time) string {
	a, b := time.Unix(0, first).UTC(), time.Unix(0, last).UTC()
	date, clock := "", ""
	switch {
	case a.Year() != b.Year():
		date = time.DateOnly
	case a.YearDay() != b.YearDay() || step >= day:
		date = "01-02"
	}
	switch {
	case step >= day:
		return date
	case step >= minute:
		clock = "15:04"
	default:
		clock = time.TimeOnly
	}
	if date == "" {
		return clock
	}
	return date + " " + clock
}
