package servers

import (
	"cmp"
	"slices"
	"sort"

	"github.com/b6db88e4/ratesim/sim/random"
)

// virtualNodes is how many points of the ring each server has. A server's share of the keys is then
// within about 1/√128 = 9 % of even (one standard deviation).
const virtualNodes = 128

// ring is consistent hashing: points of servers on a circle of 2⁶⁴, and each key belongs to the
// server of the first point at or after its own. When a server leaves, only its keys move; when it
// joins, only those that it takes over.
type ring struct {
	seed   uint64
	points []point // of all servers that ever belong to it, in order
}

// point is one of a server's places on the circle.
type point struct {
	place  uint64
	server uint8
}

func newRing(cfg *Config) ring {
	r := ring{seed: cfg.Seed}
	for server := range cfg.Count {
		draw := random.Keyed(cfg.Seed, "servers ring", uint64(server))
		for range virtualNodes {
			r.points = append(r.points, point{draw.Uint64(), uint8(server)})
		}
	}
	slices.SortStableFunc(r.points, func(a, b point) int { return cmp.Compare(a.place, b.place) })
	return r
}

// owner is the server of a key among the members, of which there must be one: bit i is server i.
func (r *ring) owner(key uint32, members uint64) uint8 {
	draw := random.Keyed(r.seed, "servers key", uint64(key))
	place := draw.Uint64()
	i := sort.Search(len(r.points), func(i int) bool { return r.points[i].place >= place })
	for { // past the points of servers that are not there, and around
		if i == len(r.points) {
			i = 0
		}
		if server := r.points[i].server; members>>server&1 != 0 {
			return server
		}
		i++
	}
}
