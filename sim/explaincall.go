package sim

import (
	"fmt"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Story is what becomes of one request under one limiter of a plan with a System, in numbers: every
// sending of it, and how it ends.
type Story struct {
	Limiter *Limiter
	System  *System // around the limiter
	Seq     int64
	Request traffic.Request // its At is when the client first wants to send it
	Profile *Profile        // of the client

	// Address and User are clients: the first with the request's address, and the first with its user.
	Address, User uint32

	Sendings []Sending // in order; at most MostSendings of them, the first half and the latest
	Sent     int64     // how many there were

	Ending Ending
	Ended  Time // Never for a request that has not ended
}

// MostSendings is how many sendings a Story tells of at most.
const MostSendings = 1000

// Ending is how a request ends.
type Ending uint8

const (
	Unfinished Ending = iota // the run is over before
	Succeeded                // with a full answer
	Cheap                    // with a cheap answer
	GivenUp                  // its client does not send it again
)

// String is the ending in a word.
func (e Ending) String() string {
	return [...]string{"unfinished", "succeeded", "degraded", "given up"}[e]
}

// Sending is one sending of a request. An instant that does not come is Never.
type Sending struct {
	Attempt int64 // its number, from 1
	Sent    Time

	// Asks are the times at which the limits were asked: once, or again and again where it waits in a
	// line; the first MostAsks−1 of them and the latest. Of several servers they tell nothing. Line
	// is how many calls waited where it came to wait, or was not let; -1 if it did not come to that.
	Asks  []Ask
	Asked int64
	Line  int

	// Of several servers: which one decided, from 0, when it did, and whether without the store.
	// Server is -1 where there is one only.
	Server   int
	ServerAt Time
	Failed   servers.Failure

	// The answer of the limits, and when it was known. Its verdict may be Degraded; its Until is Never
	// where the call waits in a line. Refused is the index into System.Rules of the limit that
	// refused, -1 if none did. Response is what HTTP makes of it.
	Decided  Time
	Decision Decision
	Refused  int
	Response Response

	Ahead         Time // when it went ahead
	Queue         int  // calls that waited for a worker when it came; -1 if it did not have to wait
	Began, Served Time // the service, from and until

	Fate     Fate
	Answered Time // when the client had its answer, or waited no more

	// What the client made of an answer that was no success.
	Told  Time // how long it was told to wait; 0 if it was told nothing
	Again Time // when it means to send the request again
	Hold  Time // a client that paces itself: until when it sends nothing at all; 0 for others

	made uint32 // the call's number in its lane
}

// HTTP is the answer that the client got, and false if it got none or one that no limit gave: 503.
func (c *Sending) HTTP() (Response, bool) {
	return c.Response, c.Fate == FateSucceeded || c.Fate == FateDegraded || c.Fate == FateDenied
}

// MostAsks is how many times of asking a Sending tells of at most.
const MostAsks = 100

// Fate is what comes of a sending.
type Fate uint8

const (
	FatePending   Fate = iota // nothing before the run is over
	FateSucceeded             // a full answer in time
	FateDegraded              // a cheap answer
	FateDenied                // 429
	FateLost                  // 503: the service's queue was full, or what it waited for cannot come
	FateTimedOut              // the client waited no more
)

// String is the fate in a word.
func (f Fate) String() string {
	return [...]string{"pending", "succeeded", "degraded", "denied", "lost", "timed out"}[f]
}

// Ask is the limits being asked at an instant, and what they said together.
type Ask struct {
	At       Time
	Limits   []Asked // those that apply to the request, in the order of the rules
	Decision Decision
	Refused  int // index into System.Rules of the limit that refused; -1 if none did
}

// Asked is one limit being asked.
type Asked struct {
	Rule          int               // index into System.Rules
	Policy        algorithms.Policy // in force at the time
	Capacity      int64             // the most that a single request may cost
	Before, After State
	Until         Time // when it would accept the request, by itself: then or later
}

// Accepts reports whether the limit itself accepts the request.
func (a *Asked) Accepts(at Time) bool { return a.Until <= at }

// ExplainCall tells the story of request number seq under a limiter, by index into the plan's: it runs
// that limiter alone again, up to the end of the request.
func ExplainCall(plan *Plan, limiter int, seq int64) (*Story, error) {
	if plan.System == nil {
		return nil, fmt.Errorf("request %d: is decided by a limiter alone, and has no story", seq)
	}
	request, err := requestOf(plan, seq)
	if err != nil {
		return nil, err
	}
	one := *plan
	one.Limiters = plan.Limiters[limiter : limiter+1]
	run := New(&one, Options{Buckets: 1, Workers: 1, Lean: true})
	f := run.lanes[0].flow
	recorder := newStoryRecorder(f, request, seq)
	f.story = recorder
	if f.cluster != nil {
		f.watch()
	}
	for run.Step() && !recorder.over() {
	}
	if err := run.Err(); err != nil && !recorder.over() {
		return nil, err
	}
	recorder.trim()
	return &recorder.Story, nil
}
