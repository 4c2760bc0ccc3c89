package algorithms

import "slices"

// Copying is the optional ability of a limiter to be copied as it stands, so that a long run can be
// gone back into without deciding all of it again. The copy and the original share nothing that
// changes. Every limiter of this package has it.
type Copying interface {
	Copy() Limiter
}

// copied is a copy of a limiter whose fields are values, or policies that never change.
func copied[T any](l *T) *T {
	c := *l
	return &c
}

// copy is a history that shares no memory with h.
func (h *history) copy() history {
	c := *h
	c.ring = slices.Clone(h.ring)
	return c
}

func (b *wideTokenBucket) Copy() Limiter { return copied(b) }
func (b *intervalBucket) Copy() Limiter  { return copied(b) }
func (g *wideGCRA) Copy() Limiter        { return copied(g) }
func (b *wideLeakyMeter) Copy() Limiter  { return copied(b) }
func (b *wideLeakyBucket) Copy() Limiter { return copied(b) }
func (w *fixedWindow) Copy() Limiter     { return copied(w) }
func (w *firstWindow) Copy() Limiter     { return copied(w) }
func (c *slidingCounter) Copy() Limiter  { return copied(c) }
func (c *concurrency) Copy() Limiter     { return copied(c) }
func (a *adaptive) Copy() Limiter        { return copied(a) }
func (u *unlimited) Copy() Limiter       { return copied(u) }

func (l *slidingLog) Copy() Limiter {
	c := copied(l)
	c.history = l.history.copy()
	return c
}

func (b *slidingBuckets) Copy() Limiter {
	c := copied(b)
	c.history = b.history.copy()
	return c
}

func (b *tokenBucket) Copy() Limiter { return &tokenBucket{b.copy()} }
func (b *leakyMeter) Copy() Limiter  { return &leakyMeter{b.copy()} }
func (b *leakyBucket) Copy() Limiter { return &leakyBucket{b.copy()} }

// copy is a bucket that shares no stand-in with b.
func (b *bucket) copy() bucket {
	c := *b
	if b.instead != nil {
		c.bucketPolicy = &bucketPolicy{instead: b.instead.Copy().(standIn)}
	}
	return c
}

func (g *gcra) Copy() Limiter {
	c := copied(g)
	if g.instead != nil {
		c.gcraPolicy = &gcraPolicy{instead: g.instead.Copy().(standIn)}
	}
	return c
}
