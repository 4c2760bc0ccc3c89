package traffic

import (
	"math"
	"math/bits"

	"github.com/b6db88e4/ratesim/algorithms"
)

// reduced is the rate in lowest terms, 0 per 1 for every rate of zero. Only the arithmetic reduces:
// a limit stays the pair that was written.
func reduced(rate algorithms.Limit) (n, per uint64) {
	if rate.N == 0 {
		return 0, 1
	}
	n, per = uint64(rate.N), uint64(rate.Per)
	g := gcd(n, per)
	return n / g, per / g
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// steps gives arrivals at equal distances: number i at base + ceil(i·P/N), without a division.
//
//	i·P/N:  0      1      2      3        (N = 3, P = 10 ns)
//	ns:     0      3⅓     6⅔     10
//	at:     0      4      7      10
type steps struct {
	base Time   // of arrival 0
	left uint64 // arrivals still to come
	ns   uint64 // the next one is at base + ns + rest/n, rounded up
	rest uint64

	whole, part, n uint64 // P/N = whole + part/n ns, the fraction in lowest terms
}

// evenSteps are the arrivals of a part with a constant rate above zero: those i with
// ceil(i·P/N) < Until − From.
func evenSteps(p *Part) steps {
	n, per := reduced(p.Rate)
	last := uint64(p.Until - p.From - 1) // the last instant of the part
	return newSteps(p.From, arrivalsUntil(last, n, per), n, per)
}

// burstSteps are the requests of a burst: Burst of them, spread over Over.
func burstSteps(p *Part) steps {
	return newSteps(p.From, uint64(p.Burst), uint64(p.Burst), uint64(p.Over))
}

func newSteps(base Time, left, n, per uint64) steps {
	return steps{base: base, left: left, whole: per / n, part: per % n, n: n}
}

// arrivalsUntil counts the i ≥ 0 with ceil(i·per/n) ≤ last, which are those with i ≤ last·n/per. What
// does not fit a word is cut to what does: at a nanosecond each, nobody waits for the end of it.
func arrivalsUntil(last, n, per uint64) uint64 {
	hi, lo := bits.Mul64(last, n)
	if hi >= per {
		return math.MaxUint64
	}
	most, _ := bits.Div64(hi, lo, per)
	return most + min(1, math.MaxUint64-most)
}

func (s *steps) next() (Time, bool) {
	if s.left == 0 {
		return 0, false
	}
	s.left--
	at := s.ns
	if s.rest != 0 {
		at++
	}
	s.ns += s.whole
	s.rest += s.part
	if s.rest >= s.n {
		s.rest -= s.n
		s.ns++
	}
	return s.base + Time(at), true
}
