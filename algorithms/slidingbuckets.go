package algorithms

import "fmt"

func slidingBucketsSpec() *Spec {
	s := &Spec{
		Name:    "sliding-buckets",
		Summary: "the period cut into slots; the current slot and those before it within P are summed",
		Gauge:   Gauge{Name: "count"},
		Options: []Option{
			{Name: "slots", Kind: Int, Min: 1, Max: MaxSlots,
				Meaning: "equal slots that the period is cut into, at most P in ns (default: 60)"},
		},
		Traits: Traits{
			State:   "a counter for each slot in use",
			Time:    "constant on average; a denial log n, for n slots",
			Worst:   "2N",
			Burst:   "passes up to N at once, 2N across P−P/slots",
			Smooths: "no",
			Exact:   "nearly: it forgets up to one slot early",
		},
		Page: `The period is cut into equal slots, slot k covering [k·P/slots, (k+1)·P/slots) exactly, whether or not the number divides P. A request counts in its slot. It is admitted if the current slot and the slots−1 before it, with its cost, stay within N. This is the second-bucketed counter of many tutorials.

It forgets a slot as a whole, up to P/slots early: two bursts of N can stand P − P/slots apart. With one slot it is fixed-window; with many it comes close to sliding-log in bounded memory.

Slots are anchored to the Unix epoch, in UTC.`,
		Worst: func(p Policy) int64 { return 2 * p.Limit.N },
	}
	s.Build = func(p Policy) (Maker, error) {
		r := s.read(p)
		slots := r.number("slots", min(60, int64(p.Limit.Per)))
		if slots > int64(p.Limit.Per) {
			r.refuse("slots", fmt.Sprint(slots), fmt.Sprintf("must be at most the period in ns, %d", int64(p.Limit.Per)))
		}
		return r.make(func() Maker {
			shared := &slotPolicy{
				limit: p.Limit.N, period: uint64(p.Limit.Per),
				phase: phase(p.Start, p.Limit.Per), slots: uint64(slots),
				whole: uint64(p.Limit.Per) / uint64(slots), part: uint32(uint64(p.Limit.Per) % uint64(slots)),
			}
			first := shared.slotAt(0)
			return maker(slidingBuckets{slotPolicy: shared, slot: first})
		})
	}
	return s
}

// slotPolicy is what the limiters of one policy share.
type slotPolicy struct {
	limit  int64
	period uint64
	phase  uint64 // how far instant 0 lies into its period
	slots  uint64
	whole  uint64 // P/slots
	part   uint32 // and the rest
}

// slot is one slot: where it begins and ends, in ns since the run began, and by how much its end is
// rounded up, in ns/slots. The slot that instant 0 lies in may begin before it.
type slot struct {
	begin   int64
	end     uint64
	rounded uint32
}

// slotAt is the slot that now lies in. Slot k of a period ends at ceil((k+1)·P/slots).
func (p *slotPolicy) slotAt(now Time) slot {
	t := uint64(now) + p.phase
	period := t - t%p.period - p.phase // where it begins; wraps around below 0
	k, _ := mul128(t%p.period, p.slots).div(p.period)
	begin := mul128(k, p.period).divCeil(p.slots)
	end, over := mul128(k+1, p.period).div(p.slots)
	s := slot{begin: int64(period + begin), end: period + end}
	if over > 0 {
		s.end++
		s.rounded = uint32(p.slots - over)
	}
	return s
}

// next is the slot after s, found without a division: slots are whole or whole+1 ns long, with
// P = whole·slots + part.
func (p *slotPolicy) next(s slot) slot {
	n := slot{begin: int64(s.end), end: s.end + p.whole, rounded: s.rounded - p.part}
	if s.rounded < p.part {
		n.end++
		n.rounded += uint32(p.slots)
	}
	return n
}

// slidingBuckets marks its history with the beginnings of slots, so that it costs memory only for
// slots in use. A slot leaves P after it began, when the slot begins that is one period on.
type slidingBuckets struct {
	*slotPolicy
	history
	slot slot // of seen
	seen Time
}

// slotOf is the slot of now, and now itself unless it went back.
func (b *slidingBuckets) slotOf(now Time) (slot, Time) {
	now = max(now, b.seen)
	s := b.slot
	for range 4 {
		if uint64(now) < s.end {
			return s, now
		}
		s = b.next(s)
	}
	return b.slotAt(now), now
}

// When implements Limiter.
func (b *slidingBuckets) When(now Time, cost int64) Time {
	return b.fitsAt(max(now, b.seen), cost, b.limit, b.period)
}

// Decide implements Limiter.
func (b *slidingBuckets) Decide(now Time, cost int64) Decision {
	b.seen = max(now, b.seen)
	if uint64(b.seen) >= b.slot.end {
		b.slot, _ = b.slotOf(b.seen)
	}
	b.dropThrough(b.slot.begin - int64(b.period))
	if uint64(cost) <= uint64(b.limit) && cost <= b.limit-b.sum() {
		b.merge(b.slot.begin, cost)
		return Decision{Admit, b.seen}
	}
	if uint64(cost) > uint64(b.limit) {
		return Decision{Deny, Never}
	}
	return Decision{Deny, instant(uint64(b.lastOf(b.sum()-b.limit+cost)) + b.period)}
}

// Level is the sum of the slots that count.
func (b *slidingBuckets) Level(now Time) Milli {
	s, _ := b.slotOf(now)
	return Milli(b.countAfter(s.begin-int64(b.period))) * 1000
}

// NextEdge is where the current slot ends.
func (b *slidingBuckets) NextEdge(now Time) Time {
	s, _ := b.slotOf(now)
	return instant(s.end)
}

// Since is where the oldest slot that counts began.
func (b *slidingBuckets) Since(now Time) Time {
	s, _ := b.slotOf(now)
	return began(s.end, b.period)
}
