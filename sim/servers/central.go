package servers

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// central is what both central schemes have: the trips to the store, and what becomes of them when
// the store is down or slow.
//
//	now ─────── trip/2 ─────▶ store ────── trip/2 ─────▶ answer
//	now ─────────── Timeout ───────▶ given up, if there is no answer by then
type central struct {
	*Cluster
	visits
	store timetable
	draw  random.Stream // of trips that read
	again random.Stream // of trips that write
	wiped uint64        // 1 + number of the window that times belong to
	times int64         // how often the store was emptied within the window
	most  int64         // within any window
}

// visits is what a scheme does with the store.
type visits interface {
	// visit does at the store what a flight has come for. heard says that its server will hear of it.
	visit(now Time, f *flight, heard bool)

	// back goes on at the server, which has heard from the store.
	back(now Time, id uint32)

	// wipe forgets everything.
	wipe()
}

func newCentral(c *Cluster, v visits) central {
	return central{
		Cluster: c, visits: v,
		store: newTimetable(&c.cfg.Store),
		draw:  random.New(c.cfg.Seed, "servers store"),
		again: random.New(c.cfg.Seed, "servers store write"),
	}
}

// ask sends a call to the store.
func (c *central) ask(now Time, id uint32) { c.send(now, id, c.store.latency(now).Draw(&c.draw)) }

// send begins a trip. A server that would stop waiting before the store is even reached does so
// first, and the rest of the trip happens behind its back.
func (c *central) send(now Time, id uint32, trip Time) {
	f := &c.all[id]
	f.sent, f.trip = now, trip
	if limit := c.cfg.Store.Timeout; limit > 0 && trip/2 > limit {
		c.after(now, limit, id, failing)
		return
	}
	c.after(now, trip/2, id, arriving)
}

// take implements way.
func (c *central) take(now Time, id uint32) {
	switch c.all[id].step {
	case arriving:
		c.arrive(now, id)
	case returning:
		c.back(now, id)
	case failing:
		c.fail(now, id)
	}
}

// arrive is at the store. Whether the server will still be waiting for the answer is known here, and
// decides whether what is accepted now will have been admitted.
func (c *central) arrive(now Time, id uint32) {
	f := &c.all[id]
	up, limit := !c.store.down(now), c.cfg.Store.Timeout
	inTime := limit == 0 || f.trip <= limit
	if up {
		c.visit(now, f, inTime && !f.silent)
	}
	switch {
	case f.silent:
		c.drop(id)
	case up && inTime:
		c.after(now, f.trip-f.trip/2, id, returning)
	case limit == 0:
		c.after(now, f.trip-f.trip/2, id, failing)
	default:
		c.after(now, f.sent+limit-now, id, failing)
	}
	if up && !inTime {
		c.ledger.report.Late++
	}
}

// fail answers without the store. What has not reached it yet still does.
func (c *central) fail(now Time, id uint32) {
	f := &c.all[id]
	f.at = now
	if c.cfg.FailOpen {
		f.failed, f.decision = Open, algorithms.Decision{Verdict: algorithms.Admit, Until: now}
		c.ledger.report.FailedOpen++
		c.ledger.decided(now, f.server, f.key, f.cost, algorithms.Admit)
	} else {
		f.failed, f.decision = Closed, algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}
		c.ledger.report.FailedClosed++
	}
	arrives := f.sent + f.trip/2
	if limit := c.cfg.Store.Timeout; limit == 0 || f.trip/2 <= limit {
		c.finish(now, id)
		return
	}
	c.respond(now, id)
	c.after(now, arrives-now, id, arriving)
}

// advance implements way: it empties the store where a restart does.
func (c *central) advance(now Time) {
	if c.store.emptied < len(c.store.empties) {
		c.empty(now)
	}
}

// empty counts, for the bound, how often the store was emptied within the window.
func (c *central) empty(now Time) {
	empties := c.store.empty(now)
	if len(empties) == 0 {
		return
	}
	c.wipe()
	c.ledger.enter(now)
	times := c.within()
	for _, at := range empties {
		if c.ledger.within(at) {
			*times++
		}
	}
	c.most = max(c.most, *times)
}

// within is how often the store was emptied in the window under way.
func (c *central) within() *int64 {
	if c.wiped != c.ledger.window+1 {
		c.wiped, c.times = c.ledger.window+1, 0
	}
	return &c.times
}

// report implements way.
func (c *central) report(r *Report) { r.Emptied = int64(c.store.emptied) }

// atomic decides at the store, by the store's clock.
type atomic struct {
	central
	table algorithms.Table // by key
}

func newAtomic(c *Cluster) way {
	a := &atomic{table: algorithms.NewTable(c.limit.Maker)}
	a.central = newCentral(c, a)
	return a
}

// visit implements visits.
func (a *atomic) visit(now Time, f *flight, heard bool) {
	a.table.Grow(int(f.key) + 1)
	l := a.table.At(f.key)
	f.decision = l.Decide(now, f.cost)
	a.watched(f, now, l)
	f.at = now
	if heard {
		a.ledger.decided(now, f.server, f.key, f.cost, f.decision.Verdict)
	}
}

// back implements visits.
func (a *atomic) back(now Time, id uint32) { a.finish(now, id) }

// wipe implements visits.
func (a *atomic) wipe() { a.table = algorithms.NewTable(a.limit.Maker) }

// report implements way. What was admitted before the store was emptied may be admitted once more.
func (a *atomic) report(r *Report) {
	a.central.report(r)
	r.Bound = multiple(a.most, a.ledger.limit)
}
