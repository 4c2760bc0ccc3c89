package algorithms

import "sort"

// history is a queue of past costs in order of their marks, with running totals: the instants of
// a log, or the beginnings of slots. It is a ring, so that leaving at the front is cheap, and answers
// by binary search how far the front must go before a sum is small enough.
//
// While every cost is 1 and nothing is merged it keeps 8 bytes an entry, the mark: the totals are
// then the positions themselves. From the first other cost on it is wide and keeps the total behind
// each mark.
type history struct {
	ring  []int64
	units int64  // the sum of all entries, if wide
	head  uint32 // the oldest entry
	n     uint32 // entries
	wide  uint32 // 1: two words an entry, the mark and the total up to and including it; 0: one
}

// size is how many entries the ring has room for.
func (h *history) size() int { return len(h.ring) >> h.wide }

// at is where entry i stands in the ring, the oldest being 0.
func (h *history) at(i int) int {
	i += int(h.head)
	if size := h.size(); i >= size {
		i -= size
	}
	return i << h.wide
}

// mark is the mark of entry i.
func (h *history) mark(i int) int64 { return h.ring[h.at(i)] }

// total is the running total of entry i of a wide history. Totals may wrap around: their differences
// do not.
func (h *history) total(i int) int64 { return h.ring[h.at(i)+1] }

// through is the sum of the entries 0 to i.
func (h *history) through(i int) int64 {
	if h.wide == 0 {
		return int64(i) + 1
	}
	return h.units - (h.total(int(h.n)-1) - h.total(i))
}

// sum is the sum of all entries.
func (h *history) sum() int64 {
	if h.wide == 0 {
		return int64(h.n)
	}
	return h.units
}

// push appends a cost of at least 1; its mark is not below the newest one.
func (h *history) push(mark, cost int64) {
	if cost != 1 {
		h.widen()
	}
	if int(h.n) == h.size() {
		h.grow()
	}
	at := h.at(int(h.n))
	if h.wide != 0 {
		h.ring[at+1] = cost
		if h.n > 0 {
			h.ring[at+1] += h.total(int(h.n) - 1)
		}
		h.units += cost
	}
	h.ring[at] = mark
	h.n++
}

// pushUnit is push for a cost of 1 where there is room and no total to keep: small enough to be
// inlined. It reports whether that was so.
func (h *history) pushUnit(mark int64) bool {
	i, size := int(h.head+h.n), len(h.ring)
	if h.wide != 0 || int(h.n) == size {
		return false
	}
	if i >= size {
		i -= size
	}
	h.ring[i] = mark
	h.n++
	return true
}

// merge adds a cost to the newest entry if that has the same mark, otherwise it appends it.
func (h *history) merge(mark, cost int64) {
	if h.n > 0 && h.wide != 0 {
		if at := h.at(int(h.n) - 1); h.ring[at] == mark {
			h.ring[at+1] += cost
			h.units += cost
			return
		}
	}
	h.widen()
	h.push(mark, cost)
}

// widen gives the entries a total each.
func (h *history) widen() {
	if h.wide != 0 {
		return
	}
	wide := make([]int64, 2*len(h.ring))
	for i := range int(h.n) {
		wide[2*i], wide[2*i+1] = h.mark(i), int64(i)+1
	}
	h.ring, h.units, h.head, h.wide = wide, int64(h.n), 0, 1
}

// grow makes room: twice as much while small, then a quarter more, so that little stands empty.
func (h *history) grow() {
	size := h.size()
	if size < 64 {
		size = max(4, 2*size)
	} else {
		size += size / 4
	}
	ring := make([]int64, size<<h.wide)
	n := copy(ring, h.ring[h.head<<h.wide:])
	copy(ring[n:], h.ring[:h.head<<h.wide])
	h.ring, h.head = ring, 0
}

// countThrough counts the entries whose mark is at most last.
func (h *history) countThrough(last int64) int {
	if h.n == 0 || h.mark(0) > last {
		return 0
	}
	return sort.Search(int(h.n), func(i int) bool { return h.mark(i) > last })
}

// dropThrough removes the entries whose mark is at most last.
func (h *history) dropThrough(last int64) {
	for h.n > 0 && h.ring[h.head<<h.wide] <= last {
		h.dropOldest()
	}
}

// dropSurplus removes the oldest entries without which the rest still sums to enough.
func (h *history) dropSurplus(enough int64) {
	for h.n > 1 && h.sum()-h.through(0) >= enough {
		h.dropOldest()
	}
}

func (h *history) dropOldest() {
	if h.wide != 0 {
		h.units = h.total(int(h.n)-1) - h.total(0)
	}
	h.head++
	if int(h.head) == h.size() {
		h.head = 0
	}
	h.n--
}

// countAfter is the sum of the entries whose mark is above last.
func (h *history) countAfter(last int64) int64 {
	past := h.countThrough(last)
	if past == 0 {
		return h.sum()
	}
	return h.sum() - h.through(past-1)
}

// lastOf is the mark of the entry that must leave, with all before it, to be rid of excess units.
// The excess is at least 1 and at most the sum.
func (h *history) lastOf(excess int64) int64 {
	if h.wide == 0 {
		return h.mark(int(excess) - 1)
	}
	return h.lastOfWide(excess)
}

func (h *history) lastOfWide(excess int64) int64 {
	enough := excess - h.units + h.total(int(h.n)-1) // in terms of totals
	if h.total(0)-enough >= 0 {
		return h.mark(0)
	}
	return h.mark(sort.Search(int(h.n), func(i int) bool { return h.total(i)-enough >= 0 }))
}

// fitsAt is when enough has left for cost to fit the limit, not before now, where an entry leaves one
// period after its mark.
func (h *history) fitsAt(now Time, cost, limit int64, period uint64) Time {
	if uint64(cost) > uint64(limit) {
		return Never
	}
	excess := h.sum() - (limit - cost)
	if excess <= 0 {
		return now
	}
	return max(now, instant(uint64(h.lastOf(excess))+period))
}
