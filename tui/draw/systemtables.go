package draw

import (
	"math"
	"slices"
	"strconv"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Here are the tables of a run with a system around the limiters.

// telling leaves out what says nothing of any limiter: columns of zeros, and groups without others.
func (p *Picture) telling(groups []group) []group {
	var out []group
	for _, g := range groups {
		g.columns = slices.DeleteFunc(g.columns, func(c column) bool {
			for _, r := range p.results {
				if c.cell(r).role != Faint {
					return false
				}
			}
			return true
		})
		if len(g.columns) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// outcome is what became of the requests, what that took, how long, and whom it hit.
func (p *Picture) outcome() []group {
	system := func(role Role, get func(*sim.SystemSummary) int64) func(*sim.Result) value {
		return p.count(role, func(s *sim.Summary) int64 { return get(&s.System) })
	}
	out := []group{
		{requests(p.results[0].Summary.System.Requests), []column{
			{"succeeded", system(Admitted, func(s *sim.SystemSummary) int64 { return s.Succeeded })},
			{"cheap", system(Cheap, func(s *sim.SystemSummary) int64 { return s.Cheap })},
			{"given up", system(Denied, func(s *sim.SystemSummary) int64 { return s.GaveUp })},
			{"unfinished", system(Waited, func(s *sim.SystemSummary) int64 { return s.Unfinished })},
		}},
		{"calls", []column{
			{"sent", p.calls},
			{"each", p.amplification},
			{"lost", system(Denied, func(s *sim.SystemSummary) int64 { return s.Lost })},
			{"timed out", system(Denied, func(s *sim.SystemSummary) int64 { return s.TimedOut })},
			{"in vain", system(Denied, func(s *sim.SystemSummary) int64 { return s.Wasted })},
		}},
		p.lengths("latency", func(s *sim.SystemSummary) *sim.Lengths { return &s.Latency }),
	}
	if p.anySystem(func(s *sim.SystemSummary) bool { return s.Calls > s.Requests }) { // otherwise it is the latency
		out = append(out, p.lengths("time to success", func(s *sim.SystemSummary) *sim.Lengths { return &s.Success }))
	}
	return slices.Concat(out, p.people(), []group{{"service", []column{
		{"queue", system(Plain, func(s *sim.SystemSummary) int64 { return s.QueueMax })},
		{"busy", p.share(Plain, func(s *sim.SystemSummary) (float64, bool) { return s.Utilization, s.Utilization > 0 })},
	}}})
}

// people is how honest and abusive clients fared, where there are both to tell apart.
func (p *Picture) people() []group {
	if !p.anySystem(func(s *sim.SystemSummary) bool { return s.AbusiveOffered > 0 }) {
		return nil
	}
	return []group{
		{"honest", []column{{"refused", p.share(Denied, func(s *sim.SystemSummary) (float64, bool) {
			return part(s.HonestDenied, s.HonestOffered), s.HonestDenied > 0
		})}}},
		{"abusive", []column{{"let through", p.share(Bad, func(s *sim.SystemSummary) (float64, bool) {
			return part(s.AbusiveAdmitted, s.AbusiveOffered), s.AbusiveAdmitted > 0
		})}}},
	}
}

// lengths are percentiles of lengths of time.
func (p *Picture) lengths(name string, of func(*sim.SystemSummary) *sim.Lengths) group {
	if p.anySystem(func(s *sim.SystemSummary) bool { return of(s).Rounded }) {
		name += " (rounded up)"
	}
	at := func(head string, get func(*sim.Lengths) sim.Time) column {
		return column{head, func(r *sim.Result) value { return p.length(get(of(&r.Summary.System))) }}
	}
	return group{name, []column{
		at("p50", func(l *sim.Lengths) sim.Time { return l.P50 }),
		at("p95", func(l *sim.Lengths) sim.Time { return l.P95 }),
		at("p99", func(l *sim.Lengths) sim.Time { return l.P99 }),
		at("max", func(l *sim.Lengths) sim.Time { return l.Max }),
	}}
}

func (p *Picture) length(t sim.Time) value {
	if t <= 0 || t == algorithms.Never {
		return value{p.style.Short(0), Faint}
	}
	return value{p.style.Short(t), Plain}
}

// mostKinds is how many kinds of clients have columns of their own.
const mostKinds = 8

// kinds are how each kind of client fared, where there are several.
func (p *Picture) kinds() []group {
	var out []group
	profiles := len(p.results[0].Groups)
	if profiles < 2 {
		return nil
	}
	for i := range min(profiles, mostKinds) {
		if g := p.results[0].Groups[i]; g.Requests > 0 {
			out = append(out, p.kind(i))
		}
	}
	return out
}

// kind is how kind of client i fared, of all limiters that know it.
func (p *Picture) kind(i int) group {
	of := func(r *sim.Result) *sim.Group {
		if i < len(r.Groups) {
			return &r.Groups[i]
		}
		return &sim.Group{}
	}
	g := &p.results[0].Groups[i]
	facts := p.style.glyphs.middot + requests(g.Requests)
	if g.Profile.Abusive {
		facts = ", abusive" + facts
	}
	room := min(20, p.layout.Width-p.layout.Gutter-gap-width(facts))
	return group{p.style.cut(p.style.Text(g.Profile.Name), room) + facts, []column{
		{"succeeded", func(r *sim.Result) value { return p.percent(Admitted, of(r).Succeeded, of(r).Requests) }},
		{"cheap", func(r *sim.Result) value { return p.percent(Cheap, of(r).Cheap, of(r).Requests) }},
		{"given up", func(r *sim.Result) value { return p.percent(Denied, of(r).GaveUp, of(r).Requests) }},
		{"unfinished", func(r *sim.Result) value { return p.percent(Waited, of(r).Waiting, of(r).Requests) }},
		{"refused", func(r *sim.Result) value { return p.percent(Denied, of(r).Denied, of(r).Offered) }},
		{"p95", func(r *sim.Result) value { return p.length(of(r).Success.P95) }},
	}}
}

// mostLimits is how many limits have a column of their own.
const mostLimits = 12

// limits is how many calls each limit refused, where there are several.
func (p *Picture) limits() []group {
	rules := p.results[0].Rules
	if len(rules) < 2 {
		return nil
	}
	g := group{name: "calls refused by"}
	for i := range rules {
		c := column{p.style.cut(p.style.Text(rules[i].Name), 20), func(r *sim.Result) value {
			if i >= len(r.Rules) || r.Rules[i].Denied == 0 {
				return value{"0", Faint}
			}
			return value{compact(r.Rules[i].Denied, 15), Denied}
		}}
		if len(g.columns) < mostLimits && slices.ContainsFunc(p.results, func(r *sim.Result) bool { return c.cell(r).role != Faint }) {
			g.columns = append(g.columns, c)
		}
	}
	return []group{g}
}

// servers is how far several servers went over the limit, against what their scheme promises, and
// what they decided without the store.
func (p *Picture) servers() []group {
	if !slices.ContainsFunc(p.results, func(r *sim.Result) bool { return r.Scheme != "" }) {
		return nil
	}
	return []group{
		{"over the limit in a window", []column{
			{"most", p.overMost},
			{"bound", p.overBound},
			{"", p.overCheck},
		}},
		{"without the store", []column{
			{"admitted", p.count(Bad, func(s *sim.Summary) int64 { return s.System.FailedOpen })},
			{"denied", p.count(Denied, func(s *sim.Summary) int64 { return s.System.FailedClosed })},
		}},
	}
}

// overMost is how far a limiter went over; that it did not is told, too.
func (p *Picture) overMost(r *sim.Result) value {
	if r.Summary.System.OverAdmitted == 0 {
		return value{"0", Plain}
	}
	return p.count(Bad, func(s *sim.Summary) int64 { return s.System.OverAdmitted })(r)
}

func (p *Picture) overBound(r *sim.Result) value {
	if bound := r.Summary.System.OverBound; bound >= 0 {
		return value{compact(bound, 15), Plain}
	}
	return value{"none", Plain}
}

func (p *Picture) overCheck(r *sim.Result) value {
	switch s := &r.Summary.System; {
	case s.OverBound < 0:
		return value{"", Plain}
	case s.OverAdmitted > s.OverBound:
		return value{p.style.glyphs.unseen, Bad}
	}
	return value{p.style.glyphs.seen, Good}
}

// calls is how many calls were sent, where that were more than the requests.
func (p *Picture) calls(r *sim.Result) value {
	if s := &r.Summary.System; s.Calls == s.Requests {
		return value{compact(s.Calls, 15), Faint}
	}
	return value{compact(r.Summary.System.Calls, 15), Plain}
}

// amplification is how many calls each request took.
func (p *Picture) amplification(r *sim.Result) value {
	s := &r.Summary.System
	if s.Calls == s.Requests {
		return value{p.style.ratio(1), Faint}
	}
	return value{p.style.ratio(s.Amplification), Plain}
}

// anySystem reports whether something holds of what is around one of the limiters.
func (p *Picture) anySystem(holds func(*sim.SystemSummary) bool) bool {
	return p.any(func(s *sim.Summary) bool { return holds(&s.System) })
}

// share makes a column of shares, in role's colour where there is something.
func (p *Picture) share(role Role, of func(*sim.SystemSummary) (share float64, some bool)) func(*sim.Result) value {
	return func(r *sim.Result) value {
		share, some := of(&r.Summary.System)
		if !some {
			return value{"0%", Faint}
		}
		return value{p.style.percent(share), role}
	}
}

// percent is a part of a whole, in role's colour where there is something.
func (p *Picture) percent(role Role, n, whole int64) value {
	if n == 0 {
		return value{"0%", Faint}
	}
	return value{p.style.percent(part(n, whole)), role}
}

// percent writes a share to three digits. Rounding moves nothing onto 0 or 100.
func (s *Style) percent(share float64) string {
	switch {
	case math.IsNaN(share) || share < 0:
		return s.glyphs.none
	case share >= 99.995:
		return ">9999%"
	case share > 0 && share < 0.0005:
		return "<0.1%"
	case share < 1 && share >= 0.9995:
		return ">99.9%"
	}
	decimals := 1
	if share >= 0.9995 {
		decimals = 0
	}
	return strconv.FormatFloat(100*share, 'f', decimals, 64) + "%"
}

// part is n of a whole, 0 of nothing.
func part(n, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(n) / float64(whole)
}
