package accesslog

import "math/bits"

// record is a request waiting for its turn: 24 bytes.
type record struct {
	at     int64 // arrival, Unix time in ns
	charge charge
	client uint32 // id of its key
	path   uint32 // id of its path
}

// charge packs the cost of a request, at most 10^12, and its status.
type charge uint64

func newCharge(cost int64, status int) charge { return charge(cost)<<16 | charge(status) }

func (c charge) cost() int64 { return int64(c >> 16) }

func (c charge) status() int { return int(c & 0xffff) }

// digit is how many bits of the instant one pass of the sort looks at: its 2,048 counters fit the
// nearest cache.
const digit = 11

// sortStable sorts records by instant and keeps the order of equal ones. tmp is room for as many;
// what is returned is one of the two, and the other is the room for next time.
//
// It is a radix sort, least significant digit first, on the distance from the earliest instant in
// the coarsest unit that tells them all apart: a few hundred records of a log with whole seconds
// are sorted in one pass.
func sortStable(r, tmp []record) (sorted, room []record) {
	first, span, inOrder := extent(r)
	if inOrder {
		return r, tmp
	}
	unit := unitOfAll(r, first)
	if cap(tmp) < len(r) {
		tmp = make([]record, len(r), len(r)+len(r)/4)
	}
	tmp = tmp[:len(r)]
	for shift := 0; shift < bits.Len64(span/uint64(unit)); shift += digit {
		pass(tmp, r, first, unit, shift)
		r, tmp = tmp, r
	}
	return r, tmp
}

// extent is the earliest instant, how far the latest is from it, and whether they are in order.
func extent(r []record) (first int64, span uint64, inOrder bool) {
	if len(r) == 0 {
		return 0, 0, true
	}
	first, last, before := r[0].at, r[0].at, r[0].at
	inOrder = true
	for i := range r {
		at := r[i].at
		first, last = min(first, at), max(last, at)
		inOrder = inOrder && at >= before
		before = at
	}
	return first, uint64(last - first), inOrder
}

// unitOfAll is the largest power of ten, up to a second, that divides all distances from first.
func unitOfAll(r []record, first int64) int64 {
	unit := int64(second)
	for i := 0; i < len(r) && unit > 1; i++ {
		for d := r[i].at - first; d%unit != 0; {
			unit /= 10
		}
	}
	return unit
}

// pass moves r to tmp in the order of one digit.
func pass(tmp, r []record, first, unit int64, shift int) {
	const mask = 1<<digit - 1
	var ends [1 << digit]int32
	for i := range r {
		ends[uint64(r[i].at-first)/uint64(unit)>>shift&mask]++
	}
	sum := int32(0)
	for d, n := range ends {
		ends[d] = sum
		sum += n
	}
	for i := range r {
		d := uint64(r[i].at-first) / uint64(unit) >> shift & mask
		tmp[ends[d]] = r[i]
		ends[d]++
	}
}
