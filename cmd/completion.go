package cmd

import (
	"bytes"
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/spf13/cobra"
)

// completeScenario completes the names of built-in scenarios, and files.
func completeScenario(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return describedScenarios(), cobra.ShellCompDirectiveDefault
}

func describedScenarios() []string {
	var names []string
	for _, b := range scenarios.Builtins() {
		names = append(names, cobra.CompletionWithDesc(b.Name, b.Title))
	}
	return names
}

// completeRunFlags completes the values of run's flags.
func completeRunFlags(c *cobra.Command) {
	none := cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp)
	for _, name := range []string{"limit", "burst", "seed", "duration", "seeds", "why", "width"} {
		c.RegisterFlagCompletionFunc(name, none)
	}
	c.RegisterFlagCompletionFunc("algorithm", completeAlgorithms)
	c.RegisterFlagCompletionFunc("set", completeOption)
	c.RegisterFlagCompletionFunc("client", completeClient)
}

// completeAlgorithms completes the last name of a list of algorithms, or of the limiters of the
// scenario on the command line.
func completeAlgorithms(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndexByte(word, ',')+1]
	names := describedAlgorithms()
	if s := scenarioOf(args); s != nil && len(s.Limiters) > 0 {
		names = nil
		for _, l := range s.Limiters {
			names = append(names, limiterName(l))
		}
	}
	taken := strings.Split(before, ",")
	var out []string
	for _, name := range names {
		if bare, _, _ := strings.Cut(name, "\t"); !slices.Contains(taken, bare) {
			out = append(out, before+name)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// limiterName is the name of an entry: the algorithm's unless it has one of its own.
func limiterName(l scenarios.Limiter) string {
	if l.Name != "" {
		return l.Name
	}
	return l.Algorithm
}

// completeOption completes OPTION= and, after it, the option's values.
func completeOption(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, s := range algorithms.Specs() {
		for _, o := range s.Options {
			for _, w := range optionWords(o, word) {
				if strings.HasPrefix(w, word) {
					out = append(out, w)
				}
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > 0 && !strings.Contains(word, "=") {
		return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// optionWords are the completions of word that belong to one option.
func optionWords(o algorithms.Option, word string) []string {
	prefix := o.Name + "="
	if !strings.HasPrefix(word, prefix) {
		return []string{cobra.CompletionWithDesc(prefix, o.Meaning)}
	}
	var out []string
	values := o.Choices
	if o.Kind == algorithms.Bool {
		values = []string{"true", "false"}
	}
	for _, v := range values {
		out = append(out, prefix+v)
	}
	return out
}

// completeClient completes the clients that the scenario on the command line names.
func completeClient(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	if s := scenarioOf(args); s != nil {
		for _, source := range s.Traffic {
			if source.Client != "" {
				out = append(out, source.Client)
			}
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// scenarioOf is the scenario that a command line names so far, if it can be read.
func scenarioOf(args []string) *scenarios.Scenario {
	if len(args) == 0 || args[0] == "-" {
		return nil
	}
	loaded, err := scenarios.Load(args[0], &bytes.Reader{})
	if err != nil {
		return nil
	}
	return loaded.Scenario
}
