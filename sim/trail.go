package sim

import "github.com/b6db88e4/ratesim/algorithms"

// trail remembers what went ahead in (t−P, t], for all keys in one queue in order of time, with a
// sum for each key. It is the exact trailing window over the limiter's own history: its largest sum
// is the peak, and it is what decisions are held against.
type trail struct {
	limit  int64
	period Time
	units  []int64 // by key: what went ahead in the window

	ring    []passage
	head, n int
	cut     bool // memory ran out and the oldest passages were dropped early

	peak                     int64
	wentOver, deniedWithRoom int64
}

// passage is units that went ahead. More than 32 bits of them are split over several.
type passage struct {
	at    Time
	key   uint32
	units uint32
}

// trailLimit bounds the passages that are remembered: 64 MiB.
const trailLimit = 64 << 20 / 16

func newTrail(limit algorithms.Limit) trail {
	return trail{limit: limit.N, period: Time(limit.Per)}
}

// expire drops what went ahead P or longer before now.
func (t *trail) expire(now Time) {
	for t.n > 0 && t.ring[t.head].at <= now-t.period {
		t.dropOldest()
	}
}

func (t *trail) dropOldest() {
	p := &t.ring[t.head]
	t.units[p.key] -= int64(p.units)
	t.head = (t.head + 1) & (len(t.ring) - 1)
	t.n--
}

// wentAhead counts units that go ahead at now.
func (t *trail) wentAhead(now Time, key uint32, units int64) {
	t.expire(now)
	for rest := units; rest > 0; {
		part := min(rest, 1<<32-1)
		t.push(passage{now, key, uint32(part)})
		rest -= part
	}
	t.units[key] += units
	if sum := t.units[key]; sum > t.limit {
		t.wentOver++
		t.peak = max(t.peak, sum)
	} else if sum > t.peak {
		t.peak = sum
	}
}

// push appends to the ring, whose length is a power of two.
func (t *trail) push(p passage) {
	if t.n == len(t.ring) {
		if t.n == trailLimit {
			t.cut = true
			t.dropOldest()
		} else {
			t.grow()
		}
	}
	t.ring[(t.head+t.n)&(len(t.ring)-1)] = p
	t.n++
}

func (t *trail) grow() {
	ring := make([]passage, max(16, 2*len(t.ring)))
	n := copy(ring, t.ring[t.head:])
	copy(ring[n:], t.ring[:t.head])
	t.ring, t.head = ring, 0
}

// denied holds a denial against the window.
func (t *trail) denied(now Time, key uint32, cost int64) {
	t.expire(now)
	if cost <= t.limit-t.units[key] {
		t.deniedWithRoom++
	}
}

func (t *trail) summarize(s *Summary) {
	s.Peak, s.PeakIsLowerBound = t.peak, t.cut
	s.PeakRatio = float64(t.peak) / float64(t.limit)
	s.WentOver, s.DeniedWithRoom = t.wentOver, t.deniedWithRoom
}
