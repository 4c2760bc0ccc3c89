package servers_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// drawLimit draws any algorithm that servers can share, under a small limit by the second.
func drawLimit(t *rapid.T) servers.Limit {
	spec := rapid.SampledFrom(algorithms.Defaults()).Draw(t, "algorithm")
	p := algorithms.Policy{Limit: algorithms.Limit{N: rapid.Int64Range(1, 12).Draw(t, "limit"), Per: 1e9}}
	if rapid.Bool().Draw(t, "has burst") {
		p.Burst = rapid.Int64Range(1, 12).Draw(t, "burst")
	}
	return limitOf(t, spec.Name, p)
}

// inOrder are the requests' numbers in the order of what happened to them first, by at.
func inOrder(n int, at func(i int) Time) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(at(a) - at(b)) })
	return order
}

// However long requests take to the store and back, central-atomic decides as one limiter does that
// is asked when they arrive, whatever the servers' clocks show.
func TestCentralAtomicIsOneLimiter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := drawLimit(t)
		requests := drawRequests(t, limit.Policy.Limit.N)
		cfg := &servers.Config{
			Count: rapid.IntRange(1, 5).Draw(t, "count"), Skew: drawLength(second).Draw(t, "skew"),
			Store: servers.Store{Latency: drawDistribution(second).Draw(t, "latency")},
		}
		replies, _ := run(t, cfg, servers.CentralAtomic, limit, requests)
		table := map[uint32]algorithms.Limiter{}
		for _, i := range inOrder(len(requests), func(i int) Time { return replies[i].At }) {
			r, got := requests[i], replies[i]
			if table[r.key] == nil {
				table[r.key] = limit.Maker.New()
			}
			want := table[r.key].Decide(got.At, r.cost)
			if want.Verdict == algorithms.Admit {
				want.Until = got.now
			}
			want.Until = max(want.Until, got.now)
			if got.Decision != want {
				t.Fatalf("request %d %+v: %+v, a limiter asked at %d says %v", i, r, got, got.At, want)
			}
		}
	})
}

// What takes no time happens during Ask, so that nothing comes between.
func TestWithoutLatencyNothingIsPosted(t *testing.T) {
	for _, scheme := range []servers.Scheme{servers.CentralAtomic, servers.CentralRacy, servers.Independent, servers.Owner} {
		answers := 0
		cluster, err := servers.New(&servers.Config{Count: 3}, scheme, window(t, 5),
			func(Time, uint32) { t.Errorf("%v posts", scheme) },
			func(uint32, Time, servers.Answer) { answers++ })
		if err != nil {
			t.Fatal(err)
		}
		for call := range uint32(10) {
			if cluster.Ask(0, call, 0, 0, 1); answers != int(call)+1 {
				t.Errorf("%v: %d answers to %d calls", scheme, answers, call+1)
			}
		}
	}
}

// A server reads, decides, and writes: two round trips for what is admitted, one for what is denied.
func TestCentralRacyTakesTwoTrips(t *testing.T) {
	cfg := &servers.Config{Count: 2, Store: servers.Store{Latency: always(10 * millisecond)}}
	replies, report := run(t, cfg, servers.CentralRacy, window(t, 1), slices.Concat(at(0, 2), at(100*millisecond, 1)))
	for i, want := range []struct{ at, now Time }{
		{10 * millisecond, 20 * millisecond},
		{10 * millisecond, 20 * millisecond}, // read 0 as well
		{110 * millisecond, 110 * millisecond},
	} {
		if got := replies[i]; got.At != want.at || got.now != want.now {
			t.Errorf("request %d: decided at %v, answered at %v, want %v", i, got.At, got.now, want)
		}
	}
	if report.SameCount != 2 || replies[2].Decision != (algorithms.Decision{Verdict: algorithms.Deny, Until: second}) {
		t.Errorf("%+v, %+v", replies[2], report)
	}
}

