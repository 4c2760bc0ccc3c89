package cmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// markdown prints the measures as a table, for a README or a pull request.
func (j *job) markdown() ([]*sim.Result, error) {
	results, err := j.simulate(1)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escapeMarkdown(j.title()))
	if limit := limitText(j.plan); limit != "" {
		fmt.Fprintf(&b, "Limit %s over %s.\n\n", limit, scenarios.FormatDuration(duration(j.plan.Duration)))
	}
	if around := draw.NewStyle(draw.Options{}).Around(j.plan); around != nil {
		fmt.Fprintf(&b, "With %s.\n\n", escapeMarkdown(strings.Join(around, "; ")))
	}
	writeMarkdownTable(&b, results, false)
	if results[0].Groups != nil {
		writeMarkdownSystem(&b, results)
	}
	if watch := j.watch(); watch != "" {
		fmt.Fprintf(&b, "\n%s\n", escapeMarkdown(watch))
	}
	_, err = j.out.WriteString(b.String())
	return results, j.out.wrote(err)
}

// writeMarkdownTable has a row for each limiter and a column for each measure that says something, of
// the system around the limiters or of the limiters themselves.
func writeMarkdownTable(b *strings.Builder, results []*sim.Result, system bool) {
	measures := slices.DeleteFunc(telling(results), func(m scenarios.Measure) bool { return m.System != system })
	b.WriteString("| limiter |")
	for _, m := range measures {
		b.WriteString(" " + heading(m) + " |")
	}
	b.WriteString("\n|:---|" + strings.Repeat("---:|", len(measures)) + "\n")
	for _, r := range results {
		b.WriteString("| " + escapeMarkdown(r.Name) + " |")
		for _, m := range measures {
			b.WriteString(" " + shown(m, &r.Summary) + " |")
		}
		b.WriteString("\n")
	}
}

// telling are the measures worth a column: requests and the peak always, units where costs differ
// from 1, and the others where they are not the same nothing for every limiter.
func telling(results []*sim.Result) []scenarios.Measure {
	var out []scenarios.Measure
	for _, m := range scenarios.MeasuresOf(results[0]) {
		tells := false
		for _, r := range results {
			s := &r.Summary
			switch {
			case strings.HasPrefix(m.Name, "units_") && !m.System:
				tells = tells || s.UnitsOffered != s.Offered
			case m.Name == "clients" || m.Name == "fairness":
				tells = tells || s.Clients > 1
			case m.Name == "amplification":
				tells = tells || s.System.Calls != s.System.Requests
			default:
				tells = tells || m.Get(s).Float() != 0 || m.Get(s).None() || basic(m.Name)
			}
		}
		if tells {
			out = append(out, m)
		}
	}
	return out
}

// basic reports whether a measure is always shown.
func basic(name string) bool {
	switch name {
	case "offered", "admitted", "delayed", "denied", "peak", "peak_ratio", "requests", "succeeded":
		return true
	}
	return false
}

// heading is a measure's name as words: "delay p99" for delay_p99_ns.
func heading(m scenarios.Measure) string {
	return strings.ReplaceAll(strings.TrimSuffix(m.Name, "_ns"), "_", " ")
}

// shown is a measure's value for people.
func shown(m scenarios.Measure, s *sim.Summary) string {
	text := valueText(m, m.Get(s))
	if s.PeakIsLowerBound && strings.HasPrefix(m.Name, "peak") {
		return "≥ " + text
	}
	return text
}

// valueText is a value of a measure for people: lengths of time with their unit, ratios to three
// decimals.
func valueText(m scenarios.Measure, v scenarios.Value) string {
	switch {
	case v.None():
		return "none"
	case m.Kind == scenarios.Nanos:
		return scenarios.FormatDuration(duration(sim.Time(v.Int)))
	case m.Kind == scenarios.Ratio:
		return strconv.FormatFloat(v.Ratio, 'f', 3, 64)
	}
	return v.String()
}

// escapeMarkdown makes text harmless in a table's cell and in a heading.
func escapeMarkdown(text string) string {
	text = draw.Clean(strings.Join(strings.Fields(text), " "))
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
