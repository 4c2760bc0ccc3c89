package algorithms_test

import (
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// fault is one mistake that published limiters make, or might.
type fault string

const (
	none             fault = "no fault"
	acceptsOneShort  fault = "accepts one short: tokens > cost"
	acceptsOneMore   fault = "accepts one too many"
	refillsTwice     fault = "refills twice as fast"
	refillsLate      fault = "refills a nanosecond late"
	forgetsFractions fault = "forgets fractions of a token at every call"
	chargesDenied    fault = "a denied request pays"
	untilEarly       fault = "until a nanosecond early"
	untilLate        fault = "until a nanosecond late"
	untilDown        fault = "until rounded down"
	oversizeNamed    fault = "names an instant for what can never fit"
	whenMoves        fault = "When moves the clock"
	levelTakes       fault = "reading the level takes a token"
	backRefills      fault = "goes back in time, then refills the same stretch again"
	deniedNotSeen    fault = "does not see the instants of denied requests"
	wrapsAround      fault = "multiplies without room"
	panics           fault = "divides by the tokens left"
	headOfLine       fault = "once denied, denies all at the same instant"
	levelNegative    fault = "level below zero"
	holdsOneBack     fault = "When keeps the last token to itself"
	unfitsLater      fault = "denies in the first nanosecond of every period"
	shared           fault = "all limiters share their tokens"
	sinceLate        fault = "says that nothing counts which is a period old"
	restsEarly       fault = "rests a nanosecond before it is full"
	restsNever       fault = "never rests"
)

// double is a token bucket for small policies in plain integers, right but for one fault.
type double struct {
	fault         fault
	n, per, burst int64
	tokens        *int64 // in units of 1/P token
	seen          Time
	denied        Time // the last denial
}

// newDoubles makes doubles with that fault.
func newDoubles(f fault, p algorithms.Policy) func() algorithms.Limiter {
	full := p.Capacity() * int64(p.Limit.Per)
	common := full
	return func() algorithms.Limiter {
		own := full
		d := &double{fault: f, n: p.Limit.N, per: int64(p.Limit.Per), burst: p.Capacity(), tokens: &own, denied: -1}
		if f == shared {
			d.tokens = &common
		}
		return d
	}
}

// settle is the tokens at now and now itself unless it went back.
func (d *double) settle(now Time) (int64, Time) {
	if now < d.seen && d.fault != backRefills {
		now = d.seen
	}
	elapsed, n := int64(now-d.seen), d.n
	switch d.fault {
	case refillsTwice:
		n *= 2
	case refillsLate:
		elapsed = max(0, elapsed-1)
	}
	full := d.burst * d.per
	if elapsed > full && d.fault != wrapsAround {
		return full, now
	}
	tokens := min(full, *d.tokens+max(0, elapsed*n))
	if d.fault == wrapsAround {
		tokens = min(full, *d.tokens+elapsed*n)
	}
	if d.fault == forgetsFractions {
		tokens -= tokens % d.per
	}
	return tokens, now
}

// enough is the instant at which tokens reach cost.
func (d *double) enough(now Time, tokens, cost int64) Time {
	wait := d.wait(tokens, cost)
	if wait > lastInstant-now {
		return algorithms.Never
	}
	return now + wait
}

// wait is the ns until tokens reach cost: ceil of what is missing over N.
func (d *double) wait(tokens, cost int64) Time {
	missing := cost*d.per - tokens
	switch d.fault {
	case acceptsOneShort:
		missing++
	case untilDown:
		return Time(max(1, missing/d.n))
	case acceptsOneMore:
		missing -= d.per
	}
	return Time(max(0, (missing+d.n-1)/d.n))
}

// tooLarge says that cost can never fit.
func (d *double) tooLarge(cost int64) bool {
	return cost > d.burst && d.fault != oversizeNamed && d.fault != acceptsOneMore || cost > 2*d.burst
}

func (d *double) When(now Time, cost int64) Time {
	tokens, now := d.settle(now)
	if d.fault == whenMoves {
		*d.tokens, d.seen = tokens, now
	}
	if d.fault == panics && tokens/d.per == 0 {
		cost /= tokens / d.per
	}
	switch {
	case d.tooLarge(cost):
		return algorithms.Never
	case d.fault == holdsOneBack && cost*d.per+d.per > tokens && cost < d.burst:
		return max(later(now, 1), d.enough(now, tokens, cost+1))
	case d.fault == unfitsLater && int64(now)%d.per == 0:
		return max(later(now, 1), d.enough(now, tokens, cost))
	}
	return d.enough(now, tokens, cost)
}

func (d *double) Decide(now Time, cost int64) algorithms.Decision {
	tokens, now := d.settle(now)
	when := d.When(now, cost)
	if d.fault == holdsOneBack && !d.tooLarge(cost) {
		when = d.enough(now, tokens, cost)
	}
	if d.fault == headOfLine && d.denied == now {
		when = max(when, now+1)
	}
	if when > now {
		return d.deny(tokens, now, cost, when)
	}
	*d.tokens, d.seen = tokens-cost*d.per, now
	return algorithms.Decision{Verdict: algorithms.Admit, Until: now}
}

// deny is the denied half of Decide.
func (d *double) deny(tokens int64, now Time, cost int64, when Time) algorithms.Decision {
	if d.fault != deniedNotSeen {
		*d.tokens, d.seen = tokens, now
	}
	if d.fault == chargesDenied {
		*d.tokens = max(0, tokens-cost*d.per)
	}
	d.denied = now
	switch {
	case d.fault == untilEarly && when != algorithms.Never:
		when--
	case d.fault == untilLate && when != algorithms.Never:
		when++
	}
	return algorithms.Decision{Verdict: algorithms.Deny, Until: when}
}

// Level is the tokens left.
func (d *double) Level(now Time) algorithms.Milli {
	tokens, _ := d.settle(now)
	switch {
	case d.fault == levelTakes && *d.tokens >= d.per:
		*d.tokens -= d.per
	case d.fault == levelNegative:
		tokens -= d.per
	}
	return algorithms.Milli(tokens * 1000 / d.per)
}

// Since is 0: a bucket never quite forgets.
func (d *double) Since(now Time) Time {
	if d.fault == sinceLate {
		return max(0, now-Time(d.per))
	}
	return 0
}

// Resting tells that the bucket is full.
func (d *double) Resting(now Time) bool {
	tokens, at := d.settle(now)
	switch d.fault {
	case restsNever:
		return false
	case restsEarly:
		tokens += d.n
	}
	return at == now && tokens >= d.burst*d.per
}

// TestPropertiesCatch puts each fault to the property that must catch it, and no fault to all.
func TestPropertiesCatch(t *testing.T) {
	agrees := property{"agrees with the oracle", func(s subject, past []request) error {
		return sameAnswers(s, past, newOracle("token-bucket", s.policy), s.make())
	}}
	faults := map[string][]fault{
		"exactly enough is accepted":                 {acceptsOneShort, acceptsOneMore},
		"a denied request changes nothing":           {forgetsFractions, chargesDenied},
		"until is exact":                             {untilEarly, untilLate, untilDown, oversizeNamed},
		"reading changes nothing":                    {whenMoves, levelTakes},
		"time that goes back frees nothing":          {backRefills, deniedNotSeen},
		"the whole range works":                      {wrapsAround, panics},
		"equal instants are decided in order":        {headOfLine},
		"remaining is the largest cost accepted":     {levelNegative, holdsOneBack},
		"what fits stays fitting":                    {unfitsLater},
		"a limiter made late is like one made early": {shared},
		"no period sees more than the worst case":    {acceptsOneMore, refillsTwice},
		"what came before since does not count":      {sinceLate},
		"one at rest is like a new one":              {restsEarly},
		"what is not asked comes to rest":            {restsNever},
		agrees.name:                                  {acceptsOneShort, refillsLate, refillsTwice, forgetsFractions},
	}
	for _, p := range append(properties(), agrees) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if len(faults[p.name]) == 0 {
				t.Error("no fault is put to it")
			}
			if err := firstFault(p, none); err != nil {
				t.Errorf("found fault with a right limiter: %v", err)
			}
			for _, f := range faults[p.name] {
				if firstFault(p, f) == nil {
					t.Errorf("does not catch a limiter that %s", f)
				}
			}
		})
	}
}

