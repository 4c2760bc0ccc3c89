package traffic

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

// TestEvenInstants has rates whose arrivals one can work out by hand.
func TestEvenInstants(t *testing.T) {
	constant := func(from, until Time, rate algorithms.Limit) Part {
		return Part{From: from, Until: until, Rate: rate, To: rate}
	}
	for _, test := range []struct {
		story string
		part  Part
		want  []Time
	}{
		{"every 125 ms from 0", constant(0, second/2, per(8, 1)), []Time{0, 125e6, 250e6, 375e6}},
		{"each rounded up from the exact thirds", constant(0, 11, algorithms.Limit{N: 3, Per: 10}), []Time{0, 4, 7, 10}},
		{"an arrival at the end is outside", constant(0, 10, algorithms.Limit{N: 3, Per: 10}), []Time{0, 4, 7}},
		{"the count begins with the part", constant(1000, 1007, algorithms.Limit{N: 3, Per: 10}), []Time{1000, 1004}},
		{"several in one nanosecond", constant(5, 7, algorithms.Limit{N: 5, Per: 2}), []Time{5, 6, 6}},
		{"rarer than the part is long", constant(7, 7+second, per(1, 3600)), []Time{7}},
		{"a rate of zero has not even an arrival 0", constant(0, year, algorithms.Limit{}), nil},
		{"a part without length", constant(5, 5, per(8, 1)), nil},
	} {
		if got := firstInstants(source(Process{}, test.part), 100); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.story, got, test.want)
		}
	}
}

func TestBurstInstants(t *testing.T) {
	for _, test := range []struct {
		story string
		part  Part
		want  []Time
	}{
		{"all at once", Part{From: 9, Burst: 3}, []Time{9, 9, 9}},
		{"spread over 10 ns", Part{From: 100, Burst: 4, Over: 10}, []Time{100, 103, 105, 108}},
		{"rounding up may reach the end", Part{From: 0, Burst: 5, Over: 2}, []Time{0, 1, 1, 2, 2}},
		{"one alone is at the start", Part{From: 3, Burst: 1, Over: second}, []Time{3}},
		{"until is ignored", Part{From: 3, Until: 1, Burst: 2, Over: 4}, []Time{3, 5}},
	} {
		for _, kind := range []ProcessKind{Even, Poisson, OnOff, MMPP} {
			if got := firstInstants(source(Process{Kind: kind}, test.part), 100); !slices.Equal(got, test.want) {
				t.Errorf("%s, process %d: %v, want %v", test.story, kind, got, test.want)
			}
		}
	}
}

// TestEvenCount is the promise that one can count: 8/s for 30 s is 240 requests.
func TestEvenCount(t *testing.T) {
	got := firstInstants(source(Process{}, Part{Until: 30 * second, Rate: per(8, 1), To: per(8, 1)}), 1000)
	if len(got) != 240 || got[0] != 0 || got[239] != 30*second-125e6 {
		t.Errorf("%d requests, from %v to %v", len(got), got[0], got[len(got)-1])
	}
}

func TestEvenFollowsTheAreaRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPart().Draw(t, "part")
		p.To = p.Rate
		if p.Rate.N == 0 {
			return
		}
		got := firstInstants(source(Process{}, p), 50)
		for n, at := range got {
			if want := oracleInstant(&p, big.NewRat(int64(n), 1)); int64(at) != want {
				t.Fatalf("arrival %d is at %d, want %d", n, at, want)
			}
		}
		if n := len(got); n < 50 && oracleInstant(&p, big.NewRat(int64(n), 1)) >= 0 {
			t.Fatalf("there are only %d arrivals", n)
		}
	})
}

// TestArrivalsUntil looks at counts too large to count out.
func TestArrivalsUntil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		last := uint64(anySize(tenYears).Draw(t, "last") - 1)
		n, per := reduced(anyLimit().Draw(t, "rate"))
		got := arrivalsUntil(last, n, per)
		want := new(big.Int).Mul(new(big.Int).SetUint64(last), new(big.Int).SetUint64(n))
		want.Add(want.Quo(want, new(big.Int).SetUint64(per)), big.NewInt(1))
		if !want.IsUint64() {
			want.SetUint64(math.MaxUint64)
		}
		if got != want.Uint64() {
			t.Errorf("%d arrivals, want %d", got, want)
		}
	})
}

// TestStepsFarOn checks that nothing is lost over a million steps.
func TestStepsFarOn(t *testing.T) {
	rate := algorithms.Limit{N: 999_999_937, Per: 86_399_999_999_999}
	s := source(Process{}, Part{Until: year, Rate: rate, To: rate})
	var at Time
	for range 1_000_001 {
		r, _ := s.Next()
		at = r.At
	}
	exact := new(big.Rat).Mul(big.NewRat(1_000_000, 1), big.NewRat(int64(rate.Per), rate.N))
	if want := ceil(exact).Int64(); int64(at) != want {
		t.Errorf("arrival 1,000,000 is at %d, want %d", at, want)
	}
}
