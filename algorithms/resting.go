package algorithms

// At rest a limiter keeps nothing that matters from now on: a bucket is full, a window empty. A
// bucket that nobody has asked never holds less than one that somebody has, also after a change, so
// where this one is full that one is.

func (b *bucket) Resting(now Time) bool {
	if b.instead != nil {
		return b.instead.Resting(now)
	}
	backlog, at := b.at(now)
	return at == now && backlog == 0
}

func (b *wideBucket) Resting(now Time) bool {
	backlog, at := b.at(now)
	return at == now && backlog.isZero()
}

func (b *wideLeakyBucket) Resting(now Time) bool {
	return b.wideBucket.Resting(now) && b.ahead(now).isZero()
}

func (b *intervalBucket) Resting(now Time) bool {
	tokens, _, at := b.at(now)
	return at == now && tokens == b.burst
}

func (g *gcra) Resting(now Time) bool {
	if g.instead != nil {
		return g.instead.Resting(now)
	}
	return now >= g.seen && !(stamp{uint64(now), 0}).less(g.tat)
}

func (g *wideGCRA) Resting(now Time) bool { return now >= g.seen && g.backlog(now).isZero() }

func (w *fixedWindow) Resting(now Time) bool {
	count, _, at := w.at(now)
	return at == now && count == 0
}

func (w *firstWindow) Resting(now Time) bool {
	count, at := w.at(now)
	return at == now && count == 0
}

func (l *slidingLog) Resting(now Time) bool {
	return now >= l.seen && l.countAfter(l.gone(now)) == 0
}

func (c *slidingCounter) Resting(now Time) bool {
	w, at := c.at(now)
	return at == now && w.prev == 0 && w.cur == 0
}

func (b *slidingBuckets) Resting(now Time) bool {
	s, at := b.slotOf(now)
	return at == now && b.countAfter(s.begin-int64(b.period)) == 0
}

func (p *permits) Resting(now Time) bool { return now >= p.seen && p.inFlight == 0 }

// Resting: a limit that has moved away from where it began does not come back by itself.
func (a *adaptive) Resting(now Time) bool { return a.permits.Resting(now) && a.limit == a.start }

func (u *unlimited) Resting(now Time) bool { return now >= u.seen }
