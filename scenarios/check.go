package scenarios

import (
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Bounds on what a scenario may ask for. They are far beyond what teaches anything, and stop a
// slip of the finger from taking a day or all memory.
const (
	maxRequests = 10_000_000_000 // in a run
	maxClients  = 10_000_000
	maxRows     = 20_000_000 // of a trace file, 24 bytes each
	maxLimiters = 100        // each is run on all requests, with a state for every client

	maxTiers     = 100
	maxLimits    = 20   // besides the main one; each is asked about every request that it applies to
	maxEndpoints = 1000 // described and named
	maxChanges   = 1000
	maxEvents    = 1000          // outages, restarts and moves of servers, each; a move looks at every key
	maxSendings  = maxRequests   // of requests, the first times included
	maxLooks     = 1_000_000_000 // at the queue of a service
)

// checker judges a scenario as a whole, once its values have been read, and makes its traffic
// ready. Values that could not be read have been reported, so it says nothing about them.
type checker struct {
	*document
	scenario *Scenario
	folder   string // of trace files
	names    *clientNames
	streams  map[string]int // how many sources have asked for this name
	sources  []source
	notes    []string

	// Of a scenario with a system.
	spoken     []int32           // by client: the first source that it sends from
	endpointOf map[string]uint32 // by name
	costs      []int64           // by endpoint
}

// source is a source of traffic made ready: a generator, or requests one by one.
type source struct {
	name  string // for messages
	spec  traffic.Spec
	open  bool              // the last part lasts to the end of the run
	rows  []traffic.Request // in place of the spec
	exact bool              // it is rows that count
	end   time.Duration     // when the last part ends, or just after the last row
	aim   *traffic.Aim      // what the requests ask for; nil for nothing
}

func (c *checker) check() {
	s := c.scenario
	if !c.has("version") {
		s.Version = 1
	}
	c.checkSystem()
	c.checkPolicies()
	if c.has("traffic") && !c.bad["duration"] {
		c.nameGroups()
		for i := range s.Traffic {
			c.source(index("traffic", i), &s.Traffic[i])
		}
		c.checkDuration()
	}
	c.checkPeople()
	c.checkExpect()
}

// duration is how long the scenario runs: as long as it says, or else as its traffic.
func (c *checker) duration() time.Duration {
	end := c.scenario.Duration
	if end == 0 {
		for _, s := range c.sources {
			end = max(end, s.end)
		}
	}
	return end
}

func (c *checker) checkDuration() {
	d := c.duration()
	if d > algorithms.MaxPeriod {
		c.fail("traffic", "runs for %s, longer than %s; set a duration", FormatDuration(d), FormatDuration(algorithms.MaxPeriod))
		return
	}
	if n := expected(c.sources, d); n > maxRequests && !c.bad["traffic"] {
		c.fail("traffic", "%s", tooMany(n))
	}
	if !c.bad["traffic"] && len(c.sources) == len(c.scenario.Traffic) {
		for path, reason := range c.scenario.tooOften(c.sources, d) {
			c.fail(path, "%s", reason)
		}
	}
}

// checkExpect sees to it that what is expected is expected of limiters that there are.
func (c *checker) checkExpect() {
	if c.bad["limiters"] {
		return
	}
	names := limiterNames(c.scenario.candidates())
	for _, x := range c.scenario.Expect {
		known := false
		for _, name := range names {
			known = known || name == x.Limiter
		}
		if !known {
			c.failAt(c.span(join("expect", x.Limiter)), "unknown limiter %s%s; limiters here: %s",
				quoted(x.Limiter), suggestion(x.Limiter, names), visible(strings.Join(names, ", ")))
		}
		c.checkMeasures(&x)
	}
}

// checkMeasures sees to it that what tells of a system is expected only where there is one.
func (c *checker) checkMeasures(x *Expectation) {
	if c.scenario.hasSystem() {
		return
	}
	for _, e := range x.Measures {
		if m, _ := LookupMeasure(e.Measure); m.System {
			c.fail(join(join("expect", x.Limiter), e.Measure), "%s tells of the system around the limiters, and this scenario has none: no retries, tiers, service or servers", e.Measure)
		}
	}
}

const defaultPrefix = "client-"

// prefixOf is the prefix of a group of clients.
func prefixOf(c *Clients) string {
	if c.Prefix == "" {
		return defaultPrefix
	}
	return c.Prefix
}

// nameGroups gives the groups of clients their ids, before any other client can take one from the
// middle. Sources with the same prefix share their clients.
func (c *checker) nameGroups() {
	total := int64(0)
	for i, s := range c.scenario.Traffic {
		path := join(index("traffic", i), "clients")
		if s.Clients == nil || c.bad[path] {
			continue
		}
		total += c.names.grow(prefixOf(s.Clients), s.Clients.Count, path)
		if total > maxClients {
			c.fail(path, "brings the scenario to more than %d clients", maxClients)
			return
		}
	}
	c.names.number()
	if g, ok := c.names.overlap(); ok {
		c.fail(g.path, "the clients with the prefix %s have names in common with those of another prefix; let it end with a letter or a dash", quoted(g.prefix))
	}
}
