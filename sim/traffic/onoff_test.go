package traffic

import (
	"cmp"
	"github.com/b6db88e4/ratesim/sim/random"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

// TestParetoDistribution: P(X > x) = (least/x)^α.
func TestParetoDistribution(t *testing.T) {
	for _, alphaMilli := range []int64{1001, 1200, 1500, 2000, 5000} {
		p := newPareto(minute, alphaMilli)
		alpha := float64(alphaMilli) / 1000
		least := float64Of(p.least)
		if want := 60e9 * (alpha - 1) / alpha; math.Abs(least-want) > 1e-12*want {
			t.Errorf("α = %v: least is %v, want %v", alpha, least, want)
		}
		rng := stream(1, "pareto", forPeriods)
		sample := make([]float64, 50_000)
		for i := range sample {
			sample[i] = float64Of(p.draw(&rng))
		}
		d := smirnov(sample, func(x float64) float64 { return 1 - math.Pow(least/x, alpha) })
		if d > 1.95 {
			t.Errorf("α = %v: Kolmogorov–Smirnov %.2f", alpha, d)
		}
	}
}

// TestParetoDraws compares single draws with the formula, least·e^(E/α), for all sizes of mean.
func TestParetoDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean := anySize(tenYears).Draw(t, "mean")
		alphaMilli := rapid.Int64Range(1001, 20_000).Draw(t, "alpha")
		seed := rapid.Uint64().Draw(t, "seed")
		rng, same := stream(seed, "a", forPeriods), stream(seed, "a", forPeriods)
		p := newPareto(Time(mean), alphaMilli)
		got := float64Of(p.draw(&rng))
		alpha := float64(alphaMilli) / 1000
		want := float64(mean) * (alpha - 1) / alpha * math.Exp(float64Of(same.Exponential())/alpha)
		if want = min(want, longest); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%g, want %g", got, want)
		}
	})
}

// TestLongPeriodsAreCut: the largest draw there is, for a mean of ten years, overflows nothing.
func TestLongPeriodsAreCut(t *testing.T) {
	p := newPareto(Time(tenYears), 1001)
	if got := shifted(p.least, 63); got.Whole != longest {
		t.Errorf("shifted: %v", got)
	}
	var l timeline
	l.begin(10 * year)
	for range 5 {
		l.extend(random.Fixed{Whole: math.MaxUint64, Frac: math.MaxUint64})
	}
	if l.end != Time(never) {
		t.Errorf("the end is %d, want the last instant of all", l.end)
	}
}

// TestTimelineRoundsOnce: a thousand thirds of a nanosecond are 334 ns, not 1000.
func TestTimelineRoundsOnce(t *testing.T) {
	var l timeline
	l.begin(7)
	for range 1000 {
		l.extend(random.Fixed{Frac: 1<<64 - 1}.Over(3))
	}
	if l.end != 7+334 {
		t.Errorf("the end is %d", l.end)
	}
}

// stretch is an on period: after from, up to and with until.
type stretch struct{ from, until Time }

// onPeriods are the on periods of source a in [from, until), the last one cut short.
func onPeriods(process *Process, from, until Time) []stretch {
	p := newOnOff(process, stream(1, "a", forPeriods)).periods
	p.begin(from)
	var on []stretch
	for start := from; start < until; p.next() {
		if p.on {
			on = append(on, stretch{start, min(p.end, until-1)})
		}
		start = p.end
	}
	return on
}

// oracleOnOff finds where the area under the rate within on periods reaches target, or −1.
func oracleOnOff(p *Part, on []stretch, target *big.Rat) int64 {
	left := new(big.Rat).Set(target)
	for _, s := range on {
		before := areaUnder(p, int64(s.from-p.From))
		all := areaUnder(p, int64(s.until-p.From))
		if all.Sub(all, before).Cmp(left) >= 0 {
			return oracleInstant(p, left.Add(left, before))
		}
		left.Sub(left, all)
	}
	return -1
}

// TestOnOffFollowsItsDraws: arrival k is where the area within on periods reaches the sum of the
// first k draws, for constant rates and ramps alike.
func TestOnOffFollowsItsDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPart().Draw(t, "part")
		if noRate(&p) {
			return
		}
		mean := func(name string) Time {
			return max(1, (p.Until-p.From)/Time(rapid.Int64Range(1, 50).Draw(t, name)))
		}
		process := Process{
			Kind:       OnOff,
			Active:     mean("active"),
			Idle:       mean("idle"),
			AlphaMilli: rapid.Int64Range(1300, 4000).Draw(t, "alpha"),
		}
		on := onPeriods(&process, p.From, p.Until)
		s := source(process, p)
		rng := stream(1, "a", forArrivals)
		sum := new(big.Rat)
		for range 15 {
			want := oracleOnOff(&p, on, sum.Add(sum, rational(rng.Exponential())))
			r, ok := s.Next()
			if ok != (want >= 0) || ok && int64(r.At) != want {
				t.Fatalf("arrival at %d (%v), want %d", r.At, ok, want)
			}
			if !ok {
				break
			}
		}
	})
}

