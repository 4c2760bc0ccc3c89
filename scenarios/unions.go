package scenarios

import (
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Here are the types whose form in a file is not that of their fields: a word or a map, a list or a
// map, a map with keys of its own.

// bind reads "even", "poisson", {bursty: …} or {mmpp: …}.
func (a *Arrivals) bind(d *decoder, n ast.Node, path string) {
	const good = "must be even, poisson, {bursty: {active, idle, pareto}} or {mmpp: {rates, stay}}"
	if text, ok := scalar(n); ok {
		a.Poisson = text == "poisson"
		if text != "even" && text != "poisson" {
			d.refuse(n, path, good+suggestion(text, []string{"even", "poisson"}))
		}
		return
	}
	if _, ok := n.(*ast.MappingNode); !ok {
		d.fail(path, "%s %s", subject(path, n), good)
		return
	}
	d.record(n, path, reflect.ValueOf(a).Elem(), nil)
	if a.Bursty != nil && a.MMPP != nil {
		d.fail(path, "arrivals are either bursty or mmpp")
	}
}

// bind reads "even" or {zipf: s}.
func (s *Share) bind(d *decoder, n ast.Node, path string) {
	if text, ok := scalar(n); ok {
		if text != "even" {
			d.refuse(n, path, "must be even, or {zipf: 1.1} for unequal shares"+suggestion(text, []string{"even"}))
		}
		return
	}
	d.record(n, path, reflect.ValueOf(s).Elem(), nil)
}

// bind reads a list of instants, or the map of a trace file.
func (r *Requests) bind(d *decoder, n ast.Node, path string) {
	switch n.(type) {
	case *ast.SequenceNode:
		d.list(n, path, reflect.ValueOf(&r.Instants).Elem(), field{})
	case *ast.MappingNode:
		r.Trace = &TraceFile{}
		d.record(n, path, reflect.ValueOf(r.Trace).Elem(), nil)
	default:
		d.fail(path, "%s must be a list such as [{at: 0s}, {at: 12ns, cost: 3}], or {file: trace.csv, time: COLUMN}", subject(path, n))
	}
}

// bind reads a limiter: the keys of the struct, and beside them the options of its algorithm.
func (l *Limiter) bind(d *decoder, n ast.Node, path string) {
	spec := algorithmOf(n)
	d.record(n, path, reflect.ValueOf(l).Elem(), func(e entry) bool {
		if spec != nil { // else the algorithm is in doubt, and with it its options
			d.option(spec, e, path, keysOf(d.fieldsOf(reflect.TypeOf(*l))), &l.Options)
		}
		return true
	})
	if !d.bad[join(path, "algorithm")] && spec == nil {
		if _, isMap := n.(*ast.MappingNode); isMap {
			d.fail(join(path, "algorithm"), "%s", unknownAlgorithm(l.Algorithm))
		}
	}
}

// algorithmOf looks up the algorithm that a limiter's map names, nil if there is none.
func algorithmOf(n ast.Node) *algorithms.Spec {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		return nil
	}
	for _, mv := range m.Values {
		if mv.Key.GetToken().Value == "algorithm" {
			text, _ := scalar(mv.Value)
			spec, _ := algorithms.Lookup(text)
			return spec
		}
	}
	return nil
}

func unknownAlgorithm(name string) string {
	names := algorithmNames()
	return "unknown algorithm " + quoted(name) + suggestion(name, names) + "; algorithms: " + strings.Join(names, ", ")
}

func algorithmNames() []string {
	var names []string
	for _, s := range algorithms.Specs() {
		names = append(names, s.Name)
	}
	return names
}

func optionNames(spec *algorithms.Spec) []string {
	var names []string
	for _, o := range spec.Options {
		names = append(names, o.Name)
	}
	return names
}

// expect reads the map of what must come out, by limiter and measure.
func (d *decoder) expect(n ast.Node, path string, target *[]Expectation) {
	limiters, ok := d.entries(n, path, []string{"(names of limiters)"})
	if !ok {
		return
	}
	for _, l := range limiters {
		here := join(path, l.key)
		d.spans[here] = l.span
		x := Expectation{Limiter: l.key}
		measures, _ := d.entries(l.value, here, measureNames())
		for _, e := range measures {
			d.measure(e, join(here, e.key), &x)
		}
		*target = append(*target, x)
	}
}

// measure reads what one measure must be.
func (d *decoder) measure(e entry, path string, x *Expectation) {
	m, ok := LookupMeasure(e.key)
	if !ok {
		d.failAt(e.span, "unknown measure %s%s; measures: %s", quoted(e.key), suggestion(e.key, measureNames()), strings.Join(measureNames(), ", "))
		return
	}
	d.spans[path] = d.nodeSpan(e.value)
	text, ok := d.scalar(e.value, path, "a number or a comparison")
	if !ok {
		return
	}
	want, reason := parseWant(text, m.Kind)
	if reason != "" {
		d.refuse(e.value, path, reason)
	}
	x.Measures = append(x.Measures, Expected{e.key, want})
}
