package draw

import (
	"testing"

	"github.com/b6db88e4/ratesim/sim/retry"
)

// What a client does is told by every policy in a sentence.
func TestRetries(t *testing.T) {
	for _, row := range []struct {
		policy retry.Policy
		want   string
	}{
		{retry.Policy{Kind: retry.Never, Attempts: 1}, "It is sent once."},
		{retry.Policy{Kind: retry.AtOnce, Attempts: 3}, "It is sent again at once: 3 times at most."},
		{retry.Policy{Kind: retry.Fixed, Wait: second, Attempts: 4, GiveUp: minute}, "It is sent again after 1s: 4 times at most, and not after 1m."},
		{retry.Policy{Kind: retry.Exponential, Wait: second, Most: 30 * second, Jitter: retry.Full, Attempts: 9},
			"It is sent again after 1s, each time after twice as long, up to 30s, with full jitter: 9 times at most."},
		{retry.Policy{Kind: retry.RetryAfter, Attempts: 2}, "It is sent again when its client was told to: 2 times at most."},
		{retry.Policy{Kind: retry.RetryAfter, Spread: second, Attempts: 2}, "It is sent again when its client was told to or up to 1s later: 2 times at most."},
	} {
		if got := NewStyle(Options{}).Retries(&row.policy); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int64]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 102: "102nd", 111: "111th"} {
		if got := ordinal(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
