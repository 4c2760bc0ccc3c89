package servers

import "github.com/b6db88e4/ratesim/algorithms"

// racy reads a key's state from the store, decides at the server, by the server's clock, and writes
// the whole state back. Whoever reads in between decides on the same state, and of what they write
// the last one stays: the others' updates are lost.
//
//	server a ──read 7──▶ admits ──write 8──▶
//	server b ────read 7──▶ admits ──write 8──▶      two admitted, one counted
//
// A count can be any number from 0 to L−1 when a request is admitted on it. If at most k were
// admitted on each, no more than k·L were in all.
type racy struct {
	central
	states []algorithms.Limiter // by key, never changed once they are here; nil: a fresh one
	counts bool                 // denied requests are written back too

	on     map[reading]int64 // units admitted in the window, since the store was last emptied
	most   int64             // the most of these within the window
	window uint64            // 1 + the number of that window
	filled int               // how often the store had been emptied
}

// reading is a count of a key that requests were decided on.
type reading struct {
	key   uint32
	count int64
}

func newRacy(c *Cluster) way {
	r := &racy{on: map[reading]int64{}, counts: c.limit.Policy.Options["count_denied"] == "true"}
	r.central = newCentral(c, r)
	return r
}

// visit implements visits.
func (r *racy) visit(_ Time, f *flight, _ bool) {
	if int(f.key) >= len(r.states) {
		r.states = extended(r.states, f.key)
	}
	if f.writes {
		r.states[f.key] = f.state
	} else {
		f.state = r.states[f.key]
	}
}

// back implements visits.
func (r *racy) back(now Time, id uint32) {
	if r.all[id].writes {
		r.finish(now, id)
		return
	}
	r.decide(now, id)
}

// decide decides on what was read. An accepted request is answered when what it changed has been
// written.
func (r *racy) decide(now Time, id uint32) {
	f := &r.all[id]
	if f.state == nil {
		f.state = r.limit.Maker.New()
	} else {
		f.state = f.state.(algorithms.Copying).Copy()
	}
	shown := r.clocks.shows(f.server, now)
	count := countOf(f.state, shown)
	f.decision = r.clocks.toRun(f.server, now, f.state.Decide(shown, f.cost))
	f.at, f.writes = now, true
	trip := r.store.latency(now).Draw(&r.again)
	accepted := f.decision.Verdict.Accepted()
	if !accepted || r.acknowledged(now, trip) {
		r.ledger.decided(now, f.server, f.key, f.cost, f.decision.Verdict)
		if accepted {
			r.admitted(reading{f.key, count}, f.cost)
		}
	}
	switch {
	case accepted:
		r.send(now, id, trip)
	case r.counts:
		r.respond(now, id)
		r.after(now, trip/2, id, arriving)
	default:
		r.finish(now, id)
	}
}

// countOf is the count that a limiter decides on, 0 if it has no level.
func countOf(l algorithms.Limiter, now Time) int64 {
	if g, ok := l.(algorithms.Gauged); ok {
		return int64(g.Level(now) / 1000)
	}
	return 0
}

// acknowledged reports whether a server will hear that a write has been done. What happens to the
// store is known in advance.
func (r *racy) acknowledged(now, trip Time) bool {
	limit := r.cfg.Store.Timeout
	return (limit == 0 || trip <= limit) && !r.store.down(plus(now, trip/2))
}

// admitted notes units admitted on one count. Counts before and after the store was emptied are not
// the same.
func (r *racy) admitted(on reading, units int64) {
	if r.window != r.ledger.window+1 {
		r.window, r.most = r.ledger.window+1, 0
		clear(r.on)
	}
	if r.filled != r.store.emptied {
		r.filled = r.store.emptied
		clear(r.on)
	}
	r.on[on] += units
	r.most = max(r.most, r.on[on])
	r.ledger.report.SameCount = max(r.ledger.report.SameCount, r.most)
	r.ledger.bound(multiple(r.most, 1+*r.within()))
}

// wipe implements visits.
func (r *racy) wipe() { clear(r.states) }
