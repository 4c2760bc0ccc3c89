package scenarios

import (
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/sim"
)

// MeasureKind says what a measure counts.
type MeasureKind uint8

const (
	Count MeasureKind = iota // requests, units or clients
	Nanos                    // a length of time in nanoseconds
	Ratio                    // a number without a unit
)

// Measure is one measure of a run, as the summaries of JSON and CSV, the expect blocks of scenario
// files and their schema name it.
type Measure struct {
	Name    string
	Kind    MeasureKind
	Meaning string // one line
	System  bool   // it says something of runs with a system around the limiters alone
	Get     func(*sim.Summary) Value
}

// Value is the value of a measure: a whole number, or a fraction for a Ratio.
type Value struct {
	Int   int64
	Ratio float64
	kind  MeasureKind
	none  bool // there is no such number
}

// None reports whether there is no such number, as of a bound where there is none. It meets no
// expectation.
func (v Value) None() bool { return v.none }

// String writes the value as JSON does.
func (v Value) String() string {
	if v.none {
		return "null"
	}
	if v.kind == Ratio {
		return strconv.FormatFloat(v.Ratio, 'g', -1, 64)
	}
	return strconv.FormatInt(v.Int, 10)
}

// Float is the value as a floating-point number, for medians and the like.
func (v Value) Float() float64 {
	if v.kind == Ratio {
		return v.Ratio
	}
	return float64(v.Int)
}

// Measures returns every measure in the order in which they are shown. Those of systems come last.
func Measures() []Measure { return append(limiterMeasures(), systemMeasures()...) }

// limiterMeasures are those that every run has. Of a run with a system, requests are calls here: every
// sending of a request.
func limiterMeasures() []Measure {
	return []Measure{
		count("offered", "requests that arrived: admitted + delayed + denied", func(s *sim.Summary) int64 { return s.Offered }),
		count("admitted", "requests that went ahead at once", func(s *sim.Summary) int64 { return s.Admitted }),
		count("delayed", "requests that went ahead later", func(s *sim.Summary) int64 { return s.Delayed }),
		count("denied", "requests that were refused", func(s *sim.Summary) int64 { return s.Denied }),
		count("units_offered", "units that arrived", func(s *sim.Summary) int64 { return s.UnitsOffered }),
		count("units_admitted", "units that went ahead at once", func(s *sim.Summary) int64 { return s.UnitsAdmitted }),
		count("units_delayed", "units that went ahead later", func(s *sim.Summary) int64 { return s.UnitsDelayed }),
		count("units_denied", "units that were refused", func(s *sim.Summary) int64 { return s.UnitsDenied }),
		count("peak", "most units of one key that went ahead within any one period of the limit", func(s *sim.Summary) int64 { return s.Peak }),
		ratio("peak_ratio", "the peak as a multiple of the limit", func(s *sim.Summary) float64 { return s.PeakRatio }),
		nanos("delay_mean_ns", "mean delay of the delayed requests", func(s *sim.Summary) sim.Time { return s.DelayMean }),
		nanos("delay_p50_ns", "median delay of the delayed requests", func(s *sim.Summary) sim.Time { return s.DelayP50 }),
		nanos("delay_p95_ns", "delay that 95 % of the delayed requests did not exceed", func(s *sim.Summary) sim.Time { return s.DelayP95 }),
		nanos("delay_p99_ns", "delay that 99 % of the delayed requests did not exceed", func(s *sim.Summary) sim.Time { return s.DelayP99 }),
		nanos("delay_max_ns", "longest delay", func(s *sim.Summary) sim.Time { return s.DelayMax }),
		count("longest_denials", "longest run of denials of one client", func(s *sim.Summary) int64 { return s.LongestDenials }),
		ratio("fairness", "Jain's index over the clients' units gone ahead; 1 when all are equal", func(s *sim.Summary) float64 { return s.Fairness }),
		count("clients", "clients that sent at least one request", func(s *sim.Summary) int64 { return s.Clients }),
		count("went_over", "requests that went ahead though they made more than the limit in the period before", func(s *sim.Summary) int64 { return s.WentOver }),
		count("denied_with_room", "requests refused though the period before had room for them", func(s *sim.Summary) int64 { return s.DeniedWithRoom }),
	}
}

func count(name, meaning string, get func(*sim.Summary) int64) Measure {
	return Measure{Name: name, Kind: Count, Meaning: meaning, Get: func(s *sim.Summary) Value { return Value{Int: get(s), kind: Count} }}
}

func nanos(name, meaning string, get func(*sim.Summary) sim.Time) Measure {
	return Measure{Name: name, Kind: Nanos, Meaning: meaning, Get: func(s *sim.Summary) Value { return Value{Int: int64(get(s)), kind: Nanos} }}
}

func ratio(name, meaning string, get func(*sim.Summary) float64) Measure {
	return Measure{Name: name, Kind: Ratio, Meaning: meaning, Get: func(s *sim.Summary) Value { return Value{Ratio: get(s), kind: Ratio} }}
}

// LookupMeasure finds a measure by name.
func LookupMeasure(name string) (Measure, bool) {
	for _, m := range Measures() {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}

func measureNames() []string {
	var names []string
	for _, m := range Measures() {
		names = append(names, m.Name)
	}
	return names
}

// doubt says why the value in s is not the whole truth: the memory for an exact one ran out.
func (m Measure) doubt(s *sim.Summary) string {
	switch {
	case (m.Name == "peak" || m.Name == "peak_ratio") && s.PeakIsLowerBound:
		return "at least"
	case strings.HasPrefix(m.Name, "delay_") && m.Name != "delay_mean_ns" && s.DelayRounded,
		strings.HasPrefix(m.Name, "latency_") && s.System.Latency.Rounded,
		strings.HasPrefix(m.Name, "success_") && s.System.Success.Rounded:
		return "about"
	}
	return ""
}
