package draw

import (
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Numbers stand on the lanes' right from this width on; in wider columns when there is more room.
const (
	rightFrom = 104
	wideFrom  = 150
)

// rightCells are the widths of the numbers on the lanes' right: admitted, delayed, denied, peak,
// ratio and check, gaps before them included.
func rightCells(cells int) [6]int {
	if cells >= wideFrom {
		return [6]int{11, 11, 11, 13, 9, 3}
	}
	return [6]int{9, 8, 8, 8, 8, 3}
}

func rightWidth(cells int) int {
	sum := 0
	for _, w := range rightCells(cells) {
		sum += w
	}
	return sum
}

// numbers is what stands on the right of a limiter's lane; empty where there is no room.
func (p *Picture) numbers(r *sim.Result) string {
	if p.layout.Right == 0 {
		return ""
	}
	out, columns, widths := "", p.rightColumns(), rightCells(p.layout.Width)
	for i, c := range columns {
		v := c.cell(r)
		out += p.style.Paint(v.role, right(v.text, widths[len(widths)-len(columns)+i]))
	}
	return right(out, p.layout.Right)
}

// rightColumns are the columns of the numbers on the lanes' right.
func (p *Picture) rightColumns() []column { return slices.Concat(p.verdicts(), p.peak().columns) }

// heads are what the numbers on the lanes' right are of, and their headings.
func (p *Picture) heads() (names, heads string) {
	if p.layout.Right == 0 {
		return "", ""
	}
	columns, widths := p.rightColumns(), rightCells(p.layout.Width)
	for i, c := range columns {
		heads += right(c.head, widths[len(widths)-len(columns)+i])
	}
	check := spaces(widths[5])
	peak := right(p.peak().name, widths[3]+widths[4]) + check
	names = right(p.counted(), p.layout.Right-width(peak)) + peak
	return p.style.Paint(Faint, names), p.style.Paint(Faint, right(heads, p.layout.Right))
}

// Summary returns every measure of the run as tables; where the lanes have numbers on their right,
// without those. With a system around the limiters, the tables begin with what became of the requests,
// of all clients and of each kind, and columns of zeros are left out.
func (p *Picture) Summary() []string {
	if len(p.results) == 0 {
		return nil
	}
	var groups []group
	if p.layout.Right == 0 {
		groups = append(groups, group{p.counted(), p.verdicts()}, p.peak())
	}
	groups = append(groups, p.details()...)
	if p.results[0].Summary.System.Requests > 0 {
		return p.tables(p.telling(p.outcome()), p.telling(p.kinds()), p.telling(slices.Concat(p.limits(), p.servers(), groups)))
	}
	return p.tables(groups)
}

// counted is what verdicts are counted of.
func (p *Picture) counted() string {
	if p.anySystem(func(s *sim.SystemSummary) bool { return s.Requests > 0 }) {
		return "calls"
	}
	return "requests"
}

// verdicts are the columns every run has.
func (p *Picture) verdicts() []column {
	return p.decided(
		func(s *sim.Summary) int64 { return s.Admitted },
		func(s *sim.Summary) int64 { return s.Delayed },
		func(s *sim.Summary) int64 { return s.Denied },
		func(s *sim.Summary) int64 { return s.System.Degraded })
}

// decided are columns of what was decided: of waits only where there are some, and of cheap answers
// where nothing is denied for them.
func (p *Picture) decided(admitted, delayed, denied, cheap func(*sim.Summary) int64) []column {
	out := []column{{"admitted", p.count(Admitted, admitted)}}
	if p.any(func(s *sim.Summary) bool { return delayed(s) > 0 }) {
		out = append(out, column{"delayed", p.count(Waited, delayed)})
	}
	if p.degrades() {
		return append(out, column{"cheap", p.count(Cheap, cheap)})
	}
	return append(out, column{"denied", p.count(Denied, denied)})
}

// degrades reports whether what the limits refuse gets a cheap answer, and so nothing is denied.
func (p *Picture) degrades() bool {
	return p.anySystem(func(s *sim.SystemSummary) bool { return s.Degraded > 0 }) && !p.any(func(s *sim.Summary) bool { return s.Denied > 0 })
}

// peak are the most units that went ahead in one period, as a multiple of the limit, and whether
// that kept to the limit.
func (p *Picture) peak() group {
	return group{"peak in " + p.period(), []column{
		{"units", p.peakUnits},
		{"ratio", p.peakRatio},
		{"", p.peakCheck},
	}}
}

// period names the limits' period, where they have one in common.
func (p *Picture) period() string {
	if len(p.results) == 0 || p.differ(func(r *sim.Result) any { return r.Policy.Limit.Per }) {
		return "a period"
	}
	if text := p.style.Exact(sim.Time(p.results[0].Policy.Limit.Per)); width(text) <= 7 {
		return text
	}
	return "a period"
}

func (p *Picture) peakUnits(r *sim.Result) value {
	text := compact(r.Summary.Peak, 9)
	if p.layout.Right > 0 {
		text = compact(r.Summary.Peak, 5)
	}
	if r.Summary.PeakIsLowerBound {
		text = p.style.glyphs.atLeast + text
	}
	return value{text, Plain}
}

func (p *Picture) peakRatio(r *sim.Result) value {
	if r.Spec.Holds {
		return value{p.style.glyphs.none, Faint} // its limit is no rate
	}
	text := p.style.ratio(r.Summary.PeakRatio)
	if over(r) {
		return value{text, Bad}
	}
	return value{text, Plain}
}

func (p *Picture) peakCheck(r *sim.Result) value {
	if r.Spec.Holds {
		return value{"", Plain}
	}
	if over(r) {
		return value{p.style.glyphs.unseen, Bad}
	}
	return value{p.style.glyphs.seen, Good}
}

// over reports whether more than the limit went ahead in some period.
func over(r *sim.Result) bool { return r.Summary.Peak > r.Policy.Limit.N }

// details are the measures that matter only in some runs, each left out where it says nothing.
func (p *Picture) details() []group {
	all := []struct {
		said  func(*sim.Summary) bool
		group group
	}{
		{func(s *sim.Summary) bool { return s.UnitsOffered != s.Offered }, p.units()},
		{func(s *sim.Summary) bool { return s.Delayed > 0 }, p.delays()},
		{func(s *sim.Summary) bool { return s.WentOver > 0 || s.DeniedWithRoom > 0 }, p.disagreement()},
		{func(s *sim.Summary) bool { return s.Denied > 0 }, group{"denied", []column{
			{"in a row", p.inARow}}}},
		{func(s *sim.Summary) bool { return s.Clients > 1 }, group{p.clients(), []column{{"fairness", p.fairness}}}},
	}
	var out []group
	for _, d := range all {
		if p.any(d.said) {
			out = append(out, d.group)
		}
	}
	return out
}

// any reports whether something holds for one of the results.
func (p *Picture) any(holds func(*sim.Summary) bool) bool {
	for _, r := range p.results {
		if holds(&r.Summary) {
			return true
		}
	}
	return false
}

func (p *Picture) units() group {
	return group{"units", p.decided(
		func(s *sim.Summary) int64 { return s.UnitsAdmitted },
		func(s *sim.Summary) int64 { return s.UnitsDelayed },
		func(s *sim.Summary) int64 { return s.UnitsDenied },
		func(s *sim.Summary) int64 { return s.System.UnitsDegraded })}
}

func (p *Picture) delays() group {
	name := "wait of the delayed"
	if p.any(func(s *sim.Summary) bool { return s.DelayRounded }) {
		name += " (rounded up)"
	}
	return group{name, []column{
		{"mean", p.delay(func(s *sim.Summary) sim.Time { return s.DelayMean })},
		{"p50", p.delay(func(s *sim.Summary) sim.Time { return s.DelayP50 })},
		{"p95", p.delay(func(s *sim.Summary) sim.Time { return s.DelayP95 })},
		{"p99", p.delay(func(s *sim.Summary) sim.Time { return s.DelayP99 })},
		{"max", p.delay(func(s *sim.Summary) sim.Time { return s.DelayMax })},
	}}
}

// disagreement counts the requests on which a window of one period that ends at the request would
// have decided otherwise, over what this limiter let through.
func (p *Picture) disagreement() group {
	return group{"an exact window would", []column{
		{"deny", p.rated(p.count(Bad, func(s *sim.Summary) int64 { return s.WentOver }))},
		{"admit", p.rated(p.count(Plain, func(s *sim.Summary) int64 { return s.DeniedWithRoom }))},
	}}
}

// rated leaves a column empty for limiters whose limit is no rate.
func (p *Picture) rated(cell func(*sim.Result) value) func(*sim.Result) value {
	return func(r *sim.Result) value {
		if r.Spec.Holds {
			return value{p.style.glyphs.none, Faint}
		}
		return cell(r)
	}
}

func (p *Picture) clients() string {
	most := int64(0)
	for _, r := range p.results {
		most = max(most, r.Summary.Clients)
	}
	return compact(most, 9) + " clients"
}

// inARow is the longest run of denials, none where all that is refused gets a cheap answer.
func (p *Picture) inARow(r *sim.Result) value {
	if r.Summary.Denied == 0 {
		return value{"0", Faint}
	}
	return p.count(Plain, func(s *sim.Summary) int64 { return s.LongestDenials })(r)
}

func (p *Picture) fairness(r *sim.Result) value {
	return value{p.style.fraction(r.Summary.Fairness), Plain}
}

// count makes a column of counts, in role's colour but for zeros.
func (p *Picture) count(role Role, of func(*sim.Summary) int64) func(*sim.Result) value {
	cells := 15
	if p.layout.Right > 0 {
		cells = rightCells(p.layout.Width)[1] - gap
	}
	return func(r *sim.Result) value {
		n := of(&r.Summary)
		if n == 0 {
			return value{"0", Faint}
		}
		return value{compact(n, cells), role}
	}
}

// delay makes a column of waits, empty for a limiter that delayed nothing.
func (p *Picture) delay(of func(*sim.Summary) sim.Time) func(*sim.Result) value {
	return func(r *sim.Result) value {
		t := of(&r.Summary)
		if r.Summary.Delayed == 0 || t == algorithms.Never {
			return value{p.style.glyphs.none, Faint}
		}
		return value{p.style.Short(t), Plain}
	}
}
