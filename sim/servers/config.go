package servers

import "github.com/b6db88e4/ratesim/sim/random"

// MostServers is how many servers there can be.
const MostServers = 64

// Config describes the servers and what lies between them. A run never changes it, and several
// clusters may share one.
type Config struct {
	Count   int // servers, 1 to MostServers
	Routing Routing
	Store   Store // Central schemes

	// Skew bounds by how much a server's clock is off: a constant for each server, drawn evenly from
	// −Skew to +Skew. A clock that would show less than 0 shows 0.
	Skew Time

	// Sync is the interval of Async's broadcasts, 1 or more there. Each server has its own phase,
	// drawn evenly. One that has nothing new to tell stays silent, so a run ends by itself.
	Sync Time

	// Peer is the round trip between two servers. Async: a broadcast takes half of one, and what one
	// server tells another arrives in the order in which it was told. Owner: a request that came to
	// a server that does not own its key takes one.
	Peer random.Distribution

	FailOpen bool   // Central schemes: what the store gives no answer to is admitted, not denied
	Moves    []Move // Owner: servers that leave and join
	Seed     uint64 // of all draws
}

// Store is what Central schemes keep their counts in.
type Store struct {
	Latency  random.Distribution // a round trip: half of it there, half of it back
	Outages  []Outage
	Restarts []Restart

	// Timeout is how long after asking a server stops waiting for the answer; what it asked for may
	// happen nevertheless. 0: it waits for any answer, and hears from a store that is down, as a
	// round trip takes, that nobody listens.
	Timeout Time
}

// Outage is a time in which the store is down: what reaches it in [From, Until) fails. It keeps its
// state.
type Outage struct{ From, Until Time }

// Restart is a store that goes down at an instant and comes back Down later.
type Restart struct {
	At, Down Time
	Keeps    bool // it keeps its state, as a database does; otherwise it comes back empty, as a cache

	// SlowFor is how long after it came back what is asked of it takes Slow instead of Latency.
	SlowFor Time
	Slow    random.Distribution
}

// Move is a server that leaves the ring of Owner, or joins it. A server whose first move is to join
// is not there before. What a leaving server knew is lost, and a key that moves begins afresh.
type Move struct {
	At     Time
	Server int
	Joins  bool // otherwise it leaves
}
