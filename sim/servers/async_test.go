package servers_test

import (
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// from is a request of a client; with sticky routing, clients on different servers.
func from(t Time, client uint32) request { return request{at: t, client: client, cost: 1} }

// strangers are two clients that stay with different ones of two servers.
func strangers(t *testing.T, cfg *servers.Config) (uint32, uint32) {
	t.Helper()
	replies, _ := run(t, cfg, servers.Independent, window(t, 1), at(0, 20))
	for i, r := range replies {
		if r.Server != replies[0].Server {
			return 0, uint32(i)
		}
	}
	t.Fatal("all clients are on one server")
	return 0, 0
}

// What one server admits another counts within Sync and half a round trip: not before it is told, and
// not in another window.
func TestHearingOfOthers(t *testing.T) {
	ms := millisecond
	cfg := &servers.Config{Count: 2, Routing: servers.Sticky, Sync: 100 * ms, Peer: always(40 * ms)}
	here, there := strangers(t, cfg)
	for _, test := range []struct {
		name    string
		asked   Time
		later   Time
		verdict algorithms.Verdict
	}{
		{"at once", 500 * ms, 500 * ms, algorithms.Admit},
		{"before half a round trip", 500 * ms, 520*ms - 1, algorithms.Admit},
		{"after Sync and half a round trip", 500 * ms, 620 * ms, algorithms.Deny},
		{"after the window", 500 * ms, second, algorithms.Admit},
		{"told in the next window", 990 * ms, 1200 * ms, algorithms.Admit},
	} {
		t.Run(test.name, func(t *testing.T) {
			replies, _ := run(t, cfg, servers.Async, window(t, 1), []request{from(test.asked, here), from(test.later, there)})
			if replies[0].Decision.Verdict != algorithms.Admit || replies[1].Decision.Verdict != test.verdict {
				t.Errorf("%v, %v", replies[0].Decision, replies[1].Decision)
			}
		})
	}
}

// A server whose clock is behind keeps what it hears of windows that it has not reached.
func TestHearingOfWindowsToCome(t *testing.T) {
	cfg := &servers.Config{Count: 2, Routing: servers.Sticky, Sync: 1, Skew: 3 * second}
	for cfg.Seed = range 50 {
		here, there := strangers(t, cfg)
		// Ask each server until it admits no more, to learn where its windows end.
		edges := [2]Time{}
		for i, client := range []uint32{here, there} {
			replies, _ := run(t, cfg, servers.Async, window(t, 1), []request{from(10*second, client), from(10*second, client)})
			edges[i] = replies[1].Decision.Until
		}
		if edges[0] >= edges[1] {
			continue // the first one's window must begin earlier
		}
		// Both windows have the same number only if the clocks are less than a window apart.
		early, late := from(edges[0], here), from(edges[1], there)
		replies, _ := run(t, cfg, servers.Async, window(t, 1), []request{early, late})
		if replies[1].Decision.Verdict == algorithms.Deny {
			return
		}
	}
	t.Error("no server counted what it was told ahead of time")
}

// A run ends: servers are silent unless there is something new.
func TestBroadcastsEnd(t *testing.T) {
	posted := 0
	cfg := &servers.Config{Count: 8, Sync: 10 * millisecond, Peer: always(millisecond)}
	l := &loop{replies: make([][]reply, 1)}
	cluster, err := servers.New(cfg, servers.Async, window(t, 5), func(at Time, message uint32) {
		posted++
		l.post(at, message)
	}, l.answer)
	if err != nil {
		t.Fatal(err)
	}
	l.cluster = cluster
	cluster.Ask(0, 0, 0, 0, 1)
	l.deliver(t, algorithms.Never)
	if want := 1 + 7; posted != want {
		t.Errorf("%d messages, want %d: one to tell, seven to hear", posted, want)
	}
}

// Broadcasts from one server to another do not overtake each other, however long each takes.
func TestBroadcastsKeepTheirOrder(t *testing.T) {
	cfg := &servers.Config{Count: 2, Routing: servers.Sticky, Sync: millisecond, Peer: logNormal(5*millisecond, 1500)}
	telling, heard := false, []Time(nil)
	l := &loop{replies: make([][]reply, 200)}
	cluster, err := servers.New(cfg, servers.Async, window(t, 1000), func(at Time, message uint32) {
		if telling {
			heard = append(heard, at)
		}
		l.post(at, message)
	}, l.answer)
	if err != nil {
		t.Fatal(err)
	}
	l.cluster = cluster
	for i := range uint32(200) {
		now := Time(i) * millisecond
		telling = true
		l.deliver(t, now)
		telling = false
		l.now = now
		cluster.Ask(now, i, 0, 0, 1)
	}
	if len(heard) < 190 || !slices.IsSorted(heard) || len(slices.Compact(heard)) > 180 {
		t.Errorf("%d broadcasts arrive at %v: some should have waited for those before", len(heard), heard)
	}
}

// What is told is counted once: one request at a time, at whatever server, the limit is always used
// up.
func TestAsyncCountsEverythingOnce(t *testing.T) {
	cfg := &servers.Config{Count: 5, Sync: 3 * millisecond, Peer: logNormal(millisecond, 1500)}
	for cfg.Seed = range 20 {
		_, report := run(t, cfg, servers.Async, window(t, 100), slices.Concat(waves(0, 2*millisecond, 300, 1), waves(900*millisecond, millisecond, 90, 5)))
		if got := sum(report.Admitted); got < 100 {
			t.Errorf("seed %d: %d admitted of 100", cfg.Seed, got)
		}
		if report.OverAdmitted > 4*report.Unheard {
			t.Errorf("seed %d: %+v", cfg.Seed, report)
		}
	}
}
