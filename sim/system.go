package sim

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// System is what stands around the limiters of a plan: which limits hold for whom, what becomes of a
// refused request, how clients take it, the service behind, limits that change, and several servers.
// It is data already checked, and never changed by a run. Every limiter of the plan meets the same
// first sendings, service times and draws; what is sent again differs.
type System struct {
	Seed uint64 // of retries, service times and servers

	Profiles  []Profile // kinds of clients, at least one
	ProfileOf []uint16  // by client: index into Profiles; clients beyond its end have profile 0

	// Addresses and Users are by client: the id of its address and of its user. Beyond the end of
	// either, a client has one of its own, with the client's id; so ids of shared ones are those of
	// clients too: of the first client that has it.
	Addresses, Users []uint32

	Tiers     []string // names, at least one; the first may be "", for clients without a tier
	Endpoints []string // names, at least one; the first may be "", for requests without an endpoint

	Rules       []Rule // the limits that hold, at least one; a request must be accepted by all that apply to it
	KeepPartial bool   // a limit that accepted keeps what it charged when a later one refuses: the common mistake

	OnLimit OnLimit
	Waiting int // Queue: requests of one key that may wait at the same time, at least 1

	Service *Service        // nil: what goes ahead is answered at once
	Load    *Load           // nil: limits do not follow the service's queue
	Servers *servers.Config // nil: one server
}

// Profile is a kind of client.
type Profile struct {
	Name    string // of the source of traffic that has it
	Abusive bool   // meant to be kept out; otherwise it is honest
	Tier    int    // index into System.Tiers
	Retry   retry.Policy
}

// Rule is one of the limits that hold at the same time. What it enforces is in each Limiter's own
// Enforced, at the same index.
type Rule struct {
	Name string
	Key  Key

	// Tiers and Endpoints say for whom and where it applies, by index into those of the System; nil
	// for all.
	Tiers, Endpoints []bool
}

// Key says what has a limiter of its own: every combination of the parts that are set. The zero Key
// is one limiter for all.
type Key struct{ Client, Address, User, Endpoint bool }

// Enforced is what one limiter of the plan enforces under one Rule.
type Enforced struct {
	Spec   *algorithms.Spec
	Policy algorithms.Policy
	Maker  algorithms.Maker

	Changes []Changed // in order of time
	Loaded  *Changed  // while the service is under load (System.Load), its At unused; nil where nothing changes
}

// OnLimit says what becomes of a request that the limits refuse.
type OnLimit uint8

const (
	Reject  OnLimit = iota // it is refused
	Queue                  // it waits, first come, first served for each key, until they accept it
	Degrade                // it gets a cheap answer at once, which needs no service
)

// Service is what requests that go ahead are served by.
type Service struct {
	Workers int                 // requests served at the same time, at least 1
	Time    random.Distribution // how long serving one takes
	Queue   int                 // requests that wait for a worker; one more is lost. -1: without bound
	Timeout Time                // how long after sending a client stops waiting; the service does not notice. 0: never
}

// Load lets limits follow the service's queue: looked at every so often, a queue of Above or more
// puts the limits under Enforced.Loaded, and one of Below or fewer back.
type Load struct {
	Every        Time
	Above, Below int
}

// Changed is another policy from an instant on.
type Changed struct {
	At     Time
	Policy algorithms.Policy
	Maker  algorithms.Maker
}
