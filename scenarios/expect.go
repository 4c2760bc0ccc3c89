package scenarios

import (
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/sim"
)

// Want is what a measure must be: Low alone under =, <, <=, > or >=, or from Low to High under "..",
// both included.
type Want struct {
	Op        string
	Low, High Decimal // a length of time in nanoseconds
}

const goodWants = `write a number, or a comparison in quotes such as ">= 3", "<= 1.5" or "3..5"`

// parseWant reads what a measure of this kind must be: 200, 1.5, ">= 3", "3..5", and for a length of
// time also 250ms. The reason says what is wrong.
func parseWant(text string, kind MeasureKind) (w Want, reason string) {
	if low, high, ok := strings.Cut(text, ".."); ok {
		if w.Low, reason = parseAmount(strings.TrimSpace(low), kind); reason != "" {
			return w, reason
		}
		if w.High, reason = parseAmount(strings.TrimSpace(high), kind); reason != "" {
			return w, reason
		}
		if w.High.cmp(w.Low) < 0 {
			return w, "ends before it begins; write the smaller number first"
		}
		w.Op = ".."
		return w, ""
	}
	w.Op = "="
	for _, op := range []string{">=", "<=", "==", "=", ">", "<"} {
		if rest, ok := strings.CutPrefix(text, op); ok {
			w.Op, text = strings.TrimPrefix(op, "=="), strings.TrimSpace(rest)
			break
		}
	}
	if w.Op == "" {
		w.Op = "="
	}
	w.Low, reason = parseAmount(text, kind)
	return w, reason
}

func parseAmount(text string, kind MeasureKind) (Decimal, string) {
	d, reason := parseDecimal(text)
	if reason != "" && kind == Nanos {
		length, why := parseDuration(text)
		if why != "" {
			return d, "is neither a number of nanoseconds nor a length of time such as 250ms"
		}
		return Decimal{Digits: int64(length)}, ""
	}
	if reason != "" && strings.HasPrefix(text, "-") {
		return d, "is negative, which no measure ever is"
	}
	if reason != "" {
		return d, reason + "; " + goodWants
	}
	if d.Scale > 0 && kind != Ratio {
		return d, "has a fraction, but this measure is a whole number"
	}
	return d, ""
}

// Format writes the want as a scenario file does, for a measure of this kind.
func (w Want) Format(kind MeasureKind) string {
	amount := func(d Decimal) string {
		if length, whole, fits := d.times(1); kind == Nanos && whole && fits {
			return formatNanos(length)
		}
		return d.String()
	}
	switch w.Op {
	case "..":
		return amount(w.Low) + ".." + amount(w.High)
	case "=":
		return amount(w.Low)
	}
	return w.Op + " " + amount(w.Low)
}

// Met reports whether v is as wanted, exactly: a ratio is compared with the number nearest to what
// was written.
func (w Want) Met(v Value) bool {
	low := compare(v, w.Low)
	switch w.Op {
	case "=":
		return low == 0
	case "<":
		return low < 0
	case "<=":
		return low <= 0
	case ">":
		return low > 0
	case ">=":
		return low >= 0
	default:
		return low >= 0 && compare(v, w.High) <= 0
	}
}

// compare is negative if v is less than d.
func compare(v Value, d Decimal) int {
	if v.kind != Ratio {
		return -d.cmpInt(v.Int)
	}
	f, _ := strconv.ParseFloat(d.String(), 64)
	switch {
	case v.Ratio < f:
		return -1
	case v.Ratio > f:
		return 1
	}
	return 0
}

// Verdict is the judgement of one expected measure.
type Verdict struct {
	Limiter string
	Measure string
	Want    string // as the scenario file writes it
	Got     string // the same way; "" if the limiter was not run
	Met     bool
}

// String is a line such as "gcra: admitted is 7, expected 8".
func (v Verdict) String() string {
	if v.Got == "" {
		return v.Limiter + ": was not run"
	}
	text := v.Limiter + ": " + v.Measure + " is " + v.Got
	if v.Met {
		return text
	}
	return text + ", expected " + v.Want
}

// Judge compares what was expected with the results of a run, in the order of expect. A limiter
// that was not run is not met.
func Judge(expect []Expectation, results []*sim.Result) []Verdict {
	var verdicts []Verdict
	for _, e := range expect {
		var summary *sim.Summary
		for _, r := range results {
			if r.Name == e.Limiter {
				summary = &r.Summary
			}
		}
		for _, x := range e.Measures {
			verdicts = append(verdicts, judge(e.Limiter, x, summary))
		}
	}
	return verdicts
}

func judge(limiter string, x Expected, s *sim.Summary) Verdict {
	v := Verdict{Limiter: limiter, Measure: x.Measure}
	m, ok := LookupMeasure(x.Measure)
	if !ok {
		return v
	}
	v.Want = x.Want.Format(m.Kind)
	if s == nil {
		return v
	}
	got := m.Get(s)
	v.Met = x.Want.Met(got) && !got.None()
	v.Got = got.String()
	switch {
	case got.None():
		v.Got = "none"
	case m.Kind == Nanos:
		v.Got = formatNanos(got.Int)
	}
	if doubt := m.doubt(s); doubt != "" {
		// A lower bound meets only a lower bound.
		v.Met = v.Met && (doubt != "at least" || strings.HasPrefix(x.Want.Op, ">"))
		v.Got = doubt + " " + v.Got
	}
	return v
}
