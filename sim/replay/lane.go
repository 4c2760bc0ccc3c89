package replay

import (
	"time"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// lane listens to the denials of one limiter.
type lane struct {
	start    int64
	tallies  []tally // by client
	touched  int64
	timeline Timeline
	minute   Minute // the present one
	worst    Minute
	paths    *pairs // nil if requests have no path
	versus   bool   // block is kept
	block    []int64
}

// tally is what is kept of the denials of one client.
type tally struct {
	denied int64
	first  Time // the first denial
}

func newLane(opts Options) *lane {
	l := &lane{start: opts.Start, versus: len(opts.Versus) > 0}
	if opts.Paths {
		l.paths = newPairs(mostPairs)
	}
	return l
}

// Refused implements sim.Refusals.
func (l *lane) Refused(seq int64, r *traffic.Request) {
	l.tallies = reaching(l.tallies, r.Client)
	t := &l.tallies[r.Client]
	if t.denied == 0 {
		t.first = r.At
		l.touched++
	}
	t.denied++
	l.timeline.add(r.At)
	l.inMinute(r.At)
	if l.paths != nil {
		l.paths.add(r.Client, r.Endpoint)
	}
	if l.versus {
		l.block = append(l.block, seq)
	}
}

// Minute is a minute of the wall clock and the requests denied in it.
type Minute struct {
	Unix   int64 // when it begins, in seconds since the epoch
	Denied int64
}

// inMinute counts a denial in its minute.
func (l *lane) inMinute(at Time) {
	unix := (l.start + int64(at)) / int64(time.Minute) * 60
	if unix != l.minute.Unix {
		l.minute = Minute{Unix: unix}
	}
	l.minute.Denied++
	if l.minute.Denied > l.worst.Denied {
		l.worst = l.minute
	}
}

// outcome is what was found out about the limiter with this result.
func (l *lane) outcome(result *sim.Result, o *Outcome) *Limiter {
	return &Limiter{
		Result: result, Touched: l.touched, Worst: l.worst, Timeline: l.timeline.Like(&o.Timeline),
		tallies: l.tallies, paths: l.paths, outcome: o,
	}
}