// TestPeriodsRunOnThroughParts: cut into parts of other rates, the source is on when it would have
// been on; after a pause it begins anew.
func TestPeriodsRunOnThroughParts(t *testing.T) {
	process := Process{Kind: OnOff, Active: second, Idle: 2 * second, AlphaMilli: 1500}
	part := func(from, until Time, rate, to int64) Part {
		return Part{From: from, Until: until, Rate: per(rate, 1), To: per(to, 1)}
	}
	instants := firstInstants(source(process,
		part(0, 10*second, 1000, 1000),
		part(10*second, 10*second+1, 1000, 2000), // shorter than any period
		part(10*second+1, 30*second, 2000, 500),
		part(30*second, minute, 700, 700),
		part(2*minute, 3*minute, 700, 700),
	), math.MaxInt)
	// The second stretch of parts goes on with the random numbers where the first one stopped, so only
	// its beginning is known.
	i, _ := slices.BinarySearch(instants, minute)
	checkPeriods(t, instants[:i], onPeriods(&process, 0, minute))
	if i == len(instants) || instants[i] > 2*minute+second/10 {
		t.Error("the source is not on after the pause")
	}
}

// TestPeriodsOfNanoseconds follows the draws through adjoining parts so short that parts and periods
// end together, or within a period that is rounded to nothing.
func TestPeriodsOfNanoseconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := func(name string) int64 { return rapid.Int64Range(1, 6).Draw(t, name) }
		rate := func() algorithms.Limit {
			return algorithms.Limit{N: small("n"), Per: time.Duration(small("per"))}
		}
		process := Process{Kind: OnOff, Active: Time(small("active")), Idle: Time(small("idle")), AlphaMilli: 1500}
		parts := make([]Part, 50)
		end := Time(0)
		for i := range parts {
			parts[i] = Part{From: end, Until: end + Time(small("length")), Rate: rate()}
			if parts[i].To = parts[i].Rate; small("ramp") == 1 {
				parts[i].To = rate()
			}
			end = parts[i].Until
		}
		on := onPeriods(&process, 0, end)
		rng := stream(1, "a", forArrivals)
		var want []Time
		for i := range parts {
			want = append(want, partOnOff(&parts[i], on, &rng)...)
		}
		if got := firstInstants(source(process, parts...), math.MaxInt); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// partOnOff are the arrivals of a part, given all on periods. The last draw is the one too many.
func partOnOff(p *Part, on []stretch, rng *random.Stream) []Time {
	var inside []stretch
	for _, s := range on {
		if s.from, s.until = max(s.from, p.From), min(s.until, p.Until-1); s.from < s.until {
			inside = append(inside, s)
		}
	}
	var instants []Time
	for sum := new(big.Rat); ; {
		at := oracleOnOff(p, inside, sum.Add(sum, rational(rng.Exponential())))
		if at < 0 {
			return instants
		}
		instants = append(instants, Time(at))
	}
}

// checkPeriods checks that all on periods of some length, and nothing else, have arrivals.
func checkPeriods(t *testing.T, instants []Time, on []stretch) {
	t.Helper()
	counts := make([]int, len(on))
	for _, at := range instants {
		i, _ := slices.BinarySearchFunc(on, at, func(s stretch, at Time) int { return cmp.Compare(s.until, at) })
		if i == len(on) || at <= on[i].from {
			t.Fatalf("an arrival at %d, between the on periods", at)
		}
		counts[i]++
	}
	for i, s := range on {
		if s.until-s.from > second/10 && counts[i] == 0 {
			t.Errorf("no arrivals in the on period %v", s)
		}
	}
}

// TestOnOffShare: of a long part, the share in which the source is on is active/(active + idle), here
// with α = 3, since for α below 2 an average takes forever to settle.
func TestOnOffShare(t *testing.T) {
	process := Process{Kind: OnOff, Active: 3 * second, Idle: second, AlphaMilli: 3000}
	const seconds = 50_000
	p := Part{Until: seconds * second, Rate: per(4, 1), To: per(4, 1)}
	n := float64(len(firstInstants(source(process, p), math.MaxInt)))
	if want := seconds * 4 * 0.75; math.Abs(n-want) > 0.02*want {
		t.Errorf("%v arrivals, want about %v", n, want)
	}
}

func TestOnOffWithoutOneOfThem(t *testing.T) {
	p := Part{Until: second, Rate: per(1000, 1), To: per(1000, 1)}
	always := firstInstants(source(Process{Kind: OnOff, Active: second}, p), 5000)
	if plain := firstInstants(source(Process{Kind: Poisson}, p), 5000); !slices.Equal(always, plain) {
		t.Error("without idle periods the arrivals are not those of a Poisson process")
	}
	if got := firstInstants(source(Process{Kind: OnOff, Idle: second}, p), 1); got != nil {
		t.Error("without active periods there are arrivals")
	}
}
