package servers

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// async counts at each server, by its own clock, what it admitted and what it has last heard from
// the others, and admits while both together stay within the limit. Every Sync a server tells the
// others what is new. What it admits is known to all within Sync, until it tells, and half a round
// trip, until they hear:
//
//	server a ──admits──▶ tells ─trip/2─▶ server b counts it
//	         │◀──── Sync ────▶│
//
// The last to admit in a window thinks that at most L were admitted. What the others admitted and it
// has not heard of is at most λ for each, the most one server admits within Sync and a round trip.
type async struct {
	*Cluster
	draw    random.Stream
	trip    Time // the longest round trip drawn so far
	servers []teller
	news    broadcasts
	recent  spans
}

// teller is one server.
type teller struct {
	keys    []told
	news    []item // to be told
	waits   bool   // for the next broadcast
	phase   Time   // broadcasts are at phase + n·Sync
	reaches []Time // by server: when the latest broadcast to it arrives

	// Units that others told of windows that have not begun by this server's clock. Only clocks
	// that are off bring that about.
	ahead  map[item]int64 // by key and window; units 0
	window uint64         // up to which they have been used
}

// told is what a server knows of a key.
type told struct {
	window uint64 // 1 + number of the window, by the server's clock, that the rest belongs to
	own    int64  // units this server admitted
	heard  int64  // units the others admitted, as far as they have told
	news   int32  // 1 + index of the key's item in the server's news; 0: none of this window
	recent span   // of its own, what was admitted within Sync and a round trip
}

// item is units admitted of a key in a window that have not been told before.
type item struct {
	window uint64
	units  int64
	key    uint32
}

func newAsync(c *Cluster) way {
	a := &async{Cluster: c, draw: random.New(c.cfg.Seed, "servers peers"), servers: make([]teller, c.cfg.Count)}
	for i := range a.servers {
		draw := random.Keyed(c.cfg.Seed, "servers sync", uint64(i))
		a.servers[i].phase = Time(draw.Below(uint64(c.cfg.Sync)))
		a.servers[i].reaches = make([]Time, c.cfg.Count)
	}
	return a
}

// of is what a server knows of a key at now.
func (a *async) of(now Time, server uint8, key uint32) *told {
	s := &a.servers[server]
	if int(key) >= len(s.keys) {
		s.keys = extended(s.keys, key)
	}
	k, window := &s.keys[key], a.ledger.number(a.clocks.shows(server, now))
	if k.window != window+1 {
		a.recent.forget(&k.recent)
		*k = told{window: window + 1}
		if len(s.ahead) > 0 {
			k.heard = s.ahead[item{window: window, key: key}]
			delete(s.ahead, item{window: window, key: key})
		}
	}
	return k
}

// ask implements way.
func (a *async) ask(now Time, id uint32) {
	f := &a.all[id]
	k := a.of(now, f.server, f.key)
	f.at, f.decision = now, a.decide(now, f, k)
	a.ledger.decided(now, f.server, f.key, f.cost, f.decision.Verdict)
	if f.decision.Verdict == algorithms.Admit {
		k.own += f.cost
		// A longer trip may still be drawn. What was known to all before it still is, so forgetting
		// it by the trips drawn so far leaves nothing unheard of out.
		a.recent.add(&k.recent, now, f.cost, plus(a.cfg.Sync, a.trip))
		a.note(now, f.server, f.key, k, f.cost)
	}
	if a.watch != nil {
		a.watched(f, a.clocks.shows(f.server, now), counted{a.ledger.limit, a.ledger.limit - k.own - k.heard, a.end(k)})
	}
	a.finish(now, id)
}

// decide is fixed-window on the count that this server knows of, which may be too low, or too high
// for the limit where others admitted before they heard.
func (a *async) decide(now Time, f *flight, k *told) algorithms.Decision {
	limit := a.ledger.limit
	switch {
	case f.cost > limit:
		return algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}
	case f.cost <= limit-k.own-k.heard:
		return algorithms.Decision{Verdict: algorithms.Admit, Until: now}
	}
	return a.clocks.toRun(f.server, now, algorithms.Decision{Verdict: algorithms.Deny, Until: a.end(k)})
}

