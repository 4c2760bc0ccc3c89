package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// checkSystem judges what a scenario says about the system around its limiters, but for what
// building the limiters tells.
func (c *checker) checkSystem() {
	if !c.scenario.hasSystem() {
		return
	}
	c.checkCounts()
	c.checkRules()
	c.checkSourcesNames()
	c.checkChanges()
	c.checkLoad()
	if c.scenario.Servers != nil && !c.bad["servers"] {
		c.checkServers()
	}
}

// checkSchemes sees to it that limiters have schemes only where there are servers.
func (c *checker) checkSchemes() {
	for i, l := range c.scenario.Limiters {
		if path := join(index("limiters", i), "scheme"); l.Scheme != "" && !c.has("servers") {
			c.fail(path, "a scheme says how servers share the limit, and the scenario has no servers; write servers: {count: 4}")
		}
	}
}

// checkCounts sees to it that nothing is there too often.
func (c *checker) checkCounts() {
	s := c.scenario
	for _, n := range []struct {
		path       string
		have, most int
	}{
		{"limits", len(s.Limits), maxLimits},
		{"tiers", len(s.Tiers), maxTiers},
		{"changes", len(s.Changes), maxChanges},
		{"endpoints", len(s.endpointNames()), maxEndpoints},
	} {
		if n.have > n.most {
			c.fail(n.path, "%d %s; a scenario may have up to %d", n.have, n.path, n.most)
		}
	}
}

// checkRules judges the limits that hold at the same time, each for itself.
func (c *checker) checkRules() {
	s := c.scenario
	for i, t := range s.Tiers {
		c.burstAlone(index("tiers", i), t.Limit)
	}
	for i, e := range s.Endpoints {
		c.burstAlone(index("endpoints", i), e.Limit)
	}
	for i, r := range s.Limits {
		path := index("limits", i)
		if c.bad[path] {
			continue
		}
		spec, _ := algorithms.Lookup(r.Algorithm)
		if r.Limit.Per == 0 && (spec == nil || !spec.Holds) && r.InFlight == 0 {
			c.missing(path, "limit")
		}
		if r.Tier != "" {
			c.knownTier(join(path, "tier"), r.Tier)
		}
		if names := s.endpointNames(); r.Endpoint != "" && !slices.Contains(names, r.Endpoint) {
			c.fail(join(path, "endpoint"), "endpoint %s: no request is for it%s; endpoints: %s", quoted(r.Endpoint), suggestion(r.Endpoint, names), nameList(names))
		}
	}
	if c.bad["limits"] || c.bad["tiers"] || c.bad["endpoints"] {
		return
	}
	rules := s.rules()
	c.ruleNames(rules)
	if !s.hasMain() && len(rules) > 0 && rules[0].spec != nil {
		c.fail(join(rules[0].path, "algorithm"), "where there is no limit at the top, the first of limits is put to every limiter; leave its algorithm out, or list it under limiters")
	}
}

// burstAlone notes a burst that has no limit.
func (c *checker) burstAlone(path string, limit algorithms.Limit) {
	if c.has(join(path, "burst")) && limit.Per == 0 && !c.bad[path] {
		c.fail(join(path, "burst"), "a burst without a limit; write both, or neither")
	}
}

// ruleNames sees to it that every limit has a name of its own.
func (c *checker) ruleNames(rules []rule) {
	paths := map[string]string{}
	for _, r := range rules {
		first, taken := paths[r.Name]
		if taken {
			c.fail(r.path, "a second limit called %s (the first is on line %d); give it a name of its own, such as name: %s", quoted(r.Name), c.span(first).line, scalarText(r.Name+" too"))
			continue
		}
		paths[r.Name] = r.path
	}
}

