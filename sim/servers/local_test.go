package servers_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Without skew each server decides as a limiter of its own, under its share of the limit.
func TestLocalServersAreLimitersOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		scheme := rapid.SampledFrom([]servers.Scheme{servers.SplitUp, servers.SplitDown, servers.Independent}).Draw(t, "scheme")
		cfg := &servers.Config{Count: rapid.IntRange(1, 5).Draw(t, "count"), Routing: servers.Routing(rapid.IntRange(0, 3).Draw(t, "routing"))}
		requests := drawRequests(t, limit.Policy.Limit.N)
		replies, _ := run(t, cfg, scheme, limit, requests)

		share := limit
		n := int64(cfg.Count)
		up := map[servers.Scheme]int64{servers.SplitUp: n - 1}[scheme]
		if scheme != servers.Independent {
			p := limit.Policy
			p.Limit.N, p.Burst = (p.Limit.N+up)/n, (p.Capacity()+up)/n
			if p.Limit.N == 0 || p.Burst == 0 {
				for i, r := range replies {
					if r.Decision != (algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}) {
						t.Fatalf("request %d under a share of 0: %v", i, r.Decision)
					}
				}
				return
			}
			share = limitOf(t, limit.Spec.Name, p)
		}
		type place struct {
			server int
			key    uint32
		}
		table := map[place]algorithms.Limiter{}
		for i, r := range requests {
			at := place{replies[i].Server, r.key}
			if table[at] == nil {
				table[at] = share.Maker.New()
			}
			if want := table[at].Decide(r.at, r.cost); replies[i].Decision != want || replies[i].now != r.at {
				t.Fatalf("%v: request %d %+v: %+v, want %v", scheme, i, r, replies[i], want)
			}
		}
	})
}

// Whatever a server's clock shows: who waits until it was told is admitted, and 1 ns earlier is not.
func TestUntilIsInTheRunsTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scheme := rapid.SampledFrom([]servers.Scheme{servers.SplitUp, servers.Independent, servers.Async, servers.Owner}).Draw(t, "scheme")
		limit := drawLimit(t)
		if scheme == servers.Async || limit.Spec.Name == "unlimited" {
			limit = drawWindow(t)
		}
		cfg := &servers.Config{
			Count: rapid.IntRange(1, 4).Draw(t, "count"), Routing: servers.Hash, Sync: 1,
			Skew: drawLength(3*second).Draw(t, "skew"), Seed: rapid.Uint64().Draw(t, "seed"),
		}
		requests := at(drawLength(3*second).Draw(t, "at"), 25)
		replies, _ := run(t, cfg, scheme, limit, requests)
		last := replies[len(replies)-1]
		if last.Decision.Verdict != algorithms.Deny {
			t.Fatalf("25 at once: %v", last.Decision)
		}
		for _, early := range []Time{1, 0} {
			again := request{at: last.Decision.Until - early, cost: 1}
			got, _ := run(t, cfg, scheme, limit, append(requests[:25:25], again))
			if accepted := got[25].Decision.Verdict.Accepted(); accepted != (early == 0) {
				t.Fatalf("%v %s: told to come at %d; %d ns earlier: %v", scheme, limit.Spec.Name, last.Decision.Until, early, got[25].Decision)
			}
		}
	})
}

// Shares of the limit are of no use to a client that stays with one server: it is denied while the
// others have room.
func TestUnevenLoadUnderSplit(t *testing.T) {
	requests := at(0, 10)
	for i := range requests {
		requests[i].client = 7
	}
	cfg := &servers.Config{Count: 5, Routing: servers.Sticky}
	_, report := run(t, cfg, servers.SplitDown, window(t, 10), requests)
	if sum(report.Admitted) != 2 || report.DeniedWithRoom != 8 {
		t.Errorf("%+v", report)
	}
}

func sum(of []int64) int64 {
	total := int64(0)
	for _, n := range of {
		total += n
	}
	return total
}

// A share has its part of the burst and of the tokens to begin with.
func TestSharesOfABucket(t *testing.T) {
	limit := limitOf(t, "token-bucket", algorithms.Policy{
		Limit: algorithms.Limit{N: 10, Per: 1e9}, Burst: 21, Options: map[string]string{"initial": "15"},
	})
	for _, test := range []struct {
		scheme         servers.Scheme
		initial, burst int64
	}{
		{servers.SplitUp, 4 * 4, 4 * 6},
		{servers.SplitDown, 4 * 3, 4 * 5},
		{servers.Independent, 4 * 15, 4 * 21},
	} {
		cfg := &servers.Config{Count: 4}
		_, report := run(t, cfg, test.scheme, limit, at(0, 200))
		if got := sum(report.Admitted); got != test.initial {
			t.Errorf("%v: %d to begin with, want %d", test.scheme, got, test.initial)
		}
		_, report = run(t, cfg, test.scheme, limit, at(1000*second, 200))
		if got := sum(report.Admitted); got != test.burst {
			t.Errorf("%v: a burst of %d, want %d", test.scheme, got, test.burst)
		}
	}
	if limit.Policy.Options["initial"] != "15" {
		t.Error("the policy has been changed")
	}
}
