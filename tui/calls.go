package tui

import (
	"sort"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// calls are what one limiter decides, in order of time: the requests of the run where limiters stand
// alone, and with a system around them the limiter's own calls, which differ from those of others once
// something is sent again. The playhead stands on calls of the selected limiter.
type calls struct {
	at       []sim.Time // when each is decided; with a system some may be once the run is over
	client   []uint32
	duration sim.Time
}

// calls are those of a limiter.
func (s *scene) calls(limiter int) calls {
	if own := s.own(limiter); own != nil {
		return calls{own.At, own.Client, s.plan.Duration}
	}
	return calls{s.steps.At, s.steps.Client, s.plan.Duration}
}

// own are the calls of a limiter with a system around it; nil for one alone.
func (s *scene) own(limiter int) *sim.Columns {
	if limiter >= len(s.steps.Lanes) {
		return nil
	}
	return s.steps.Lanes[limiter].Own
}

// calls are those of the selected limiter.
func (m *Model) calls() calls { return m.scene.calls(m.selected) }

func (c calls) len() int { return len(c.at) }

// index is the number of the first call at t or later.
func (c calls) index(t sim.Time) int {
	return sort.Search(len(c.at), func(i int) bool { return c.at[i] >= t })
}

// indexes are the numbers of the first calls from some instants on.
func (c calls) indexes(starts []sim.Time) []int {
	out := make([]int, len(starts))
	for i, start := range starts {
		out[i] = c.index(start)
	}
	return out
}

// on is the playhead on call number seq: before the first at the start, after the last at the end.
func (c calls) on(seq int) head {
	switch {
	case seq < 0:
		return head{0, -1}
	case seq >= len(c.at):
		return head{c.duration, len(c.at) - 1}
	}
	return head{min(c.at[seq], c.duration), seq}
}

// upTo is the playhead at t, with all that has happened at t behind it. At the end of the run that is
// everything.
func (c calls) upTo(t sim.Time) head {
	t = min(max(t, 0), c.duration)
	if t == c.duration {
		return head{t, len(c.at) - 1}
	}
	return head{t, c.index(t+1) - 1}
}

// justBefore is the playhead at t, with nothing that happens at t behind it.
func (c calls) justBefore(t sim.Time) head {
	t = min(max(t, 0), c.duration)
	return head{t, c.index(t) - 1}
}

// between reports whether the playhead has moved on since the last call.
func (c calls) between(h head) bool { return h.seq < 0 || h.at > c.at[h.seq] }

// again is the playhead in calls of another run: on the call of the same number if that comes at the
// same instant.
func (c calls) again(h head) head {
	if h.at > c.duration {
		return c.upTo(h.at)
	}
	n := len(c.at)
	before := h.seq < 0 || h.seq < n && c.at[h.seq] <= h.at
	after := h.seq+1 >= n || c.at[h.seq+1] >= h.at
	if before && after {
		return head{h.at, min(h.seq, n-1)}
	}
	return c.upTo(h.at)
}

// translated is the playhead on one limiter's calls as it stands in those of another at the same
// instant: on the same sending of the same request, if that is decided then, and else behind all that
// happens then.
func (s *scene) translated(from, to int, h head) head {
	a, b := s.own(from), s.own(to)
	if from == to || a == nil || b == nil {
		return h
	}
	out := s.calls(to)
	if h.seq < 0 && h.at == 0 {
		return out.on(-1)
	}
	if s.calls(from).between(h) {
		return out.upTo(h.at)
	}
	for i := out.index(h.at); i < len(b.At) && b.At[i] == a.At[h.seq]; i++ {
		if b.Seq[i] == a.Seq[h.seq] && b.Attempt[i] == a.Attempt[h.seq] {
			return head{h.at, i}
		}
	}
	return out.upTo(h.at)
}

// headOf is where the playhead stands among the calls of a limiter.
func (m *Model) headOf(limiter int) head { return m.scene.translated(m.selected, limiter, m.head) }

// decided is how many calls of a limiter have been decided so far, kept one by one or not.
func (s *scene) decided(limiter int) int64 {
	own := s.own(limiter)
	switch {
	case own == nil:
		return s.total
	case s.results != nil:
		return s.results[limiter].Summary.Offered
	}
	return int64(len(own.At))
}

// whole reports whether every call of a limiter so far is kept.
func (s *scene) whole(limiter int) bool { return int64(s.calls(limiter).len()) == s.decided(limiter) }

// kept reports whether all calls of a limiter before t are kept one by one.
func (s *scene) kept(limiter int, t sim.Time) bool {
	c := s.calls(limiter)
	return s.whole(limiter) || c.len() > 0 && t <= c.at[c.len()-1]
}

// kept reports whether all calls of the selected limiter before t are kept one by one.
func (m *Model) kept(t sim.Time) bool { return m.scene.kept(m.selected, t) }

// refuses reports whether a verdict is no full yes, nor the promise of one.
func refuses(v algorithms.Verdict) bool { return v == algorithms.Deny || v == sim.Degraded }

// nextRefused is the number of a limiter's first refused call from number n on, or -1. A cheap answer
// is a refusal.
func (s *scene) nextRefused(limiter, n int) int {
	lane := &s.steps.Lanes[limiter]
	if !s.degrades(limiter) {
		return lane.NextDenied(n)
	}
	for n = max(n, 0); n < len(lane.Verdicts); n++ {
		if refuses(lane.Verdicts[n]) {
			return n
		}
	}
	return -1
}

// lastRefused is the number of the last one up to number n, or -1.
func (s *scene) lastRefused(limiter, n int) int {
	lane := &s.steps.Lanes[limiter]
	if !s.degrades(limiter) {
		return lane.LastDenied(n)
	}
	for n = min(n, len(lane.Verdicts)-1); n >= 0; n-- {
		if refuses(lane.Verdicts[n]) {
			return n
		}
	}
	return -1
}

// degrades reports whether what a limiter refuses gets a cheap answer.
func (s *scene) degrades(limiter int) bool {
	around := s.plan.Around(&s.plan.Limiters[limiter])
	return around != nil && around.OnLimit == sim.Degrade
}
