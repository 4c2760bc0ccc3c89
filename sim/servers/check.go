package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// mistakes collects what is wrong, to be reported at once.
type mistakes struct{ found []error }

func (m *mistakes) add(format string, args ...any) {
	m.found = append(m.found, fmt.Errorf(format, args...))
}

// unless adds a mistake where something is not as it must be.
func (m *mistakes) unless(ok bool, format string, args ...any) {
	if !ok {
		m.add(format, args...)
	}
}

// check reports every mistake of a configuration, and where a scheme cannot serve a limit.
func check(cfg *Config, scheme Scheme, limit Limit) error {
	m := &mistakes{}
	m.unless(scheme < schemes, "scheme %d: must be %s", uint8(scheme), schemeNames())
	m.unless(cfg.Routing < routings, "routing %d: must be %s", uint8(cfg.Routing), routingNames())
	m.unless(cfg.Count >= 1 && cfg.Count <= MostServers, "count %q: must be 1 to %d servers", fmt.Sprint(cfg.Count), MostServers)
	m.length("skew", cfg.Skew, 0)
	m.distribution("peer", cfg.Peer)
	m.store(&cfg.Store)
	m.limit(scheme, limit)
	switch scheme {
	case Async:
		m.length("sync", cfg.Sync, 1)
	case Owner:
		m.moves(cfg)
	}
	return errors.Join(m.found...)
}

// schemeNames lists the good values.
func schemeNames() string {
	var names []string
	for _, s := range Schemes() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// routingNames lists the good values.
func routingNames() string {
	var names []string
	for _, r := range Routings() {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}

// longest is the longest length of time in a configuration: ten years.
const longest = Time(algorithms.MaxPeriod)

// length checks a length of time, or an instant.
func (m *mistakes) length(what string, t, least Time) {
	m.unless(t >= least && t <= longest, "%s %q: must be %v to %v (ten years)",
		what, time.Duration(t), time.Duration(least), time.Duration(longest))
}

// distribution checks a distribution of lengths.
func (m *mistakes) distribution(what string, d random.Distribution) {
	m.unless(d.Kind <= random.LogNormal, "%s: kind %d: must be constant, exponential or log-normal", what, d.Kind)
	m.length(what, d.Time, 0)
	if d.Kind == random.LogNormal {
		m.unless(d.SigmaMilli >= 1 && d.SigmaMilli <= 5000, "%s: sigma %d thousandths: must be 1 to 5000", what, d.SigmaMilli)
	}
}

// store checks everything of the store: schemes that do not ask it are told of mistakes as well, so
// that a configuration is good for all or for none.
func (m *mistakes) store(s *Store) {
	m.distribution("store latency", s.Latency)
	m.length("store timeout", s.Timeout, 0)
	for i, o := range s.Outages {
		what := fmt.Sprintf("outage %d", i)
		m.length(what+" from", o.From, 0)
		m.length(what+" until", o.Until, 0)
		m.unless(o.From < o.Until, "%s from %q until %q: must end after it begins", what, time.Duration(o.From), time.Duration(o.Until))
	}
	for i, r := range s.Restarts {
		what := fmt.Sprintf("restart %d", i)
		m.length(what+" at", r.At, 0)
		m.length(what+" down", r.Down, 0)
		m.length(what+" slow for", r.SlowFor, 0)
		m.distribution(what+" slow", r.Slow)
	}
}

// limit checks whether servers can share a limit in this way.
func (m *mistakes) limit(scheme Scheme, limit Limit) {
	name := limit.Spec.Name
	m.unless(!limit.Spec.Holds, "%s: several servers cannot share it, since none of them hears when a request ends", name)
	if scheme != Async {
		return
	}
	m.unless(name == "fixed-window", "async: shares counts of fixed windows, so the algorithm must be fixed-window, not %q", name)
	m.unless(limit.exact(), "async: servers must agree about windows, so anchor must be clock, not %q", limit.Policy.Options["anchor"])
	m.unless(limit.Policy.Options["count_denied"] != "true", "async: servers tell what they admit, so count_denied must be false")
}

// moves follows the moves through, so that each is possible and a server is always left.
func (m *mistakes) moves(cfg *Config) {
	if cfg.Count < 1 || cfg.Count > MostServers {
		return // said already
	}
	for i, move := range cfg.Moves {
		m.length(fmt.Sprintf("move %d at", i), move.At, 0)
		if move.Server < 0 || move.Server >= cfg.Count {
			m.add("move %d: server %d: must be 0 to %d", i, move.Server, cfg.Count-1)
			return
		}
	}
	moves := slices.Clone(cfg.Moves)
	slices.SortStableFunc(moves, byTime)
	there := members(cfg.Count, moves)
	m.unless(there != 0, "moves: every server joins later, so none is there at first")
	for _, move := range moves {
		before := there
		there = move.after(there)
		switch {
		case there == before && move.Joins:
			m.add("moves: server %d joins at %v, where it already is", move.Server, time.Duration(move.At))
		case there == before:
			m.add("moves: server %d leaves at %v, when it is not there", move.Server, time.Duration(move.At))
		case there == 0:
			m.add("moves: server %d leaves at %v, and none is left", move.Server, time.Duration(move.At))
		}
	}
}
