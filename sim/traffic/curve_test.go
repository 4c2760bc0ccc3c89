package traffic

import (
	"math/big"
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

// TestRampInstants has ramps whose arrivals one can work out by hand. From 0 to 2r over D the area is
// r·t²/D, so arrival n is at √(n·D/r).
func TestRampInstants(t *testing.T) {
	for _, test := range []struct {
		story string
		part  Part
		want  []Time
	}{
		{
			"from 0 to 2/s over 10 s the area is t²/10 s²: arrivals at √(10·n) s",
			Part{Until: 10 * second, To: per(2, 1)},
			[]Time{0, 3162277661, 4472135955, 5477225576, 6324555321, 7071067812, 7745966693, 8366600266, 8944271910, 9486832981},
		},
		{
			"down from 2/s to 0 over 10 s it is 2t − t²/10: arrivals at 10 − √(100 − 10·n) s; the tenth is never reached",
			Part{Until: 10 * second, Rate: per(2, 1)},
			[]Time{0, 513167020, 1055728091, 1633399735, 2254033308, 2928932189, 3675444680, 4522774425, 5527864046, 6837722340},
		},
		{
			"1/s to 3/s over 2 s: t + t²/2, at √(1 + 2n) − 1",
			Part{From: 5 * second, Until: 7 * second, Rate: per(1, 1), To: per(6, 2)},
			[]Time{5000000000, 5732050808, 6236067978, 6645751312},
		},
		{
			"over four nanoseconds from 0 to 2 per ns: t²/4",
			Part{Until: 4, To: algorithms.Limit{N: 2, Per: 1}},
			[]Time{0, 2, 3},
		},
	} {
		if got := firstInstants(source(Process{}, test.part), 100); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%v, want\n%v", test.story, got, test.want)
		}
	}
}

func TestRampFollowsTheAreaRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPart().Draw(t, "part")
		if noRate(&p) {
			return
		}
		var c evenCurve // also for constant rates, where it must agree with the steps
		c.begin(&p)
		for n := range int64(20) {
			want := oracleInstant(&p, big.NewRat(n, 1))
			at, ok := c.next()
			if ok != (want >= 0) || ok && int64(at) != want {
				t.Fatalf("arrival %d is at %d (%v), want %d", n, at, ok, want)
			}
			if !ok {
				break
			}
		}
	})
}

// TestReachAnywhere jumps ahead by targets of all sizes, whole and not.
func TestReachAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPart().Draw(t, "part")
		if noRate(&p) {
			return
		}
		c := &poissonCurve{}
		c.begin(&p)
		total := areaUnder(&p, int64(p.Until-p.From))
		sum := new(big.Rat)
		for range 5 {
			// a random share of the total area, rounded down to a multiple of 2⁻⁶⁴ unit
			share := new(big.Rat).Mul(total, big.NewRat(rapid.Int64Range(0, 1<<40).Draw(t, "share"), 1<<41))
			sum.Add(sum, c.addTarget(share))
			want := oracleInstant(&p, sum)
			at, ok := c.within(p.Until - 1)
			if ok != (want >= 0) || ok && int64(at) != want {
				t.Fatalf("area %s is reached at %d (%v), want %d", sum, at, ok, want)
			}
			if !ok {
				break
			}
		}
	})
}

// addTarget adds so many requests to the target, rounded down to what it can hold, and says how many
// that were.
func (c *poissonCurve) addTarget(requests *big.Rat) *big.Rat {
	unit := new(big.Int).Lsh(c.ramp.request.big(), 64)
	grains := new(big.Rat).Mul(requests, new(big.Rat).SetInt(unit))
	n := new(big.Int).Quo(grains.Num(), grains.Denom())
	low := new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1)).Uint64()
	c.target = c.target.plus(wideOf(new(big.Int).Rsh(n, 64)))
	c.frac += low
	if c.frac < low {
		c.target = c.target.plus(wide{w0: 1})
	}
	return new(big.Rat).SetFrac(n, unit)
}

// TestPoissonCurveTargets follows the targets by the same draws.
func TestPoissonCurveTargets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPart().Draw(t, "part")
		if noRate(&p) {
			return
		}
		seed := rapid.Uint64().Draw(t, "seed")
		rng, same := stream(seed, "a", forArrivals), stream(seed, "a", forArrivals)
		c := &poissonCurve{rng: &rng}
		c.begin(&p)
		sum := new(big.Rat)
		for range 10 {
			sum.Add(sum, rational(same.Exponential()))
			want := oracleInstant(&p, sum)
			at, ok := c.next()
			if ok != (want >= 0) || ok && int64(at) != want {
				t.Fatalf("target %s is reached at %d (%v), want %d", sum.FloatString(20), at, ok, want)
			}
			if !ok {
				break
			}
		}
	})
}
