package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// mostNamed is how many limits are told one by one.
const mostNamed = 4

// Around says what stands around the limiters of a plan, a few words each; nothing for limiters alone.
func (s *Style) Around(plan *sim.Plan) []string {
	sys := plan.System
	if sys == nil {
		return nil
	}
	out := s.limits(plan)
	if text := s.refused(sys); text != "" {
		out = append(out, text)
	}
	if sys.Service != nil {
		out = append(out, s.service(sys.Service))
	}
	if load := sys.Load; load != nil {
		out = append(out, s.loaded(plan))
	}
	if sys.Servers != nil {
		out = append(out, s.servers(plan)...)
	}
	return append(out, s.changes(plan)...)
}

// limits are the limits that hold, where there is more to say than the main one for each client.
func (s *Style) limits(plan *sim.Plan) []string {
	rules := plan.System.Rules
	if len(rules) == 1 {
		if key := KeyName(rules[0].Key); key != "client" {
			return []string{"one limit for " + each(key)}
		}
		return nil
	}
	var names []string
	for i := range min(len(rules), mostNamed) {
		names = append(names, s.limit(plan, i))
	}
	if more := len(rules) - mostNamed; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return []string{"limits: " + strings.Join(names, ", ")}
}

// each says of what each has a limiter.
func each(key string) string {
	if key == "all" {
		return "all together"
	}
	return "each " + key
}

// limit is one of several limits: its name, and how much it is where the name does not say so and all
// limiters enforce the same.
func (s *Style) limit(plan *sim.Plan, i int) string {
	rule := &plan.System.Rules[i]
	name := s.cut(s.Text(rule.Name), 32)
	if amount := s.amount(plan, i); !strings.Contains(name, amount) {
		return name + " " + amount
	}
	return name
}

// amount is how much a limit is, if all limiters enforce the same; those that limit what is in flight
// do not count where others limit a rate.
func (s *Style) amount(plan *sim.Plan, i int) string {
	rate, flight := "", ""
	for _, l := range plan.Limiters {
		e := &l.Enforced[i]
		of, text := &rate, s.per(e.Policy.Limit)
		if e.Spec.Holds {
			of, text = &flight, compact(e.Policy.Limit.N, 9)+" in flight"
		}
		if *of != "" && *of != text {
			return ""
		}
		*of = text
	}
	if rate == "" {
		return flight
	}
	return rate
}

// KeyName is a key as a scenario file writes it.
func KeyName(k sim.Key) string {
	var parts []string
	for _, part := range []struct {
		set  bool
		name string
	}{{k.Client, "client"}, {k.Address, "ip"}, {k.User, "user"}, {k.Endpoint, "endpoint"}} {
		if part.set {
			parts = append(parts, part.name)
		}
	}
	if parts == nil {
		return "all"
	}
	return strings.Join(parts, "+")
}

// refused says what becomes of a request that the limits refuse, where it is not just denied.
func (s *Style) refused(sys *sim.System) string {
	var out []string
	switch sys.OnLimit {
	case sim.Queue:
		out = append(out, fmt.Sprintf("what is refused waits, up to %s of a key", compact(int64(sys.Waiting), 9)))
	case sim.Degrade:
		out = append(out, "what is refused gets a cheap answer")
	}
	if sys.KeepPartial {
		out = append(out, "limits keep what they charged when another refuses")
	}
	return strings.Join(out, s.glyphs.middot)
}

func (s *Style) service(v *sim.Service) string {
	parts := []string{"service of " + countOf(int64(v.Workers), "worker"), s.distribution(v.Time)}
	switch v.Queue {
	case -1:
		parts = append(parts, "queue without bound")
	case 0:
		parts = append(parts, "no queue")
	default:
		parts = append(parts, "queue "+compact(int64(v.Queue), 9))
	}
	if v.Timeout > 0 {
		parts = append(parts, "clients wait "+s.Exact(v.Timeout))
	}
	return strings.Join(parts, ", ")
}

