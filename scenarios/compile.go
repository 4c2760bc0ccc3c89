package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Here the system around the limiters is made ready for the engine.

// What holds where a file leaves it out.
const (
	defaultAttempts = 4
	defaultFirst    = time.Second
	defaultMost     = 30 * time.Second
	defaultWaiting  = 100 // requests of one key, and of a service's queue
	defaultSync     = 100 * time.Millisecond
	defaultPeers    = time.Millisecond
	defaultPreset   = "memory"
)

// systemKeys are the keys at the top of the file by which there is more than limiters alone.
func (s *Scenario) systemKeys() []string {
	var keys []string
	for _, k := range []struct {
		name string
		used bool
	}{
		{"key: " + string(s.Key), s.Key != "" && s.Key != "client" && s.Key != keyOfAll},
		{"limits", s.Limits != nil},
		{"on_partial_deny", s.OnPartialDeny != ""},
		{"on_limit", s.OnLimit.Action != ""},
		{"tiers", s.Tiers != nil},
		{"endpoints", s.Endpoints != nil},
		{"service", s.Service != nil},
		{"changes", s.Changes != nil},
		{"load", s.Load != nil},
		{"servers", s.Servers != nil},
	} {
		if k.used {
			keys = append(keys, k.name)
		}
	}
	return keys
}

// hasSystem reports whether there is more than limiters alone.
func (s *Scenario) hasSystem() bool {
	apart := func(l Limiter) bool { return l.isApart() }
	return len(s.systemKeys()) > 0 || slices.ContainsFunc(s.Limiters, apart) || slices.ContainsFunc(s.Traffic, func(x Source) bool {
		return x.Tier != "" || x.User != "" || x.Address != "" || x.Endpoint != "" || x.Endpoints != nil || x.Abusive || x.Retry != nil
	})
}

// tierNames are the tiers by index; "" stands first if there are clients without one.
func (s *Scenario) tierNames() []string {
	var names []string
	if len(s.Tiers) == 0 || slices.ContainsFunc(s.Traffic, func(x Source) bool { return x.Tier == "" }) {
		names = append(names, "")
	}
	for _, t := range s.Tiers {
		names = append(names, t.Name)
	}
	return names
}

// endpointNames are the endpoints by index: those that the file describes, then those that its
// traffic names besides. "" stands first if there are requests without one.
func (s *Scenario) endpointNames() []string {
	var names []string
	none := func(x Source) bool { return x.Endpoint == "" && x.Endpoints == nil }
	if slices.ContainsFunc(s.Traffic, none) || len(s.Traffic) == 0 {
		names = append(names, "")
	}
	seen := map[string]bool{"": true}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, e := range s.Endpoints {
		add(e.Path)
	}
	for _, x := range s.Traffic {
		add(x.Endpoint)
		for _, share := range x.Endpoints {
			add(share.Path)
		}
	}
	return names
}

// system is the system around the limiters but for its seeds and its clients.
func (s *Scenario) system(rules []rule) *sim.System {
	out := &sim.System{
		Tiers:       s.tierNames(),
		Endpoints:   s.endpointNames(),
		KeepPartial: s.OnPartialDeny == "keep",
		Service:     s.Service.compile(),
		Load:        s.Load.compile(),
		Servers:     s.Servers.compile(),
	}
	for _, r := range rules {
		out.Rules = append(out.Rules, r.Rule)
	}
	out.OnLimit, out.Waiting = s.OnLimit.compile()
	return out
}

// seeded is the system with the seed of a plan.
func seeded(system *sim.System, seed uint64) *sim.System {
	if system == nil {
		return nil
	}
	out := *system
	out.Seed = seed
	if out.Servers != nil {
		config := *out.Servers
		config.Seed = seed
		out.Servers = &config
	}
	return &out
}

func (v *Service) compile() *sim.Service {
	if v == nil {
		return nil
	}
	out := &sim.Service{Workers: int(v.Workers), Time: v.Time.compile(), Queue: defaultWaiting, Timeout: sim.Time(v.Timeout)}
	if v.Queue != nil {
		out.Queue = int(*v.Queue)
	}
	return out
}

func (u *UnderLoad) compile() *sim.Load {
	if u == nil {
		return nil
	}
	return &sim.Load{Every: sim.Time(u.Every), Above: int(u.Above), Below: int(u.Below)}
}

func (l Length) compile() random.Distribution {
	switch {
	case l.LogNormal != nil:
		return random.Distribution{Kind: random.LogNormal, Time: sim.Time(l.LogNormal.Median), SigmaMilli: int64(l.LogNormal.Sigma)}
	case l.Exponential != 0:
		return random.Distribution{Kind: random.Exponential, Time: sim.Time(l.Exponential)}
	}
	return random.Distribution{Time: sim.Time(l.Constant)}
}

