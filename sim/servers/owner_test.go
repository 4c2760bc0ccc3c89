package servers_test

import (
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/servers"
)

func logNormal(median Time, sigmaMilli int64) random.Distribution {
	return random.Distribution{Kind: random.LogNormal, Time: median, SigmaMilli: sigmaMilli}
}

// A request that comes to its key's owner is decided at once. Any other takes half a round trip to
// the owner and half of one back.
func TestHopToTheOwner(t *testing.T) {
	const trip = 10*millisecond + 1 // an odd number: 5 ms there, and the rest back
	cfg := &servers.Config{Count: 4, Peer: always(trip)}
	owner := ownerOf(t, 0)
	replies, _ := run(t, cfg, servers.Owner, window(t, 4), at(0, 8))
	for i, r := range replies {
		want := trip
		if i%4 == owner { // round robin
			want = 0
		}
		if r.now != want || r.At != want/2 || r.Server != owner {
			t.Errorf("request %d: decided by server %d at %v, answered at %v, want %d, %v", i, r.Server, r.At, r.now, owner, want)
		}
	}
}

// A request under way when its key moves is passed on to the new owner.
func TestPassedOn(t *testing.T) {
	ms := millisecond
	owner := ownerOf(t, 0)
	cfg := &servers.Config{Count: 4, Peer: always(10 * ms), Moves: []servers.Move{{At: 3 * ms, Server: owner}}}
	replies, report := run(t, cfg, servers.Owner, window(t, 1), []request{
		{at: 0, cost: 1}, {at: 0, cost: 1}, {at: 0, cost: 1}, {at: 0, cost: 1},
	})
	for i, r := range replies {
		if i == owner {
			if r.Server != owner || r.now != 0 {
				t.Errorf("at the owner: %+v", r)
			}
			continue
		}
		atHome := r.Server == i // the new owner is the server that was asked: no way back
		if r.Server == owner || r.At != 10*ms || (r.now != 15*ms) != atHome {
			t.Errorf("request %d: %+v", i, r)
		}
	}
	if report.OverAdmitted != 1 || report.Bound != 1 || report.Moves != 1 {
		t.Errorf("%+v", report)
	}
}

// A server that leaves takes with it what it knew; keys of others do not notice.
func TestOnlyMovedKeysBeginAfresh(t *testing.T) {
	const keys = 200
	cfg := &servers.Config{Count: 4, Moves: []servers.Move{{At: 500 * millisecond, Server: 2}}}
	var requests []request
	for _, when := range []Time{0, 600 * millisecond} {
		for key := range uint32(keys) {
			requests = append(requests, request{at: when, key: key, cost: 1})
		}
	}
	replies, report := run(t, cfg, servers.Owner, window(t, 1), requests)
	moved := 0
	for key := range keys {
		before, after := replies[key], replies[keys+key]
		if before.Server == 2 {
			moved++
		}
		if after.Server == 2 || (before.Server == 2) != (after.Decision.Verdict == algorithms.Admit) || before.Server != 2 && after.Server != before.Server {
			t.Errorf("key %d: %+v, then %+v", key, before, after)
		}
	}
	if moved == 0 || report.OverAdmitted != 1 {
		t.Errorf("%d keys moved: %+v", moved, report)
	}
}

// A server whose first move is to join is not there before.
func TestJoining(t *testing.T) {
	cfg := &servers.Config{Count: 2, Moves: []servers.Move{{At: second, Server: 1, Joins: true}}}
	var requests []request
	for _, when := range []Time{0, second - 1, second} {
		for key := range uint32(50) {
			requests = append(requests, request{at: when, key: key, cost: 1})
		}
	}
	replies, _ := run(t, cfg, servers.Owner, window(t, 1), requests)
	joined := 0
	for i, r := range replies {
		if r.Server == 1 && requests[i].at < second {
			t.Errorf("at %v: decided by a server that is not there yet", requests[i].at)
		}
		joined += r.Server
	}
	if joined < 10 || joined > 40 {
		t.Errorf("%d of 50 keys went to the server that joined", joined)
	}
}
