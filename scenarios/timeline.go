package scenarios

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// source makes one source ready, or notes what is wrong with it.
func (c *checker) source(path string, s *Source) {
	legible := !c.bad[path]
	c.checkSource(path, s)
	out := source{name: c.streamName(path, s)}
	out.spec = traffic.Spec{Name: out.name, Cost: max(1, s.Cost), Clients: c.senders(path, s), Arrivals: process(&s.Arrivals)}
	switch {
	case !legible:
	case s.Requests.Trace != nil:
		out.exact = true
		c.trace(join(path, "requests"), s, &out)
	case s.Requests.Instants != nil:
		out.exact = true
		c.instants(join(path, "requests"), s, &out)
	case s.Replay != nil:
		out.exact = true
		c.replay(join(path, "replay"), s, &out)
	case s.Phases != nil || s.Arrivals.MMPP != nil:
		c.phases(path, s, &out)
	}
	c.sources = append(c.sources, out)
}

// checkSource sees to it that the keys of a source go together.
func (c *checker) checkSource(path string, s *Source) {
	has := func(key string) bool { return c.has(join(path, key)) }
	switch {
	case has("phases") && has("requests"):
		c.fail(join(path, "requests"), "a source has either phases or requests; make two sources of it")
	case has("replay") && (has("phases") || has("requests")):
		c.fail(join(path, "replay"), "a source has either a replay or requests of its own; make two sources of it")
	case !has("phases") && !has("requests") && !has("replay") && s.Arrivals.MMPP == nil && !c.bad[path]:
		c.fail(path, "a source needs phases or requests")
	}
	if has("replay") {
		for _, key := range []string{"client", "clients", "arrivals", "cost"} {
			if has(key) {
				c.fail(join(path, key), "%s does not go with a replay, which has it from the log", key)
			}
		}
	}
	if has("client") && has("clients") {
		c.fail(join(path, "clients"), "a source has either a client or clients")
	}
	if has("requests") {
		for _, key := range []string{"clients", "arrivals"} {
			if has(key) {
				c.fail(join(path, key), "%s do not go with requests, which name every instant", key)
			}
		}
	}
	c.checkArrivals(join(path, "arrivals"), &s.Arrivals)
	if zipf := join(path, "clients.share.zipf"); c.has(zipf) && !c.bad[zipf] && (s.Clients.Share.Zipf < 1 || s.Clients.Share.Zipf > 10_000) {
		c.fail(zipf, "zipf %s: must be from 0.001 to 10; for equal shares write share: even", s.Clients.Share.Zipf)
	}
}

func (c *checker) checkArrivals(path string, a *Arrivals) {
	if c.bad[path] {
		return
	}
	if b := a.Bursty; b != nil && c.has(path+".bursty.pareto") && (b.Pareto < 1050 || b.Pareto > 100_000) {
		c.fail(path+".bursty.pareto", "pareto %s: must be from 1.05 to 100", b.Pareto)
	}
	m := a.MMPP
	if m == nil {
		return
	}
	if len(m.Rates) != len(m.Stay) {
		c.fail(path+".mmpp.stay", "stay has %d entries and rates has %d; each state has one of both", len(m.Stay), len(m.Rates))
	}
	if !slices.ContainsFunc(m.Rates, func(l algorithms.Limit) bool { return l.N > 0 }) {
		c.fail(path+".mmpp.rates", "all rates are zero; nothing would ever come")
	}
}

