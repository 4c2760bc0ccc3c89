package draw

import (
	"github.com/b6db88e4/ratesim/sim"
)

// Axis returns the time axis: a line of labels at round instants, and a ruler with their ticks. Its
// right end is labelled with the end of the span.
//
// Above the numbers on the lanes' right stand what they count and their headings.
func (p *Picture) Axis() []string {
	labels, ruler := p.style.axis(p.From, p.span, p.layout.Lane)
	gutter := spaces(p.layout.Gutter)
	names, heads := p.heads()
	return []string{p.line(gutter, labels, names), p.line(gutter, ruler, heads)}
}

// axis draws the labels and the ruler of [from, from+span) on so many columns.
func (s *Style) axis(from, span sim.Time, width int) (labels, ruler string) {
	texts, marks := s.axisCells(from, span, width)
	return s.paint(texts), s.paint(marks)
}

func (s *Style) axisCells(from, span sim.Time, width int) (texts, marks []cell) {
	g := s.glyphs
	marks, texts = blank(width), blank(width)
	for i := range marks {
		marks[i] = cell{g.line, Rule}
	}
	free := width // first column that a label to the left may not touch
	if end := []rune(s.endLabel(from + span)); len(end) < width/2 {
		free -= len(end)
		put(texts, free, string(end), Faint)
	}
	taken := 0 // first column that a label may use
	step := tickStep(span, width)
	for t := (from + step - 1) / step * step; t < from+span; t += step {
		label := []rune(s.Exact(t))
		col := columnOf(t-from, span, width)
		at := max(col-len(label)/2, 0)
		if at < taken || at+len(label) >= free {
			continue // a tick without its label would only raise a question
		}
		marks[col] = cell{g.tick, Rule}
		put(texts, at, string(label), Faint)
		taken = at + len(label) + 1
	}
	marks[0].glyph, marks[width-1].glyph = g.left, g.right
	return texts, marks
}

// endLabel is the span's end, in full unless that is long.
func (s *Style) endLabel(t sim.Time) string {
	if exact := s.Exact(t); width(exact) <= 8 {
		return exact
	}
	return s.Short(t)
}

// tickStep is the smallest round step at which the labels of a span have room.
func tickStep(span sim.Time, columns int) sim.Time {
	const least = 9 // columns between two ticks
	span = max(span, 1)
	for _, step := range steps() {
		// The longest labels are among the last two: 1h30m, 2h.
		last := span / step * step
		longest := max(labelWidth(last), labelWidth(last-step))
		if room := float64(columns) * float64(step) / float64(span); room >= float64(max(least, longest+2)) {
			return step
		}
	}
	return span
}

// labelWidth is the cells that an instant's label takes, in any style.
func labelWidth(t sim.Time) int { return len(exact(t, "us")) }

// steps are the steps between ticks that read as round: 1, 2, 5 of a decimal unit, the divisors of
// a minute, an hour and a day, and then days.
func steps() []sim.Time {
	var out []sim.Time
	for unit := nanosecond; unit < second; unit *= 10 {
		out = append(out, unit, 2*unit, 5*unit)
	}
	for _, n := range []sim.Time{1, 2, 5, 10, 15, 30} {
		out = append(out, n*second)
	}
	for _, n := range []sim.Time{1, 2, 5, 10, 15, 30} {
		out = append(out, n*minute)
	}
	for _, n := range []sim.Time{1, 2, 3, 6, 12} {
		out = append(out, n*hour)
	}
	for n := sim.Time(1); n <= 10_000; n *= 10 {
		out = append(out, n*day, 2*n*day, 5*n*day)
	}
	return out
}
