package algorithms

import (
	"fmt"
	"math"
	"time"
)

// Time is an instant of a run, in nanoseconds since it began. It is never negative.
type Time int64

// Never is later than every instant: the answer where no instant can be named.
const Never Time = math.MaxInt64

// Verdict is what a limiter decides about one request.
type Verdict uint8

const (
	Admit Verdict = iota // goes ahead now
	Delay                // accepted, goes ahead later
	Deny                 // refused
)

// String returns the verdict in lower case: admit, delay or deny.
func (v Verdict) String() string {
	switch v {
	case Admit:
		return "admit"
	case Delay:
		return "delay"
	case Deny:
		return "deny"
	}
	return fmt.Sprintf("verdict %d", uint8(v))
}

// Accepted reports whether the request goes ahead, now or later.
func (v Verdict) Accepted() bool { return v != Deny }

// Decision is a limiter's answer: two words, so that it travels in registers.
type Decision struct {
	Verdict Verdict

	// Until is the instant at which the request goes ahead (Admit: now; Delay: later). For a Deny
	// it is the earliest instant at which the same request would be accepted if nothing else
	// arrived, rounded up to a whole nanosecond, or Never if it cannot fit at all.
	Until Time
}

// A Limiter is the state of one limit for one key. It is driven by the instants that its caller
// supplies: it reads no clock, takes no lock and starts no goroutine, so it is not safe for
// concurrent use.
//
// Costs are in units and at least 1. An instant earlier than the latest one handed to Decide
// counts as that latest instant: time that goes back never frees anything.
type Limiter interface {
	// When reports the earliest instant, not before now, at which cost would be accepted if
	// nothing else arrived: now itself if it fits, Never if it never will. It changes nothing.
	When(now Time, cost int64) Time

	// Decide answers the request and charges it. Use When to ask without charging.
	Decide(now Time, cost int64) Decision
}

// Milli is a level in thousandths of a unit, rounded so that it never flatters the limiter:
// what is left is rounded down, what is used is rounded up.
type Milli int64

// Gauged is the optional ability of a limiter that has a level worth plotting: the tokens left,
// the backlog, the count. [Spec.Gauge] says what it is a level of.
type Gauged interface {
	// Level reads the level at now and changes nothing.
	Level(now Time) Milli
}

// Windowed is the optional ability of a limiter that forgets at fixed edges.
type Windowed interface {
	// NextEdge reports the first window edge later than now, given what the limiter has seen so
	// far, or Never. It changes nothing.
	NextEdge(now Time) Time
}

// Counting is the optional ability of a limiter that counts requests in a window.
type Counting interface {
	// Since reports the earliest instant at or before now whose requests still count at now. It
	// changes nothing.
	Since(now Time) Time
}

// Holding is the optional ability of a limiter whose admitted requests hold their units until their
// service ends: it must hear of every end.
type Holding interface {
	// Done gives back the units of an admitted request whose service ended at now. late says that
	// the response was late or failed.
	Done(now Time, cost int64, late bool)
}

// Moving is the optional ability of a limiter that moves its own limit.
type Moving interface {
	// Limit is the limit as it stands, in units.
	Limit() int64
}

// Resting is the optional ability to tell that what came before no longer matters. Every limiter of
// this package has it.
type Resting interface {
	// Resting reports that from now on the limiter answers everything as one of the same policies
	// that nobody has asked, so that it can be dropped and made anew when its key comes back. It
	// may be slow to say so, but says so only where it is true.
	Resting(now Time) bool
}

// Remaining reports the largest cost that l would accept at now: 0 if it would accept nothing.
// capacity is the most that a single request may ever cost ([Spec.Capacity]); now must not be earlier
// than the latest instant handed to Decide. It asks When at most 41 times, since what does not fit at
// one cost does not fit at a larger one.
func Remaining(l Limiter, now Time, capacity int64) int64 {
	fits, tooMuch := int64(0), capacity+1
	for tooMuch-fits > 1 {
		mid := fits + (tooMuch-fits)/2
		if l.When(now, mid) <= now {
			fits = mid
		} else {
			tooMuch = mid
		}
	}
	return fits
}

// Limit is a rate limit of N units per period Per. It stays the pair that was written: 100 per
// minute is not 1 per 600 ms to a window.
type Limit struct {
	N   int64         // units, 1 to MaxUnits
	Per time.Duration // 1 ns to MaxPeriod
}

// The accepted range of every policy. All of it works without overflow.
const (
	MaxUnits  int64         = 1_000_000_000_000         // the largest limit, burst and useful cost
	MaxPeriod time.Duration = 10 * 366 * 24 * time.Hour // the longest period: ten years
	MaxSlots  int64         = 10_000                    // the most slots of sliding-buckets
)
