package cmd

import (
	"fmt"
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/spf13/cobra"
)

// The groups of commands in the help.
const (
	groupRun  = "run"
	groupRead = "read"
	groupMore = "more"
)

// root is the command line as a tree of commands.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ratesim COMMAND",
		Short: "simulate and compare rate-limiting algorithms",
		Long: `ratesim puts one stream of requests to every rate-limiting algorithm on a virtual
clock and shows, side by side, what each let through, delayed and refused.`,
		Example: `  ratesim run burst                          a built-in scenario
  ratesim run traffic.yaml --limit 100/m     your own, with another limit
  ratesim replay access.log --limit 60/m     who would have been refused?
  ratesim tui                                lessons, and scenarios to play with
  ratesim list algorithms                    a table that helps to choose`,
		Args:          cobra.ArbitraryArgs,
		RunE:          a.noCommand,
		SilenceErrors: true, // reported in one place
		SilenceUsage:  true,
	}
	root.AddGroup(
		&cobra.Group{ID: groupRun, Title: "Simulate:"},
		&cobra.Group{ID: groupRead, Title: "Look things up:"},
		&cobra.Group{ID: groupMore, Title: "Set up:"},
	)
	root.SetHelpCommandGroupID(groupMore)
	root.SetCompletionCommandGroupID(groupMore)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usage)
	root.AddCommand(a.runCommand(), a.replayCommand(), a.tuneCommand(), a.explainCommand(), a.tuiCommand(), a.verifyCommand(), a.checkCommand(), a.listCommand(), a.showCommand(),
		a.schemaCommand(), a.versionCommand())
	reword(root)
	return root
}

// reword gives the commands that cobra adds descriptions in the manner of the others.
func reword(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short = "help about a command"
		case "completion":
			c.Short = "print a script that completes commands in your shell"
			c.Long = "Prints a script that makes a shell complete commands, flags, scenarios and algorithms.\nThe help of each of these says how to load it."
			c.Example = "  ratesim completion bash --help\n  source <(ratesim completion bash)"
			var shells []string
			for _, shell := range c.Commands() {
				shell.Short = "the script for " + shell.Name()
				shells = append(shells, shell.Name())
			}
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(c *cobra.Command, args []string) error {
				if len(args) == 0 {
					return c.Help()
				}
				return unknown("shell", args[0], shells)
			}
		}
	}
}

// noCommand answers a command line that names no command.
func (a *app) noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	if slices.Contains(scenarioNames(), args[0]) {
		return fmt.Errorf("unknown command %q; it is a scenario: ratesim run %s", args[0], args[0])
	}
	if slices.Contains(algorithmNames(), args[0]) {
		return fmt.Errorf("unknown command %q; it is an algorithm: ratesim show %s", args[0], args[0])
	}
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	return unknown("command", args[0], known)
}

// exactly is the error for too few or too many arguments.
func exactly(what string, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("no %s given; see: ratesim list", what)
	case len(args) > 1:
		return fmt.Errorf("one %s at a time; %q is one too many", what, args[1])
	}
	return nil
}

// nothing is the Args of a command that takes none.
func nothing(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no argument; %q is one too many", c.CommandPath(), args[0])
	}
	return nil
}

func algorithmNames() []string {
	var names []string
	for _, s := range algorithms.Specs() {
		names = append(names, s.Name)
	}
	return names
}

func scenarioNames() []string {
	var names []string
	for _, b := range scenarios.Builtins() {
		names = append(names, b.Name)
	}
	return names
}
