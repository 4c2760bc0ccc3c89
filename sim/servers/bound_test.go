package servers_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// drawLength draws a length of time, often one of interest beside a period of a second.
func drawLength(most Time) *rapid.Generator[Time] {
	return rapid.OneOf(
		rapid.SampledFrom([]Time{0, 0, 1, 2, 3, millisecond, 100 * millisecond, most}),
		rapid.Map(rapid.Int64Range(0, int64(most)), func(n int64) Time { return Time(n) }),
	)
}

func drawDistribution(most Time) *rapid.Generator[random.Distribution] {
	return rapid.Custom(func(t *rapid.T) random.Distribution {
		return random.Distribution{
			Kind:       random.Kind(rapid.IntRange(0, 2).Draw(t, "kind")),
			Time:       drawLength(most).Draw(t, "time"),
			SigmaMilli: rapid.Int64Range(1, 1500).Draw(t, "sigma"),
		}
	})
}

// drawConfig draws servers around a limit by the second, over some seconds.
func drawConfig(t *rapid.T) *servers.Config {
	cfg := &servers.Config{
		Count:    rapid.OneOf(rapid.IntRange(1, 6), rapid.Just(64)).Draw(t, "count"),
		Routing:  servers.Routing(rapid.IntRange(0, 3).Draw(t, "routing")),
		Sync:     1 + drawLength(2*second).Draw(t, "sync"),
		Peer:     drawDistribution(second).Draw(t, "peer"),
		FailOpen: rapid.Bool().Draw(t, "fail open"),
		Seed:     rapid.Uint64().Draw(t, "seed"),
	}
	if rapid.Bool().Draw(t, "skewed") {
		cfg.Skew = drawLength(3*second).Draw(t, "skew")
	}
	cfg.Store = drawStore(t)
	cfg.Moves = drawMoves(t, cfg.Count)
	return cfg
}

