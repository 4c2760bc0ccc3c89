package draw

import (
	"fmt"
	"strconv"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Asked says what was asked of every limiter, by a client of that name.
func (s *Style) Asked(e *sim.Explanation, client string) string {
	if client == "" {
		client = "a client without a name"
	}
	return fmt.Sprintf("Request %d, at %s: %s asks for %s.", e.Seq, s.Exact(e.Request.At), s.Text(client), unitsOf(e.Request.Cost))
}

// Answered is the decision in a few words.
func (s *Style) Answered(e *sim.Explanation) string {
	switch e.Decision.Verdict {
	case algorithms.Admit:
		return "admitted"
	case algorithms.Delay:
		return fmt.Sprintf("delayed by %s, to %s", s.Exact(e.Decision.Until-e.Request.At), s.Exact(e.Decision.Until))
	}
	return "denied"
}

// Because says why, a sentence or two each.
func (s *Style) Because(e *sim.Explanation) []string {
	spec := e.Limiter.Spec
	if spec.Gauge.Name == "" {
		return []string{withoutGauge(e)}
	}
	out := []string{held(e)}
	if text := s.counted(e); text != "" {
		out = append(out, text)
	}
	switch e.Decision.Verdict {
	case algorithms.Admit:
		out = append(out, fmt.Sprintf("Just after: %s %s.", spec.Gauge.Name, Decimal(e.After.Level)))
	case algorithms.Delay:
		out = append(out, "It goes ahead when what was accepted before it has drained.")
	}
	return out
}

// withoutGauge says why, of an algorithm that has no level to tell.
func withoutGauge(e *sim.Explanation) string {
	if e.Limiter.Spec.Worst(e.Limiter.Policy) < 0 && e.Decision.Verdict == algorithms.Admit {
		return "It lets everything through, whatever came before."
	}
	return fmt.Sprintf("Just before: %s. The request takes %d.", roomFor(e.Before.Remaining), e.Request.Cost)
}

// held compares what the limiter held with what was needed.
func held(e *sim.Explanation) string {
	text := fmt.Sprintf("Just before: %s %s of %d, %s.", e.Limiter.Spec.Gauge.Name, Decimal(e.Before.Level), e.Capacity, roomFor(e.Before.Remaining))
	if e.Request.Cost > e.Capacity {
		return text + fmt.Sprintf(" The request takes %d, more than is ever let through at once.", e.Request.Cost)
	}
	return text + fmt.Sprintf(" The request takes %d.", e.Request.Cost)
}

func roomFor(units int64) string {
	if units == 0 {
		return "room for nothing"
	}
	return "room for " + unitsOf(units)
}

// counted says which earlier requests a window counted; nothing for what is no window.
func (s *Style) counted(e *sim.Explanation) string {
	if !e.Counts || len(e.Filling) == 0 {
		return ""
	}
	return fmt.Sprintf("From %s on it counts %s.", s.Exact(e.Since), numbersOf(e.Filling))
}

// numbersOf writes rising request numbers: "request 4", "requests 0 to 99", and what does not follow
// each other by its first and last.
func numbersOf(n []int64) string {
	first, last := n[0], n[len(n)-1]
	switch {
	case len(n) == 1:
		return fmt.Sprintf("request %d", first)
	case len(n) == sim.MostFilling:
		return fmt.Sprintf("%d requests or more, up to request %d", len(n), last)
	case last-first == int64(len(n))-1:
		return fmt.Sprintf("requests %d to %d", first, last)
	}
	return fmt.Sprintf("%d requests, the first of them %d and the last %d", len(n), first, last)
}

// Otherwise lists what would have made an accepted request of a denied one, "It would have been
// accepted …". change is the explanation's own.
func (s *Style) Otherwise(e *sim.Explanation, change sim.Change) []string {
	if e.Decision.Verdict != algorithms.Deny {
		return nil
	}
	var ways []string
	if until := e.Decision.Until; until != algorithms.Never {
		ways = append(ways, fmt.Sprintf("at %s, %s later, if nothing else came", s.Exact(until), s.Exact(until-e.Request.At)))
	}
	if room := e.Before.Remaining; room > 0 {
		ways = append(ways, fmt.Sprintf("at a cost of %d instead of %d", room, e.Request.Cost))
	}
	if change.Burst > 0 {
		ways = append(ways, fmt.Sprintf("under a burst of %d instead of %d from the start", change.Burst, e.Capacity))
	}
	if change.Limit > 0 {
		limit := e.Limiter.Policy.Limit
		larger := algorithms.Limit{N: change.Limit, Per: limit.Per}
		ways = append(ways, fmt.Sprintf("under a limit of %s instead of %s from the start", s.Rate(larger), s.Rate(limit)))
	}
	return ways
}

// Rate writes a limit in full, as a scenario file does: 100/m, 1000000/3s.
func (s *Style) Rate(l algorithms.Limit) string {
	return strconv.FormatInt(l.N, 10) + "/" + s.period(l)
}

// VerdictRole is the role of a verdict.
func VerdictRole(v algorithms.Verdict) Role {
	switch v {
	case algorithms.Admit:
		return Admitted
	case algorithms.Delay:
		return Waited
	case sim.Degraded:
		return Cheap
	}
	return Denied
}

// Decimal writes thousandths as a decimal number without closing zeros.
func Decimal(m algorithms.Milli) string {
	return strconv.FormatFloat(float64(m)/1000, 'f', -1, 64)
}

func unitsOf(n int64) string {
	if n == 1 {
		return "1 unit"
	}
	return strconv.FormatInt(n, 10) + " units"
}
