package draw

import "strings"

// levelHeading says what the charts show: whose level, and how to read it.
func (p *Picture) levelHeading() []string {
	var parts []string
	if key := p.levelKey(); key != "" {
		parts = append(parts, "levels of "+p.style.cut(p.style.Text(key), 24))
	}
	if p.gauge(true) {
		parts = append(parts, "tokens: lowest line "+p.style.Text("–")+" less than one left")
	}
	if p.gauge(false) {
		parts = append(parts, "counts: highest line "+p.style.Text("–")+" no room for one more")
	}
	return p.text(Faint, strings.Join(parts, p.style.glyphs.middot), 0)
}

// levelKey is the client whose levels are charted, if there is more than one.
func (p *Picture) levelKey() string {
	for _, r := range p.results {
		if r.Summary.Clients > 1 && r.Grid.LevelKey != "" {
			return r.Grid.LevelKey
		}
	}
	return ""
}

// gauge reports whether there is a chart of a level that rests full, or of one that rests at zero.
func (p *Picture) gauge(restsFull bool) bool {
	for i, r := range p.results {
		if gauge, _ := r.Gauge(); p.HasLevel(i) && gauge.RestsFull == restsFull {
			return true
		}
	}
	return false
}
