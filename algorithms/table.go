package algorithms

import "unsafe"

// A Table holds the limiters of many keys side by side in memory: a decision on a key that has not
// been asked for in a while then waits for the memory once, for the limiter itself, and not once
// more for a reference to it. It is not safe for concurrent use.
type Table interface {
	// At is the limiter of a key. It stays the same however far the table grows.
	At(key uint32) Limiter

	// Fetch reads from the limiters of these keys, which are about to be asked, so that waiting for
	// the memory of one overlaps with waiting for the others. It changes nothing. What it returns
	// has no meaning: it keeps the reading from being left out.
	Fetch(keys []uint32) byte

	// Grow makes room for keys below n, each with a limiter as New makes it, which has lived
	// through every Adjust.
	Grow(n int)

	// Adjust puts all limiters under the policy of m from now on, those still to be made too. It
	// reports whether the algorithm can, as the function Adjust does; if not, nothing changes.
	Adjust(now Time, m Maker) bool
}

// NewTable makes an empty table of the maker's limiters. Those of another package are kept by
// reference.
func NewTable(m Maker) Table {
	if m, ok := m.(interface{ table() Table }); ok {
		return m.table()
	}
	return &references{maker: m}
}

// copier is the Maker of limiters that begin as copies of one that no one has asked yet, so that they
// share nothing that changes. Every limiter of this package is made so.
type copier[T any, P interface {
	*T
	Limiter
}] struct{ fresh T }

// maker is the Maker of copies of a fresh limiter.
func maker[T any, P interface {
	*T
	Limiter
}](fresh T) Maker {
	return copier[T, P]{fresh}
}

// New implements Maker.
func (c copier[T, P]) New() Limiter {
	l := c.fresh
	return P(&l)
}

func (c copier[T, P]) table() Table { return &table[T, P]{fresh: c.fresh} }

// pageBits: pages of 512 limiters, so that growing copies none.
const pageBits = 9

// table keeps limiters by value.
type table[T any, P interface {
	*T
	Limiter
}] struct {
	fresh   T // one that nobody has asked; it lives through what all live through
	pages   [][]T
	changed bool // fresh is no longer as its Maker made it
}

// At implements Table.
func (t *table[T, P]) At(key uint32) Limiter {
	return P(&t.pages[key>>pageBits][key&(1<<pageBits-1)])
}

// Fetch implements Table. It reads the first and the last byte of a limiter, which lie in the one or
// two lines of the cache that it takes, as bytes, since a T has no field that all of them have.
func (t *table[T, P]) Fetch(keys []uint32) byte {
	last := unsafe.Sizeof(t.fresh) - 1
	sum := byte(0)
	for _, key := range keys {
		l := unsafe.Pointer(&t.pages[key>>pageBits][key&(1<<pageBits-1)])
		sum += *(*byte)(l) + *(*byte)(unsafe.Add(l, last))
	}
	return sum
}

// Grow implements Table.
func (t *table[T, P]) Grow(n int) {
	for len(t.pages)<<pageBits < n {
		page := make([]T, 1<<pageBits)
		for i := range page {
			page[i] = t.another()
		}
		t.pages = append(t.pages, page)
	}
}

// another is one more limiter. After a change a limiter may have memory of its own.
func (t *table[T, P]) another() T {
	if c, ok := any(P(&t.fresh)).(Copying); ok && t.changed {
		return *c.Copy().(P)
	}
	return t.fresh
}

// Adjust implements Table.
func (t *table[T, P]) Adjust(now Time, m Maker) bool {
	to := m.New()
	if !adjust(P(&t.fresh), now, to) {
		return false
	}
	t.changed = true
	for _, page := range t.pages {
		for i := range page {
			adjust(P(&page[i]), now, to)
		}
	}
	return true
}

// references keeps limiters by reference.
type references struct {
	maker    Maker
	limiters []Limiter
	changes  []change // that limiters still to be made must live through
}

// change is what all limiters go through at an instant.
type change struct {
	at Time
	to Maker
}

// At implements Table.
func (r *references) At(key uint32) Limiter { return r.limiters[key] }

// Fetch implements Table.
func (r *references) Fetch([]uint32) byte { return 0 }

// Grow implements Table.
func (r *references) Grow(n int) {
	for len(r.limiters) < n {
		l := r.maker.New()
		for _, c := range r.changes {
			Adjust(l, c.at, c.to)
		}
		r.limiters = append(r.limiters, l)
	}
}

// Adjust implements Table. The first limiter tells whether the others can.
func (r *references) Adjust(now Time, m Maker) bool {
	r.Grow(1)
	for i, l := range r.limiters {
		if !Adjust(l, now, m) && i == 0 {
			return false
		}
	}
	r.changes = append(r.changes, change{now, m})
	return true
}