// knownTier sees to it that a tier is one of tiers.
func (c *checker) knownTier(path, name string) {
	var names []string
	for _, t := range c.scenario.Tiers {
		names = append(names, t.Name)
	}
	switch {
	case slices.Contains(names, name) || c.bad["tiers"]:
	case len(names) == 0:
		c.fail(path, "tier %s: the scenario has no tiers; write tiers: {%s: {}}, with a limit in it if it has one", quoted(name), visible(scalarText(name)))
	default:
		c.fail(path, "tier %s: there is none%s; tiers: %s", quoted(name), suggestion(name, names), nameList(names))
	}
}

// nameList is names for a message, harmless and not too many.
func nameList(names []string) string {
	const most = 30
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	text := visible(strings.Join(names[:min(most, len(names))], ", "))
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return text + ", …"
	}
	return text
}

// checkSourcesNames sees to it that the traffic names tiers and endpoints that there are.
func (c *checker) checkSourcesNames() {
	s := c.scenario
	var described []string
	for _, e := range s.Endpoints {
		described = append(described, e.Path)
	}
	known := func(path, name string) {
		if len(described) > 0 && !c.bad["endpoints"] && !slices.Contains(described, name) {
			c.fail(path, "endpoint %s: is not described%s; endpoints: %s (for one that has nothing of its own write {})", quoted(name), suggestion(name, described), nameList(described))
		}
	}
	costs := map[string]int64{}
	for _, e := range s.Endpoints {
		costs[e.Path] = e.Cost
	}
	for i, x := range s.Traffic {
		path := index("traffic", i)
		if x.Tier != "" {
			c.knownTier(join(path, "tier"), x.Tier)
		}
		if x.Endpoint != "" {
			known(join(path, "endpoint"), x.Endpoint)
		}
		if x.Endpoint != "" && x.Endpoints != nil {
			c.fail(join(path, "endpoints"), "a source has either an endpoint or endpoints with weights")
		}
		for k, share := range x.Endpoints {
			known(index(join(path, "endpoints"), k), share.Path)
		}
		c.oneCost(path, &x, costs)
	}
}

// oneCost notes requests with a cost of their own for an endpoint that has one.
func (c *checker) oneCost(path string, x *Source, costs map[string]int64) {
	cost, name := costs[x.Endpoint], x.Endpoint
	for _, share := range x.Endpoints {
		if costs[share.Path] != 0 {
			cost, name = costs[share.Path], share.Path
		}
	}
	for i, r := range x.Requests.Instants {
		if r.Cost != 0 && cost != 0 {
			c.fail(join(index(join(path, "requests"), i), "cost"), "cost %d: each request to %s takes %d; leave one of the two out", r.Cost, quoted(name), cost)
			return
		}
	}
}

// checkChanges judges the schedule of the main limit.
func (c *checker) checkChanges() {
	s := c.scenario
	if s.Changes != nil && !s.hasMain() && !c.bad["limit"] {
		c.fail("changes", "changes need a main limit that changes; write one at the top, such as limit: 100/m")
		return
	}
	last := time.Duration(0)
	for i, x := range s.Changes {
		path := index("changes", i)
		if c.bad[path] {
			return
		}
		at := join(path, "at")
		switch {
		case x.Limit.Per == 0 && x.Burst == 0:
			c.fail(path, "a change needs a limit, a burst or both")
		case i > 0 && x.At <= last:
			c.fail(at, "at %s: is not after the change above, at %s", FormatDuration(x.At), FormatDuration(last))
		}
		c.duringRun(at, x.At)
		last = x.At
	}
}

// duringRun sees to it that something happens before the run ends.
func (c *checker) duringRun(path string, at time.Duration) {
	if end := c.scenario.Duration; end > 0 && at >= end {
		c.fail(path, "at %s: is not before the end of the run at %s (duration)", FormatDuration(at), FormatDuration(end))
	}
}

