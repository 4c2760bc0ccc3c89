package draw

import (
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// remark says in what a limiter differs from its neighbours: its algorithm where the name is
// another, its limit and burst where not all have the same, and options that are not at their
// default. It is empty for most.
func (p *Picture) remark(r *sim.Result) string {
	var parts []string
	if r.Spec.Name != r.Name {
		parts = append(parts, r.Spec.Name)
	}
	if r.Spec.Holds {
		parts = append(parts, compact(r.Policy.Limit.N, 9)+" in flight")
	} else if rate(r) != nil && p.differ(rate) {
		parts = append(parts, p.style.per(r.Policy.Limit))
	}
	if r.Scheme != r.Name && p.differ(func(r *sim.Result) any { return r.Scheme }) {
		parts = append(parts, r.Scheme)
	}
	if r.Spec.Bursts && p.differ(burst) {
		parts = append(parts, "burst "+strconv.FormatInt(r.Policy.Capacity(), 10))
	}
	for _, o := range r.Spec.Options {
		if value, ok := r.Policy.Options[o.Name]; ok && value != o.Default {
			parts = append(parts, setting(o, value))
		}
	}
	return strings.Join(parts, ", ")
}

// remarks puts a limiter's remark into the gutter, or to the right where only there it fits.
func (p *Picture) remarks(r *sim.Result) (gutter, numbers string) {
	text := p.style.Text(p.remark(r))
	if room := p.layout.Gutter - 2; width(text) <= room || p.layout.Right == 0 {
		return p.gutter(firstParts(text, room), Faint), ""
	}
	text = p.style.cut(text, p.layout.Right-gap)
	return spaces(p.layout.Gutter), p.style.Paint(Faint, right(text, p.layout.Right))
}

// firstParts are as many of the parts of a remark as fit, of which the first is the most important. What
// is left out stands in the legend.
func firstParts(text string, cells int) string {
	for width(text) > cells {
		last := strings.LastIndex(text, ", ")
		if last < 0 {
			break
		}
		text = text[:last]
	}
	return text
}

// Remarks returns in full what the lanes had to cut short of how limiters differ.
func (p *Picture) Remarks() []string {
	var out []string
	for _, r := range p.results {
		text := p.style.Text(p.remark(r))
		if width(text) <= p.layout.Gutter-2 || width(text) <= p.layout.Right-gap {
			continue
		}
		for _, line := range p.text(Faint, p.style.cut(p.style.Text(r.Name), maxGutter)+": "+text, 2) {
			out = append(out, p.fill(" "+line))
		}
	}
	return out
}

// setting writes an option as short as it stays clear.
func setting(o algorithms.Option, value string) string {
	if o.Kind == algorithms.Bool && value == "true" {
		return strings.ReplaceAll(o.Name, "_", " ")
	}
	return o.Name + " " + value
}

// rate is a limiter's limit, none for those that limit no rate, or nothing at all.
func rate(r *sim.Result) any {
	if worst := r.Spec.Worst; r.Spec.Holds || worst != nil && worst(r.Policy) < 0 {
		return nil
	}
	return r.Policy.Limit
}

// burst is a limiter's burst as text, none for those that have none.
func burst(r *sim.Result) any {
	if !r.Spec.Bursts {
		return nil
	}
	return r.Policy.Capacity()
}

// differ reports whether the results do not all have the same value, leaving out nil.
func (p *Picture) differ(value func(*sim.Result) any) bool {
	var first any
	for _, r := range p.results {
		v := value(r)
		if first == nil {
			first = v
		}
		if v != nil && v != first {
			return true
		}
	}
	return false
}
