package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/spf13/cobra"
)

func (a *app) checkCommand() *cobra.Command {
	var builtin bool
	c := &cobra.Command{
		Use:     "check PATH...",
		GroupID: groupRun,
		Short:   "run scenario files and verify what they expect",
		Long: `Runs every scenario it is given and compares the results with its expect block, one line each.
A PATH is a file, the name of a built-in scenario, or a folder, in which every *.yaml and *.yml file
counts, also in the folders within (except hidden ones).

The status is 0 if everything is as expected, 1 if something is not, 2 if a file is wrong or cannot
be read. All of them are run in any case. Made for continuous integration.`,
		Example: "  ratesim check scenarios/\n  ratesim check limits.yaml boundary\n  ratesim check --builtin",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && !builtin {
				return errors.New("nothing to check; give files, folders or names of built-in scenarios, or --builtin for all of these")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return describedScenarios(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(c *cobra.Command, args []string) error {
			if builtin {
				args = append(args, scenarioNames()...)
			}
			return a.check(c.Context(), args)
		},
	}
	c.Flags().BoolVar(&builtin, "builtin", false, "check all built-in scenarios")
	return c
}

// outcome is what became of one scenario.
type outcome uint8

const (
	met       outcome = iota // as expected
	unmet                    // not as expected
	unjudged                 // it expects nothing
	wrong                    // it cannot be read or run
	cancelled                // interrupted
	outcomes
)

// word is the outcome as a line begins.
func (o outcome) word() string { return [...]string{"ok", "FAIL", "none", "WRONG", ""}[o] }

// checked is one line of check's output.
type checked struct {
	name    string
	outcome outcome
	detail  string
	err     error // of a wrong one, in full
}

// check runs the scenarios, several at a time, and reports them in the order given.
func (a *app) check(ctx context.Context, args []string) error {
	o, err := a.output("")
	if err != nil {
		return err
	}
	paths, wrongs := find(args)
	var tally [outcomes]int
	for _, line := range wrongs {
		tally[wrong]++
		a.printChecked(o, line)
	}
	for line := range a.checkAll(ctx, paths) {
		if line.outcome == cancelled {
			return o.finish(ctx.Err())
		}
		tally[line.outcome]++
		a.printChecked(o, line)
	}
	fmt.Fprintln(o, summary(tally))
	err = o.finish(nil)
	switch {
	case tally[wrong] > 0:
		return fmt.Errorf("%s wrong", was(tally[wrong]))
	case tally[unmet] > 0:
		return failed(fmt.Errorf("%s not as expected", was(tally[unmet])))
	}
	return err
}

// was is the subject of a sentence about n scenarios.
func was(n int) string {
	if n == 1 {
		return "1 scenario is"
	}
	return fmt.Sprintf("%d scenarios are", n)
}

// printChecked prints a line at once, so that a long check can be watched, and the full error of a
// wrong scenario to standard error. Nobody reading any more is no reason to stop checking.
func (a *app) printChecked(o *output, line checked) {
	fmt.Fprintf(o, "%-5s %s: %s\n", line.outcome.word(), draw.Clean(line.name), draw.Clean(line.detail))
	o.Flush()
	if line.err != nil {
		a.complain(line.err)
	}
}

// summary is the last line: how many of what.
func summary(tally [outcomes]int) string {
	total := 0
	var parts []string
	for o, label := range []string{"as expected", "not as expected", "without expect", "wrong"} {
		total += tally[o]
		if tally[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", tally[o], label))
		}
	}
	return count(int64(total), "scenario") + ": " + strings.Join(parts, ", ")
}

// find expands folders into the scenario files in them. What cannot be searched, or holds none, is
// wrong.
func find(args []string) (paths []string, wrongs []checked) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() {
			paths = append(paths, arg) // a file, a name, or an error of its own
			continue
		}
		files, err := filesIn(arg)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("%s: no *.yaml or *.yml file in this folder", arg)
		}
		if err != nil {
			wrongs = append(wrongs, checked{arg, wrong, firstLine(arg, err), err})
		}
		paths = append(paths, files...)
	}
	return paths, wrongs
}

// filesIn are the scenario files in a folder and the folders within, in order of their names.
func filesIn(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case holdsText(d) && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// holdsText reports whether d is a file or a link, and not a named pipe, a socket or a device, which
// could keep a check waiting for ever.
func holdsText(d fs.DirEntry) bool { return d.Type().IsRegular() || d.Type() == fs.ModeSymlink }

// checkAll checks scenarios, as many at a time as there are processors, and yields their lines in
// order.
func (a *app) checkAll(ctx context.Context, paths []string) func(func(checked) bool) {
	return func(yield func(checked) bool) {
		lines := make([]chan checked, len(paths))
		for i := range lines {
			lines[i] = make(chan checked, 1)
		}
		next := make(chan int)
		for range workers() {
			go func() {
				for i := range next {
					lines[i] <- a.checkOne(ctx, paths[i])
				}
			}()
		}
		go func() {
			defer close(next)
			for i := range paths {
				next <- i
			}
		}()
		for _, line := range lines {
			if !yield(<-line) {
				return
			}
		}
	}
}

// checkOne runs one scenario and judges it.
func (a *app) checkOne(ctx context.Context, path string) checked {
	loaded, err := scenarios.Load(path, a.in)
	if err != nil {
		return checked{path, wrong, firstLine(path, err), err}
	}
	plan, err := loaded.Plan(scenarios.Overrides{})
	if err != nil {
		return checked{path, wrong, firstLine(path, err), err}
	}
	expect := loaded.Scenario.Expect
	run := sim.New(plan, sim.Options{Buckets: 1, Workers: 1})
	for run.Step() {
		if ctx.Err() != nil {
			return checked{name: path, outcome: cancelled}
		}
	}
	if err := run.Err(); err != nil {
		return checked{path, unmet, err.Error(), nil}
	}
	return judged(path, scenarios.Judge(expect, run.Results()))
}

// judged is the line of a scenario that was run.
func judged(path string, verdicts []scenarios.Verdict) checked {
	if len(verdicts) == 0 {
		return checked{name: path, outcome: unjudged, detail: "no expect block; it runs"}
	}
	var misses []string
	for _, v := range verdicts {
		if !v.Met {
			misses = append(misses, v.String())
		}
	}
	if len(misses) > 0 {
		return checked{name: path, outcome: unmet, detail: strings.Join(misses, "; ")}
	}
	return checked{name: path, outcome: met, detail: count(int64(len(verdicts)), "measure") + " as expected"}
}

// firstLine is the beginning of an error that may have many lines, without the file's name.
func firstLine(path string, err error) string {
	line, _, more := strings.Cut(strings.TrimPrefix(err.Error(), path+":"), "\n")
	line = strings.TrimSpace(line)
	if more {
		line += " …"
	}
	return line
}