// String writes the thousandths as a decimal number: 1.1.
func (m Milli) String() string {
	text := Decimal{Digits: int64(m), Scale: 3}.String()
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// defaultPareto is the shape of on-off periods when none is given: a tail heavy enough to see.
const defaultPareto = 1500

// process is the arrivals as the generators want them.
func process(a *Arrivals) traffic.Process {
	switch {
	case a.Poisson:
		return traffic.Process{Kind: traffic.Poisson}
	case a.Bursty != nil:
		p := traffic.Process{Kind: traffic.OnOff, Active: sim.Time(a.Bursty.Active), Idle: sim.Time(a.Bursty.Idle), AlphaMilli: int64(a.Bursty.Pareto)}
		if p.AlphaMilli == 0 {
			p.AlphaMilli = defaultPareto
		}
		return p
	case a.MMPP != nil:
		p := traffic.Process{Kind: traffic.MMPP, Rates: a.MMPP.Rates}
		for _, d := range a.MMPP.Stay {
			p.Stay = append(p.Stay, sim.Time(d))
		}
		return p
	}
	return traffic.Process{}
}

// senders are the clients of a source.
func (c *checker) senders(path string, s *Source) traffic.Clients {
	if s.Clients == nil {
		return traffic.Clients{First: c.names.ID(s.Client), Count: 1}
	}
	g := c.names.byName[prefixOf(s.Clients)]
	if g == nil || c.bad[join(path, "clients")] {
		return traffic.Clients{}
	}
	return traffic.Clients{First: g.first, Count: uint32(s.Clients.Count), ZipfMilli: int64(s.Clients.Share.Zipf)}
}

// streamName names the random draws of a source. Two sources of one name would draw the same, so
// the second of those that did not choose theirs is numbered.
func (c *checker) streamName(path string, s *Source) string {
	name := s.Client
	if s.Clients != nil {
		name = prefixOf(s.Clients) + "*"
	}
	if s.Name != "" {
		name = s.Name
	}
	c.streams[name]++
	n := c.streams[name]
	if n == 1 {
		return name
	}
	if s.Name != "" {
		c.fail(join(path, "name"), "a second source called %s; its random draws would be the same", quoted(s.Name))
	}
	return name + "#" + strconv.Itoa(n)
}

// instants takes requests one by one.
func (c *checker) instants(path string, s *Source, out *source) {
	last := time.Duration(0)
	for i, r := range s.Requests.Instants {
		here := join(index(path, i), "at")
		if r.At < last {
			c.fail(here, "at %s: comes before the request above it, at %s; write them in order of time", FormatDuration(r.At), FormatDuration(last))
			return
		}
		if d := c.scenario.Duration; d > 0 && r.At >= d {
			c.fail(here, "at %s: is not before the end of the run at %s (duration)", FormatDuration(r.At), FormatDuration(d))
			return
		}
		last = r.At
		cost := r.Cost
		if cost == 0 {
			cost = max(1, s.Cost)
		}
		out.rows = append(out.rows, traffic.Request{At: sim.Time(r.At), Cost: cost, Client: out.spec.Clients.First})
	}
	out.end = last + 1
}

// phases lays the phases of a source one after the other. A phase with a mistake ends the time
// line; those behind it are still read.
func (c *checker) phases(path string, s *Source, out *source) {
	phases := s.Phases
	if len(phases) == 0 { // an MMPP needs none
		phases = []Phase{{}}
	}
	whole := true
	for i := range phases {
		here := path
		if len(s.Phases) > 0 {
			here = index(join(path, "phases"), i)
		}
		part, length := c.phase(here, s, &phases[i])
		whole = whole && !c.bad[here] && c.lay(here, &phases[i], part, length, i == len(phases)-1, out)
	}
	if last := phases[len(phases)-1]; last.Burst > 0 && last.Over == 0 {
		out.end++ // a run that takes the burst lasts beyond its instant
	}
}

// lay puts a phase at the end of the time line.
func (c *checker) lay(path string, p *Phase, part traffic.Part, length time.Duration, last bool, out *source) bool {
	start, ok := c.begin(path, p, out)
	if !ok {
		return false
	}
	if length == 0 && part.Burst == 0 {
		if out.open = c.mayStayOpen(path, last); !out.open {
			return false
		}
	}
	if !c.fits(path, start, length) {
		return false
	}
	part.From, part.Until = sim.Time(start), sim.Time(start+length)
	if p.Pause == 0 {
		out.spec.Parts = append(out.spec.Parts, part)
	}
	out.end = start + length
	return true
}

// begin is when a phase begins.
func (c *checker) begin(path string, p *Phase, out *source) (time.Duration, bool) {
	if p.At == nil {
		return out.end, true
	}
	if *p.At < out.end {
		c.fail(join(path, "at"), "at %s: is before the end of the phase above, at %s", FormatDuration(*p.At), FormatDuration(out.end))
		return 0, false
	}
	return *p.At, true
}

// mayStayOpen reports whether a phase may do without a length.
func (c *checker) mayStayOpen(path string, last bool) bool {
	switch {
	case !last:
		c.fail(path, `"for" is missing; only the last phase may leave it out`)
	case c.scenario.Duration == 0:
		c.fail(path, `"for" is missing; the last phase may leave it out only if the scenario has a duration`)
	default:
		return true
	}
	return false
}

// fits sees to it that a phase lies within the run.
func (c *checker) fits(path string, start, length time.Duration) bool {
	end := c.scenario.Duration
	switch {
	case length > algorithms.MaxPeriod-start:
		c.fail(path, "the phase ends later than %s, the longest run there is", FormatDuration(algorithms.MaxPeriod))
	case end > 0 && start >= end:
		c.fail(path, "the phase begins at %s, but the run ends at %s (duration)", FormatDuration(start), FormatDuration(end))
	case end > 0 && start+length > end:
		c.fail(path, "the phase ends at %s, but the run ends at %s (duration)", FormatDuration(start+length), FormatDuration(end))
	default:
		return true
	}
	return false
}

// phase reads one phase: what it sends, and for how long (0: to the end of the run, or at once).
func (c *checker) phase(path string, s *Source, p *Phase) (part traffic.Part, length time.Duration) {
	if c.bad[path] {
		return part, 0
	}
	has := func(key string) bool { return c.has(join(path, key)) }
	switch {
	case has("burst"):
		c.only(path, "burst", "at", "burst", "over")
		return traffic.Part{Burst: p.Burst, Over: sim.Time(p.Over)}, p.Over
	case has("pause"):
		c.only(path, "pause", "at", "pause")
		return part, p.Pause
	case s.Arrivals.MMPP != nil:
		c.only(path, "mmpp arrivals, which have rates of their own", "at", "for")
		return part, p.For
	case has("rate"):
		c.only(path, "rate", "at", "rate", "to", "for", "sine")
		return c.ratePart(path, p), p.For
	}
	c.fail(path, "a phase needs a rate, a burst or a pause")
	return part, 0
}

// only notes the keys of a phase that do not go with what it is.
func (c *checker) only(path, kind string, good ...string) {
	for _, key := range []string{"at", "rate", "to", "for", "sine", "burst", "over", "pause"} {
		if c.has(join(path, key)) && !slices.Contains(good, key) {
			c.fail(join(path, key), "%s does not go with %s; such a phase has %s", key, kind, strings.Join(good, ", "))
		}
	}
}

// ratePart is a phase with a rate.
func (c *checker) ratePart(path string, p *Phase) traffic.Part {
	part := traffic.Part{Rate: p.Rate, To: p.To}
	if p.To.Per == 0 {
		part.To = p.Rate
	}
	if part.Rate.N == 0 && part.To.N == 0 {
		c.fail(join(path, "rate"), "rate %q: sends nothing; for that write a pause", FormatRate(p.Rate))
	}
	if p.Sine != nil {
		part.Amplitude, part.Period = p.Sine.Amplitude, sim.Time(p.Sine.Period)
		if compareRates(part.Amplitude, part.Rate) > 0 || compareRates(part.Amplitude, part.To) > 0 {
			c.fail(join(path, "sine.amplitude"), "amplitude %q: is more than the rate; the wave would go below zero", FormatRate(part.Amplitude))
		}
	}
	return part
}

// compareRates compares a.N/a.Per with b.N/b.Per by cross multiplication in 128 bits.
func compareRates(a, b algorithms.Limit) int {
	ahi, alo := bits.Mul64(uint64(a.N), uint64(b.Per))
	bhi, blo := bits.Mul64(uint64(b.N), uint64(a.Per))
	switch {
	case ahi < bhi || ahi == bhi && alo < blo:
		return -1
	case ahi > bhi || alo > blo:
		return 1
	}
	return 0
}
