package algorithms_test

import "math/big"

// The definitions of the algorithms as an oracle reads them: each looks at the whole past and tells
// the units in use from then on.

// tokenBucket: B tokens at most, initial at instant 0, N/P more each nanosecond. In use is what is
// missing from B.
func (o *oracle) tokenBucket(past []event) reading {
	burst := whole(o.policy.Capacity())
	tokens, since := whole(o.integer("initial", o.policy.Capacity())), Time(0)
	refilled := func(at Time) *big.Rat {
		return lesser(burst, plus(tokens, times(o.rate(), whole(int64(at-since)))))
	}
	for _, e := range past {
		if e.accepted {
			tokens, since = minus(refilled(e.at), whole(e.cost)), e.at
		}
	}
	return func(at Time) *big.Rat { return minus(burst, refilled(at)) }
}

// intervalBucket: N tokens at once at every multiple of P of Unix time after instant 0, at which it
// holds initial; what exceeds B is lost.
func (o *oracle) intervalBucket(past []event) reading {
	burst := whole(o.policy.Capacity())
	tokens, window := whole(o.integer("initial", o.policy.Capacity())), int64(0)
	refilled := func(at Time) *big.Rat {
		refills := whole(o.slot(at, 1) - window)
		return lesser(burst, plus(tokens, times(whole(o.policy.Limit.N), refills)))
	}
	for _, e := range past {
		if e.accepted {
			tokens, window = minus(refilled(e.at), whole(e.cost)), o.slot(e.at, 1)
		}
	}
	return func(at Time) *big.Rat { return minus(burst, refilled(at)) }
}

// gcra: T = P/N, TAT unset at first. A request is accepted iff now ≥ max(now, TAT) + c·T − B·T,
// which is (max(now, TAT) − now)/T + c ≤ B.
func (o *oracle) gcra(past []event) reading {
	interval := over(whole(1), o.rate())
	var tat *big.Rat
	base := func(at Time) *big.Rat {
		if tat == nil {
			return whole(int64(at))
		}
		return greater(whole(int64(at)), tat)
	}
	for _, e := range past {
		if e.accepted {
			tat = plus(base(e.at), times(whole(e.cost), interval))
		}
	}
	return func(at Time) *big.Rat { return over(minus(base(at), whole(int64(at))), interval) }
}

// leakyMeter: level 0 at first, N/P less each nanosecond.
func (o *oracle) leakyMeter(past []event) reading {
	level, since := new(big.Rat), Time(0)
	drained := func(at Time) *big.Rat {
		return greater(new(big.Rat), minus(level, times(o.rate(), whole(int64(at-since)))))
	}
	for _, e := range past {
		if e.accepted {
			level, since = plus(drained(e.at), whole(e.cost)), e.at
		}
	}
	return drained
}

// clockWindows: the units counted in the window of Unix time that holds the instant.
func (o *oracle) clockWindows(past []event) reading {
	inSlots := o.bySlot(past, 1)
	return func(at Time) *big.Rat {
		now := o.slot(at, 1)
		return whole(inSlots(now, now))
	}
}

// windowsFromFirst: a window opens at the first counted request that finds none open, lasts P, and
// is over at exactly its end.
func (o *oracle) windowsFromFirst(past []event) reading {
	open, opened, count := false, Time(0), int64(0)
	ended := func(at Time) bool { return !open || int64(at-opened) >= int64(o.policy.Limit.Per) }
	for _, e := range o.counted(past) {
		if ended(e.at) {
			open, opened, count = true, e.at, 0
		}
		count += e.cost
	}
	return func(at Time) *big.Rat {
		if ended(at) {
			return new(big.Rat)
		}
		return whole(count)
	}
}

// slidingLog: the units counted in (now−P, now].
func (o *oracle) slidingLog(past []event) reading {
	counted := o.counted(past)
	return func(at Time) *big.Rat {
		sum := int64(0)
		for _, e := range counted {
			if int64(at-e.at) < int64(o.policy.Limit.Per) {
				sum += e.cost
			}
		}
		return whole(sum)
	}
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
func (o *oracle) slots() int64 { return o.integer("slots", min(60, int64(o.policy.Limit.Per))) }

// bySlot returns a sum of the counted units in the slots first to last.
func (o *oracle) bySlot(past []event, slots int64) func(first, last int64) int64 {
	counted := o.counted(past)
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
