package retry

import "github.com/b6db88e4/ratesim/sim/random"

// Kind is when a client sends a request again.
type Kind uint8

// The kinds, from the most modest to the one that heeds most.
const (
	Never       Kind = iota // it gives up at once
	AtOnce                  // it sends again in the same instant
	Fixed                   // always the same wait
	Exponential             // each wait twice the one before
	RetryAfter              // as long as it was told
	Pace                    // as long as it was told, and it holds back before it is refused: see [Policy.Hold]
)

// Jitter is what chance does to exponential waits.
type Jitter uint8

// The jitters of "Exponential Backoff And Jitter" (Marc Brooker, AWS Architecture Blog, 2015).
const (
	None         Jitter = iota // the wait itself
	Full                       // anything from 0 to it
	Equal                      // half of it, and anything from 0 to the other half
	Decorrelated               // anything from the first wait to three times the last one
)

// Policy is what a client does after an answer that is no success.
type Policy struct {
	Kind     Kind
	Wait     Time   // Fixed: between attempts; Exponential: the first wait (base); RetryAfter and Pace: when it was told nothing
	Most     Time   // Exponential: the longest wait (cap); 0 for none
	Jitter   Jitter // Exponential
	Spread   Time   // RetryAfter: a uniform draw from [0, Spread) is added to what it was told
	Attempts int64  // sendings of one request at most, the first included; at least 1
	GiveUp   Time   // no attempt later than this after the first; 0 for no such bound
}

// Answer is what a client reads from an answer that is no success.
type Answer struct {
	RetryAfter Time // how long it was told to wait, whole seconds; 0 if it was told nothing
}

// State is what a client remembers of one request.
type State struct {
	Attempts int64 // sendings so far, the first included
	First    Time  // when it was first sent
	Waited   Time  // the last wait, which decorrelated jitter draws from; 0 before the first
}

// Sent is the state of a request that is sent for the first time.
func Sent(at Time) State { return State{Attempts: 1, First: at} }

// Next is when the client sends the request again after an answer at now, and false if it gives up.
// The attempt that it grants is counted in s; if it gives up, s stays as it was.
func (p *Policy) Next(now Time, s *State, a Answer, draw *random.Stream) (Time, bool) {
	return 0, false
}

// Hold reports until when a pacing client sends nothing after an answer with these headers: remaining
// units, seconds until there is more, and seconds until there is all. For other clients that is now.
func (p *Policy) Hold(now Time, remaining, moreSeconds, resetSeconds int64) Time {
	return now
}