// distribution is how long something takes.
func (s *Style) distribution(d random.Distribution) string {
	switch d.Kind {
	case random.Exponential:
		return "mean " + s.Exact(d.Time)
	case random.LogNormal:
		return "median " + s.Exact(d.Time)
	}
	return s.Exact(d.Time)
}

// loaded is what a long queue does to the limit.
func (s *Style) loaded(plan *sim.Plan) string {
	text := fmt.Sprintf("while the queue is %s or longer", compact(int64(plan.System.Load.Above), 9))
	for _, l := range plan.Limiters {
		if c := l.Enforced[0].Loaded; c != nil {
			return "limit " + s.policy(c.Policy) + " " + text
		}
	}
	return "another limit " + text
}

// policy is a limit and its burst.
func (s *Style) policy(p algorithms.Policy) string {
	if p.Burst == 0 || p.Burst == p.Limit.N {
		return s.per(p.Limit)
	}
	return s.per(p.Limit) + " burst " + compact(p.Burst, 9)
}

// servers is how many servers share the limit, and what befalls them.
func (s *Style) servers(plan *sim.Plan) []string {
	cfg := plan.System.Servers
	text := countOf(int64(cfg.Count), "server") + ", " + cfg.Routing.String()
	scheme, same, central := servers.Scheme(0), true, false
	for i, l := range plan.Limiters {
		same = same && (i == 0 || l.Scheme == scheme)
		scheme = l.Scheme
		central = central || servers.Schemes()[scheme].Central
	}
	if same && len(plan.Limiters) > 0 {
		text += ", " + scheme.String()
	}
	out := []string{text}
	if central {
		out = append(out, s.store(plan))
	}
	return append(out, s.events(cfg, central)...)
}

// store is how long the store takes, and what servers answer that cannot reach it: all the ways that
// there are, where limiters differ.
func (s *Style) store(plan *sim.Plan) string {
	var latencies, fails []string
	add := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, l := range plan.Limiters {
		cfg := plan.System.Servers
		if l.System != nil {
			cfg = l.System.Servers
		}
		if !servers.Schemes()[l.Scheme].Central {
			continue
		}
		add(&latencies, s.distribution(cfg.Store.Latency))
		if cfg.FailOpen {
			add(&fails, "fails open")
		} else {
			add(&fails, "fails closed")
		}
	}
	text := "store " + strings.Join(latencies, " or ")
	if len(plan.System.Servers.Store.Outages) > 0 {
		text += ", " + strings.Join(fails, " or ")
	}
	return text
}

// events are what befalls the servers, in words.
func (s *Style) events(cfg *servers.Config, central bool) []string {
	var out []string
	for _, o := range cfg.Store.Outages {
		if central {
			out = append(out, fmt.Sprintf("store down at %s for %s", s.Exact(o.From), s.Exact(o.Until-o.From)))
		}
	}
	for _, r := range cfg.Store.Restarts {
		if central {
			out = append(out, "store restarts at "+s.Exact(r.At))
		}
	}
	for _, m := range cfg.Moves {
		verb := "leaves"
		if m.Joins {
			verb = "joins"
		}
		out = append(out, fmt.Sprintf("server %d %s at %s", m.Server+1, verb, s.Exact(m.At)))
	}
	return s.few(out)
}

// changes are when the main limit changes, as the first limiter that changes has it.
func (s *Style) changes(plan *sim.Plan) []string {
	for _, l := range plan.Limiters {
		var out []string
		for _, c := range l.Enforced[0].Changes {
			out = append(out, fmt.Sprintf("limit %s from %s", s.policy(c.Policy), s.Exact(c.At)))
		}
		if out != nil {
			return s.few(out)
		}
	}
	return nil
}

// few leaves all but a few out, and says how many.
func (s *Style) few(items []string) []string {
	const most = 4
	if len(items) <= most {
		return items
	}
	return append(items[:most:most], fmt.Sprintf("%d more such", len(items)-most))
}

// countOf writes a number with its noun.
func countOf(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return compact(n, 9) + " " + noun + "s"
}
