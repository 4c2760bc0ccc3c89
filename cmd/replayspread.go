package cmd

import (
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// fork is one stream of requests read in two ways at the same time, so that a log need not be read
// twice: side 0 has the requests of a tick spread over it, side 1 as the log has them, all at once.
// What one side takes waits for the other, which is to follow it soon.
type fork struct {
	stream *accesslog.Stream
	sides  [2]waiting
}

// waiting are the requests that the other side has taken before this one.
type waiting struct {
	requests []forked
	next     int
}

// forked is a request in both readings.
type forked struct {
	traffic.Request // spread
	logged          traffic.Time
}

// take is the next request of a side.
func (f *fork) take(side int) (forked, bool) {
	w := &f.sides[side]
	if w.next < len(w.requests) {
		w.next++
		return w.requests[w.next-1], true
	}
	r, ok := f.stream.Next()
	if !ok {
		return forked{}, false
	}
	both := forked{r, f.stream.Detail().Logged}
	f.sides[1-side].add(both)
	return both, true
}

// add lets a request wait. Where nothing else does, it begins at the front again: a side that always
// follows the other never finds out in take that nothing is left.
func (w *waiting) add(r forked) {
	if w.next == len(w.requests) {
		w.requests, w.next = w.requests[:0], 0
	}
	w.requests = append(w.requests, r)
}

// spreadSide is side 0 as a traffic.Source.
type spreadSide struct{ *fork }

// Next implements traffic.Source.
func (s spreadSide) Next() (traffic.Request, bool) {
	r, ok := s.take(0)
	return r.Request, ok
}

// loggedSide is side 1 as a traffic.Source.
type loggedSide struct{ *fork }

// Next implements traffic.Source.
func (s loggedSide) Next() (traffic.Request, bool) {
	r, ok := s.take(1)
	r.At = r.logged
	return r.Request, ok
}
