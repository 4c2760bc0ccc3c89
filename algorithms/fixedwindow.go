package algorithms

// countDenied is the option that several window algorithms share.
func countDenied() Option {
	return Option{Name: "count_denied", Kind: Bool, Default: "false",
		Meaning: "count denied requests too: a client that keeps asking keeps itself out"}
}

func fixedWindowSpec() *Spec {
	s := &Spec{
		Name:    "fixed-window",
		Summary: "counts per window of length P and forgets everything at its edge",
		Gauge:   Gauge{Name: "count"},
		Options: []Option{
			{Name: "anchor", Kind: Choice, Default: "clock", Choices: []string{"clock", "first"},
				Meaning: "clock: windows are multiples of P since the Unix epoch; first: a window opens at the first accepted request"},
			countDenied(),
		},
		Traits: Traits{
			State:   "1 counter",
			Time:    "constant",
			Worst:   "2N",
			Burst:   "passes up to N at once, 2N across an edge",
			Smooths: "no",
			Exact:   "no: up to N more",
		},
		Page: `Time is cut into windows [kP, (k+1)P). A request of cost c is admitted if the count of its window stays within N. At the edge everything is forgotten, so a client that sends N just before an edge and N just after it gets 2N through within a moment: the window-boundary problem.

With anchor: clock (the default) the windows are multiples of P since the Unix epoch, in UTC: days begin at midnight UTC, and weeks begin on Thursday, because 1 January 1970 was one. The scenario's start says where in its window instant 0 lies.

With anchor: first a window opens at the first accepted request that finds none open and lasts P; at exactly its end a new one may open. It moves the edges to where the client is, but keeps them.

With count_denied: true denied requests count as well. Within one window that changes nothing for unit costs, since the window is full anyway; with anchor: first a refused request opens a window too.

Choose it when one counter per key is all you can afford and twice the limit does no harm.`,
		Worst: func(p Policy) int64 { return 2 * p.Limit.N },
	}
	s.Build = func(p Policy) (Maker, error) {
		r := s.read(p)
		return r.make(func() Maker { return newFixedWindow(p, r) })
	}
	return s
}

// windowPolicy is what the limiters of one policy share.
type windowPolicy struct {
	limit       int64
	period      uint64
	countDenied bool
}

func newFixedWindow(p Policy, r *settings) Maker {
	shared := &windowPolicy{p.Limit.N, uint64(p.Limit.Per), r.flag("count_denied")}
	if r.text("anchor") == "first" {
		return maker(firstWindow{windowPolicy: shared})
	}
	edge := firstEdge(p)
	return maker(fixedWindow{windowPolicy: shared, edge: edge})
}

// fixedWindow has its windows at multiples of P since the epoch.
type fixedWindow struct {
	*windowPolicy
	count int64  // units in the window, above N only after N fell
	edge  uint64 // where the window ends
	seen  Time
}

// at is the count at now, the end of its window, and now itself unless it went back.
func (w *fixedWindow) at(now Time) (count int64, edge uint64, at Time) {
	now = max(now, w.seen)
	if uint64(now) < w.edge {
		return w.count, w.edge, now
	}
	_, edge = passEdges(w.edge, w.period, now)
	return 0, edge, now
}

// When implements Limiter.
func (w *fixedWindow) When(now Time, cost int64) Time {
	count, edge, now := w.at(now)
	switch {
	case uint64(cost) > uint64(w.limit):
		return Never
	case cost <= w.limit-count:
		return now
	}
	return instant(edge)
}

// Decide implements Limiter.
func (w *fixedWindow) Decide(now Time, cost int64) Decision {
	w.count, w.edge, w.seen = w.at(now)
	if uint64(cost) <= uint64(max(0, w.limit-w.count)) {
		w.count += cost
		return Decision{Admit, w.seen}
	}
	if w.countDenied {
		w.count = max(w.count, w.limit) // a full window cannot get fuller
	}
	if uint64(cost) > uint64(w.limit) {
		return Decision{Deny, Never}
	}
	return Decision{Deny, instant(w.edge)}
}

// Level is the count of the window.
func (w *fixedWindow) Level(now Time) Milli {
	count, _, _ := w.at(now)
	return Milli(count) * 1000
}

// NextEdge is where the window ends.
func (w *fixedWindow) NextEdge(now Time) Time {
	_, edge, _ := w.at(now)
	return instant(edge)
}

// Since is where the window began.
func (w *fixedWindow) Since(now Time) Time {
	_, edge, _ := w.at(now)
	return began(edge, w.period)
}

// firstWindow opens a window at the first request that finds none open.
type firstWindow struct {
	*windowPolicy
	count int64
	edge  uint64 // where the window ends; at or before now: none is open
	seen  Time
}

// at is the count at now (0 if no window is open), and now itself unless it went back.
func (w *firstWindow) at(now Time) (int64, Time) {
	now = max(now, w.seen)
	if uint64(now) >= w.edge {
		return 0, now
	}
	return w.count, now
}

// When implements Limiter.
func (w *firstWindow) When(now Time, cost int64) Time {
	count, now := w.at(now)
	switch {
	case uint64(cost) > uint64(w.limit):
		return Never
	case cost <= w.limit-count:
		return now
	}
	return instant(w.edge)
}

// Decide implements Limiter.
func (w *firstWindow) Decide(now Time, cost int64) Decision {
	count, now := w.at(now)
	w.seen = now
	if uint64(cost) <= uint64(max(0, w.limit-count)) {
		w.open(now, count+cost)
		return Decision{Admit, now}
	}
	if w.countDenied {
		w.open(now, max(count, w.limit))
	}
	if uint64(cost) > uint64(w.limit) {
		return Decision{Deny, Never}
	}
	return Decision{Deny, instant(w.edge)}
}

// open sets the count of the window, opening one if there is none.
func (w *firstWindow) open(now Time, count int64) {
	if uint64(now) >= w.edge {
		w.edge = uint64(now) + w.period
	}
	w.count = count
}

// Level is the count of the window.
func (w *firstWindow) Level(now Time) Milli {
	count, _ := w.at(now)
	return Milli(count) * 1000
}

// NextEdge is where the open window ends, Never if none is open.
func (w *firstWindow) NextEdge(now Time) Time {
	if uint64(max(now, w.seen)) >= w.edge {
		return Never
	}
	return instant(w.edge)
}

// Since is where the open window began, now if none is open.
func (w *firstWindow) Since(now Time) Time {
	if now = max(now, w.seen); uint64(now) >= w.edge {
		return now
	}
	return began(w.edge, w.period)
}
