package algorithms_test

import (
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// TestSince: what came before counts no longer, what came at that instant does. Three a second, one
// unit at 1.5 s; the run begins at an edge.
func TestSince(t *testing.T) {
	ms := Time(time.Millisecond)
	rows := []struct {
		algorithm, options string
		now, since         Time
	}{
		{"fixed-window", "", 1500 * ms, 1000 * ms},
		{"fixed-window", "", 2000*ms - 1, 1000 * ms},
		{"fixed-window", "", 2000 * ms, 2000 * ms},
		{"fixed-window", "anchor=first", 2500*ms - 1, 1500 * ms},
		{"fixed-window", "anchor=first", 2500 * ms, 2500 * ms}, // the window is over, none is open
		{"fixed-window", "anchor=first", 9000 * ms, 9000 * ms},
		{"sliding-log", "", 1500 * ms, 500*ms + 1},
		{"sliding-log", "", 2500 * ms, 1500*ms + 1},
		{"sliding-counter", "", 1500 * ms, 1000 * ms}, // the window before it is empty
		{"sliding-counter", "", 2000 * ms, 1000 * ms},
		{"sliding-counter", "", 3000 * ms, 3000 * ms},
		{"sliding-buckets", "slots=10", 1599 * ms, 600 * ms},
		{"sliding-buckets", "slots=10", 2500 * ms, 1600 * ms},
	}
	for _, row := range rows {
		l := build(t, row.algorithm, algorithms.Policy{
			Limit:   algorithms.Limit{N: 3, Per: time.Second},
			Options: options(row.options),
		})
		l.Decide(1500*ms, 1)
		if got := l.(algorithms.Counting).Since(row.now); got != row.since {
			t.Errorf("%s %s: at %d what came since %d counts, want %d", row.algorithm, row.options, row.now, got, row.since)
		}
	}
}
