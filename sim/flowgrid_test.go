package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/servers"
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
			if n := sum(g.Succeeded); n+g.SucceededLater != s.Succeeded {
				t.Fatalf("%s: %d succeeded in the grid and %d later, %d in all", r.Name, n, g.SucceededLater, s.Succeeded)
			}
			decided := sum(r.Grid.Admitted) + sum(r.Grid.Delayed) + sum(r.Grid.Denied) + sum(g.Degraded)
			if decided+g.DecidedLater != r.Summary.Offered {
				t.Fatalf("%s: %d decided in the grid and %d later, %d in all", r.Name, decided, g.DecidedLater, r.Summary.Offered)
			}
			if n := sum(g.Degraded); n > s.Degraded {
				t.Fatalf("%s: %d degraded in the grid, %d in all", r.Name, n, s.Degraded)
			}
		}
	})
}

// What servers answer when the run is over is in no bucket, and told apart.
func TestTheGridTellsWhatIsDecidedLater(t *testing.T) {
	sys := System{Servers: &servers.Config{Count: 1, Store: servers.Store{Latency: random.Distribution{Time: 2e9}}}}
	requests := append(burst(1, 0), burst(3, 9*time.Second)...)
	plan := around(t, sys, requests, 10*time.Second, []algorithms.Policy{limited(3, time.Minute)}, "fixed-window")
	g := New(plan, Options{Buckets: 10, Workers: 1}).Finish()[0].Grid
	if sum(g.Admitted) != 1 || sum(g.Denied) != 0 || g.System.DecidedLater != 3 || g.System.SucceededLater != 2 {
		t.Errorf("admitted %v, denied %v, %d decided later, %d succeeded later; want 1, none, 3, 2",
			g.Admitted, g.Denied, g.System.DecidedLater, g.System.SucceededLater)
	}
}

// A million lengths of time are told exactly.
func TestLatenciesAreExact(t *testing.T) {
	sys := System{Service: &Service{Workers: 1, Time: random.Distribution{Time: 1_234_567_891}, Queue: -1}}
	plan := around(t, sys, burst(2, 0), 10*time.Second, []algorithms.Policy{limited(10, time.Second)}, "unlimited")
	s := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Summary.System
	if want := (Lengths{P50: 1_234_567_891, P95: 2_469_135_782, P99: 2_469_135_782, Max: 2_469_135_782}); s.Latency != want || s.Success != want {
		t.Errorf("latency %+v, success %+v, want %+v", s.Latency, s.Success, want)
	}
}
