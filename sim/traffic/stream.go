package traffic

import "math/rand/v2"

// Purposes of random streams. Each use has a stream of its own, so that a change in one, say in the
// clients' shares, leaves the draws of the others as they were.
const (
	forArrivals = "arrivals"
	forPeriods  = "periods"
	forClients  = "clients"
)

// stream is the random stream of one source for one purpose, determined by the seed and the
// source's name alone: a source draws the same numbers whatever other sources there are.
func stream(seed uint64, name, purpose string) rand.PCG {
	h := hash(purpose + "\x00" + name)
	first := scramble(h ^ scramble(seed))
	return *rand.NewPCG(first, scramble(first+seed))
}

// hash is FNV-1a in 64 bits.
func hash(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}

// scramble is a bijection in which every bit of the result depends on every bit of x: the step and
// finisher of SplitMix64 (Steele, Lea and Flood, 2014). Seeds 1, 2, 3 and names a, b, c come out as
// unlike as any.
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
