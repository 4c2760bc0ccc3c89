package scenarios

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/sim"
)

func TestParseWant(t *testing.T) {
	for _, c := range []struct {
		text string
		kind MeasureKind
		back string
	}{
		{"200", Count, "200"},
		{"== 200", Count, "200"},
		{"=200", Count, "200"},
		{">=3", Count, ">= 3"},
		{"< 3", Count, "< 3"},
		{"3..5", Count, "3..5"},
		{"3 .. 5", Count, "3..5"},
		{"<= 1.50", Ratio, "<= 1.5"},
		{"0.9..1", Ratio, "0.9..1"},
		{"250ms", Nanos, "250ms"},
		{"1500000", Nanos, "1.5ms"},
		{"> 1m30s", Nanos, "> 1m30s"},
		{"10ms..0.1s", Nanos, "10ms..100ms"},
	} {
		w, reason := parseWant(c.text, c.kind)
		if back := w.Format(c.kind); reason != "" || back != c.back {
			t.Errorf("%q: %q (%s), want %q", c.text, back, reason, c.back)
		}
	}
	for text, hint := range map[string]string{
		"":         "not a number",
		"many":     "write a number, or a comparison in quotes",
		"-3":       "negative",
		"3.5":      "has a fraction",
		"5..3":     "ends before it begins",
		"..3":      "not a number",
		">= ":      "not a number",
		"1e3":      "not a number",
		"!= 3":     "not a number",
		"2ms":      "not a number",
		">= 3, <5": "not a number",
	} {
		if _, reason := parseWant(text, Count); !strings.Contains(reason, hint) {
			t.Errorf("%q: %q, want %q", text, reason, hint)
		}
	}
}

// A comparison of whole numbers is what Go makes of it, and a ratio is met by the quotient that it
// is written for.
func TestWantMet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, low, high := rapid.Int64Range(0, 9).Draw(t, "v"), rapid.Int64Range(0, 9).Draw(t, "low"), rapid.Int64Range(0, 9).Draw(t, "high")
		for op, want := range map[string]bool{"=": v == low, "<": v < low, "<=": v <= low, ">": v > low, ">=": v >= low, "..": low <= v && v <= high} {
			w := Want{Op: op, Low: Decimal{Digits: low}, High: Decimal{Digits: high}}
			if w.Met(Value{Int: v}) != want || w.Met(Value{Ratio: float64(v), kind: Ratio}) != want {
				t.Fatalf("%d %s %d (%d): want %v", v, op, low, high, want)
			}
		}
		n, d := rapid.Int64Range(0, 1e6).Draw(t, "n"), rapid.SampledFrom([]int64{1, 2, 4, 5, 8, 10, 100, 1000}).Draw(t, "d")
		exact := Decimal{Digits: n * (1000 / d), Scale: 3}
		if !(Want{Op: "=", Low: exact}).Met(Value{Ratio: float64(n) / float64(d), kind: Ratio}) {
			t.Fatalf("%d/%d is not %s", n, d, exact)
		}
	})
}

func TestJudge(t *testing.T) {
	results := []*sim.Result{
		{Name: "gcra", Summary: sim.Summary{Admitted: 7, Peak: 9, PeakRatio: 1.5, DelayMax: 2_000_000}},
		{Name: "log", Summary: sim.Summary{Peak: 9, PeakIsLowerBound: true}},
	}
	want := func(text string, kind MeasureKind) Want { w, _ := parseWant(text, kind); return w }
	got := ""
	for _, v := range Judge([]Expectation{
		{"gcra", []Expected{
			{"admitted", want("8", Count)},
			{"admitted", want("7", Count)},
			{"peak_ratio", want("1.5", Ratio)},
			{"delay_max_ns", want("< 2ms", Nanos)},
		}},
		{"log", []Expected{{"peak", want(">= 9", Count)}, {"peak", want("9", Count)}}},
		{"bucket", []Expected{{"admitted", want("1", Count)}}},
	}, results) {
		got += map[bool]string{true: "ok   ", false: "FAIL "}[v.Met] + v.String() + "\n"
	}
	if want := `FAIL gcra: admitted is 7, expected 8
ok   gcra: admitted is 7
ok   gcra: peak_ratio is 1.5
FAIL gcra: delay_max_ns is 2ms, expected < 2ms
ok   log: peak is at least 9
FAIL log: peak is at least 9, expected 9
FAIL bucket: was not run
`; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Each measure reads a field of its own: one that is left at zero, or read twice, would show.
func TestMeasures(t *testing.T) {
	s := &sim.Summary{
		Offered: 1, Admitted: 2, Delayed: 3, Denied: 4, UnitsOffered: 5, UnitsAdmitted: 6, UnitsDelayed: 7, UnitsDenied: 8, Peak: 9,
		PeakRatio: 10, DelayMean: 11, DelayP50: 12, DelayP95: 13, DelayP99: 14, DelayMax: 15, LongestDenials: 16, Fairness: 17, Clients: 18,
		WentOver: 19, DeniedWithRoom: 20,
		System: sim.SystemSummary{
			Degraded: 21, UnitsDegraded: 22, Requests: 23, Succeeded: 24, Cheap: 25, GaveUp: 26, Unfinished: 27, Calls: 28, Amplification: 29, Goodput: 30,
			Lost: 31, TimedOut: 32, Wasted: 33, QueueMax: 34, Utilization: 35,
			Latency: sim.Lengths{P50: 36, P95: 37, P99: 38, Max: 39}, Success: sim.Lengths{P50: 40, P95: 41, P99: 42, Max: 43},
			HonestOffered: 44, HonestDenied: 45, HonestRequests: 46, HonestSucceeded: 47, AbusiveOffered: 48, AbusiveAdmitted: 49, Keys: 50,
			OverAdmitted: 51, OverBound: 52, FailedOpen: 53, FailedClosed: 54,
		},
	}
	for i, m := range Measures() {
		if v := m.Get(s); v.Float() != float64(i+1) {
			t.Errorf("%s is %v, want %d", m.Name, v, i+1)
		}
	}
	if all, plain := len(Measures()), len(MeasuresOf(&sim.Result{})); all != 54 || plain != 20 {
		t.Errorf("%d measures, %d of them of limiters alone", all, plain)
	}
}

// Where nothing bounds a scheme, its bound is no number: nothing that one expects of it holds.
func TestNoBoundMeetsNothing(t *testing.T) {
	unbounded := &sim.Result{Name: "racy", Summary: sim.Summary{System: sim.SystemSummary{OverBound: -1}}}
	for _, text := range []string{"0", ">= 0", "0..5", "< 7"} {
		want, _ := parseWant(text, Count)
		v := Judge([]Expectation{{"racy", []Expected{{"over_bound", want}}}}, []*sim.Result{unbounded})[0]
		if v.Met || v.Got != "none" {
			t.Errorf("%s: met %t, got %s", text, v.Met, v.Got)
		}
	}
	if m, _ := LookupMeasure("over_bound"); m.Get(&unbounded.Summary).String() != "null" {
		t.Errorf("as JSON: %s", m.Get(&unbounded.Summary))
	}
}