// checkLoad judges the limit under load.
func (c *checker) checkLoad() {
	u, v := c.scenario.Load, c.scenario.Service
	if u == nil || c.bad["load"] {
		return
	}
	switch {
	case !c.has("service"):
		c.fail("load", "load looks at the queue of a service, and the scenario has none; give it one, such as service: {workers: 4, time: 100ms}")
		return
	case !c.scenario.hasMain() && !c.bad["limit"]:
		c.fail("load", "load needs a main limit that it lowers; write one at the top, such as limit: 100/m")
	case u.Below > u.Above:
		c.fail("load.below", "below %d: is more than above, %d", u.Below, u.Above)
	}
	if v == nil || c.bad["service"] {
		return
	}
	queue := Waiting(defaultWaiting)
	if v.Queue != nil {
		queue = *v.Queue
	}
	if queue != unbounded && u.Above > int64(queue) {
		c.fail("load.above", "above %d: the queue of the service is never as long; it holds up to %d", u.Above, queue)
	}
}

// checkServers judges several servers: what does not go with them, and what goes with some ways of
// sharing only.
func (c *checker) checkServers() {
	s := c.scenario
	c.alone()
	c.ofSchemes(s.schemes())
	for i, o := range s.Servers.Outages {
		path := index("servers.outages", i)
		c.duringRun(join(path, "at"), o.At)
		if o.For > algorithms.MaxPeriod-o.At {
			c.fail(join(path, "for"), "for %s: ends later than %s, the longest run there is", FormatDuration(o.For), FormatDuration(algorithms.MaxPeriod))
		}
	}
	for i, r := range s.Servers.Restarts {
		c.duringRun(join(index("servers.restarts", i), "at"), r.At)
	}
	for _, n := range []struct {
		key  string
		have int
	}{
		{"outages", len(s.Servers.Outages)}, {"restarts", len(s.Servers.Restarts)}, {"moves", len(s.Servers.Moves)},
	} {
		if n.have > maxEvents {
			c.fail(join("servers", n.key), "%d %s; a scenario may have up to %d", n.have, n.key, maxEvents)
		}
	}
	c.checkMoves()
}

// alone notes what several servers do not go with: they share one limit that stands.
func (c *checker) alone() {
	s := c.scenario
	for _, key := range []string{"limits", "changes", "load"} {
		if c.has(key) {
			c.fail(key, "%s does not go with servers, which share one limit that stays", key)
		}
	}
	for i, t := range s.Tiers {
		if t.Limit.Per != 0 {
			c.fail(join(index("tiers", i), "limit"), "limits of tiers do not go with servers, which share one limit")
		}
	}
	for i, e := range s.Endpoints {
		if e.Limit.Per != 0 {
			c.fail(join(index("endpoints", i), "limit"), "limits of endpoints do not go with servers, which share one limit")
		}
	}
	if s.OnLimit.Action == "queue" {
		c.fail("on_limit", "a queue of refused requests does not go with servers; each server would have one of its own")
	}
	for i, x := range s.Traffic {
		if x.Retry != nil && x.Retry.Wait == "pace" {
			c.fail(join(index("traffic", i), "retry"), "clients that pace themselves do not go with servers, whose answers do not say how much is left over all of them")
		}
	}
}

// ofScheme is a key of servers that matters to some schemes only.
type ofScheme struct {
	key     string
	matters func(servers.SchemeInfo) bool
	drop    func(*Servers)
}

func ofSchemes() []ofScheme {
	central := func(i servers.SchemeInfo) bool { return i.Central }
	peers := func(i servers.SchemeInfo) bool { return i.Scheme == servers.Async || i.Scheme == servers.Owner }
	async := func(i servers.SchemeInfo) bool { return i.Scheme == servers.Async }
	owner := func(i servers.SchemeInfo) bool { return i.Scheme == servers.Owner }
	return []ofScheme{
		{"store", central, func(v *Servers) { v.Store = nil }},
		{"fail", central, func(v *Servers) { v.Fail = "" }},
		{"outages", central, func(v *Servers) { v.Outages = nil }},
		{"restarts", central, func(v *Servers) { v.Restarts = nil }},
		{"peers", peers, func(v *Servers) { v.Peers = Length{} }},
		{"sync", async, func(v *Servers) { v.Sync = 0 }},
		{"moves", owner, func(v *Servers) { v.Moves = nil }},
	}
}

