package scenarios

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// expected is about how many requests the sources send until the end of a run. For random ones it
// is on the high side, and it counts changes of state with the requests, since they take as long.
func expected(sources []source, end time.Duration) float64 {
	sum := 0.0
	for _, s := range sources {
		if s.exact {
			sum += float64(len(s.rows))
			continue
		}
		for i, p := range s.spec.Parts {
			if s.open && i == len(s.spec.Parts)-1 {
				p.Until = max(p.From, sim.Time(end))
			}
			sum += partRequests(&p, &s.spec.Arrivals)
		}
	}
	return sum
}

func partRequests(p *traffic.Part, a *traffic.Process) float64 {
	length := float64(p.Until - p.From)
	switch {
	case p.Burst > 0:
		return float64(p.Burst)
	case a.Kind == traffic.MMPP:
		fastest, shortest := 0.0, math.Inf(1)
		for i, r := range a.Rates {
			fastest = max(fastest, perNano(r))
			shortest = min(shortest, float64(a.Stay[i]))
		}
		return length * (fastest + 1/shortest)
	case a.Kind == traffic.OnOff:
		// The shortest period of a Pareto distribution is (α−1)/α of its mean.
		alpha := float64(a.AlphaMilli) / 1000
		shortest := float64(a.Active+a.Idle) * (alpha - 1) / alpha
		return length * (perNano(p.Rate) + perNano(p.To) + 2/shortest)
	}
	return length * (perNano(p.Rate) + perNano(p.To)) / 2
}

func perNano(l algorithms.Limit) float64 { return float64(l.N) / float64(max(1, l.Per)) }

// tooOften are the keys by which a run until end does something too often, each with what that is.
func (s *Scenario) tooOften(sources []source, end time.Duration) iter.Seq2[string, string] {
	return func(yield func(path, reason string) bool) {
		if u := s.Load; u != nil && u.Every > 0 && float64(end)/float64(u.Every) > maxLooks &&
			!yield("load.every", fmt.Sprintf("every %s until %s is more than %s looks at the queue, the most there can be", FormatDuration(u.Every), FormatDuration(end), roundFigure(maxLooks))) {
			return
		}
		for i := range s.Traffic {
			if r := s.Traffic[i].Retry; r.storms(expected(sources[i:i+1], end), end) && !yield(join(index("traffic", i), "retry"), storm) {
				return
			}
		}
		for i := range s.Limiters {
			if r := s.Limiters[i].Retry; r.storms(s.retried(sources, end), end) && !yield(join(index("limiters", i), "retry"), storm) {
				return
			}
		}
	}
}

// storm is what is wrong with retries of which too many may come.
const storm = "more than 10,000,000,000 sendings may come of it, the most there can be; give it fewer attempts, longer waits or an earlier give_up"

// retried is about how many requests come from clients that send again.
func (s *Scenario) retried(sources []source, end time.Duration) float64 {
	sum := 0.0
	for i := range s.Traffic {
		if s.Traffic[i].Retry != nil && s.Traffic[i].Retry.Wait != "none" {
			sum += expected(sources[i:i+1], end)
		}
	}
	return sum
}

// storms reports whether more sendings than there may be come of so many requests, if every one
// fails.
func (r *Retry) storms(requests float64, end time.Duration) bool {
	return r != nil && requests*r.sendings(end) > maxSendings
}

// sendings is about how often a request is sent in a run until end, if it fails at once each time.
// Waits that chance shortens are half as long on the average, and those that were told are a second
// at least.
func (r *Retry) sendings(end time.Duration) float64 {
	p := r.compile()
	wait := float64(max(1, p.Wait))
	switch p.Kind {
	case retry.AtOnce, retry.Never:
		return float64(p.Attempts)
	case retry.Exponential:
		wait = float64(max(1, p.Most)) / 2
	case retry.RetryAfter, retry.Pace:
		wait = min(wait, float64(time.Second))
	}
	within := float64(end)
	if p.GiveUp > 0 {
		within = min(within, float64(p.GiveUp))
	}
	const doublings = 64 // of the first wait, at most, until it is the longest
	return min(float64(p.Attempts), within/wait+doublings)
}

func tooMany(n float64) string {
	return fmt.Sprintf("the traffic comes to about %s requests, more than %s, the most there can be", roundFigure(n), roundFigure(maxRequests))
}

// roundFigure writes a large number to three digits: 12,300,000,000.
func roundFigure(n float64) string {
	text := strconv.FormatFloat(n, 'e', 2, 64)
	exact, _ := strconv.ParseFloat(text, 64)
	if exact >= 1e18 {
		return text
	}
	digits := strconv.FormatFloat(exact, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
