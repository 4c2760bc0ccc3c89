package cmd

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// failure is an error of the work itself, not of the command line or a file: status 1.
type failure struct{ err error }

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// failed makes a failure of an error, and nil of nil.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return &failure{err}
}

// isClosedPipe reports whether err comes from writing to a pipe that nobody reads any more. That
// is how a reader such as head says that it has enough.
func isClosedPipe(err error) bool {
	return errors.Is(err, io.ErrClosedPipe) || slices.ContainsFunc(brokenPipes(), func(broken error) bool {
		return errors.Is(err, broken)
	})
}

// complain writes an error to standard error. Whatever part of it comes from a file or from the
// command line, no control character in it reaches a terminal.
func (a *app) complain(err error) { a.say(err.Error()) }

// say writes a message of one or more lines to standard error, after the program's name.
func (a *app) say(message string) {
	lines := strings.Split(strings.TrimRight(message, "\n"), "\n")
	for i, line := range lines {
		lines[i] = draw.Clean(line)
	}
	fmt.Fprintf(a.err, "ratesim: %s\n", strings.Join(lines, "\n"))
}

// unknown is the error for a name that is not among known.
func unknown(what, name string, known []string) error {
	if near := closest(name, known); len(near) > 0 {
		return fmt.Errorf("unknown %s %q; did you mean %s?", what, name, alternatives(near))
	}
	return fmt.Errorf("unknown %s %q; there are %s", what, name, enumerate(known))
}

// flagError puts the errors of the flag parser into this program's words.
func flagError(c *cobra.Command, err error) error {
	var (
		missing *pflag.NotExistError
		bare    *pflag.ValueRequiredError
		wrong   *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &missing):
		return unknownFlag(c, missing)
	case errors.As(err, &bare):
		return fmt.Errorf("--%s needs a value: %s", bare.GetFlag().Name, bare.GetFlag().Usage)
	case errors.As(err, &wrong):
		return fmt.Errorf("--%s %q: %w", wrong.GetFlag().Name, wrong.GetValue(), reason(wrong.Unwrap()))
	}
	return err
}

// reason leaves out of an error what the message around it says already.
func reason(err error) error {
	var notation *scenarios.NotationError
	var logged *accesslog.NotationError
	var number *strconv.NumError
	switch {
	case errors.As(err, &notation):
		return errors.New(notation.Reason)
	case errors.As(err, &logged):
		return errors.New(logged.Reason)
	case errors.As(err, &number):
		return number.Err
	}
	return err
}

func unknownFlag(c *cobra.Command, err *pflag.NotExistError) error {
	if short := err.GetSpecifiedShortnames(); short != "" {
		return fmt.Errorf("unknown flag -%s in -%s; see: %s --help", err.GetSpecifiedName(), short, c.CommandPath())
	}
	name := "--" + err.GetSpecifiedName()
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	if near := closest(name, known); len(near) > 0 {
		return fmt.Errorf("unknown flag %s; did you mean %s?", name, alternatives(near))
	}
	return fmt.Errorf("unknown flag %s; see: %s --help", name, c.CommandPath())
}
