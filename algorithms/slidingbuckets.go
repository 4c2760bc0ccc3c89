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
			}
			shared.first = uint64(shared.slotAt(0))
			return makerFunc(func() Limiter { return &slidingBuckets{slotPolicy: shared} })
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
	first  uint64 // the slot that instant 0 lies in, counted from the start of its period
}

// slotAt is the number of the slot that now lies in, counted from the slot that instant 0 lies in:
// so it is at most now + 1 and fits, be a slot as short as one nanosecond.
func (p *slotPolicy) slotAt(now Time) int64 {
	t := uint64(now) + p.phase
	within, _ := mul128(t%p.period, p.slots).div(p.period)
	return int64(t/p.period*p.slots + within - p.first)
}

// start is the first instant of a slot, in ns since the run began: ceil(k·P/slots) − phase, k being
// the slot counted from the start of the period. Only slots that end after instant 0 may be asked
// for.
func (p *slotPolicy) start(slot int64) uint64 {
	k := uint64(slot) + p.first
	return k/p.slots*p.period + mul128(k%p.slots, p.period).divCeil(p.slots) - p.phase
}

// slidingBuckets marks its history with slot numbers, so that it costs memory only for slots in
// use.
type slidingBuckets struct {
	*slotPolicy
	history
	slot int64  // the slot of seen
	end  uint64 // where that slot ends; 0 before the first request
	seen Time
}

// at is the slot and its end at now, and now itself unless it went back.
func (b *slidingBuckets) at(now Time) (slot int64, end uint64, at Time) {
	now = max(now, b.seen)
	if uint64(now) < b.end {
		return b.slot, b.end, now
	}
	slot = b.slotAt(now)
	return slot, b.start(slot + 1), now
}

// fitsAt is when enough slots have left for cost to fit, not before now. A slot leaves P after it
// began.
func (b *slidingBuckets) fitsAt(now Time, cost int64) Time {
	if uint64(cost) > uint64(b.limit) {
		return Never
	}
	excess := b.sum() - (b.limit - cost)
	if excess <= 0 {
		return now
	}
	return max(now, instant(b.start(b.lastOf(excess)+int64(b.slots))))
}

// When implements Limiter.
func (b *slidingBuckets) When(now Time, cost int64) Time { return b.fitsAt(max(now, b.seen), cost) }

// Decide implements Limiter.
func (b *slidingBuckets) Decide(now Time, cost int64) Decision {
	b.slot, b.end, b.seen = b.at(now)
	b.dropThrough(b.slot - int64(b.slots))
	if uint64(cost) <= uint64(b.limit) && cost <= b.limit-b.sum() {
		b.merge(b.slot, cost)
		return Decision{Admit, b.seen}
	}
	return Decision{Deny, b.fitsAt(b.seen, cost)}
}

// Level is the sum of the slots that count.
func (b *slidingBuckets) Level(now Time) Milli {
	slot, _, _ := b.at(now)
	count := b.sum()
	if past := b.countThrough(slot - int64(b.slots)); past > 0 {
		count -= int64(b.through(past - 1))
	}
	return Milli(count) * 1000
}

// NextEdge is where the current slot ends.
func (b *slidingBuckets) NextEdge(now Time) Time {
	_, end, _ := b.at(now)
	return instant(end)
}

// Since is where the oldest slot that counts began.
func (b *slidingBuckets) Since(now Time) Time {
	_, end, _ := b.at(now)
	return began(end, b.period)
}
