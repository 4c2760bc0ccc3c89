package algorithms

import "sort"

// history is a queue of past costs in order of their marks, with running totals: the instants of
// a log, or the numbers of slots. It is a ring, so that leaving at the front is cheap, and answers
// by binary search how far the front must go before a sum is small enough.
//
// While every cost is 1 and nothing is merged, it keeps 8 bytes an entry: the totals are then the
// positions themselves. From the first other cost on it keeps 16.
type history struct {
	marks  []int64  // ring
	totals []uint64 // ring: the running total up to and including the entry; nil in unit form
	head   int      // index of the oldest entry
	n      int      // entries
	before uint64   // the running total before the oldest entry; totals wrap around freely
}

func (h *history) index(i int) int {
	i += h.head
	if i >= len(h.marks) {
		i -= len(h.marks)
	}
	return i
}

// mark is the mark of entry i, the oldest being 0.
func (h *history) mark(i int) int64 { return h.marks[h.index(i)] }

// through is the sum of the entries 0 to i.
func (h *history) through(i int) uint64 {
	if h.totals == nil {
		return uint64(i) + 1
	}
	return h.totals[h.index(i)] - h.before
}

// sum is the sum of all entries.
func (h *history) sum() int64 {
	if h.n == 0 {
		return 0
	}
	return int64(h.through(h.n - 1))
}

// push appends a cost of at least 1; its mark is not below the newest one.
func (h *history) push(mark, cost int64) {
	if cost != 1 {
		h.widen()
	}
	if h.n == len(h.marks) {
		h.grow()
	}
	total := uint64(h.sum()) + h.before + uint64(cost)
	at := h.index(h.n)
	h.marks[at] = mark
	if h.totals != nil {
		h.totals[at] = total
	}
	h.n++
}

// merge adds a cost to the newest entry if that has the same mark, otherwise it appends it.
func (h *history) merge(mark, cost int64) {
	h.widen()
	if h.n > 0 && h.mark(h.n-1) == mark {
		h.totals[h.index(h.n-1)] += uint64(cost)
		return
	}
	h.push(mark, cost)
}

// widen leaves the unit form.
func (h *history) widen() {
	if h.totals != nil {
		return
	}
	h.before = 0
	totals := make([]uint64, max(len(h.marks), 1))
	for i := range h.n {
		totals[h.index(i)] = uint64(i) + 1
	}
	if len(h.marks) == 0 {
		h.marks = make([]int64, 1)
	}
	h.totals = totals
}

// grow makes room: twice as much while small, then a quarter more, so that little stands empty.
func (h *history) grow() {
	size := len(h.marks)
	if size < 64 {
		size = max(4, 2*size)
	} else {
		size += size / 4
	}
	h.marks = unroll(h.marks, h.head, size)
	if h.totals != nil {
		h.totals = unroll(h.totals, h.head, size)
	}
	h.head = 0
}

// unroll copies a full ring into a larger one, the oldest entry first.
func unroll[T any](ring []T, head, size int) []T {
	out := make([]T, size)
	n := copy(out, ring[head:])
	copy(out[n:], ring[:head])
	return out
}

// countThrough counts the entries whose mark is at most last.
func (h *history) countThrough(last int64) int {
	if h.n == 0 || h.marks[h.head] > last {
		return 0
	}
	return sort.Search(h.n, func(i int) bool { return h.mark(i) > last })
}

// dropThrough removes the entries whose mark is at most last.
func (h *history) dropThrough(last int64) {
	for h.n > 0 && h.marks[h.head] <= last {
		h.dropOldest()
	}
}

// dropSurplus removes the oldest entries without which the rest still sums to enough.
func (h *history) dropSurplus(enough int64) {
	for h.n > 1 && h.sum()-int64(h.through(0)) >= enough {
		h.dropOldest()
	}
}

func (h *history) dropOldest() {
	if h.totals != nil {
		h.before = h.totals[h.head]
	}
	h.head++
	if h.head == len(h.marks) {
		h.head = 0
	}
	h.n--
}

// lastOf is the mark of the entry that must leave, with all before it, to be rid of excess units.
// The excess is at least 1 and at most the sum.
func (h *history) lastOf(excess int64) int64 {
	if h.totals == nil {
		return h.mark(int(excess) - 1)
	}
	return h.mark(sort.Search(h.n, func(i int) bool { return h.through(i) >= uint64(excess) }))
}
