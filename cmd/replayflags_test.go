package cmd

import (
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

func TestBound(t *testing.T) {
	for _, c := range []struct {
		text string
		all  int64
		most int64
	}{
		{"0", 100, 0}, {"7", 100, 7}, {"7", 3, 7},
		{"0%", 100, 0}, {"100%", 100, 100}, {"0.1%", 10_000, 10}, {"0.1%", 9_999, 9}, {"33.333333%", 3, 0},
		{"0.000001%", 100_000_000, 1}, {"50%", 1<<62 - 1, 1<<61 - 1},
	} {
		b, err := parseBound(c.text)
		if err != nil || b.most(c.all) != c.most {
			t.Errorf("%s of %d: %d (%v), want %d", c.text, c.all, b.most(c.all), err, c.most)
		}
		if b.String() != c.text {
			t.Errorf("%s comes back as %s", c.text, b)
		}
	}
	for _, text := range []string{"", "%", "-1", "1.5", "101%", "0.1234567%", "1e3", "+1%", ".5%", "1_0%"} {
		if b, err := parseBound(text); err == nil {
			t.Errorf("%q was taken for %s", text, b)
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 0, "0%"}, {0, 9, "0%"}, {9, 9, "100%"}, {1, 1_000_000, "<0.01%"}, {87, 10_000, "0.87%"},
		{1, 3, "33.3%"}, {999_999, 1_000_000, ">99.9%"}, {999, 1000, "99.9%"},
	} {
		if got := percent(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.part, c.whole, got, c.want)
		}
	}
}

func TestQuotaRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quota{limit: algorithms.Limit{N: rapid.Int64Range(1, algorithms.MaxUnits).Draw(t, "n"), Per: 60e9}, burst: rapid.Int64Range(0, 9).Draw(t, "burst")}
		if back, err := parseQuota(q.String()); err != nil || back != q {
			t.Fatalf("%s comes back as %v (%v)", q, back, err)
		}
	})
}

// FuzzPolicyNotations: whatever is taken is in range, and nothing panics or makes a list without
// end.
func FuzzPolicyNotations(f *testing.F) {
	for _, text := range []string{"60/m burst 10", "0.1%", "10/m..200/m:10", "5,10,20", "1..1000000000000", "1/s..9/m", "limit=1/s", "burst=1..9:2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if q, err := parseQuota(text); err == nil && (q.limit.N < 1 || q.limit.Per < 1 || q.burst < 0) {
			t.Errorf("quota %v", q)
		}
		if b, err := parseBound(text); err == nil && (b.number < 0 || b.most(1000) < 0) {
			t.Errorf("bound %v", b)
		}
		if rates, err := parseRates(text); err == nil && len(rates) > mostPolicies*len(text) {
			t.Errorf("%d rates", len(rates))
		}
		if bursts, err := parseBursts(text); err == nil {
			for _, n := range bursts {
				if n < 1 || n > algorithms.MaxUnits {
					t.Errorf("burst %d", n)
				}
			}
		}
		new(sweepFlag).Set(text)
	})
}