// end is when the window that a server counts for a key ends, by the server's clock: Never where that
// is later than any Time.
func (a *async) end(k *told) Time {
	if e := a.ledger.end(k.window - 1); e < uint64(algorithms.Never) {
		return Time(e)
	}
	return algorithms.Never
}

// counted is a window as one server knows of it, for who watches: what fits, and when it ends.
type counted struct {
	limit, left int64
	end         Time
}

// When implements algorithms.Limiter.
func (c counted) When(now Time, cost int64) Time {
	switch {
	case cost > c.limit:
		return algorithms.Never
	case cost <= c.left:
		return now
	}
	return c.end
}

// Decide implements algorithms.Limiter; a window that is shown is not asked to.
func (c counted) Decide(now Time, cost int64) algorithms.Decision {
	panic("servers: a watched window decides nothing")
}

// note adds to what a server tells next, and sees to it that it does.
func (a *async) note(now Time, server uint8, key uint32, k *told, units int64) {
	s := &a.servers[server]
	if k.news == 0 {
		s.news = append(s.news, item{window: k.window - 1, key: key})
		k.news = int32(len(s.news))
	}
	s.news[k.news-1].units += units
	if !s.waits && len(a.servers) > 1 {
		s.waits = true
		a.after(now, s.next(now, a.cfg.Sync)-now, a.add(flight{server: server}), telling)
	}
}

// next is the first of a server's broadcasts after now.
func (s *teller) next(now, sync Time) Time {
	if now < s.phase {
		return s.phase
	}
	return plus(now, sync-(now-s.phase)%sync)
}

// take implements way.
func (a *async) take(now Time, id uint32) {
	f := a.all[id]
	a.drop(id)
	if f.step == telling {
		a.tell(now, f.server)
		return
	}
	for _, it := range a.news.items(f.key) {
		a.hear(now, f.server, it)
	}
	a.news.release(f.key)
}

// tell sends what is new to all the others. On its way to one of them a broadcast does not overtake
// the one before.
func (a *async) tell(now Time, server uint8) {
	s := &a.servers[server]
	s.waits = false
	for _, it := range s.news { // of a window that is over too: others whose clocks are behind count it
		s.keys[it.key].news = 0
	}
	told := a.news.add(s.news, len(a.servers)-1)
	s.news = s.news[:0]
	for to := range a.servers {
		if to == int(server) {
			continue
		}
		trip := a.cfg.Peer.Draw(&a.draw)
		a.trip = max(a.trip, trip)
		s.reaches[to] = max(s.reaches[to], plus(now, trip/2))
		a.after(now, s.reaches[to]-now, a.add(flight{server: uint8(to), key: told}), hearing)
	}
}

// hear adds what another server told to what a server knows.
func (a *async) hear(now Time, server uint8, it item) {
	k := a.of(now, server, it.key)
	switch {
	case it.window == k.window-1:
		k.heard += it.units
	case it.window >= k.window:
		a.servers[server].keep(it, k.window-1)
	}
}

// keep puts aside what was told of a window to come, and throws away what nobody has asked for.
func (s *teller) keep(it item, window uint64) {
	if s.ahead == nil {
		s.ahead = map[item]int64{}
	}
	if s.window != window {
		s.window = window
		for old := range s.ahead {
			if old.window < window {
				delete(s.ahead, old)
			}
		}
	}
	s.ahead[item{window: it.window, key: it.key}] += it.units
}

// advance implements way.
func (a *async) advance(Time) {}

// report implements way. Where clocks are off, a window of the store sees windows of so many numbers,
// each within the limit and what was unheard of; and no server admits more than the limit in each of
// its own.
func (a *async) report(r *Report) {
	limit, unheard := a.ledger.limit, min(a.ledger.limit, a.recent.most)
	each := limit + multiple(int64(len(a.servers)-1), unheard)
	own := int64(0)
	for i := range a.servers {
		own += a.clocks.cuts(i, a.ledger.period)
	}
	r.Unheard = a.recent.most
	r.Bound = min(multiple(a.clocks.numbers(a.ledger.period), each), multiple(own, limit)) - limit
}
