package draw

import (
	"math"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"pgregory.net/rapid"
)

func TestCompact(t *testing.T) {
	for _, c := range []struct {
		n     int64
		cells int
		want  string
	}{
		{0, 5, "0"}, {999, 5, "999"}, {1000, 5, "1,000"}, {8819, 5, "8,819"},
		{12345, 5, "12.3k"}, {12345, 6, "12,345"}, {99_950, 5, "100k"}, {99_949, 5, "99.9k"},
		{999_499, 5, "999k"}, {999_500, 5, "1M"}, {1_234_567, 9, "1,234,567"}, {1_234_567, 8, "1.23M"},
		{1_000_000_000_000, 9, "1T"}, {math.MaxInt64, 9, "9.22E"}, {math.MaxInt64, 25, "9,223,372,036,854,775,807"},
		{-1234, 6, "-1,234"},
	} {
		if got := compact(c.n, c.cells); got != c.want {
			t.Errorf("compact(%d, %d) = %q, want %q", c.n, c.cells, got, c.want)
		}
	}
}

func TestRatioIsNeverRoundedOntoTheLimit(t *testing.T) {
	style := NewStyle(Options{})
	for _, c := range []struct {
		value float64
		want  string
	}{
		{0, "0.00×"}, {0.5, "0.50×"}, {0.994, "0.99×"}, {0.996, "<1.00×"}, {1, "1.00×"}, {1.0001, ">1.00×"}, {1.006, "1.01×"}, {2, "2.00×"},
		{99.99, "99.99×"}, {99.996, "100×"}, {12345, "12.3k×"}, {1e30, ">999T×"},
		{math.NaN(), "–"}, {math.Inf(1), "–"}, {-1, "–"},
	} {
		if got := style.ratio(c.value); got != c.want {
			t.Errorf("ratio(%v) = %q, want %q", c.value, got, c.want)
		}
	}
}

func TestTimes(t *testing.T) {
	style := NewStyle(Options{})
	for _, c := range []struct {
		t            sim.Time
		exact, short string
	}{
		{0, "0s", "0s"},
		{1, "1ns", "1ns"},
		{999, "999ns", "999ns"},
		{1000, "1µs", "1µs"},
		{12_345, "12.345µs", "12.3µs"},
		{999_999, "999.999µs", "1ms"},
		{1_000_001, "1.000001ms", "1ms"},
		{250 * millisecond, "250ms", "250ms"},
		{1500 * millisecond, "1.5s", "1.5s"},
		{59_900 * millisecond, "59.9s", "59.9s"},
		{59_960 * millisecond, "59.96s", "1m"},
		{90 * second, "1m30s", "1m30s"},
		{3599*second + 999*millisecond, "59m59.999s", "1h"},
		{90 * minute, "1h30m", "1h30m"},
		{36 * hour, "1d12h", "1d12h"},
		{7*day + 1, "7d1ns", "7d"},
		{999*day + 23*hour, "999d23h", "1000d"},
		{-5, "-5ns", "–"},
		{algorithms.Never, "106751d23h47m16.854775807s", "–"},
	} {
		if got := style.Exact(c.t); got != c.exact {
			t.Errorf("Exact(%d) = %q, want %q", c.t, got, c.exact)
		}
		if got := style.Short(c.t); got != c.short {
			t.Errorf("Short(%d) = %q, want %q", c.t, got, c.short)
		}
	}
}

func TestShortIsShort(t *testing.T) {
	style := NewStyle(Options{})
	rapid.Check(t, func(t *rapid.T) {
		at := sim.Time(rapid.Int64Range(0, int64(99_999*day)).Draw(t, "t"))
		if got := style.Short(at); width(got) > 6 {
			t.Fatalf("Short(%d) = %q", at, got)
		}
	})
}

func TestPer(t *testing.T) {
	style := NewStyle(Options{})
	for _, c := range []struct {
		limit algorithms.Limit
		want  string
	}{
		{algorithms.Limit{N: 100, Per: 60e9}, "100/m"},
		{algorithms.Limit{N: 1, Per: 600e6}, "1/600ms"},
		{algorithms.Limit{N: 7, Per: 3e9}, "7/3s"},
		{algorithms.Limit{N: 2, Per: 90e9}, "2/1m30s"},
		{algorithms.Limit{N: 5, Per: 1}, "5/ns"},
		{algorithms.Limit{N: 5, Per: 10e9}, "5/10s"},
		{algorithms.Limit{N: 5, Per: 1500e6}, "5/1.5s"},
	} {
		if got := style.per(c.limit); got != c.want {
			t.Errorf("per(%v) = %q, want %q", c.limit, got, c.want)
		}
	}
}
