package traffic

import (
	"math"
	"math/bits"
)

// Merge makes one source of many, in order of time; at the same instant, in the order in which the
// sources are given. One source alone is returned as it is.
//
// It reads each source one request ahead.
func Merge(sources ...Source) Source {
	if len(sources) == 1 {
		return sources[0]
	}
	return newMerged(sources)
}

// merged is a tournament tree of losers (Knuth, The Art of Computer Programming 3, 5.4.1). Each
// inner node keeps the head that lost the match there, so a new head is played up along a single
// path, one comparison at each of the log₂ k levels.
//
//	        winner 0
//	          │
//	        node 1            Sources are the leaves: number i is node k + i,
//	       ╱      ╲           and the parent of node j is node j/2. It works
//	   node 2    node 3       for any k.
//	   ╱   ╲     ╱    ╲
//	leaf  leaf  leaf  leaf    nodes 4 to 7, for k = 4
type merged struct {
	sources []Source
	heads   []Request // the next request of each source
	losers  []head    // by node; 0 is not used
	winner  head
}

// head is the next request of a source: its instant, and the source's index to settle ties.
type head struct{ at, source uint64 }

// exhausted is the instant of a source that has no more requests: later than every Time.
const exhausted = math.MaxUint64

func newMerged(sources []Source) *merged {
	m := &merged{
		sources: sources,
		heads:   make([]Request, len(sources)),
		losers:  make([]head, len(sources)),
		winner:  head{at: exhausted},
	}
	// In an empty place anyone may wait for an opponent; the first to find none there stays.
	waiting := make([]bool, len(sources))
	for i := range sources {
		m.enter(m.pull(uint64(i)), waiting)
	}
	return m
}

// enter plays a new head up to the first node where no opponent has come yet.
func (m *merged) enter(h head, waiting []bool) {
	for node := m.parent(h); node > 0; node /= 2 {
		if !waiting[node] {
			m.losers[node], waiting[node] = h, true
			return
		}
		m.losers[node], h = match(m.losers[node], h)
	}
	m.winner = h
}

func (m *merged) parent(h head) uint64 { return (uint64(len(m.sources)) + h.source) / 2 }

// match returns the later head, the loser, and the earlier one. It does not branch, since which one
// is earlier cannot be foreseen: h − g borrows when h is earlier, and then the mask swaps the two.
func match(g, h head) (loser, winner head) {
	_, borrow := bits.Sub64(h.source, g.source, 0)
	_, borrow = bits.Sub64(h.at, g.at, borrow)
	mask := (g.at ^ h.at) & (borrow - 1)
	g.at, h.at = g.at^mask, h.at^mask
	mask = (g.source ^ h.source) & (borrow - 1)
	g.source, h.source = g.source^mask, h.source^mask
	return g, h
}

// pull reads the next request of a source.
func (m *merged) pull(source uint64) head {
	r, ok := m.sources[source].Next()
	if !ok {
		return head{exhausted, source}
	}
	m.heads[source] = r
	return head{uint64(r.At), source}
}

// Next returns the next request, and false after the last.
func (m *merged) Next() (Request, bool) {
	if m.winner.at == exhausted {
		return Request{}, false
	}
	request := m.heads[m.winner.source]
	h := m.pull(m.winner.source)
	for node := m.parent(h); node > 0; node /= 2 {
		m.losers[node], h = match(m.losers[node], h)
	}
	m.winner = h
	return request, true
}
