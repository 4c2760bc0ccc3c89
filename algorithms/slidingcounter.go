package algorithms

import "math/bits"

func slidingCounterSpec() *Spec {
	s := &Spec{
		Name:    "sliding-counter",
		Summary: "two fixed windows, the earlier one weighted by what the sliding window still covers of it",
		Gauge:   Gauge{Name: "weighted estimate"},
		Options: []Option{
			{Name: "rounding", Kind: Choice, Default: "exact", Choices: []string{"exact", "floor"},
				Meaning: "exact: the weighted part as a fraction; floor: truncated first, as several libraries do"},
		},
		Traits: Traits{
			State:   "2 counters",
			Time:    "constant",
			Worst:   "2N−1; 2N with rounding: floor",
			Burst:   "passes up to N at once",
			Smooths: "no",
			Exact:   "nearly: it guesses where in the last window requests were",
		},
		Page: `It counts per fixed window and estimates the last P as prev·(P−e)/P + cur, where e is how far the current window has run: as if the requests of the window before had come evenly. A request of cost c is admitted if estimate + c stays within N, exactly.

It closes the window boundary for two counters per key. The guess can be wrong both ways: requests that came late in the window before weigh too little (up to 2N−1 units can pass within P), and requests that came early in it weigh too much, so that some are refused though there is room.

With rounding: floor the weighted part is truncated before it is added, as several libraries do; then up to 2N can pass.

Windows are multiples of P since the Unix epoch, in UTC: days begin at midnight UTC, and weeks begin on Thursday.`,
		Worst: func(p Policy) int64 {
			if p.Options["rounding"] == "floor" {
				return 2 * p.Limit.N
			}
			return 2*p.Limit.N - 1
		},
	}
	s.Build = func(p Policy) (Maker, error) {
		r := s.read(p)
		return r.make(func() Maker {
			shared := &counterPolicy{p.Limit.N, uint64(p.Limit.Per), r.text("rounding") == "floor"}
			edge := firstEdge(p)
			return maker(slidingCounter{counterPolicy: shared, windows: windows{edge: edge}})
		})
	}
	return s
}

// counterPolicy is what the limiters of one policy share.
type counterPolicy struct {
	limit  int64
	period uint64
	floor  bool
}

// slidingCounter remembers when a unit request fits next while it denies them: that stays as it is
// until something is admitted or the window ends, and takes a division to find.
type slidingCounter struct {
	*counterPolicy
	windows
	seen     Time
	unitFits Time // 0: not known
}

// windows are two counters and where the current one's window ends.
type windows struct {
	prev, cur int64
	edge      uint64
}

// at is the windows at now, and now itself unless it went back.
func (c *slidingCounter) at(now Time) (windows, Time) {
	now = max(now, c.seen)
	if uint64(now) < c.edge {
		return c.windows, now
	}
	passed, edge := passEdges(c.edge, c.period, now)
	if passed == 1 {
		return windows{prev: c.cur, edge: edge}, now
	}
	return windows{edge: edge}, now
}

// longest is the longest stretch left, P−e, at which prev weighs at most room:
// prev·left ≤ room·P, or with rounding: floor prev·left < (room+1)·P. At most P.
func (c *counterPolicy) longest(prev, room int64) uint64 {
	if prev == 0 {
		return c.period
	}
	bound := mul128(uint64(room), c.period)
	if c.floor {
		bound = mul128(uint64(room)+1, c.period).sub(uint128{0, 1})
	}
	left, _ := bound.div(uint64(prev))
	return min(left, c.period)
}

// fits reports whether prev weighs at most room with left of the current window still to run.
func (c *counterPolicy) fits(prev, room int64, left uint64) bool {
	if room < 0 {
		return false
	}
	hi, lo := bits.Mul64(uint64(prev), left)
	if c.floor {
		room++
	}
	boundHi, boundLo := bits.Mul64(uint64(room), c.period)
	if c.floor {
		return hi < boundHi || hi == boundHi && lo < boundLo
	}
	return hi < boundHi || hi == boundHi && lo <= boundLo
}

// fitsAt is when cost, at most N, fits: in this window, or in the next one, whose earlier counter
// is this one's.
func (c *slidingCounter) fitsAt(w windows, cost int64) Time {
	if room := c.limit - w.cur - cost; room >= 0 {
		return instant(w.edge - c.longest(w.prev, room))
	}
	return instant(w.edge + c.period - c.longest(w.cur, c.limit-cost))
}

// When implements Limiter.
func (c *slidingCounter) When(now Time, cost int64) Time {
	w, now := c.at(now)
	if uint64(cost) > uint64(c.limit) {
		return Never
	}
	if c.fits(w.prev, c.limit-w.cur-cost, w.edge-uint64(now)) {
		return now
	}
	return c.fitsAt(w, cost)
}

// Decide implements Limiter.
func (c *slidingCounter) Decide(now Time, cost int64) Decision {
	if w, now := c.at(now); w.edge != c.edge {
		c.windows, c.seen, c.unitFits = w, now, 0
	} else {
		c.seen = now
	}
	if uint64(cost) > uint64(c.limit) {
		return Decision{Deny, Never}
	}
	if c.fits(c.prev, c.limit-c.cur-cost, c.edge-uint64(c.seen)) {
		c.cur += cost
		c.unitFits = 0
		return Decision{Admit, c.seen}
	}
	if cost != 1 {
		return Decision{Deny, c.fitsAt(c.windows, cost)}
	}
	if c.unitFits == 0 {
		c.unitFits = c.fitsAt(c.windows, 1)
	}
	return Decision{Deny, c.unitFits}
}

// Level is the weighted estimate.
func (c *slidingCounter) Level(now Time) Milli {
	w, now := c.at(now)
	weighted := mul128(uint64(w.prev), w.edge-uint64(now))
	if c.floor {
		whole, _ := weighted.div(c.period)
		return Milli(whole+uint64(w.cur)) * 1000
	}
	return milliCeil(weighted, c.period) + Milli(w.cur)*1000
}

// NextEdge is where the current window ends.
func (c *slidingCounter) NextEdge(now Time) Time {
	w, _ := c.at(now)
	return instant(w.edge)
}

// Since is where the window before the current one began, or the current one if that was empty.
func (c *slidingCounter) Since(now Time) Time {
	w, _ := c.at(now)
	counted := c.period
	if w.prev > 0 {
		counted += c.period
	}
	return began(w.edge, counted)
}
