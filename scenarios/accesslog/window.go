package accesslog

import "sort"

// order is how the lines of a log stand to the order of time.
type order struct {
	any        bool
	latest     int64 // the latest instant so far
	before     int64 // the instant of the line before
	outOfOrder int64 // requests earlier than one before them
	furthest   int64 // how far the furthest of them was behind, ns
	steps      int64 // jumps back by more than the reorder window to where the next line stays, too

	jumped bool  // the last line that was behind jumped back by more than the reorder window,
	jump   int64 // to this instant
}

// see takes note of the next request of the log and reports how far it is behind the latest.
func (o *order) see(at, reorder int64) (behind int64) {
	if at >= o.latest || !o.any {
		o.latest, o.before, o.any = at, at, true
		return 0
	}
	behind = o.latest - at
	o.outOfOrder++
	o.furthest = max(o.furthest, behind)
	o.back(at, reorder)
	return behind
}

// back tells a clock that was set back from a single line that came late: after a step the lines
// stay there.
func (o *order) back(at, reorder int64) {
	jumps := o.before-at > reorder
	if o.jumped && o.before == o.jump && !jumps && at-o.before <= reorder {
		o.steps++
	}
	o.jumped, o.jump, o.before = jumps, at, at
}

// window puts requests in order of time as they stream through: it holds what arrived within the
// last stretch of log time. Requests of one instant stay in the order of the log.
type window struct {
	order
	reorder int64    // ns
	held    int      // the most requests it holds; beyond, the earliest go although they are within the stretch
	sorted  []record // from head on: in order, waiting
	head    int
	fresh   []record // what came out of order since, not merged yet
	room    []record // for sorting
	floor   int64    // the latest instant that has gone
}

// fewest is how many requests make it worth while to sort or to hand on.
const fewest = 4096

// add takes a request. It reports how far behind the latest it is if that is too far: then it has
// not been added.
func (w *window) add(r record) (late int64) {
	behind := w.see(r.at, w.reorder)
	if behind > 0 && (behind > w.reorder || r.at < w.floor) {
		return behind
	}
	if n := len(w.sorted); len(w.fresh) == 0 && (n == w.head || r.at >= w.sorted[n-1].at) {
		w.sorted = append(w.sorted, r)
	} else {
		w.fresh = append(w.fresh, r)
	}
	return 0
}

// take returns the requests that can go, in order; they hold until the next call. At the end all
// can go.
func (w *window) take(end bool) []record {
	w.compact()
	waiting := len(w.sorted) - w.head + len(w.fresh)
	full := waiting > w.held
	if len(w.fresh) > 0 && (end || full || len(w.fresh) >= max(fewest, waiting/3)) {
		w.merge()
	}
	if len(w.fresh) > 0 {
		return nil
	}
	ready := w.sorted[w.head:]
	n := len(ready)
	if !end {
		n = sort.Search(len(ready), func(i int) bool { return ready[i].at > w.latest-w.reorder })
		if full {
			n = max(n, len(ready)-w.held/4*3)
		}
		if n < fewest && !full {
			return nil
		}
	}
	return w.release(n)
}

func (w *window) release(n int) []record {
	out := w.sorted[w.head : w.head+n]
	w.head += n
	if n > 0 {
		w.floor = out[n-1].at
	}
	return out
}

// compact moves what waits to the front once that is less than what has gone.
func (w *window) compact() {
	if w.head > len(w.sorted)-w.head {
		w.sorted = w.sorted[:copy(w.sorted, w.sorted[w.head:])]
		w.head = 0
	}
}

// merge sorts what is fresh and merges it from the back into what is sorted, which came before it.
func (w *window) merge() {
	w.fresh, w.room = sortStable(w.fresh, w.room)
	s, f := len(w.sorted)-1, len(w.fresh)-1
	w.sorted = append(w.sorted, w.fresh...)
	for to := len(w.sorted) - 1; f >= 0; to-- {
		if s >= w.head && w.sorted[s].at > w.fresh[f].at {
			w.sorted[to] = w.sorted[s]
			s--
		} else {
			w.sorted[to] = w.fresh[f]
			f--
		}
	}
	w.fresh = w.fresh[:0]
}
