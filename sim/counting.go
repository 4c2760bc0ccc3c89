package sim

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// counting reports whether a lane only asks its limiter and counts the answers: no event is ever
// queued, nothing is kept of single requests, and no one looks on but for what is denied.
func (l *lane) counting() bool {
	return l.lean && !l.peak && l.flow == nil && l.observer == nil && l.answers.most == 0
}

// count is take for such a lane and arrivals that fall into the present bucket of its grid: it asks
// the same in the same order, and spends half of take's time on what is not asking.
func (l *lane) count(seq int64, block []traffic.Request) {
	var c counts
	for i := range block {
		r := &block[i]
		limiter := l.shared
		if limiter == nil {
			limiter = l.keys.At(r.Client)
		}
		d := limiter.Decide(r.At, r.Cost)
		c.add(d.Verdict, r.Cost)
		switch {
		case d.Verdict == algorithms.Delay:
			l.delays.add(d.Until - r.At)
		case d.Verdict == algorithms.Deny && l.refusals != nil:
			l.refusals.Refused(seq+int64(i), r)
		}
	}
	l.counts.addAll(&c)
	l.grid.countAll(&c)
}
