package sim

import (
	"sort"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Track is what one limiter did for one key in the kept steps of a run, made so that any moment of
// it can be gone back to at once: the limiter is put aside every few thousand requests, and from
// there only the requests since are decided again. It never changes.
type Track struct {
	plan  *Plan
	entry *Limiter
	steps *Steps
	lane  *LaneSteps
	seqs  []int32 // the numbers of the key's requests; nil where all requests are the key's
	n     int     // how many they are

	stride int                  // of the key's requests, between two limiters put aside
	marks  []algorithms.Limiter // before the key's request number 0, stride, 2·stride, …
}

const (
	leastStride = 4096     // requests; deciding as many again takes some 50 µs
	mostAside   = 16 << 20 // bytes of the logs that a track may put aside, about
)

// Tracks makes a track of every limiter of the plan for the key that a client's requests are under.
// It decides all kept requests of the key once for each limiter.
func (s *Steps) Tracks(plan *Plan, client uint32) []*Track {
	seqs, n := s.numbersOf(plan, client)
	out := make([]*Track, len(plan.Limiters))
	for i := range out {
		t := &Track{plan: plan, entry: &plan.Limiters[i], steps: s, lane: &s.Lanes[i], seqs: seqs, n: n}
		t.record()
		out[i] = t
	}
	return out
}

// numbersOf finds the requests under a client's key.
func (s *Steps) numbersOf(plan *Plan, client uint32) (seqs []int32, n int) {
	if plan.Shared || plan.Clients.Len() < 2 {
		return nil, s.Len()
	}
	seqs = []int32{}
	for n, c := range s.Client {
		if c == client {
			seqs = append(seqs, int32(n))
		}
	}
	return seqs, len(seqs)
}

// record decides everything once and puts the limiter aside now and then. A log holds up to as many
// entries as its limit, 16 bytes each, so a long one is put aside less often.
func (t *Track) record() {
	log := float64(min(t.entry.Policy.Limit.N, int64(t.n))) * 16
	t.stride = max(leastStride, int(float64(t.n)*log/mostAside))
	l := t.entry.Maker.New()
	for i := range t.n {
		if i%t.stride == 0 {
			t.putAside(l)
		}
		r := t.request(i)
		l.Decide(r.At, r.Cost)
	}
}

// putAside keeps a copy of the limiter, if it can be copied; if not, all is decided from the start.
func (t *Track) putAside(l algorithms.Limiter) {
	if c, ok := l.(algorithms.Copying); ok {
		t.marks = append(t.marks, c.Copy())
	}
}

// number is the number in the run of the key's request i.
func (t *Track) number(i int) int {
	if t.seqs == nil {
		return i
	}
	return int(t.seqs[i])
}

func (t *Track) request(i int) traffic.Request { return t.steps.Request(t.number(i)) }

// until is how many of the key's requests have a number of at most seq.
func (t *Track) until(seq int) int {
	if t.seqs == nil {
		return min(max(seq+1, 0), t.n)
	}
	return sort.Search(t.n, func(i int) bool { return int(t.seqs[i]) > seq })
}

// index is the key's first request at an instant or later.
func (t *Track) index(at Time) int {
	return sort.Search(t.n, func(i int) bool { return t.steps.At[t.number(i)] >= at })
}

// before is the limiter as it was before the key's request i.
func (t *Track) before(i int) algorithms.Limiter {
	from := min(i/t.stride, len(t.marks)-1)
	var l algorithms.Limiter
	if from < 0 {
		from, l = 0, t.entry.Maker.New()
	} else {
		l = t.marks[from].(algorithms.Copying).Copy()
	}
	for n := from * t.stride; n < i; n++ {
		r := t.request(n)
		l.Decide(r.At, r.Cost)
	}
	return l
}

// Requests is how many of the key's requests arrive in [from, until).
func (t *Track) Requests(from, until Time) int { return t.index(until) - t.index(from) }

// Holds reports whether request number seq is one of the key's.
func (t *Track) Holds(seq int) bool {
	i := t.until(seq)
	return i > 0 && t.number(i-1) == seq
}

// State is what the limiter holds at an instant, after the requests up to number seq.
func (t *Track) State(at Time, seq int) State {
	return stateOf(t.before(t.until(seq)), at, t.entry.Spec.Capacity(t.entry.Policy))
}

// Explain is the same as Steps.Explain for one of the key's requests, in time that does not grow
// with the run.
func (t *Track) Explain(seq int) *Explanation {
	i := t.until(seq) - 1
	e := &Explanation{
		Limiter: t.entry, Seq: int64(seq), Request: t.request(i),
		Capacity: t.entry.Spec.Capacity(t.entry.Policy), recall: func() []numbered { return t.past(i) },
	}
	e.observe(t.before(i))
	if e.Counts {
		t.fill(e, i)
	}
	return e
}

// fill lists what the window counted before the key's request i.
func (t *Track) fill(e *Explanation, i int) {
	deniedToo := countsDenied(t.entry)
	first := max(t.index(e.Since), i-MostFilling)
	for ; first < i; first++ {
		if seq := t.number(first); deniedToo || t.lane.Verdicts[seq].Accepted() {
			e.Filling = append(e.Filling, int64(seq))
		}
	}
}

// past is what the key sent before its request i.
func (t *Track) past(i int) []numbered {
	out := make([]numbered, i)
	for n := range out {
		out[n] = numbered{t.request(n), int64(t.number(n))}
	}
	return out
}

// Level is the course of the limiter's level over [from, from+span) in n equal buckets, as in a
// Grid; nil without a gauge. Its cost is that of deciding the key's requests in the span again.
func (t *Track) Level(from, span Time, n int) (low, high []algorithms.Milli) {
	i := t.index(from)
	l := t.before(i)
	gauge, ok := l.(algorithms.Gauged)
	if !ok {
		return nil, nil
	}
	low, high = make([]algorithms.Milli, n), make([]algorithms.Milli, n)
	for bucket := range n {
		start, end := from+bucketStart(bucket, n, span), from+bucketStart(bucket+1, n, span)
		low[bucket] = gauge.Level(start)
		high[bucket] = low[bucket]
		look := func(at Time) {
			level := gauge.Level(at)
			low[bucket], high[bucket] = min(low[bucket], level), max(high[bucket], level)
		}
		for ; i < t.n; i++ {
			r := t.request(i)
			if r.At >= end {
				break
			}
			look(r.At)
			l.Decide(r.At, r.Cost)
			look(r.At)
		}
		look(max(start, end-1))
	}
	return low, high
}

// Edges reports which of n equal buckets of [from, from+span) hold a window's edge, as in a Grid. It
// decides each of the key's requests in the span again at most once.
func (t *Track) Edges(from, span Time, n int) []bool {
	out := make([]bool, n)
	if _, ok := t.entry.Maker.New().(algorithms.Windowed); !ok {
		return out
	}
	now := max(from-1, 0)
	i := t.index(now)
	l := t.before(i)
	windows := l.(algorithms.Windowed)
	for now < from+span {
		for ; i < t.n && t.request(i).At <= now; i++ {
			r := t.request(i)
			l.Decide(r.At, r.Cost)
		}
		edge := windows.NextEdge(now)
		switch {
		case edge == algorithms.Never && i < t.n:
			now = t.request(i).At
		case edge >= from+span:
			return out
		default:
			bucket := bucketOf(edge-from, n, span)
			out[bucket] = true
			now = max(edge, from+bucketStart(bucket+1, n, span)-1)
		}
	}
	return out
}

// bucketOf is the bucket of n that an instant of a span lies in.
func bucketOf(at Time, n int, span Time) int {
	return sort.Search(n, func(i int) bool { return bucketStart(i+1, n, span) > at })
}

// NextEdge is the first window edge after now, given the requests up to number seq, or Never. A
// window that opens with a request has one as soon as that request has come.
func (t *Track) NextEdge(now Time, seq int) Time {
	i := t.until(seq)
	l := t.before(i)
	windows, ok := l.(algorithms.Windowed)
	if !ok {
		return algorithms.Never
	}
	for {
		if edge := windows.NextEdge(now); edge != algorithms.Never || i == t.n {
			return edge
		}
		r := t.request(i)
		l.Decide(r.At, r.Cost)
		now = max(now, r.At)
		i++
	}
}

// LastEdge is the last window edge before now, or -1.
func (t *Track) LastEdge(now Time) Time {
	from := max(now-1-Time(t.entry.Policy.Limit.Per), 0)
	i := t.index(from)
	edge := t.lastEdge(i, from, now)
	for edge < 0 && from > 0 && i > 0 { // windows that open with a request may lie far back
		i = max(i-leastStride, 0)
		from = t.request(i).At
		edge = t.lastEdge(i, from, now)
	}
	return edge
}

// lastEdge is the last edge in (from, until), or -1. The key's request i is its first at from or
// later.
func (t *Track) lastEdge(i int, from, until Time) Time {
	l := t.before(i)
	windows, ok := l.(algorithms.Windowed)
	if !ok {
		return -1
	}
	last := Time(-1)
	for now := from; ; {
		edge := windows.NextEdge(now)
		if edge == algorithms.Never && i < t.n {
			edge = t.request(i).At // no edge, but none comes before this request
		} else if edge < until {
			last = edge
		}
		if edge >= until {
			return last
		}
		for ; i < t.n && t.request(i).At <= edge; i++ {
			r := t.request(i)
			l.Decide(r.At, r.Cost)
		}
		now = edge
	}
}
