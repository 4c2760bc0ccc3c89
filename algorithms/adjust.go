package algorithms

// Adjusting is the optional ability of a limiter to have its limit changed while it stands. Every
// limiter of this package has it.
type Adjusting interface {
	// Adjust puts the limiter under the policy of to from now on, and reports whether it can: if
	// not, nothing changes. to is a limiter of the same algorithm that nobody has asked; it is only
	// read, and may serve again.
	Adjust(now Time, to Limiter) bool
}

// Adjust puts l under the policy of m, a Maker of the same algorithm, from now on:
//
//   - A bucket keeps its tokens, cut to the new burst; gcra, leaky-meter and leaky-bucket convert
//     what they keep to the same end. Where the new policy cannot express what is kept, what is left
//     rounds down.
//   - What a leaky-bucket has accepted goes ahead when it was told to; what it accepts from now on
//     queues behind.
//   - Windows keep their counts, a log what it remembers.
//   - What is in flight stays. A limit that moves by itself begins again at the new N.
//
// It reports false and changes nothing where m is of another algorithm, where the options refill,
// anchor or slots differ, and where the period of a window would change.
func Adjust(l Limiter, now Time, m Maker) bool {
	if _, ok := l.(Adjusting); !ok {
		return false
	}
	return adjust(l, now, m.New())
}

func adjust(l Limiter, now Time, to Limiter) bool {
	a, ok := l.(Adjusting)
	return ok && a.Adjust(now, to)
}

// Adjust implements Adjusting.
func (w *fixedWindow) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*fixedWindow)
	if !ok || t.period != w.period {
		return false
	}
	w.count, w.edge, w.seen = w.at(now)
	w.windowPolicy = t.windowPolicy
	return true
}

// Adjust implements Adjusting.
func (w *firstWindow) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*firstWindow)
	if !ok || t.period != w.period {
		return false
	}
	w.count, w.seen = w.at(now)
	w.windowPolicy = t.windowPolicy
	return true
}

// Adjust implements Adjusting. With count_denied the log never holds more than fills the limit, so
// that its memory is bounded; a higher limit cannot bring back what that left out.
func (l *slidingLog) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*slidingLog)
	if !ok || t.period != l.period {
		return false
	}
	if l.countDenied {
		l.dropSurplus(l.limit)
	}
	l.windowPolicy, l.seen = t.windowPolicy, max(now, l.seen)
	return true
}

// Adjust implements Adjusting.
func (c *slidingCounter) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*slidingCounter)
	if !ok || t.period != c.period {
		return false
	}
	c.windows, c.seen = c.at(now)
	c.counterPolicy, c.unitFits = t.counterPolicy, 0
	return true
}

// Adjust implements Adjusting.
func (b *slidingBuckets) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*slidingBuckets)
	if !ok || t.period != b.period || t.slots != b.slots || t.phase != b.phase {
		return false
	}
	b.slot, b.seen = b.slotOf(now)
	b.slotPolicy = t.slotPolicy
	return true
}

// Adjust implements Adjusting.
func (c *concurrency) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*concurrency)
	if ok {
		c.permitPolicy, c.seen = t.permitPolicy, max(now, c.seen)
	}
	return ok
}

// Adjust implements Adjusting.
func (a *adaptive) Adjust(now Time, to Limiter) bool {
	t, ok := to.(*adaptive)
	if ok {
		a.adaptivePolicy, a.limit, a.seen = t.adaptivePolicy, t.limit, max(now, a.seen)
	}
	return ok
}

// Adjust implements Adjusting: whatever the limit, it admits everything.
func (u *unlimited) Adjust(now Time, to Limiter) bool {
	_, ok := to.(*unlimited)
	if ok {
		u.seen = max(now, u.seen)
	}
	return ok
}