// firstFault puts the same few hundred scripts to a double and returns what the property finds.
func firstFault(p property, f fault) error {
	policy := algorithms.Policy{Limit: algorithms.Limit{N: 3, Per: 10 * time.Nanosecond}, Burst: 4}
	s := subject{
		name: string(f), policy: policy, capacity: 4, worst: 4 + 3 - 1,
		gauge: algorithms.Gauge{Name: "tokens left", RestsFull: true}, make: newDoubles(f, policy),
	}
	right := s
	right.make = newDoubles(none, policy)
	draw := drawSteps(25)
	for seed := range 400 {
		if err := p.check(s, right.script(draw.Example(seed))); err != nil {
			return err
		}
	}
	return nil
}

// stack is a shaper that lets the newest go first: what would wait longest of its queue of 40 units
// at 10 ns each waits shortest.
type stack struct{ algorithms.Limiter }

func (s stack) Decide(now Time, cost int64) algorithms.Decision {
	d := s.Limiter.Decide(now, cost)
	if d.Verdict == algorithms.Delay {
		d.Until = now + 400 - (d.Until - now)
	}
	return d
}

// TestOrderCatchesStack: order also means that what waits does not overtake.
func TestOrderCatchesStack(t *testing.T) {
	policy := algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: 10}, Burst: 40}
	s := subject{name: "stack", policy: policy, capacity: 40, worst: 40, make: func() algorithms.Limiter {
		return stack{newOracle("leaky-bucket", policy)}
	}}
	if err := orderOfArrival(s, []request{{0, 1}}); err == nil {
		t.Error("not caught")
	}
}
