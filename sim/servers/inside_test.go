package servers

import (
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Servers share keys about evenly, and a server that leaves gives up its own keys only.
func TestRing(t *testing.T) {
	const keys = 20_000
	cfg := &Config{Count: 8}
	r := newRing(cfg)
	all := uint64(1<<8 - 1)
	share := make([]int, cfg.Count)
	for key := range uint32(keys) {
		owner := r.owner(key, all)
		share[owner]++
		for gone := range uint8(8) {
			after := r.owner(key, all&^(1<<gone))
			if after == gone || owner != gone && after != owner {
				t.Fatalf("key %d went from %d to %d when %d left", key, owner, after, gone)
			}
		}
		if last := r.owner(key, 1<<5); last != 5 {
			t.Fatalf("key %d: %d, but only 5 is there", key, last)
		}
	}
	// Four standard deviations of a share: 4/√128 = 35 %.
	if slices.Min(share) < keys/8*65/100 || slices.Max(share) > keys/8*135/100 {
		t.Errorf("uneven: %v", share)
	}
}

func TestRouting(t *testing.T) {
	route := func(routing Routing, live uint64, n int, client, key func(i int) uint32) []uint8 {
		r := newRouter(&Config{Count: 4, Routing: routing, Seed: 1})
		r.live = live
		var out []uint8
		for i := range n {
			out = append(out, r.route(client(i), key(i)))
		}
		return out
	}
	same := func(int) uint32 { return 7 }
	each := func(i int) uint32 { return uint32(i) }

	if got := route(RoundRobin, 0b1111, 6, same, same); !slices.Equal(got, []uint8{0, 1, 2, 3, 0, 1}) {
		t.Errorf("round robin: %v", got)
	}
	if got := route(RoundRobin, 0b0110, 5, same, same); !slices.Equal(got, []uint8{1, 2, 1, 2, 1}) {
		t.Errorf("round robin of two: %v", got)
	}
	for _, test := range []struct {
		name    string
		servers []uint8
		spread  bool
	}{
		{"one client stays", route(Sticky, 0b1111, 1000, same, each), false},
		{"clients spread", route(Sticky, 0b1111, 1000, each, same), true},
		{"one key stays", route(Hash, 0b1111, 1000, each, same), false},
		{"keys spread", route(Hash, 0b1111, 1000, same, each), true},
		{"at random", route(Random, 0b1111, 1000, same, same), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			counts := make([]int, 4)
			for _, s := range test.servers {
				counts[s]++
			}
			if !test.spread && slices.Max(counts) != 1000 || test.spread && (slices.Min(counts) < 200 || slices.Max(counts) > 300) {
				t.Errorf("by server: %v", counts)
			}
		})
	}
	for _, routing := range []Routing{RoundRobin, Random, Sticky, Hash} {
		if got := route(routing, 0b1000, 20, each, each); slices.Min(got) != 3 {
			t.Errorf("%v: %v, but only 3 is there", routing, got)
		}
	}
	if got := route(Random, 0b0101, 1000, same, same); slices.Contains(got, 1) || slices.Contains(got, 3) {
		t.Error("a server that is not there was drawn")
	}
}

// Those who are drawn to a server come back to it after it was away.
func TestStickyComesBack(t *testing.T) {
	r := newRouter(&Config{Count: 4, Routing: Sticky})
	home := r.route(5, 0)
	r.live &^= 1 << home
	if away := r.route(5, 0); away != (home+1)%4 {
		t.Errorf("away from %d: %d, want the next one", home, away)
	}
	r.live |= 1 << home
	if got := r.route(5, 0); got != home {
		t.Errorf("back at %d, want %d", got, home)
	}
}

func TestClocks(t *testing.T) {
	for _, test := range []struct {
		name    string
		skews   clocks
		cuts    []int64 // of windows of 10 ns
		numbers int64
	}{
		{"right", clocks{0, 0}, []int64{1, 1}, 1},
		{"off by whole windows", clocks{10, -20}, []int64{1, 1}, 2},
		{"ahead", clocks{3, 9}, []int64{2, 2}, 2},
		{"behind", clocks{-3, 0}, []int64{2, 1}, 2},
		{"ahead and behind", clocks{-3, 3}, []int64{2, 2}, 3},
		{"far apart", clocks{-13, 0, 25}, []int64{2, 1, 2}, 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			for i, want := range test.cuts {
				if got := test.skews.cuts(i, 10); got != want {
					t.Errorf("server %d: a window lies in %d of its own, want %d", i, got, want)
				}
				seen := map[Time]bool{}
				for at := Time(1000); at < 1010; at++ {
					seen[test.skews.shows(uint8(i), at)/10] = true
				}
				if int64(len(seen)) != want {
					t.Errorf("server %d: shows %v", i, seen)
				}
			}
			if got := test.skews.numbers(10); got != test.numbers {
				t.Errorf("%d numbers, want %d", got, test.numbers)
			}
		})
	}
	if c := newClocks(&Config{Count: 64, Skew: 5}); slices.Min(c) != -5 || slices.Max(c) != 5 {
		t.Errorf("skews up to 5 ns: %v", c)
	}
	if c := (clocks{-100}); c.shows(0, 99) != 0 || c.shows(0, 101) != 1 {
		t.Error("a clock shows less than 0, or stands still later")
	}
	if c := (clocks{5}); c.shows(0, algorithms.Never-2) != algorithms.Never-1 {
		t.Error("a clock overflows")
	}
}

