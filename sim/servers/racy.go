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

// decide decides on what was read.
func (r *racy) decide(now Time, id uint32) {
	f := &r.all[id]
	shown := r.clocks.shows(f.server, now)
	f.state = r.copied(f.state)
	on := reading{f.key, countOf(f.state, shown)}
	f.decision = r.clocks.toRun(f.server, now, f.state.Decide(shown, f.cost))
	r.watched(f, shown, f.state)
	f.at, f.writes = now, true
	if f.decision.Verdict.Accepted() {
		r.accept(now, id, on)
	} else {
		r.deny(now, id)
	}
}

// accept writes what an accepted request changed. It is answered when that has been done, and
// admitted only if the server hears so: otherwise it fails, when the server gives up.
func (r *racy) accept(now Time, id uint32, on reading) {
	f, trip := &r.all[id], r.store.latency(now).Draw(&r.again)
	if r.acknowledged(now, trip) {
		r.ledger.decided(now, f.server, f.key, f.cost, f.decision.Verdict)
		r.admitted(on, f.cost)
	}
	r.send(now, id, trip)
}

// deny answers at once. Where denied requests count, the write goes on behind the answer's back.
func (r *racy) deny(now Time, id uint32) {
	f := &r.all[id]
	r.ledger.decided(now, f.server, f.key, f.cost, algorithms.Deny)
	if !r.counts {
		r.finish(now, id)
		return
	}
	r.respond(now, id)
	r.after(now, r.store.latency(now).Draw(&r.again)/2, id, arriving)
}

// copied is a state that the server may change.
func (r *racy) copied(state algorithms.Limiter) algorithms.Limiter {
	if state == nil {
		return r.limit.Maker.New()
	}
	return state.(algorithms.Copying).Copy()
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
