package sim

import (
	"fmt"
	"time"
)

// mostUnderWay is how many requests, and how many sendings of them, may be under way at the same
// time in the lanes of a run together: in a queue, being served, on their way to a server, or waiting
// to be sent again. One of them takes about 150 bytes with the events posted for it, twice as much
// while room is made for more. A system whose queue takes all, or whose clients never give up,
// would otherwise take all memory long before its run ends.
const mostUnderWay = 20_000_000

// Crowded is the error of a run that was ended because too much was under way.
type Crowded struct {
	Limiter string
	At      Time // by which they were
	Most    int
}

func (c *Crowded) Error() string {
	return fmt.Sprintf("%q: more requests wait, by %s of the run, than there is room for: %d with all sendings of them; let the run be shorter, or less wait in a queue, for the service, the servers or the next try",
		c.Limiter, time.Duration(c.At), c.Most)
}

// underWay is how many requests and sendings of them are under way in a lane with a System.
func (l *lane) underWay() int { return l.flow.requests.live() + l.flow.calls.live() }

// crowded reports whether more is under way than may be.
func (l *lane) crowded() bool { return l.flow != nil && l.underWay() > l.most }

// Err is why a run with a System ended before its time, nil if it did not: then its results are of no
// use.
func (r *Run) Err() error {
	for _, l := range r.lanes {
		if l.crowded() {
			return &Crowded{l.entry.Name, r.reached, l.most}
		}
	}
	return nil
}