// When the store fails, or takes too long, the server answers without it.
func TestFailures(t *testing.T) {
	ms := millisecond
	outage := []servers.Outage{{From: 0, Until: second}}
	for _, test := range []struct {
		name   string
		scheme servers.Scheme
		store  servers.Store
		asked  Time
		failed bool
		now    Time
	}{
		{"a store that is up", servers.CentralAtomic, servers.Store{Latency: always(10 * ms)}, 0, false, 10 * ms},
		{"nobody listens: known after a round trip", servers.CentralAtomic, servers.Store{Latency: always(10 * ms), Outages: outage}, 0, true, 10 * ms},
		{"or when the server gives up", servers.CentralAtomic, servers.Store{Latency: always(10 * ms), Outages: outage, Timeout: 50 * ms}, 0, true, 50 * ms},
		{"on its way when the store comes back", servers.CentralAtomic, servers.Store{Latency: always(10 * ms), Outages: outage, Timeout: 50 * ms}, second - 5*ms, false, second + 5*ms},
		{"1 ns too early", servers.CentralAtomic, servers.Store{Latency: always(10 * ms), Outages: outage, Timeout: 50 * ms}, second - 5*ms - 1, true, second + 45*ms - 1},
		{"an answer just in time", servers.CentralAtomic, servers.Store{Latency: always(50 * ms), Timeout: 50 * ms}, 0, false, 50 * ms},
		{"an answer 1 ns late", servers.CentralAtomic, servers.Store{Latency: always(50*ms + 1), Timeout: 50 * ms}, 0, true, 50 * ms},
		{"given up before the store is reached", servers.CentralAtomic, servers.Store{Latency: always(200 * ms), Timeout: 50 * ms}, 0, true, 50 * ms},
		{"a restart", servers.CentralAtomic, servers.Store{Latency: always(10 * ms), Restarts: []servers.Restart{{At: 0, Down: second}}}, 0, true, 10 * ms},
		{"slow after a restart", servers.CentralAtomic, servers.Store{Latency: always(10 * ms), Restarts: []servers.Restart{{SlowFor: second, Slow: always(80 * ms)}}}, 0, false, 80 * ms},
		{"and no longer slow", servers.CentralAtomic, servers.Store{Latency: always(10 * ms), Restarts: []servers.Restart{{SlowFor: second, Slow: always(80 * ms)}}}, second, false, second + 10*ms},
		{"the read fails", servers.CentralRacy, servers.Store{Latency: always(10 * ms), Outages: outage}, 0, true, 10 * ms},
		{"the write fails", servers.CentralRacy, servers.Store{Latency: always(10 * ms), Outages: []servers.Outage{{10 * ms, second}}, Timeout: 50 * ms}, 0, true, 60 * ms},
		{"neither fails", servers.CentralRacy, servers.Store{Latency: always(10 * ms), Timeout: 50 * ms}, 0, false, 20 * ms},
	} {
		for _, open := range []bool{false, true} {
			t.Run(fmt.Sprint(test.name, ", open ", open), func(t *testing.T) {
				cfg := &servers.Config{Count: 1, Store: test.store, FailOpen: open}
				replies, report := run(t, cfg, test.scheme, window(t, 1), at(test.asked, 1))
				want := [2]servers.Failure{servers.Closed, servers.Open}[index(open)]
				if !test.failed {
					want = servers.None
				}
				got := replies[0]
				if got.Failed != want || got.now != test.now {
					t.Errorf("failed %q at %v, want %q at %v: %+v", got.Failed, got.now, want, test.now, report)
				}
				if got.Failed == servers.Closed && got.Decision != (algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}) {
					t.Errorf("%v: nobody knows when the store comes back", got.Decision)
				}
			})
		}
	}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What a server has given up on happens nevertheless: the store counts what nobody was let in for.
func TestLateRequestsAreCharged(t *testing.T) {
	for _, latency := range []Time{80 * millisecond, 300 * millisecond} { // given up before and after the store is reached
		cfg := &servers.Config{Count: 1, Store: servers.Store{
			Latency: always(10 * millisecond), Timeout: 50 * millisecond,
			Restarts: []servers.Restart{{Keeps: true, SlowFor: 1, Slow: always(latency)}},
		}}
		replies, report := run(t, cfg, servers.CentralAtomic, window(t, 1), slices.Concat(at(0, 1), at(500*millisecond, 1)))
		if replies[0].Failed != servers.Closed || replies[1].Decision.Verdict != algorithms.Deny || replies[1].Failed != servers.None {
			t.Errorf("%v: %+v", latency, replies)
		}
		if report.Late != 1 || report.DeniedWithRoom != 1 || report.Admitted[0] != 0 {
			t.Errorf("%v: %+v", latency, report)
		}
	}
}

