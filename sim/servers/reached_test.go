package servers_test

import (
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// always is a length that is always the same.
func always(t Time) random.Distribution { return random.Distribution{Time: t} }

// waves are n requests at each of some instants, so far apart.
func waves(from, apart Time, times, n int) []request {
	var out []request
	for i := range times {
		out = append(out, at(from+Time(i)*apart, n)...)
	}
	return out
}

// Each bound is reached: none could be smaller. Requests go round robin, so n at one instant are as
// many for each server.
func TestBoundsReached(t *testing.T) {
	ms := millisecond
	owner := ownerOf(t, 0)
	for _, test := range []struct {
		name     string
		scheme   servers.Scheme
		limit    int64
		cfg      servers.Config
		requests []request
		want     int64
	}{
		{
			"an atomic store lets nothing through", servers.CentralAtomic, 10,
			servers.Config{Count: 4, Store: servers.Store{Latency: always(10 * ms)}},
			at(0, 100), 0,
		},
		{
			"nor does a restart on the edge of a window", servers.CentralAtomic, 10,
			servers.Config{Count: 4, Store: servers.Store{Restarts: []servers.Restart{{At: second}}}},
			slices.Concat(at(900*ms, 100), at(second, 100)), 0,
		},
		{
			"a restart in a window forgets its count: L more", servers.CentralAtomic, 10,
			servers.Config{Count: 4, Store: servers.Store{Restarts: []servers.Restart{{At: 500 * ms}}}},
			slices.Concat(at(400*ms, 100), at(600*ms, 100)), 10,
		},
		{
			"one that keeps its state does not", servers.CentralAtomic, 10,
			servers.Config{Count: 4, Store: servers.Store{Restarts: []servers.Restart{{At: 500 * ms, Keeps: true}}}},
			slices.Concat(at(400*ms, 100), at(600*ms, 100)), 0,
		},
		{
			"each window has a bound of its own", servers.CentralAtomic, 10,
			servers.Config{Count: 4, Store: servers.Store{Restarts: []servers.Restart{{At: 500 * ms}, {At: 1500 * ms}, {At: 2500 * ms}}}},
			waves(100*ms, 100*ms, 35, 20), 10,
		},
		{
			"four read each count before one writes: 4·L pass", servers.CentralRacy, 5,
			servers.Config{Count: 4, Store: servers.Store{Latency: always(10 * ms)}},
			waves(0, 100*ms, 5, 4), 3 * 5,
		},
		{
			"and as many again once the store was emptied", servers.CentralRacy, 5,
			servers.Config{Count: 4, Store: servers.Store{Latency: always(10 * ms), Restarts: []servers.Restart{{At: 450 * ms}}}},
			waves(0, 100*ms, 10, 4), (2*4 - 1) * 5,
		},
		{
			"in the next window they are other counts, and one reader then loses only what the restart does", servers.CentralRacy, 5,
			servers.Config{Count: 4, Store: servers.Store{Latency: always(10 * ms), Restarts: []servers.Restart{{At: 2450 * ms}}}},
			slices.Concat(waves(0, 100*ms, 20, 4), waves(2*second, 50*ms, 20, 1)), 3 * 5,
		},
		{
			"where nothing takes time nothing comes between", servers.CentralRacy, 5,
			servers.Config{Count: 4},
			at(0, 100), 0,
		},
		{
			"one after the other they lose nothing", servers.CentralRacy, 5,
			servers.Config{Count: 4, Store: servers.Store{Latency: always(10 * ms)}},
			waves(0, 20*ms, 40, 1), 0,
		},
		{
			"shares of 9 rounded up to 3 on each of 4: N−1", servers.SplitUp, 9,
			servers.Config{Count: 4},
			at(0, 100), 3,
		},
		{
			"shares rounded down to 2: 8 of 9", servers.SplitDown, 9,
			servers.Config{Count: 4},
			at(0, 100), 0,
		},
		{
			"each server admits the limit", servers.Independent, 5,
			servers.Config{Count: 4},
			at(0, 100), 3 * 5,
		},
		{
			"twice where each server's window ends within that of the store", servers.Independent, 5,
			servers.Config{Count: 4, Skew: 400 * ms, Seed: 1},
			waves(second, ms, 1000, 40), 7 * 5,
		},
		{
			"and so with shares", servers.SplitUp, 9,
			servers.Config{Count: 4, Skew: 400 * ms, Seed: 1},
			waves(second, ms, 1000, 40), 2*4*3 - 9,
		},
		{
			"60 known to all, then 40 at each of 4 that no other has heard of", servers.Async, 100,
			servers.Config{Count: 4, Sync: 10 * ms, Peer: always(10 * ms)},
			slices.Concat(waves(0, 30*ms, 15, 4), at(600*ms, 400)), 3 * 40,
		},
		{
			"broadcasts that come too late are none", servers.Async, 5,
			servers.Config{Count: 4, Sync: second, Peer: always(2 * second)},
			at(0, 100), 3 * 5,
		},
		{
			"nor are they with clocks that are off", servers.Async, 5,
			servers.Config{Count: 4, Sync: 10 * second, Skew: 400 * ms, Seed: 1},
			waves(second, ms, 1000, 40), 7 * 5,
		},
		{
			"a key that stays with its owner", servers.Owner, 5,
			servers.Config{Count: 4, Peer: always(10 * ms)},
			waves(0, 100*ms, 9, 20), 0,
		},
		{
			"a key that moves away and back begins afresh twice", servers.Owner, 5,
			servers.Config{Count: 4, Peer: always(10 * ms), Moves: []servers.Move{
				{At: 250 * ms, Server: owner}, {At: 550 * ms, Server: owner, Joins: true},
			}},
			waves(0, 100*ms, 9, 20), 2 * 5,
		},
		{
			"away in one window and back in the next", servers.Owner, 5,
			servers.Config{Count: 4, Moves: []servers.Move{
				{At: 250 * ms, Server: owner}, {At: 1250 * ms, Server: owner, Joins: true},
			}},
			waves(0, 100*ms, 20, 20), 5,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, report := run(t, &test.cfg, test.scheme, window(t, test.limit), test.requests)
			if report.OverAdmitted != test.want || report.Bound != test.want || !report.Bounded {
				t.Errorf("%v: %d units beyond the limit, a bound of %d (%v), want %d for both: %+v",
					test.scheme, report.OverAdmitted, report.Bound, report.Bounded, test.want, report)
			}
		})
	}
}

