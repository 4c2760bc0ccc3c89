package traffic

import "github.com/b6db88e4/ratesim/sim/random"

// Purposes of random streams. Each use has a stream of its own, so that a change in one, say in the
// clients' shares, leaves the draws of the others as they were.
const (
	forArrivals  = "arrivals"
	forPeriods   = "periods"
	forClients   = "clients"
	forEndpoints = "endpoints"
)

// stream is the random stream of one source for one purpose, determined by the seed and the
// source's name alone: a source draws the same numbers whatever other sources there are.
func stream(seed uint64, name, purpose string) random.Stream {
	return random.New(seed, purpose+"\x00"+name)
}
