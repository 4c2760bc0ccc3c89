package sim

import (
	"testing"

	"pgregory.net/rapid"
)

// TestTheGridCountsWhatTheSummaryCounts adds the buckets of random systems up.
func TestTheGridCountsWhatTheSummaryCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := randomSystem(t)
		buckets := rapid.IntRange(1, 30).Draw(t, "buckets")
		for _, r := range New(plan, Options{Buckets: buckets, Workers: 1}).Finish() {
			g, s := r.Grid.System, r.Summary.System
			if n := sum(g.Wanted); n != s.Requests {
				t.Fatalf("%s: %d requests in the grid, %d in all", r.Name, n, s.Requests)
			}
			if n := sum(g.Succeeded); n > s.Succeeded { // what comes after the run's end is in no bucket
				t.Fatalf("%s: %d succeeded in the grid, %d in all", r.Name, n, s.Succeeded)
			}
			if n := sum(g.Degraded); n > s.Degraded {
				t.Fatalf("%s: %d degraded in the grid, %d in all", r.Name, n, s.Degraded)
			}
		}
	})
}
