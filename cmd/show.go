package cmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/spf13/cobra"
)

func (a *app) showCommand() *cobra.Command {
	var l looks
	c := &cobra.Command{
		Use:     "show NAME",
		GroupID: groupRead,
		Short:   "print a scenario's file or explain an algorithm",
		Long: `Prints the file of a built-in scenario as it is, a start for one of your own, or explains an
algorithm: how it works, its options, what it costs and what it lets through at worst.`,
		Example: "  ratesim show sliding-counter\n  ratesim show boundary > mine.yaml",
		Args:    func(_ *cobra.Command, args []string) error { return exactly("scenario or algorithm", args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return describedNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.show(args[0], l) },
	}
	looksFlags(c, &l)
	return c
}

// show prints what the name stands for. No name is both a scenario's and an algorithm's.
func (a *app) show(name string, l looks) error {
	for _, b := range scenarios.Builtins() {
		if b.Name == name {
			return a.print(string(b.Source))
		}
	}
	spec, ok := algorithms.Lookup(name)
	if !ok {
		return unknown("scenario or algorithm", name, slices.Concat(scenarioNames(), algorithmNames()))
	}
	cells, style := a.canvas(l)
	return a.print(page(style, cells, spec))
}

// describedNames are the names that show knows, each with its description for the shell.
func describedNames() []string {
	var names []string
	for _, b := range scenarios.Builtins() {
		names = append(names, cobra.CompletionWithDesc(b.Name, "scenario: "+b.Title))
	}
	return append(names, describedAlgorithms()...)
}

func describedAlgorithms() []string {
	var names []string
	for _, s := range algorithms.Specs() {
		names = append(names, cobra.CompletionWithDesc(s.Name, s.Summary))
	}
	return names
}

// page is what there is to say about an algorithm.
func page(style *draw.Style, cells int, s *algorithms.Spec) string {
	var b strings.Builder
	b.WriteString(style.Paint(draw.Title, s.Name) + "\n")
	b.WriteString(paragraphs(style, s.Summary, cells, 0) + "\n")
	b.WriteString(paragraphs(style, s.Page, cells, 2))
	for _, section := range []struct{ title, text string }{
		{"options", optionTable(style, cells, s)},
		{"what it lets through at worst", paragraphs(style, worst(s), cells, 2)},
		{"what it costs", paragraphs(style, cost(s), cells, 2)},
		{"where its windows begin", paragraphs(style, windows(s), cells, 2)},
	} {
		if strings.TrimSpace(section.text) != "" {
			b.WriteString("\n" + style.Paint(draw.Title, section.title) + "\n" + section.text)
		}
	}
	return b.String()
}

// optionTable lists an algorithm's options, nothing if it has none.
func optionTable(style *draw.Style, cells int, s *algorithms.Spec) string {
	if len(s.Options) == 0 {
		return ""
	}
	rows := [][]string{{"option", "values", "default", "meaning"}}
	for _, o := range s.Options {
		rows = append(rows, []string{o.Name, o.Values(), o.Default, o.Meaning})
	}
	return indent(table(style, cells-2, rows))
}

// indent moves every line by two cells.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// example is the policy that pages reckon with.
func example() algorithms.Policy {
	return algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Minute}, Burst: 20}
}

// worst says the most that goes ahead within one period, as a formula and at the example.
func worst(s *algorithms.Spec) string {
	p := example()
	text := fmt.Sprintf("In any interval as long as the period: %s, for a limit of N", s.Traits.Worst)
	at := "100/m"
	if s.Bursts {
		text += " and a burst of B"
		at = "100/m with burst 20"
	}
	most := s.Worst(p)
	if most < 0 {
		return text + "."
	}
	text += fmt.Sprintf(". At %s: %s within a minute, %.2f times the limit", at, count(most, "unit"), float64(most)/float64(p.Limit.N))
	for _, o := range s.Options {
		for _, choice := range o.Choices {
			p.Options = map[string]string{o.Name: choice}
			if other := s.Worst(p); other != most {
				text += fmt.Sprintf("; with %s: %s, %d", o.Name, choice, other)
			}
		}
	}
	return text + "."
}

// cost says what a key takes in memory, and a decision in time.
func cost(s *algorithms.Spec) string {
	return fmt.Sprintf("Memory for each key: %s.\nTime of a decision: %s.", s.Traits.State, s.Traits.Time)
}

// windows says where the edges of an algorithm lie that has any; nothing otherwise.
func windows(s *algorithms.Spec) string {
	prefix := ""
	if p := example(); !windowed(s, p) {
		o, choice := windowedChoice(s)
		if choice == "" {
			return ""
		}
		prefix = fmt.Sprintf("With %s: %s. ", o, choice)
	}
	return prefix + "They begin at multiples of the period since 1970-01-01T00:00:00Z. So a period of a day begins at midnight UTC, whatever the local time, " +
		"and one of a week on Thursday, because 1 January 1970 was one. A scenario's start says where in its window t = 0 lies."
}

// windowed reports whether the algorithm has edges in time under a policy.
func windowed(s *algorithms.Spec, p algorithms.Policy) bool {
	maker, err := s.Build(p)
	if err != nil {
		return false
	}
	_, ok := maker.New().(algorithms.Windowed)
	return ok
}

// windowedChoice is the first option with a value that gives the algorithm edges.
func windowedChoice(s *algorithms.Spec) (option, choice string) {
	for _, o := range s.Options {
		for _, choice := range o.Choices {
			p := example()
			p.Options = map[string]string{o.Name: choice}
			if windowed(s, p) {
				return o.Name, choice
			}
		}
	}
	return "", ""
}