// or is the length, or another where it was left out.
func (l Length) or(other random.Distribution) random.Distribution {
	if l == (Length{}) {
		return other
	}
	return l.compile()
}

func (v *Servers) compile() *servers.Config {
	if v == nil {
		return nil
	}
	out := &servers.Config{
		Count:    int(v.Count),
		Store:    v.store(),
		Skew:     sim.Time(v.Skew),
		Sync:     sim.Time(defaultSync),
		Peer:     v.Peers.or(random.Distribution{Time: sim.Time(defaultPeers)}),
		FailOpen: v.Fail == "open",
	}
	out.Routing, _ = servers.ParseRouting(string(v.Routing))
	if v.Sync != 0 {
		out.Sync = sim.Time(v.Sync)
	}
	for _, m := range v.Moves {
		out.Moves = append(out.Moves, servers.Move{At: sim.Time(m.At), Server: int(m.Leaves+m.Joins) - 1, Joins: m.Joins != 0})
	}
	return out
}

// preset is the kind of store that the servers have.
func (v *Servers) preset() string {
	if v.Store == nil || v.Store.Preset == "" {
		return defaultPreset
	}
	return string(v.Store.Preset)
}

// store is the store: what its kind brings, and what the file says otherwise.
func (v *Servers) store() servers.Store {
	preset, _ := servers.FindPreset(v.preset())
	out := preset.Store
	if v.Store != nil {
		out.Latency = v.Store.Latency.or(out.Latency)
		if v.Store.Timeout != 0 {
			out.Timeout = sim.Time(v.Store.Timeout)
		}
	}
	out.Outages, out.Restarts = nil, nil
	for _, o := range v.Outages {
		out.Outages = append(out.Outages, servers.Outage{From: sim.Time(o.At), Until: sim.Time(o.At + o.For)})
	}
	for _, r := range v.Restarts {
		restart := preset.Restart
		restart.At = sim.Time(r.At)
		if r.For != 0 {
			restart.Down = sim.Time(r.For)
		}
		out.Restarts = append(out.Restarts, restart)
	}
	return out
}

// scheme is how the servers share a limit unless a limiter says otherwise.
func (s *Scenario) scheme() servers.Scheme {
	if s.Servers == nil || s.Servers.Scheme == "" {
		return servers.CentralAtomic
	}
	scheme, _ := servers.ParseScheme(string(s.Servers.Scheme))
	return scheme
}

// takes reports whether a scheme can share the limit of an algorithm: what servers tell each other
// are counts of windows that all of them have.
func takes(scheme servers.Scheme, spec *algorithms.Spec) bool {
	return scheme != servers.Async || spec.Name == "fixed-window"
}

// first is the first wait.
func (r *Retry) first() time.Duration {
	if r.First == 0 {
		return defaultFirst
	}
	return r.First
}

func (r *Retry) compile() retry.Policy {
	if r == nil || r.Wait == "none" {
		return retry.Policy{Attempts: 1}
	}
	out := retry.Policy{Wait: sim.Time(r.first()), Spread: sim.Time(r.Spread), Attempts: defaultAttempts, GiveUp: sim.Time(r.GiveUp)}
	if r.Attempts != 0 {
		out.Attempts = r.Attempts
	}
	switch r.Wait {
	case "at-once":
		out.Kind, out.Wait = retry.AtOnce, 0
	case "fixed":
		out.Kind = retry.Fixed
	case "exponential":
		out.Kind, out.Jitter, out.Most = retry.Exponential, r.jitter(), sim.Time(r.Most)
		if r.Most == 0 {
			out.Most = sim.Time(max(defaultMost, r.first()))
		}
	case "retry-after":
		out.Kind = retry.RetryAfter
	case "pace":
		out.Kind = retry.Pace
	}
	return out
}

func (r *Retry) jitter() retry.Jitter {
	switch r.Jitter {
	case "none":
		return retry.None
	case "equal":
		return retry.Equal
	case "decorrelated":
		return retry.Decorrelated
	}
	return retry.Full
}

// lane is a limiter, of which what it enforces under every rule is to be built.
type lane struct {
	scenario *Scenario
	limiter  sim.Limiter
	entry    *Limiter // in the list; nil if it has none
	path     string   // of its entry; "" if it has none
	fail     func(path, message string)
}

// enforced is what the limiter enforces under every rule. What cannot be is told to fail.
func (l *lane) enforced(rules []rule) []sim.Enforced {
	x := &l.limiter
	out := []sim.Enforced{{Spec: x.Spec, Policy: x.Policy, Maker: x.Maker}}
	if !x.Spec.Holds {
		out[0].Changes = l.changes()
		out[0].Loaded = l.loaded()
	}
	for i := range rules[1:] {
		out = append(out, l.further(&rules[1+i]))
	}
	return out
}