func drawStore(t *rapid.T) servers.Store {
	s := servers.Store{Latency: drawDistribution(second).Draw(t, "latency")}
	if rapid.Bool().Draw(t, "times out") {
		s.Timeout = drawLength(second).Draw(t, "timeout")
	}
	for range rapid.IntRange(0, 2).Draw(t, "outages") {
		from := drawLength(4*second).Draw(t, "from")
		s.Outages = append(s.Outages, servers.Outage{From: from, Until: from + 1 + drawLength(second).Draw(t, "length")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "restarts") {
		s.Restarts = append(s.Restarts, servers.Restart{
			At: drawLength(4*second).Draw(t, "at"), Down: drawLength(second).Draw(t, "down"),
			Keeps:   rapid.Bool().Draw(t, "keeps"),
			SlowFor: drawLength(second).Draw(t, "slow for"), Slow: drawDistribution(second).Draw(t, "slow"),
		})
	}
	return s
}

// drawMoves draws moves in order of time of which each is possible.
func drawMoves(t *rapid.T, count int) []servers.Move {
	var moves []servers.Move
	there := make([]bool, count)
	for i := range there {
		there[i] = i == 0 || rapid.Bool().Draw(t, "there")
	}
	now := Time(0)
	for range rapid.IntRange(0, 8).Draw(t, "moves") {
		now += drawLength(second).Draw(t, "later")
		server := rapid.IntRange(0, count-1).Draw(t, "server")
		if server == 0 { // always there, so that one is left
			continue
		}
		moves = append(moves, servers.Move{At: now, Server: server, Joins: !there[server]})
		there[server] = !there[server]
	}
	return moves
}

// drawRequests draws traffic of some clients and keys over some seconds, much of it at the same
// instants.
func drawRequests(t *rapid.T, most int64) []request {
	unit := rapid.Bool().Draw(t, "unit cost")
	one := rapid.Custom(func(t *rapid.T) request {
		r := request{
			at:     rapid.OneOf(rapid.Just[Time](0), drawLength(second/4)).Draw(t, "later"),
			client: uint32(rapid.IntRange(0, 9).Draw(t, "client")),
			key:    uint32(rapid.IntRange(0, 2).Draw(t, "key")),
			cost:   1,
		}
		if !unit {
			r.cost = rapid.Int64Range(1, most+1).Draw(t, "cost")
		}
		return r
	})
	requests := rapid.SliceOfN(one, 0, 150).Draw(t, "requests")
	now := Time(0)
	for i := range requests {
		now += requests[i].at
		requests[i].at = now
	}
	return requests
}

// drawWindow draws a limit of a few units by the second, in windows that begin anywhere.
func drawWindow(t *rapid.T) servers.Limit {
	return limitOf(t, "fixed-window", algorithms.Policy{
		Limit: algorithms.Limit{N: rapid.Int64Range(1, 12).Draw(t, "limit"), Per: time.Second},
		Start: rapid.SampledFrom([]int64{0, 1, -1, 400_000_000}).Draw(t, "start"),
	})
}

// overAdmitted counts again, from the answers alone.
func overAdmitted(limit servers.Limit, requests []request, replies []reply) int64 {
	type window struct {
		key    uint32
		number int64
	}
	period := int64(limit.Policy.Limit.Per)
	units, over := map[window]int64{}, int64(0)
	for i, r := range replies {
		if r.Decision.Verdict == algorithms.Deny {
			continue
		}
		w := window{requests[i].key, floorDiv(int64(r.At)+limit.Policy.Start, period)}
		units[w] += requests[i].cost
		over = max(over, units[w]-limit.Policy.Limit.N)
	}
	return over
}

func floorDiv(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// Whatever the traffic, the latencies, the routing, the clocks, the outages and the moves: every
// scheme keeps its bound, and answers every request once.
func TestBoundsHold(t *testing.T) {
	for _, info := range servers.Schemes() {
		t.Run(info.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				limit := drawWindow(t)
				cfg := drawConfig(t)
				requests := drawRequests(t, limit.Policy.Limit.N)
				replies, report := run(t, cfg, info.Scheme, limit, requests)
				if got := overAdmitted(limit, requests, replies); got != report.OverAdmitted {
					t.Fatalf("reports %d units beyond the limit, the answers say %d", report.OverAdmitted, got)
				}
				if report.Bounded != (report.FailedOpen == 0) {
					t.Fatalf("bounded %v with %d failed open", report.Bounded, report.FailedOpen)
				}
				checkReplies(t, cfg, requests, replies, report)
			})
		})
	}
}

// checkReplies checks that answers make sense and that the report counts them.
func checkReplies(t *rapid.T, cfg *servers.Config, requests []request, replies []reply, report servers.Report) {
	admitted, failed := make([]int64, cfg.Count), [3]int64{}
	for i, r := range replies {
		d := r.Decision
		if r.now < requests[i].at || r.At < requests[i].at || r.At > r.now || d.Until < r.now {
			t.Fatalf("asked at %d: decided at %d, answered %v at %d", requests[i].at, r.At, d, r.now)
		}
		if d.Verdict == algorithms.Admit {
			admitted[r.Server] += requests[i].cost
			if d.Until != r.now {
				t.Fatalf("admitted at %d for %d", r.now, d.Until)
			}
		}
		failed[r.Failed]++
		if r.Failed != servers.None && (d.Verdict == algorithms.Admit) != cfg.FailOpen {
			t.Fatalf("failed %v: %v", r.Failed, d)
		}
	}
	if !slices.Equal(admitted, report.Admitted) || failed[servers.Open] != report.FailedOpen || failed[servers.Closed] != report.FailedClosed {
		t.Fatalf("answers: %v admitted, %v failed; report %+v", admitted, failed, report)
	}
}

// The same configuration and traffic give the same answers.
func TestDeterminism(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scheme := servers.Scheme(rapid.IntRange(0, 6).Draw(t, "scheme"))
		limit, cfg := drawWindow(t), drawConfig(t)
		requests := drawRequests(t, limit.Policy.Limit.N)
		first, one := run(t, cfg, scheme, limit, requests)
		second, two := run(t, cfg, scheme, limit, requests)
		if !slices.Equal(first, second) || fmt.Sprint(one) != fmt.Sprint(two) {
			t.Fatalf("%v decided otherwise the second time", scheme)
		}
	})
}
