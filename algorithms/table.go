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

	// Grow makes room for keys below n, each with a limiter as New makes it.
	Grow(n int)
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
	fresh T
	pages [][]T
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
			page[i] = t.fresh
		}
		t.pages = append(t.pages, page)
	}
}

// references keeps limiters by reference.
type references struct {
	maker    Maker
	limiters []Limiter
}

// At implements Table.
func (r *references) At(key uint32) Limiter { return r.limiters[key] }

// Fetch implements Table.
func (r *references) Fetch([]uint32) byte { return 0 }

// Grow implements Table.
func (r *references) Grow(n int) {
	for len(r.limiters) < n {
		r.limiters = append(r.limiters, r.maker.New())
	}
}
