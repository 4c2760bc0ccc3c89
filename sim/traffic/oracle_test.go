package traffic

import (
	"math/big"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"pgregory.net/rapid"
)

// The oracle: the definitions of design and comments in exact rationals, as slow as they come.

func rational(f random.Fixed) *big.Rat {
	sum := new(big.Int).Lsh(new(big.Int).SetUint64(f.Whole), 64)
	sum.Add(sum, new(big.Int).SetUint64(f.Frac))
	return new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), 64))
}

// perNanosecond is the rate N/P in arrivals a nanosecond.
func perNanosecond(l algorithms.Limit) *big.Rat {
	if l.N == 0 {
		return new(big.Rat)
	}
	return big.NewRat(l.N, int64(l.Per))
}

func ceil(x *big.Rat) *big.Int {
	q, rest := new(big.Int).QuoRem(x.Num(), x.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// areaUnder is the area under the part's ramp up to t: r₀·t + (r₁ − r₀)·t²/(2D).
func areaUnder(p *Part, t int64) *big.Rat {
	r0, r1 := perNanosecond(p.Rate), perNanosecond(p.To)
	x := big.NewRat(t, 1)
	bend := new(big.Rat).Sub(r1, r0)
	bend.Quo(bend, big.NewRat(2, 1)).Quo(bend, big.NewRat(int64(p.Until-p.From), 1))
	sum := bend.Mul(bend, x)
	sum.Add(sum, r0)
	return sum.Mul(sum, x)
}

// earliest is the first t in [0, until) with reached(t), or −1; reached must not go back to false.
func earliest(until int64, reached func(t int64) bool) int64 {
	short, enough := int64(-1), until
	for enough-short > 1 {
		t := short + (enough-short)/2
		if reached(t) {
			enough = t
		} else {
			short = t
		}
	}
	if enough == until {
		return -1
	}
	return enough
}

// oracleInstant is where the area under the part's ramp reaches the target, or −1.
func oracleInstant(p *Part, target *big.Rat) int64 {
	t := earliest(int64(p.Until-p.From), func(t int64) bool { return areaUnder(p, t).Cmp(target) >= 0 })
	if t < 0 {
		return -1
	}
	return int64(p.From) + t
}

// Generators of random input, over the whole accepted range.

const tenYears = int64(algorithms.MaxPeriod)

// anySize draws 1 to most with all orders of magnitude alike.
func anySize(most int64) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		size := rapid.IntRange(0, 62).Draw(t, "size")
		return rapid.Int64Range(1, max(1, min(most, 1<<size))).Draw(t, "n")
	})
}

func anyLimit() *rapid.Generator[algorithms.Limit] {
	return rapid.Custom(func(t *rapid.T) algorithms.Limit {
		return algorithms.Limit{
			N:   anySize(algorithms.MaxUnits).Draw(t, "n"),
			Per: time.Duration(anySize(tenYears).Draw(t, "per")),
		}
	})
}

// anyPart draws a part with a rate; To is the same in half of them.
func anyPart() *rapid.Generator[Part] {
	return rapid.Custom(func(t *rapid.T) Part {
		from := Time(anySize(tenYears).Draw(t, "from") - 1)
		p := Part{From: from, Until: from + Time(anySize(tenYears).Draw(t, "length"))}
		p.Rate = anyLimit().Draw(t, "rate")
		p.To = p.Rate
		switch rapid.IntRange(0, 5).Draw(t, "ramp") {
		case 0:
			p.Rate = algorithms.Limit{}
		case 1:
			p.To = algorithms.Limit{}
		case 2:
			p.To = anyLimit().Draw(t, "to")
		}
		return p
	})
}

// source is a source of the parts with one client and cost 1.
func source(process Process, parts ...Part) *Generator {
	return New(Spec{Name: "a", Cost: 1, Parts: parts, Arrivals: process, Clients: Clients{Count: 1}}, 1)
}

// firstInstants are the instants of the first n requests, or of all if there are fewer.
func firstInstants(s Source, n int) []Time {
	var instants []Time
	for len(instants) < n {
		r, ok := s.Next()
		if !ok {
			break
		}
		instants = append(instants, r.At)
	}
	return instants
}

// per is the rate of n per so many seconds.
func per(n int64, seconds float64) algorithms.Limit {
	return algorithms.Limit{N: n, Per: time.Duration(seconds * float64(time.Second))}
}

const (
	second = Time(time.Second)
	minute = Time(time.Minute)
	year   = Time(365 * 24 * time.Hour)
)
