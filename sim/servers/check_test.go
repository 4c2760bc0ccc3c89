package servers_test

import (
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Every mistake is named, with what would be right.
func TestMistakes(t *testing.T) {
	good := servers.Config{Count: 3, Sync: 1}
	fixed := func(options map[string]string) servers.Limit {
		return limitOf(t, "fixed-window", algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}, Options: options})
	}
	log := limitOf(t, "sliding-log", algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}})
	permits := limitOf(t, "concurrency", algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}})
	for _, test := range []struct {
		scheme servers.Scheme
		limit  servers.Limit
		change func(*servers.Config)
		want   string
	}{
		{7, fixed(nil), func(*servers.Config) {}, "scheme 7: must be central-atomic, central-racy, split-up, split-down, independent, async, owner"},
		{0, fixed(nil), func(c *servers.Config) { c.Count = 0 }, `count "0": must be 1 to 64 servers`},
		{servers.Owner, fixed(nil), func(c *servers.Config) { c.Count = -1 }, `count "-1": must be 1 to 64 servers`},
		{0, fixed(nil), func(c *servers.Config) { c.Count = 65 }, `count "65": must be 1 to 64 servers`},
		{0, fixed(nil), func(c *servers.Config) { c.Routing = 9 }, "routing 9: must be round-robin, random, sticky, hash"},
		{0, fixed(nil), func(c *servers.Config) { c.Skew = -1 }, `skew "-1ns": must be 0s to 87840h0m0s (ten years)`},
		{0, fixed(nil), func(c *servers.Config) { c.Peer.Time = -1 }, `peer "-1ns": must be`},
		{0, fixed(nil), func(c *servers.Config) { c.Peer.Kind = 3 }, "peer: kind 3: must be constant, exponential or log-normal"},
		{0, fixed(nil), func(c *servers.Config) { c.Store.Latency.Kind = random.LogNormal }, "store latency: sigma 0 thousandths: must be 1 to 5000"},
		{0, fixed(nil), func(c *servers.Config) { c.Store.Timeout = -1 }, `store timeout "-1ns": must be`},
		{0, fixed(nil), func(c *servers.Config) { c.Store.Outages = []servers.Outage{{5, 5}} }, `outage 0 from "5ns" until "5ns": must end after it begins`},
		{0, fixed(nil), func(c *servers.Config) { c.Store.Restarts = []servers.Restart{{}, {Down: -1}} }, `restart 1 down "-1ns": must be`},
		{0, permits, func(*servers.Config) {}, "concurrency: several servers cannot share it, since none of them hears when a request ends"},
		{servers.Async, fixed(nil), func(c *servers.Config) { c.Sync = 0 }, `sync "0s": must be 1ns to 87840h0m0s (ten years)`},
		{servers.Async, log, func(*servers.Config) {}, `async: shares counts of fixed windows, so the algorithm must be fixed-window, not "sliding-log"`},
		{servers.Async, fixed(map[string]string{"anchor": "first"}), func(*servers.Config) {}, `async: servers must agree about windows, so anchor must be clock, not "first"`},
		{servers.Async, fixed(map[string]string{"count_denied": "true"}), func(*servers.Config) {}, "async: servers tell what they admit, so count_denied must be false"},
		{servers.Owner, fixed(nil), func(c *servers.Config) { c.Moves = []servers.Move{{Server: 3}} }, "move 0: server 3: must be 0 to 2"},
		{servers.Owner, fixed(nil), func(c *servers.Config) { c.Moves = []servers.Move{{At: -1}} }, `move 0 at "-1ns": must be`},
		{servers.Owner, fixed(nil), func(c *servers.Config) { c.Moves = []servers.Move{{At: 2}, {At: 1}} }, "moves: server 0 leaves at 2ns, when it is not there"},
		{servers.Owner, fixed(nil), func(c *servers.Config) { c.Moves = []servers.Move{{Joins: true}, {At: 3, Joins: true}} }, "moves: server 0 joins at 3ns, where it already is"},
		{servers.Owner, fixed(nil), func(c *servers.Config) { c.Moves = []servers.Move{{}, {Server: 2}, {Server: 1}} }, "moves: server 1 leaves at 0s, and none is left"},
		{servers.Owner, fixed(nil), func(c *servers.Config) {
			c.Moves = []servers.Move{{Joins: true}, {Server: 1, Joins: true}, {Server: 2, Joins: true}}
		}, "moves: every server joins later, so none is there at first"},
	} {
		cfg := good
		test.change(&cfg)
		_, err := servers.New(&cfg, test.scheme, test.limit, nil, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q\nwant %q", err, test.want)
		}
	}
	for _, info := range servers.Schemes() {
		if _, err := servers.New(&good, info.Scheme, fixed(nil), nil, nil); err != nil {
			t.Errorf("%v: %v", info.Scheme, err)
		}
	}
}

// All mistakes are reported at once.
func TestAllMistakesAtOnce(t *testing.T) {
	cfg := &servers.Config{Skew: -1, Store: servers.Store{Timeout: -1}}
	_, err := servers.New(cfg, servers.Async, window(t, 1), nil, nil)
	for _, want := range []string{"count", "skew", "store timeout", "sync"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not speak of %s", err, want)
		}
	}
}

func TestNames(t *testing.T) {
	for i, info := range servers.Schemes() {
		found, ok := servers.ParseScheme(info.Name)
		if !ok || found != info.Scheme || int(info.Scheme) != i || info.Scheme.String() != info.Name || info.Summary == "" || info.Bound == "" {
			t.Errorf("scheme %d: %+v", i, info)
		}
	}
	for i, info := range servers.Routings() {
		found, ok := servers.ParseRouting(info.Name)
		if !ok || found != info.Routing || int(info.Routing) != i || info.Routing.String() != info.Name || info.Summary == "" {
			t.Errorf("routing %d: %+v", i, info)
		}
	}
	if _, ok := servers.ParseScheme("central"); ok {
		t.Error("found what is not there")
	}
	if _, ok := servers.ParseRouting("robin"); ok {
		t.Error("found what is not there")
	}
}

// Stores as they are sold can be used as they are, each a good deal slower than the one before.
func TestPresets(t *testing.T) {
	last := Time(0)
	for _, p := range servers.Presets() {
		found, ok := servers.FindPreset(p.Name)
		if !ok || found.Summary != p.Summary {
			t.Errorf("%s is not found", p.Name)
		}
		store := p.Store
		if len(store.Outages)+len(store.Restarts) > 0 {
			t.Errorf("%s fails by itself", p.Name)
		}
		restart := p.Restart
		restart.At = 500 * millisecond
		store.Restarts = []servers.Restart{restart}
		cfg := &servers.Config{Count: 4, Store: store}
		replies, report := run(t, cfg, servers.CentralAtomic, window(t, 5), waves(0, 100*millisecond, 1000, 1))
		if report.FailedClosed == 0 || (report.Emptied == 0) != restart.Keeps {
			t.Errorf("%s restarts without effect: %+v", p.Name, report)
		}
		if took := replies[0].now; took <= last || store.Latency.Time <= last {
			t.Errorf("%s takes %v, the one before %v", p.Name, took, last)
		}
		last = store.Latency.Time
	}
	if _, ok := servers.FindPreset("paper"); ok {
		t.Error("found what is not there")
	}
}
