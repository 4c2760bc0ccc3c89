package algorithms_test

import (
	"math/big"

	"github.com/b6db88e4/ratesim/algorithms"
)

// The definitions of the algorithms as an oracle reads them: each looks at the whole past and tells
// the units in use from then on.

// tokenBucket: B tokens at most, initial at instant 0, N/P more each nanosecond. In use is what is
// missing from B. A change keeps the tokens, cut to the new B.
func (o *oracle) tokenBucket(past []event) reading {
	p := o.first
	tokens, since := whole(optionOf(p, "initial", p.Capacity())), Time(0)
	refilled := func(at Time) *big.Rat {
		return lesser(whole(p.Capacity()), plus(tokens, times(rateOf(p), whole(int64(at-since)))))
	}
	for _, e := range past {
		switch {
		case e.to != nil:
			tokens, since, p = kept(refilled(e.at), *e.to), e.at, *e.to
		case e.accepted:
			tokens, since = minus(refilled(e.at), whole(e.cost)), e.at
		}
	}
	return func(at Time) *big.Rat { return minus(whole(p.Capacity()), refilled(at)) }
}

// kept is what a change leaves of tokens: no more than the burst, rounded down to what the new policy
// can express.
func kept(tokens *big.Rat, to algorithms.Policy) *big.Rat {
	parts := whole(lowest(to))
	return lesser(whole(to.Capacity()), over(new(big.Rat).SetInt(floor(times(tokens, parts))), parts))
}

// used is what is in use of the burst after a change for what was before.
func used(before *big.Rat, from, to algorithms.Policy) *big.Rat {
	return minus(whole(to.Capacity()), kept(minus(whole(from.Capacity()), before), to))
}

// intervalBucket: N tokens at once at every multiple of P of Unix time after instant 0, at which it
// holds initial; what exceeds B is lost. A change comes after the refill of its instant.
func (o *oracle) intervalBucket(past []event) reading {
	p := o.first
	tokens, window := whole(optionOf(p, "initial", p.Capacity())), int64(0)
	refilled := func(at Time) *big.Rat {
		refills := whole(o.slotUnder(p, at, 1) - window)
		return lesser(whole(p.Capacity()), plus(tokens, times(whole(p.Limit.N), refills)))
	}
	for _, e := range past {
		switch {
		case e.to != nil:
			tokens = lesser(whole(e.to.Capacity()), refilled(e.at))
			p, window = *e.to, o.slotUnder(*e.to, e.at, 1)
		case e.accepted:
			tokens, window = minus(refilled(e.at), whole(e.cost)), o.slotUnder(p, e.at, 1)
		}
	}
	return func(at Time) *big.Rat { return minus(whole(p.Capacity()), refilled(at)) }
}

// gcra: T = P/N, TAT unset at first. A request is accepted iff now ≥ max(now, TAT) + c·T − B·T,
// which is (max(now, TAT) − now)/T + c ≤ B. After a change TAT lies as many of the new T ahead as are
// in use.
func (o *oracle) gcra(past []event) reading {
	p := o.first
	var tat *big.Rat
	base := func(at Time) *big.Rat {
		if tat == nil {
			return whole(int64(at))
		}
		return greater(whole(int64(at)), tat)
	}
	ahead := func(at Time) *big.Rat { return times(minus(base(at), whole(int64(at))), rateOf(p)) }
	for _, e := range past {
		switch {
		case e.to != nil:
			tat = plus(whole(int64(e.at)), over(used(ahead(e.at), p, *e.to), rateOf(*e.to)))
			p = *e.to
		case e.accepted:
			tat = plus(base(e.at), over(whole(e.cost), rateOf(p)))
		}
	}
	return ahead
}

// leakyMeter: level 0 at first, N/P less each nanosecond.
func (o *oracle) leakyMeter(past []event) reading {
	p, level, since := o.first, new(big.Rat), Time(0)
	drained := func(at Time) *big.Rat {
		return greater(new(big.Rat), minus(level, times(rateOf(p), whole(int64(at-since)))))
	}
	for _, e := range past {
		switch {
		case e.to != nil:
			level, since, p = used(drained(e.at), p, *e.to), e.at, *e.to
		case e.accepted:
			level, since = plus(drained(e.at), whole(e.cost)), e.at
		}
	}
	return drained
}

// clockWindows: the units counted in the window of Unix time that holds the instant. With count_denied
// a denied request fills up to the limit of its time what is not full.
func (o *oracle) clockWindows(past []event) reading {
	window, count := int64(0), int64(0)
	o.eachCounted(past, func(e event, limit int64) {
		if now := o.slot(e.at, 1); now != window {
			window, count = now, 0
		}
		count = filled(count, e, limit)
	})
	return func(at Time) *big.Rat {
		if o.slot(at, 1) != window {
			return new(big.Rat)
		}
		return whole(count)
	}
}

// windowsFromFirst: a window opens at the first counted request that finds none open, lasts P, and
// is over at exactly its end.
func (o *oracle) windowsFromFirst(past []event) reading {
	open, opened, count := false, Time(0), int64(0)
	ended := func(at Time) bool { return !open || int64(at-opened) >= int64(o.policy.Limit.Per) }
	o.eachCounted(past, func(e event, limit int64) {
		if ended(e.at) {
			open, opened, count = true, e.at, 0
		}
		count = filled(count, e, limit)
	})
	return func(at Time) *big.Rat {
		if ended(at) {
			return new(big.Rat)
		}
		return whole(count)
	}
}

