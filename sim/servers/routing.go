package servers

import (
	"math"
	"math/bits"

	"github.com/b6db88e4/ratesim/sim/random"
)

// Routing is how requests are spread over the servers.
type Routing uint8

const (
	RoundRobin Routing = iota // in turn
	Random                    // drawn for each request
	Sticky                    // drawn once for each client
	Hash                      // by key
	routings                  // how many there are
)

// RoutingInfo describes a routing as data.
type RoutingInfo struct {
	Routing Routing
	Name    string // as written in files
	Summary string // one line: what it does
}

// Routings returns every routing in the order in which they are shown.
func Routings() []RoutingInfo {
	return []RoutingInfo{
		{RoundRobin, "round-robin", "one server after the other"},
		{Random, "random", "a server drawn for each request"},
		{Sticky, "sticky", "a server drawn once for each client"},
		{Hash, "hash", "the server that the key hashes to"},
	}
}

// String is the routing's name.
func (r Routing) String() string {
	if r < routings {
		return Routings()[r].Name
	}
	return "no routing"
}

// ParseRouting finds a routing by name.
func ParseRouting(name string) (Routing, bool) {
	for _, r := range Routings() {
		if r.Name == name {
			return r.Routing, true
		}
	}
	return 0, false
}

// router chooses the server of each request, among those that are there.
type router struct {
	cfg   *Config
	live  uint64 // bit i: server i is there; never 0
	turn  int    // RoundRobin: whose turn it is
	draw  random.Stream
	homes []uint8 // Sticky by client, Hash by key: 1 + the server drawn
}

func newRouter(cfg *Config) router {
	return router{
		cfg:  cfg,
		live: math.MaxUint64 >> (MostServers - cfg.Count),
		draw: random.New(cfg.Seed, "servers routing"),
	}
}

// route is the server that a request comes to.
func (r *router) route(client, key uint32) uint8 {
	switch r.cfg.Routing {
	case Random:
		return r.drawn()
	case Sticky:
		return r.from(r.home("servers sticky", client))
	case Hash:
		return r.from(r.home("servers hash", key))
	}
	server := r.from(r.turn)
	r.turn = (int(server) + 1) % r.cfg.Count
	return server
}

// from is the first server that is there, counting up from one and beginning again after the last.
func (r *router) from(server int) uint8 {
	if later := r.live >> server; later != 0 {
		return uint8(server + bits.TrailingZeros64(later))
	}
	return uint8(bits.TrailingZeros64(r.live))
}

// drawn is any server that is there.
func (r *router) drawn() uint8 {
	rest := r.live
	for skip := r.draw.Below(uint64(bits.OnesCount64(rest))); skip > 0; skip-- {
		rest &= rest - 1
	}
	return uint8(bits.TrailingZeros64(rest))
}

// home is the server drawn once for a client or a key.
func (r *router) home(stream string, of uint32) int {
	if int(of) >= len(r.homes) {
		r.homes = extended(r.homes, of)
	}
	if r.homes[of] == 0 {
		draw := random.Keyed(r.cfg.Seed, stream, uint64(of))
		r.homes[of] = uint8(draw.Below(uint64(r.cfg.Count))) + 1
	}
	return int(r.homes[of]) - 1
}
