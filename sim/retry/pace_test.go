package retry

import (
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

func TestHold(t *testing.T) {
	const hour = 3600
	for _, test := range []struct {
		name                   string
		remaining, more, reset int64
		want                   time.Duration // from now
	}{
		{"a window of 10 just begun", 9, 10, 10, time.Second},
		{"the last unit of a window", 1, 6, 6, 3 * time.Second},
		{"nothing left of a window", 0, 6, 6, 6 * time.Second},
		{"nothing left, more is due", 0, 0, 0, time.Second},
		{"a bucket nearly full", 9, 1, 1, 100 * time.Millisecond},
		{"a bucket nearly empty: as fast as it refills", 1, 1, 9, time.Second},
		{"an empty bucket", 0, 1, 10, time.Second},
		{"nothing used", 100, 0, 0, 0},
		{"a third of a second, rounded up", 2, 1, 1, 333_333_334 * time.Nanosecond},
		{"an hour", 59, hour, hour, time.Minute},
		{"less than nothing", -5, -5, -5, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := 7 * second
			p := Policy{Kind: Pace}
			if got := p.Hold(now, test.remaining, test.more, test.reset); got != now+Time(test.want) {
				t.Errorf("holds for %s, want %s", time.Duration(got-now), test.want)
			}
			p.Kind = RetryAfter
			if got := p.Hold(now, test.remaining, test.more, test.reset); got != now {
				t.Errorf("a client that does not pace holds for %s", time.Duration(got-now))
			}
		})
	}
}

// TestHoldHolds: it never goes back, never overflows, and never sends again at once where nothing is
// left.
func TestHoldHolds(t *testing.T) {
	p := Policy{Kind: Pace}
	rapid.Check(t, func(t *rapid.T) {
		now := anyLength().Draw(t, "now")
		r := int64(anyLength().Draw(t, "remaining"))
		got := p.Hold(now, r, rapid.Int64().Draw(t, "more"), rapid.Int64().Draw(t, "reset"))
		if got < min(now, algorithms.Never-1) || got == algorithms.Never {
			t.Errorf("at %d it holds until %d", now, got)
		}
		if r == 0 && got < now+second && now < algorithms.Never-second {
			t.Errorf("at %d it holds until %d, with nothing left", now, got)
		}
	})
}

// pacing counts what a client is admitted and denied that is alone and sends whenever it may.
func pacing(l algorithms.Limiter, capacity int64, duration Time) (admitted, denied int64) {
	p := Policy{Kind: Pace}
	whole := func(until, now Time) int64 { return int64((until - now + second - 1) / second) }
	for now := Time(0); now < duration; now++ {
		if l.Decide(now, 1).Verdict == algorithms.Deny {
			denied++
		} else {
			admitted++
		}
		remaining, more := algorithms.Remaining(l, now, capacity), int64(0)
		if remaining < capacity {
			more = whole(l.When(now, remaining+1), now)
		}
		now = p.Hold(now, remaining, more, whole(l.When(now, capacity), now))
	}
	return admitted, denied
}

func build(t rapid.TB, name string, limit algorithms.Limit) (algorithms.Limiter, int64) {
	spec, _ := algorithms.Lookup(name)
	policy := algorithms.Policy{Limit: limit}
	maker, err := spec.Build(policy)
	if err != nil {
		t.Fatal(err)
	}
	return maker.New(), spec.Capacity(policy)
}

// TestPacingUses: a client that paces is never refused, and how much of 20 periods' units it gets.
func TestPacingUses(t *testing.T) {
	minute := algorithms.Limit{N: 60, Per: time.Minute}
	for _, test := range []struct {
		algorithm string
		limit     algorithms.Limit
		percent   int64 // of 20·N, rounded down
	}{
		{"token-bucket", minute, 102}, // half the burst on top
		{"leaky-bucket", minute, 102},
		{"fixed-window", minute, 100},
		{"sliding-log", minute, 64},
		{"sliding-counter", minute, 50},
		{"fixed-window", algorithms.Limit{N: 1000, Per: time.Hour}, 100},
		{"fixed-window", algorithms.Limit{N: 100, Per: time.Second}, 63}, // "1s" is all that headers can tell
		{"token-bucket", algorithms.Limit{N: 100, Per: time.Second}, 100},
	} {
		l, capacity := build(t, test.algorithm, test.limit)
		admitted, denied := pacing(l, capacity, 20*Time(test.limit.Per))
		if got := admitted * 100 / (20 * test.limit.N); denied != 0 || got != test.percent {
			t.Errorf("%s of %d in %s: %d denied, %d %% used, want %d", test.algorithm, test.limit.N, test.limit.Per, denied, got, test.percent)
		}
	}
}

// TestPacingIsNeverRefused under any limit of any algorithm that names instants.
func TestPacingIsNeverRefused(t *testing.T) {
	names := []string{"token-bucket", "gcra", "leaky-meter", "leaky-bucket", "fixed-window", "sliding-log", "sliding-counter", "sliding-buckets"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "algorithm")
		n := rapid.Int64Range(1, 50).Draw(t, "n")
		per := time.Duration(rapid.Int64Range(int64(time.Second), int64(time.Hour)).Draw(t, "per"))
		l, capacity := build(t, name, algorithms.Limit{N: n, Per: per})
		if _, denied := pacing(l, capacity, 5*Time(per)); denied > 0 {
			t.Errorf("denied %d times", denied)
		}
	})
}