// filled is a count after a counted request.
func filled(count int64, e event, limit int64) int64 {
	if e.accepted {
		return count + e.cost
	}
	return max(count, limit)
}

// eachCounted visits the accepted requests, and with count_denied the denied ones, each with the limit
// of its time.
func (o *oracle) eachCounted(past []event, visit func(e event, limit int64)) {
	p := o.first
	for _, e := range past {
		switch {
		case e.to != nil:
			p = *e.to
		case e.accepted || !e.ended && p.Options["count_denied"] == "true":
			visit(e, p.Limit.N)
		}
	}
}

// slidingLog: the units counted in (now−P, now], a denied request as at most the limit of its time. With
// count_denied a change leaves only the newest that fill the limit until then.
func (o *oracle) slidingLog(past []event) reading {
	var log []event
	p := o.first
	for _, e := range past {
		denials := p.Options["count_denied"] == "true"
		switch {
		case e.to != nil && denials:
			log = newest(log, p.Limit.N)
			p = *e.to
		case e.to != nil:
			p = *e.to
		case e.accepted || !e.ended && denials:
			e.cost = min(e.cost, p.Limit.N)
			log = append(log, e)
		}
	}
	return func(at Time) *big.Rat {
		sum := new(big.Rat)
		for _, e := range log {
			if int64(at-e.at) < int64(o.policy.Limit.Per) {
				sum = plus(sum, whole(e.cost))
			}
		}
		return sum
	}
}

// newest is the shortest end of a log that comes to enough, all of it if nothing does.
func newest(log []event, enough int64) []event {
	for from := len(log) - 1; from >= 0; from-- {
		if enough -= log[from].cost; enough <= 0 {
			return log[from:]
		}
	}
	return log
}

// inFlight: the units of the accepted requests whose service has not ended.
func (o *oracle) inFlight(past []event) reading {
	held := held(past)
	return func(Time) *big.Rat { return whole(held) }
}

// held sums what is in flight. No more comes back than was lent out.
func held(past []event) int64 {
	sum := int64(0)
	for _, e := range past {
		switch {
		case e.ended:
			sum = max(0, sum-e.cost)
		case e.accepted:
			sum += e.cost
		}
	}
	return sum
}

// moved is the limit of adaptive: N at first and after a change; one more at a response in time while
// at least half of it is in use, nine tenths at a late one, never outside min to max.
func (o *oracle) moved(past []event) int64 {
	p := o.first
	limit := p.Limit.N
	for i, e := range past {
		switch inUse := held(past[:i]); {
		case e.to != nil:
			p, limit = *e.to, e.to.Limit.N
		case e.ended && e.late:
			tenths := floor(times(whole(limit), big.NewRat(9, 10))).Int64()
			limit = max(tenths, optionOf(p, "min", 1))
		case e.ended && whole(inUse).Cmp(over(whole(limit), whole(2))) >= 0:
			limit = min(limit+1, optionOf(p, "max", min(10*p.Limit.N, algorithms.MaxUnits)))
		}
	}
	return limit
}

// slidingCounter: prev·(P−e)/P + cur, e being the time since this window of Unix time began; with
// rounding: floor the weighted part is truncated.
func (o *oracle) slidingCounter(past []event) reading {
	inSlots := o.bySlot(past, 1)
	per := big.NewInt(int64(o.policy.Limit.Per))
	return func(at Time) *big.Rat {
		now := o.slot(at, 1)
		elapsed := new(big.Int).Mod(o.sinceEpoch(at), per)
		covered := new(big.Rat).SetFrac(new(big.Int).Sub(per, elapsed), per)
		weighted := times(whole(inSlots(now-1, now-1)), covered)
		if o.policy.Options["rounding"] == "floor" {
			weighted = new(big.Rat).SetInt(floor(weighted))
		}
		return plus(weighted, whole(inSlots(now, now)))
	}
}

// slidingBuckets: the units counted in the slot of Unix time that holds the instant and in the
// slots−1 before it.
func (o *oracle) slidingBuckets(past []event) reading {
	slots := o.slots()
	inSlots := o.bySlot(past, slots)
	return func(at Time) *big.Rat {
		now := o.slot(at, slots)
		return whole(inSlots(now-slots+1, now))
	}
}

// slots is how many a period is cut into: 60 unless it has fewer nanoseconds.
func (o *oracle) slots() int64 {
	return optionOf(o.policy, "slots", min(60, int64(o.policy.Limit.Per)))
}

// bySlot returns a sum of the accepted units in the slots first to last.
func (o *oracle) bySlot(past []event, slots int64) func(first, last int64) int64 {
	counted := accepted(past)
	numbers := make([]int64, len(counted))
	for i, e := range counted {
		numbers[i] = o.slot(e.at, slots)
	}
	return func(first, last int64) int64 {
		sum := int64(0)
		for i, k := range numbers {
			if first <= k && k <= last {
				sum += counted[i].cost
			}
		}
		return sum
	}
}