// shared has the servers of the scenario share the limiter's limit, if there are any.
func (l *lane) shared() {
	if l.scenario.Servers == nil || l.limiter.Maker == nil {
		return
	}
	config := l.scenario.Servers.apart(l.entry).compile()
	limit := servers.Limit{Spec: l.limiter.Spec, Policy: l.limiter.Policy, Maker: l.limiter.Maker}
	if _, err := servers.New(config, l.limiter.Scheme, limit, nil, nil); err != nil {
		path := "servers.scheme"
		if l.path != "" {
			path = join(l.path, "scheme")
		}
		first, _, _ := strings.Cut(err.Error(), "\n") // what follows comes of the first
		l.fail(path, fmt.Sprintf("%s cannot be shared: %s", quoted(l.limiter.Name), first))
	}
}

// further is what the limiter enforces under a rule other than the first.
func (l *lane) further(r *rule) sim.Enforced {
	e := sim.Enforced{Spec: r.spec, Policy: r.policy}
	e.Policy.Start = l.limiter.Policy.Start
	if r.spec == nil {
		e.Spec, e.Policy.Options = l.limiter.Spec, l.limiter.Policy.Options
	}
	if r.spec == nil && e.Spec.Holds {
		l.fail(r.path, fmt.Sprintf("%s counts what is in flight and cannot enforce %s%s", l.limiter.Name, FormatRate(r.policy.Limit), r.remedy()))
		return e
	}
	e.Maker = l.build(e.Spec, e.Policy, func(field string) string {
		if r.spec == nil && e.Spec.Name == l.limiter.Spec.Name && isOption(e.Spec, field) {
			return join(l.path, field)
		}
		return join(r.path, policyKey(field))
	})
	return e
}

// build makes a policy ready; where tells where a field of it stands in the file.
func (l *lane) build(spec *algorithms.Spec, p algorithms.Policy, where func(field string) string) algorithms.Maker {
	maker, err := spec.Build(p)
	for _, e := range policyErrors(err) {
		l.fail(where(e.Field), fmt.Sprintf("%s: %s %s: %s", spec.Name, e.Field, quoted(e.Value), e.Reason))
	}
	return maker
}

// changes are the policies that the main limit goes through. Each leaves what it does not name as it
// was.
func (l *lane) changes() []sim.Changed {
	var out []sim.Changed
	p := l.limiter.Policy
	for i, c := range l.scenario.Changes {
		if c.Limit.Per != 0 {
			p.Limit = c.Limit
		}
		if c.Burst != 0 {
			p.Burst = c.Burst
		}
		p.Options = started(p.Options)
		out = append(out, sim.Changed{At: sim.Time(c.At), Policy: p, Maker: l.another(p, index("changes", i))})
	}
	return out
}

// loaded is the main limit while the service is under load; nil if that changes nothing. At is not
// used.
func (l *lane) loaded() *sim.Changed {
	u := l.scenario.Load
	if u == nil || l.entry != nil && l.entry.Load == "none" {
		return nil
	}
	p := l.limiter.Policy
	p.Limit, p.Options = u.Limit, started(p.Options)
	if u.Burst != 0 {
		p.Burst = u.Burst
	}
	return &sim.Changed{Policy: p, Maker: l.another(p, "load")}
}

// started are the options of a limiter that has begun already, and has no level to begin with.
func started(options map[string]string) map[string]string {
	if _, ok := options["initial"]; !ok {
		return options
	}
	out := maps.Clone(options)
	delete(out, "initial")
	return out
}

// another makes a policy ready that takes the place of the main one while limiters stand.
func (l *lane) another(p algorithms.Policy, path string) algorithms.Maker {
	x := &l.limiter
	maker := l.build(x.Spec, p, func(field string) string { return join(path, policyKey(field)) })
	if maker != nil && x.Maker != nil && !algorithms.Adjust(x.Maker.New(), 0, maker) {
		l.fail(join(path, "limit"), fmt.Sprintf("%s cannot go from %s to %s: a window keeps its period; write the new limit per %s, or list limiters that have no windows",
			x.Name, FormatRate(x.Policy.Limit), FormatRate(p.Limit), FormatDuration(x.Policy.Limit.Per)))
	}
	return maker
}

// policyKey is the key in a file of a field of a policy.
func policyKey(field string) string {
	if field == "per" {
		return "limit"
	}
	return field
}

func isOption(spec *algorithms.Spec, name string) bool {
	_, ok := spec.Option(name)
	return ok
}