// An outage loses nothing, a restart loses all or nothing, and a write that comes later brings back
// what it read before.
func TestWhatTheStoreRemembers(t *testing.T) {
	ms := millisecond
	restart := func(keeps bool) []servers.Restart { return []servers.Restart{{At: 105 * ms, Keeps: keeps}} }
	for _, test := range []struct {
		name     string
		scheme   servers.Scheme
		store    servers.Store
		requests []request
		want     []algorithms.Verdict
	}{
		{"an outage", servers.CentralAtomic, servers.Store{Outages: []servers.Outage{{105 * ms, 110 * ms}}},
			slices.Concat(at(0, 1), at(200*ms, 2)), []algorithms.Verdict{algorithms.Admit, algorithms.Admit, algorithms.Deny}},
		{"a database", servers.CentralAtomic, servers.Store{Restarts: restart(true)},
			slices.Concat(at(0, 1), at(200*ms, 2)), []algorithms.Verdict{algorithms.Admit, algorithms.Admit, algorithms.Deny}},
		{"a cache", servers.CentralAtomic, servers.Store{Restarts: restart(false)},
			slices.Concat(at(0, 1), at(200*ms, 3)), []algorithms.Verdict{algorithms.Admit, algorithms.Admit, algorithms.Admit, algorithms.Deny}},
		{"a cache, racy", servers.CentralRacy, servers.Store{Restarts: restart(false)},
			slices.Concat(at(0, 2), at(200*ms, 3)), []algorithms.Verdict{algorithms.Admit, algorithms.Admit, algorithms.Admit, algorithms.Admit, algorithms.Deny}},
		{"written after the restart, read before", servers.CentralRacy, servers.Store{Latency: always(8 * ms), Restarts: restart(false)},
			slices.Concat(at(0, 1), at(100*ms, 1), at(200*ms, 1)), []algorithms.Verdict{algorithms.Admit, algorithms.Admit, algorithms.Deny}},
	} {
		t.Run(test.name, func(t *testing.T) {
			replies, report := run(t, &servers.Config{Count: 1, Store: test.store}, test.scheme, window(t, 2), test.requests)
			for i, r := range replies {
				if r.Decision.Verdict != test.want[i] {
					t.Errorf("request %d: %v, want %v: %+v", i, r.Decision, test.want[i], report)
				}
			}
		})
	}
}

// Where denied requests count, a racy server writes them back as well, behind the answer's back.
func TestDeniedRequestsAreWrittenBack(t *testing.T) {
	for _, counts := range []string{"false", "true"} {
		limit := limitOf(t, "fixed-window", algorithms.Policy{
			Limit: algorithms.Limit{N: 3, Per: 1e9}, Options: map[string]string{"count_denied": counts},
		})
		cfg := &servers.Config{Count: 1, Store: servers.Store{Latency: always(10 * millisecond)}}
		replies, _ := run(t, cfg, servers.CentralRacy, limit, []request{
			{at: 0, cost: 1}, {at: 100 * millisecond, cost: 3}, {at: 200 * millisecond, cost: 1},
		})
		if r := replies[1]; r.Decision.Verdict != algorithms.Deny || r.now != 110*millisecond {
			t.Errorf("too much: %+v", r)
		}
		if denied := replies[2].Decision.Verdict == algorithms.Deny; denied != (counts == "true") {
			t.Errorf("count_denied %s: then %v", counts, replies[2].Decision)
		}
	}
}

// Servers that wait for the same answer get the trips in the order in which they asked, whatever the
// scheme does afterwards: the read of a racy server takes as long as the atomic step.
func TestSchemesMeetTheSameLatencies(t *testing.T) {
	cfg := &servers.Config{Count: 3, Store: servers.Store{
		Latency: random.Distribution{Kind: random.LogNormal, Time: 5 * millisecond, SigmaMilli: 700},
	}}
	requests := waves(0, 10*millisecond, 50, 2)
	atomic, _ := run(t, cfg, servers.CentralAtomic, window(t, 1), requests)
	racy, _ := run(t, cfg, servers.CentralRacy, window(t, 1), requests)
	for i := range requests {
		if atomic[i].now != racy[i].At {
			t.Fatalf("request %d: answered at %v, and decided at %v after a read", i, atomic[i].now, racy[i].At)
		}
	}
}
