package replay

import (
	"math/bits"
	"slices"
)

// mostBuckets is how many buckets a Timeline has at most; half of them are in use at least, once
// there have been that many nanoseconds.
const mostBuckets = 2048

// Timeline counts events in equal buckets of time whose width doubles whenever they do not reach
// far enough: bucket i covers [i·Width, (i+1)·Width). So it needs no idea of how long a stream is,
// takes the same memory for any, and is off by less than 1/1,024 of the span where it is drawn.
type Timeline struct {
	Counts []int64 // up to the last bucket in which something happened
	shift  uint
}

// Width is how wide a bucket is, a power of two of nanoseconds.
func (t *Timeline) Width() Time { return 1 << t.shift }

// add counts an event at an instant.
func (t *Timeline) add(at Time) {
	i := int(at >> t.shift)
	if i >= len(t.Counts) {
		t.reach(at)
		i = int(at >> t.shift)
	}
	t.Counts[i]++
}

// reach makes room for an instant, with wider buckets if need be.
func (t *Timeline) reach(at Time) {
	if over := bits.Len64(uint64(at)>>t.shift) - bits.Len64(mostBuckets-1); over > 0 {
		t.widen(t.shift + uint(over))
	}
	t.Counts = reaching(t.Counts, uint32(at>>t.shift))
}

// widen makes buckets 1<<shift wide, which is not less than they are.
func (t *Timeline) widen(shift uint) {
	n := 0
	for i, count := range t.Counts {
		to := i >> (shift - t.shift)
		if to >= n {
			t.Counts[to], n = 0, to+1
		}
		t.Counts[to] += count
	}
	t.Counts = t.Counts[:n]
	t.shift = shift
}

// Like is a copy with buckets as wide as u's, which are not narrower.
func (t *Timeline) Like(u *Timeline) Timeline {
	c := t.clone()
	c.widen(u.shift)
	return c
}

// AtMost is the same in at most so many buckets, a power of two, at least half of them in use.
func (t *Timeline) AtMost(buckets int) Timeline {
	c := *t
	c.Counts = slices.Clone(t.Counts)
	for shift := t.shift; len(c.Counts) > buckets; {
		shift++
		c.widen(shift)
	}
	return c
}

func (t *Timeline) clone() Timeline {
	c := *t
	c.Counts = slices.Clone(t.Counts)
	return c
}

// Columns is the counts in n equal columns over [0, span); a bucket counts where it begins.
func (t *Timeline) Columns(n int, span Time) []int64 {
	out := make([]int64, n)
	for i, count := range t.Counts {
		hi, lo := bits.Mul64(uint64(i)<<t.shift, uint64(n))
		if hi >= uint64(span) {
			break
		}
		column, _ := bits.Div64(hi, lo, uint64(span))
		out[min(int(column), n-1)] += count
	}
	return out
}
