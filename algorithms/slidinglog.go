package algorithms

func slidingLogSpec() *Spec {
	s := &Spec{
		Name:    "sliding-log",
		Summary: "remembers every admitted request and counts those of the last P: exactly N in any window",
		Gauge:   Gauge{Name: "count"},
		Options: []Option{countDenied()},
		Traits: Traits{
			State:   "an instant for each request of the last P",
			Time:    "constant on average; a denial log n, for n remembered",
			Worst:   "N",
			Burst:   "passes up to N at once",
			Smooths: "no",
			Exact:   "yes",
		},
		Page: `It keeps the instant of each admitted request and counts those in (now−P, now]; one that is exactly P old has left. A request of cost c is admitted if the count stays within N. Its wait is exact: until enough of the oldest have left.

No interval of length P ever sees more than N units, wherever it begins. That is the definition the other window algorithms approximate, and what ratesim measures disagreement against.

With count_denied: true denied requests are remembered too, as several published versions do. A client that never pauses is then never admitted again.

Its price is memory: 8 bytes for each request of the last P, 16 where costs differ.`,
		Worst: func(p Policy) int64 { return p.Limit.N },
	}
	s.Build = func(p Policy) (Maker, error) {
		r := s.read(p)
		return r.make(func() Maker {
			shared := &windowPolicy{p.Limit.N, uint64(p.Limit.Per), r.flag("count_denied")}
			return maker(slidingLog{windowPolicy: shared})
		})
	}
	return s
}

// slidingLog marks its history with instants.
type slidingLog struct {
	*windowPolicy
	history
	seen Time
}

// gone is the latest instant that has left the window of now.
func (l *slidingLog) gone(now Time) int64 { return int64(now) - int64(l.period) }

// When implements Limiter.
func (l *slidingLog) When(now Time, cost int64) Time {
	return l.fitsAt(max(now, l.seen), cost, l.limit, l.period)
}

// Decide implements Limiter.
func (l *slidingLog) Decide(now Time, cost int64) Decision {
	now = max(now, l.seen)
	l.seen = now
	l.dropThrough(l.gone(now))
	if uint64(cost) <= uint64(l.limit) && cost <= l.limit-l.sum() {
		if cost != 1 || !l.pushUnit(int64(now)) {
			l.push(int64(now), cost)
		}
		return Decision{Admit, now}
	}
	if l.countDenied {
		// More than N at once keeps everything out as N does, and so does whatever is older than
		// the newest N units: both are cut, which bounds the memory.
		l.push(int64(now), min(uint64Cost(cost), l.limit))
		l.dropSurplus(l.limit)
	}
	if uint64(cost) > uint64(l.limit) {
		return Decision{Deny, Never}
	}
	return Decision{Deny, instant(uint64(l.lastOf(l.sum()-l.limit+cost)) + l.period)}
}

// uint64Cost reads a cost below zero as one beyond every limit.
func uint64Cost(cost int64) int64 {
	if cost < 0 {
		return MaxUnits
	}
	return cost
}

// Level is the count of the last P.
func (l *slidingLog) Level(now Time) Milli {
	return Milli(l.countAfter(l.gone(max(now, l.seen)))) * 1000
}

// Since is the instant after the latest one that has left the window.
func (l *slidingLog) Since(now Time) Time { return Time(max(0, l.gone(max(now, l.seen))+1)) }
