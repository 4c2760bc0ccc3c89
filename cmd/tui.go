package cmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/tui"
	"github.com/spf13/cobra"
)

func (a *app) tuiCommand() *cobra.Command {
	f := &runFlags{limit: rateFlag(), burst: wholeFlag("N", 1, algorithms.MaxUnits), seed: seedFlag(), duration: durationFlag()}
	mouse := false
	c := &cobra.Command{
		Use:     "tui [SCENARIO]",
		GroupID: groupRun,
		Short:   "play a scenario back, change it, take a lesson",
		Long: `Opens a scenario in the interactive program: every algorithm on one time axis with a playhead
through them. Play, step from request to request, have each decision explained, zoom, change
limits and traffic and see what becomes different.

Without a scenario it opens the list of lessons and built-in scenarios. ? shows all keys.`,
		Example: `  ratesim tui                      pick a lesson or a scenario
  ratesim tui boundary             a built-in scenario
  ratesim tui traffic.yaml         a file
  ratesim run boundary -i          the same, with the flags of run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly("scenario", args)
			}
			return nil
		},
		ValidArgsFunction: completeScenario,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.interact(c.Context(), "", f, mouse)
			}
			return a.interact(c.Context(), args[0], f, mouse)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.registerPlan(c)
	flags.BoolVar(&mouse, "mouse", false, "understand clicks and the wheel, instead of leaving them to the terminal")
	lookFlags(c, &f.looks)
	completeRunFlags(c) // those of its flags that this command has
	return c
}

// interact opens the interactive program: of a scenario, or the page on which one is picked.
func (a *app) interact(ctx context.Context, scenario string, f *runFlags, mouse bool) error {
	stdin := a.in
	close, err := a.keysFromTerminal(scenario == "-", "scenario", "ratesim show boundary | ratesim tui -", "ratesim run -")
	if err != nil {
		return err
	}
	defer close()
	if err := a.needsTerminal("ratesim run " + named(scenario)); err != nil {
		return err
	}
	if scenario == "" {
		return a.interactWith(ctx, nil, f, mouse)
	}
	keys := a.in
	a.in = stdin
	loaded, _, err := a.load(scenario, f)
	a.in = keys
	if err != nil {
		return err
	}
	return a.interactWith(ctx, loaded, f, mouse)
}

// interactWith opens the interactive program with a scenario that has been loaded, nil for none.
func (a *app) interactWith(ctx context.Context, loaded *scenarios.Loaded, f *runFlags, mouse bool) error {
	opts := tui.Options{Style: a.style(f.looks, true), Client: f.client, Mouse: mouse, Output: a.out}
	model := tui.New(opts)
	if loaded != nil {
		var err error
		if model, err = tui.NewScenario(opts, loaded, f.overrides()); err != nil {
			return err
		}
	}
	err := tui.Run(ctx, model, a.in, a.out)
	if errors.Is(err, context.Canceled) {
		return err
	}
	return failed(err)
}

// needsTerminal is the error where there is no terminal to be interactive on. It points to a command
// that prints instead.
func (a *app) needsTerminal(instead string) error {
	missing := ""
	switch {
	case !isTerminal(a.in):
		missing = "standard input is none"
	case !isTerminal(a.out):
		missing = "standard output is none"
	case a.getenv("TERM") == "dumb":
		missing = "this one cannot move its cursor (TERM=dumb)"
	default:
		return nil
	}
	return fmt.Errorf("the interactive program needs a terminal, and %s; to print instead: %s", missing, instead)
}

// named is a scenario as it may be written in a command line, or what stands for it.
func named(scenario string) string {
	if scenario == "" || scenario == "-" {
		return "SCENARIO"
	}
	return scenario
}

// checkInteractive finds flags of run that do not go with -i.
func (f *runFlags) checkInteractive(c *cobra.Command) error {
	if f.store.url != "" {
		return errors.New("--interactive and --store do not go together: one goes back and forth in a run, and a store only forward")
	}
	for _, name := range []string{"seeds", "why", "format", "output", "width"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--interactive and --%s do not go together: one shows, the other prints", name)
		}
	}
	return nil
}