func TestTimetable(t *testing.T) {
	slow := func(at, down, slowFor, takes Time) Restart {
		r := Restart{At: at, Down: down, SlowFor: slowFor, Keeps: true}
		r.Slow.Time = takes
		return r
	}
	table := newTimetable(&Store{
		Outages:  []Outage{{50, 60}, {10, 20}, {15, 30}},
		Restarts: []Restart{slow(60, 5, 100, 7), slow(80, 10, 20, 9), {At: 200}, {At: 200}, {At: 300, Down: 1}},
	})
	for at, want := range map[Time]bool{9: false, 10: true, 20: true, 29: true, 30: false, 49: false, 50: true, 60: true, 64: true, 65: false, 80: true, 89: true, 90: false, 200: false, 300: true, 301: false} {
		if got := table.down(at); got != want {
			t.Errorf("at %d: down %v, want %v", at, got, want)
		}
	}
	for at, want := range map[Time]Time{64: 0, 65: 7, 89: 7, 90: 9, 109: 9, 110: 0, 164: 0} {
		if got := table.latency(at).Time; got != want {
			t.Errorf("at %d: takes %d, want %d", at, got, want)
		}
	}
	for _, step := range []struct {
		now  Time
		want []Time
	}{{199, nil}, {200, []Time{200, 200}}, {200, nil}, {1000, []Time{300}}, {2000, nil}} {
		if got := table.empty(step.now); !slices.Equal(got, step.want) {
			t.Errorf("at %d: emptied at %v, want %v", step.now, got, step.want)
		}
	}
}

// What was told of windows to come is kept until they begin, and thrown away when they have passed.
func TestKeptForLater(t *testing.T) {
	s := &teller{}
	s.keep(item{window: 5, units: 1, key: 7}, 3)
	s.keep(item{window: 5, units: 2, key: 7}, 3)
	s.keep(item{window: 6, units: 4, key: 7}, 4)
	if len(s.ahead) != 2 || s.ahead[item{window: 5, key: 7}] != 3 || s.ahead[item{window: 6, key: 7}] != 4 {
		t.Errorf("%v", s.ahead)
	}
	s.keep(item{window: 9, units: 8, key: 7}, 6)
	if len(s.ahead) != 2 || s.ahead[item{window: 6, key: 7}] != 4 || s.ahead[item{window: 9, key: 7}] != 8 {
		t.Errorf("in window 6: %v", s.ahead)
	}
}

// A broadcast's place is used again when all have heard it, not before.
func TestBroadcastPlaces(t *testing.T) {
	b := &broadcasts{}
	first := b.add([]item{{units: 1}}, 2)
	b.release(first)
	second := b.add([]item{{units: 2}, {units: 3}}, 1)
	if first == second || b.items(first)[0].units != 1 || len(b.items(second)) != 2 {
		t.Fatalf("%+v", b)
	}
	b.release(first)
	if third := b.add(nil, 1); third != first || len(b.items(third)) != 0 {
		t.Errorf("%+v", b)
	}
}

func TestSpans(t *testing.T) {
	s, p, q := &spans{}, &span{}, &span{}
	for _, step := range []struct {
		of          *span
		now         Time
		units, want int64
	}{
		{p, 0, 1, 1},
		{p, 0, 2, 3},
		{p, 10, 4, 7},   // both ends of 10 ns count
		{p, 11, 8, 12},  // the first two are gone
		{q, 11, 16, 16}, // another sequence
		{p, 100, 1, 1},
		{q, 100, 2, 2},
		{p, 100, 3, 4},
	} {
		if s.add(step.of, step.now, step.units, 10); step.of.units != step.want {
			t.Errorf("at %d: %d, want %d", step.now, step.of.units, step.want)
		}
	}
	if s.most != 16 || len(s.entries) != 3 {
		t.Errorf("at most %d, in %d entries", s.most, len(s.entries))
	}
	// A sequence that has lost all its entries must not take another's for its last one.
	s.forget(p)
	s.add(q, 200, 1, 10)
	s.add(p, 200, 5, 10)
	if p.units != 5 || q.units != 1 {
		t.Errorf("%d and %d", p.units, q.units)
	}
	s.forget(q)
	s.forget(p)
	free := 0
	for e := s.free; e != 0; e = s.entries[e-1].next {
		free++
	}
	if free != len(s.entries) || *p != (span{}) || *q != (span{}) {
		t.Errorf("%d of %d entries are free", free, len(s.entries))
	}
}

// A run takes memory for what is under way, not for how long it has been going on.
func TestMemory(t *testing.T) {
	limit := Limit{Policy: algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: 1000}}}
	limit.Spec, _ = algorithms.Lookup("fixed-window")
	limit.Maker, _ = limit.Spec.Build(limit.Policy)
	type post struct {
		at      Time
		message uint32
	}
	var queue []post
	cfg := &Config{Count: 4, Sync: 50}
	cfg.Peer.Time = 10
	c, err := New(cfg, Async, limit, func(at Time, message uint32) { queue = append(queue, post{at, message}) }, func(uint32, Time, Answer) {})
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(20_000) {
		now := Time(i)
		for len(queue) > 0 && slices.ContainsFunc(queue, func(p post) bool { return p.at <= now }) {
			i := slices.IndexFunc(queue, func(p post) bool { return p.at <= now })
			due := queue[i]
			queue = slices.Delete(queue, i, i+1)
			c.Deliver(due.at, due.message)
		}
		c.Ask(now, i, i, i%30, 1)
	}
	a := c.way.(*async)
	if n := len(a.recent.entries); n > 250 { // one for each server and key stays
		t.Errorf("%d entries of what is recent", n)
	}
	if n := len(a.news.all); n > 12 {
		t.Errorf("%d broadcasts under way", n)
	}
	if n := len(c.all); n > 40 {
		t.Errorf("%d flights", n)
	}
}
