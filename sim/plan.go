package sim

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Time is an instant in nanoseconds since the run began.
type Time = algorithms.Time

// Decision is a limiter's answer.
type Decision = algorithms.Decision

// Plan is a scenario made ready to run: arrivals, and the limiters to put them to. It is never
// changed by a run, so several runs may share one.
type Plan struct {
	// Duration bounds the run: arrivals in [0, Duration) are taken, then what is delayed is drained.
	Duration Time

	// Clients holds the clients' names by id. It may grow while the arrivals are read, but never
	// holds fewer than a request names.
	Clients Clients

	// Open starts the stream of arrivals afresh. Every call gives the same requests.
	Open func() traffic.Source

	// Shared puts all clients under one limiter (key: all) instead of one each (key: client).
	Shared bool

	Limiters []Limiter

	// System is what stands around the limiters; nil for limiters alone.
	System *System
}

// Limiter is one entry of a plan.
type Limiter struct {
	Name   string // unique within the plan
	Spec   *algorithms.Spec
	Policy algorithms.Policy
	Maker  algorithms.Maker

	// Of a plan with a System: what this limiter enforces under each of its Rules, the first of which
	// is Policy and Maker once more, and how several servers share it.
	Enforced []Enforced
	Scheme   servers.Scheme

	// System, unless nil, is around this limiter in place of the plan's, which it is like but for
	// keys, for what becomes of refused requests, how clients take it, and what a failing store means.
	System *System
}

// Clients are names by dense ids.
type Clients interface {
	// Len is the number of names.
	Len() int
	// Name is the name with an id below Len.
	Name(id uint32) string
	// Lookup is the name's id, if it has one.
	Lookup(name string) (uint32, bool)
}

// Names gives clients dense ids, in the order in which they are first seen.
type Names struct {
	ids   map[string]uint32
	names []string
}

// NewNames returns an empty table.
func NewNames() *Names { return &Names{ids: map[string]uint32{}} }

// ID returns the name's id, giving it the next one if it is new.
func (n *Names) ID(name string) uint32 {
	id, ok := n.ids[name]
	if !ok {
		id = uint32(len(n.names))
		n.ids[name] = id
		n.names = append(n.names, name)
	}
	return id
}

// Lookup returns the name's id, if it has one.
func (n *Names) Lookup(name string) (uint32, bool) {
	id, ok := n.ids[name]
	return id, ok
}

// Name returns the name with that id.
func (n *Names) Name(id uint32) string { return n.names[id] }

// Len is the number of names.
func (n *Names) Len() int { return len(n.names) }

// Around is the System around a limiter of the plan; nil for a limiter alone.
func (p *Plan) Around(l *Limiter) *System {
	if l.System != nil {
		return l.System
	}
	return p.System
}