// A key that moves between owners whose clocks are off: each of them admits the limit in two windows
// of its own, if both have an edge while they own it.
func TestOwnersWithClocksThatAreOff(t *testing.T) {
	most := int64(0)
	for seed := range uint64(30) {
		cfg := &servers.Config{Count: 2, Skew: 500 * millisecond, Seed: seed}
		replies, _ := run(t, cfg, servers.Owner, window(t, 5), []request{{cost: 1}})
		cfg.Moves = []servers.Move{{At: 1500 * millisecond, Server: replies[0].Server}}
		_, report := run(t, cfg, servers.Owner, window(t, 5), waves(second, millisecond, 1000, 10))
		if report.Bound != 3*5 || report.OverAdmitted > 3*5 || report.Moves != 1 {
			t.Errorf("seed %d: %+v", seed, report)
		}
		most = max(most, report.OverAdmitted)
	}
	if most != 3*5 {
		t.Errorf("%d units beyond the limit at most, the bound is %d", most, 3*5)
	}
}

// ownerOf is the server of four that owns a key, with seed 0.
func ownerOf(t *testing.T, key uint32) int {
	t.Helper()
	replies, _ := run(t, &servers.Config{Count: 4}, servers.Owner, window(t, 1), []request{{key: key, cost: 1}})
	return replies[0].Server
}

// Failing open has no bound, and the report says so.
func TestFailingOpenHasNoBound(t *testing.T) {
	for _, scheme := range []servers.Scheme{servers.CentralAtomic, servers.CentralRacy} {
		cfg := &servers.Config{Count: 2, FailOpen: true, Store: servers.Store{Outages: []servers.Outage{{0, second}}}}
		_, report := run(t, cfg, scheme, window(t, 10), at(0, 1000))
		if report.OverAdmitted != 990 || report.Bounded || report.FailedOpen != 1000 {
			t.Errorf("%v: %+v", scheme, report)
		}
		cfg.FailOpen = false
		_, report = run(t, cfg, scheme, window(t, 10), at(0, 1000))
		if report.OverAdmitted != 0 || !report.Bounded || report.FailedClosed != 1000 || report.Windows != 0 {
			t.Errorf("%v: %+v", scheme, report)
		}
	}
}

// Bounds speak of windows by the store's clock. What counts otherwise is measured, without one.
func TestOnlyClockedWindowsAreBounded(t *testing.T) {
	policy := algorithms.Policy{Limit: algorithms.Limit{N: 10, Per: 1e9}}
	for _, test := range []struct {
		algorithm, anchor string
		want              bool
	}{
		{"fixed-window", "", true},
		{"fixed-window", "clock", true},
		{"fixed-window", "first", false},
		{"sliding-log", "", false},
		{"token-bucket", "", false},
	} {
		p := policy
		if test.anchor != "" {
			p.Options = map[string]string{"anchor": test.anchor}
		}
		_, report := run(t, &servers.Config{Count: 2}, servers.Independent, limitOf(t, test.algorithm, p), at(0, 30))
		if report.Bounded != test.want || report.OverAdmitted != 10 {
			t.Errorf("%s %s: %+v", test.algorithm, test.anchor, report)
		}
	}
}
