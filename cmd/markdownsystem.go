package cmd

import (
	"fmt"
	"strings"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// writeMarkdownSystem writes what became of requests around the limiters: all together, by kind of
// client, and by limit, the last two where there are several.
func writeMarkdownSystem(b *strings.Builder, results []*sim.Result) {
	b.WriteString("\nWhat became of the requests, each of which is sent once or more:\n\n")
	writeMarkdownTable(b, results, true)
	if len(results[0].Groups) > 1 {
		b.WriteString("\nBy kind of client:\n\n")
		writeMarkdownGroups(b, results)
	}
	if len(results[0].Rules) > 1 {
		b.WriteString("\nCalls that each limit refused:\n\n")
		writeMarkdownRules(b, results)
	}
}

// writeMarkdownGroups has a row for each limiter and kind of client.
func writeMarkdownGroups(b *strings.Builder, results []*sim.Result) {
	b.WriteString("| limiter | clients | requests | succeeded | cheap | given up | unfinished | calls | denied | degraded | lost | timed out | success p50 | success p95 |\n")
	b.WriteString("|:---|:---|" + strings.Repeat("---:|", 12) + "\n")
	for _, r := range results {
		for _, g := range r.Groups {
			name := escapeMarkdown(g.Profile.Name)
			if g.Profile.Abusive {
				name += " (abusive)"
			}
			fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %s | %s |\n", escapeMarkdown(r.Name), name,
				g.Requests, g.Succeeded, g.Cheap, g.GaveUp, g.Waiting, g.Offered, g.Denied, g.Degraded, g.Lost, g.TimedOut,
				scenarios.FormatDuration(duration(g.Success.P50)), scenarios.FormatDuration(duration(g.Success.P95)))
		}
	}
}

// writeMarkdownRules has a row for each limiter and a column for each limit.
func writeMarkdownRules(b *strings.Builder, results []*sim.Result) {
	b.WriteString("| limiter |")
	for _, rule := range results[0].Rules {
		b.WriteString(" " + escapeMarkdown(rule.Name) + " |")
	}
	b.WriteString("\n|:---|" + strings.Repeat("---:|", len(results[0].Rules)) + "\n")
	for _, r := range results {
		b.WriteString("| " + escapeMarkdown(r.Name) + " |")
		for _, rule := range r.Rules {
			fmt.Fprintf(b, " %d |", rule.Denied)
		}
		b.WriteString("\n")
	}
}