// schemes are the schemes that the key matters to, and whether one of them is in use.
func (k *ofScheme) schemes(used map[servers.Scheme]bool) (names []string, matters bool) {
	for _, info := range servers.Schemes() {
		if k.matters(info) {
			names = append(names, info.Name)
			matters = matters || used[info.Scheme]
		}
	}
	return names, matters
}

// ofSchemes notes what matters to none of the schemes in use.
func (c *checker) ofSchemes(used map[servers.Scheme]bool) {
	for _, k := range ofSchemes() {
		names, matters := k.schemes(used)
		if path := join("servers", k.key); c.has(path) && !matters {
			c.fail(path, "%s matters to %s only, and no limiter has that scheme; write it as scheme", k.key, strings.Join(names, " and "))
		}
	}
}

// SetLimiters gives the scenario another list of limiters. What servers say that matters to none of
// them goes away with those it mattered to; a system stays even if what made it one goes away.
func (s *Scenario) SetLimiters(limiters []Limiter) {
	had := s.hasSystem()
	s.Limiters = limiters
	if had && !s.hasSystem() {
		s.OnLimit.Action = "reject" // as it is anyway
	}
	if s.Servers == nil {
		return
	}
	v := *s.Servers // which scenarios may share
	used := s.schemes()
	for _, k := range ofSchemes() {
		if _, matters := k.schemes(used); !matters {
			k.drop(&v)
		}
	}
	s.Servers = &v
}

// schemes are those in use.
func (s *Scenario) schemes() map[servers.Scheme]bool {
	used := map[servers.Scheme]bool{}
	for _, x := range s.candidates() {
		used[x.scheme] = true
	}
	return used
}

// checkMoves sees to it that servers leave which are there, that those join which are not, and that
// one stays.
func (c *checker) checkMoves() {
	v := c.scenario.Servers
	there := map[int64]bool{}
	for n := range v.Count {
		there[n+1] = true
	}
	for i := len(v.Moves) - 1; i >= 0; i-- { // a server whose first move is to join is not there before
		m := v.Moves[i]
		there[m.Leaves+m.Joins] = m.Leaves != 0
	}
	last := time.Duration(0)
	for i, m := range v.Moves {
		path := index("servers.moves", i)
		if reason := m.wrong(v, there, last); reason != "" {
			c.fail(path, "%s", reason)
			return
		}
		there[m.Leaves+m.Joins] = m.Joins != 0
		last = m.At
		c.duringRun(join(path, "at"), m.At)
	}
}

// wrong says what is wrong with a move when these servers are there; "" if nothing is.
func (m Move) wrong(v *Servers, there map[int64]bool, last time.Duration) string {
	n, left := m.Leaves+m.Joins, 0
	for k := range v.Count {
		if there[k+1] {
			left++
		}
	}
	switch {
	case (m.Leaves == 0) == (m.Joins == 0):
		return "a move says which server leaves, or which joins, such as {at: 40s, leaves: 3}"
	case n > v.Count:
		return fmt.Sprintf("server %d: there are %d, numbered from 1", n, v.Count)
	case m.At < last:
		return fmt.Sprintf("at %s: comes before the move above it, at %s; write them in order of time", FormatDuration(m.At), FormatDuration(last))
	case m.Joins != 0 && there[n]:
		return fmt.Sprintf("server %d is there already when it joins", n)
	case m.Leaves != 0 && !there[n]:
		return fmt.Sprintf("server %d is not there when it leaves", n)
	case m.Leaves != 0 && left == 1:
		return fmt.Sprintf("server %d is the last that is left", n)
	}
	return ""
}
