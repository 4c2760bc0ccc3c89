package scenarios

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
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
