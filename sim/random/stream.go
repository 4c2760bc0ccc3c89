package random

import (
	"math/bits"
	"math/rand/v2"
)

// Stream draws random numbers; it is determined by a seed and a name alone. A copy goes on as the
// original would have.
//
// Each use has a stream of its own, so that a change in one, say in the clients' shares, leaves what
// the others draw as it was. Streams of one seed and name are one and the same: a name says what for
// and whose, "service" or "periods\x00alice".
type Stream struct{ pcg rand.PCG }

// New is the stream of a seed and a name.
func New(seed uint64, name string) Stream { return begin(root(seed, name), seed) }

// Keyed is stream n of a family: what request n draws does not depend on what others drew, so that
// all limiters meet the same service times. No two members of a family are the same.
func Keyed(seed uint64, name string, n uint64) Stream {
	return begin(scramble(root(seed, name)^scramble(n)), seed)
}

// root is where the stream of a seed and a name begins.
func root(seed uint64, name string) uint64 { return scramble(hash(name) ^ scramble(seed)) }

func begin(first, seed uint64) Stream {
	return Stream{*rand.NewPCG(first, scramble(first+seed))}
}

// Uint64 draws a number of 64 bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Below draws a number from 0 to n − 1, each with exactly the same chance. n must be 1 or more.
//
// The draw is the whole part of u·n/2⁶⁴ for a uniform u (Lemire, 2019). Of the 2⁶⁴ values of u, each
// whole part keeps as many as the others have once the 2⁶⁴ mod n lowest fractions are thrown away:
// those are drawn again.
func (s *Stream) Below(n uint64) uint64 {
	whole, frac := bits.Mul64(s.Uint64(), n)
	if frac < n { // 2⁶⁴ mod n is below n: only here does it have to be known
		for uneven := -n % n; frac < uneven; {
			whole, frac = bits.Mul64(s.Uint64(), n)
		}
	}
	return whole
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
