package draw

import "github.com/b6db88e4/ratesim/sim"

// Strip is a kind of small lane: one row of bars under a limiter's lane, for what is around the
// limiter.
type Strip uint8

// The strips, in the order in which they are drawn.
const (
	Goodput Strip = iota // requests that succeeded
	Queue                // most calls that waited for the service
	Latency              // longest from sending to a full answer
	Retries              // calls that were not the first of their request
	stripKinds
)

// String is what stands beside a strip.
func (k Strip) String() string { return [...]string{"goodput", "queue", "latency", "retries"}[k] }

// role is the colour of a strip's bars.
func (k Strip) role() Role { return [...]Role{Level, Offered, Waited, Denied}[k] }

// values are a strip's values by column; nil where the run has none.
func (c *columns) values(k Strip) []int64 {
	switch k {
	case Goodput:
		if c.latency == nil {
			return nil // what goes ahead has succeeded: the lane itself shows that
		}
		return c.succeeded
	case Queue:
		return c.queue
	case Latency:
		return c.latency
	}
	return c.again
}

// StripsOf are the strips that tell something of results: those whose bars are not all alike.
func StripsOf(results ...*sim.Result) []Strip {
	var out []Strip
	for _, r := range results {
		if r.Grid.System != nil { // there is nothing to measure of limiters alone
			for _, s := range NewPicture(&Style{}, Layout{Lane: max(r.Grid.Len(), 1)}, results...).strips {
				out = append(out, s.kind)
			}
			return out
		}
	}
	return nil
}

// strip is a strip of all limiters, on one scale.
type strip struct {
	kind   Strip
	most   int64   // of all limiters
	values []int64 // the most of each limiter
}

// measureStrips finds the strips worth drawing.
func (p *Picture) measureStrips() []strip {
	var out []strip
	for kind := range stripKinds {
		s, least := strip{kind: kind}, int64(-1)
		for i := range p.columns {
			own := int64(0)
			for _, v := range p.columns[i].values(kind) {
				own = max(own, v)
				if v > 0 && (least < 0 || v < least) {
					least = v
				}
			}
			s.values, s.most = append(s.values, own), max(s.most, own)
		}
		if s.most > 0 && (kind != Latency || least < s.most) { // a latency that is always the same is said elsewhere
			out = append(out, s)
		}
	}
	return out
}

// Strips draws the strips of limiter i, a line each: beside it its name and the largest of its own
// values, while its bars are on one scale with those of the other limiters.
func (p *Picture) Strips(i int) []string {
	var out []string
	for _, s := range p.strips {
		out = append(out, p.line(p.stripGutter(&s, i), p.style.paint(p.stripCells(&s, i)), ""))
	}
	return out
}

// stripCells draws the bars of limiter i.
func (p *Picture) stripCells(s *strip, i int) []cell {
	values := p.columns[i].values(s.kind)
	if values == nil {
		values = make([]int64, p.layout.Lane)
	}
	return barCells(values, s.most, p.style.glyphs.strip, s.kind.role())
}

// StripGutters are what stands beside the strips of limiter i: the gutter's width each.
func (p *Picture) StripGutters(i int) []string {
	var out []string
	for k := range p.strips {
		out = append(out, p.stripGutter(&p.strips[k], i))
	}
	return out
}

// stripGutter is what stands beside a strip.
func (p *Picture) stripGutter(s *strip, i int) string {
	room, most := p.layout.Gutter-2, p.stripText(s.kind, s.values[i])
	return " " + p.style.Paint(Faint, p.style.Fit(s.kind.String(), room-width(most))+most) + " "
}

// stripText writes a value of a strip in at most six cells.
func (p *Picture) stripText(k Strip, v int64) string {
	if k == Latency {
		return p.style.Short(sim.Time(v))
	}
	return compact(v, 6)
}

// StripLegend says what the strips show and what a full bar stands for.
func (p *Picture) StripLegend() []string {
	var items []string
	for _, s := range p.strips {
		text := s.kind.String() + " " + p.stripText(s.kind, s.most)
		if s.kind == Goodput || s.kind == Retries {
			text += " a column"
		}
		items = append(items, text)
	}
	if items == nil {
		return nil
	}
	items[0] = "full bar: " + items[0]
	lines := flow(append(items, "beside each its own largest"), p.style.glyphs.middot, p.layout.Width-2)
	for i, line := range lines {
		lines[i] = p.fill(" " + p.style.Paint(Faint, line))
	}
	return lines
}
