package retry

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// Kind is what decides when a client sends a request again.
type Kind uint8

// The package's drawing shows the waits of each.
const (
	Never       Kind = iota // it gives the request up
	AtOnce                  // it sends again in the same instant
	Fixed                   // always the same wait
	Exponential             // each wait twice the one before
	RetryAfter              // as long as it was told
	Pace                    // as long as it was told; and it slows down before it is refused, see [Policy.Hold]
)

// Jitter is what chance makes of an exponential wait.
type Jitter uint8

// The jitters are those of Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
const (
	None         Jitter = iota // the wait itself
	Full                       // anything from 0 to the wait
	Equal                      // half the wait, and anything from 0 to the other half
	Decorrelated               // anything from the first wait to three times the last one
)

// Policy is what a client does after an answer that is no success. Lengths are 0 or more.
type Policy struct {
	Kind     Kind
	Wait     Time   // Fixed: between attempts; Exponential: the first wait; RetryAfter and Pace: when it was told nothing
	Most     Time   // Exponential: the longest wait; 0 for no such bound
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
	Attempts int64 // sendings so far, the first included: whoever sends counts
	First    Time  // when it was first sent
	Waited   Time  // the last wait, which decorrelated jitter draws from; 0 before the first. Next keeps it
}

// Next is when the client sends the request again after an answer at now, and Never and false if it
// gives up. What chance decides comes from draw, which other policies leave alone.
func (p *Policy) Next(now Time, s *State, a Answer, draw *random.Stream) (Time, bool) {
	if p.Kind == Never || s.Attempts >= p.Attempts {
		return algorithms.Never, false
	}
	wait := p.wait(s, a, draw)
	at := later(now, wait)
	if p.GiveUp > 0 && at-s.First > p.GiveUp {
		return algorithms.Never, false
	}
	s.Waited = wait
	return at, true
}

func (p *Policy) wait(s *State, a Answer, draw *random.Stream) Time {
	switch p.Kind {
	case Fixed:
		return p.Wait
	case Exponential:
		return p.backOff(s, draw)
	case RetryAfter, Pace:
		return p.told(a, draw)
	}
	return 0
}

// told is how long a client waits that does as it is told.
func (p *Policy) told(a Answer, draw *random.Stream) Time {
	switch {
	case a.RetryAfter <= 0:
		return p.Wait
	case p.Kind == RetryAfter && p.Spread > 0:
		return later(a.RetryAfter, between(0, p.Spread-1, draw))
	}
	return a.RetryAfter
}

// later is at + length, or the last instant of all where that is beyond it.
func later(at, length Time) Time {
	if length > algorithms.Never-1-at {
		return algorithms.Never - 1
	}
	return at + length
}
