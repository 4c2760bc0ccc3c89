package cmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/spf13/cobra"
)

// value is a flag that is read by a function, and knows whether it was given.
type value[T any] struct {
	v     T
	given bool
	kind  string // as the help calls it
	read  func(string) (T, error)
	text  string
}

// String is the text as it was given.
func (f *value[T]) String() string { return f.text }

// Type is the word for the flag's value in the help.
func (f *value[T]) Type() string { return f.kind }

// Set reads the flag.
func (f *value[T]) Set(text string) error {
	v, err := f.read(text)
	if err != nil {
		return err
	}
	f.v, f.given, f.text = v, true, text
	return nil
}

// pointer is the value, nil if the flag was not given.
func (f *value[T]) pointer() *T {
	if !f.given {
		return nil
	}
	return &f.v
}

// The notations of flags are those of scenario files.

func rateFlag() value[algorithms.Limit] {
	return value[algorithms.Limit]{kind: "RATE", read: scenarios.ParseRate}
}

func durationFlag() value[time.Duration] {
	return value[time.Duration]{kind: "TIME", read: func(text string) (time.Duration, error) {
		d, err := scenarios.ParseDuration(text)
		if err == nil && d == 0 {
			err = errors.New("must be longer than zero; the shortest is 1ns")
		}
		return d, err
	}}
}

// wholeFlag is a whole number within bounds.
func wholeFlag(kind string, lowest, highest int64) value[int64] {
	return value[int64]{kind: kind, read: func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < lowest || n > highest {
			return 0, fmt.Errorf("must be a whole number from %d to %d", lowest, highest)
		}
		return n, nil
	}}
}

// seedFlag is any number that a scenario's seed may be.
func seedFlag() value[uint64] {
	return value[uint64]{kind: "N", read: func(text string) (uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("must be a whole number from 0 to %d", uint64(1<<64-1))
		}
		return n, nil
	}}
}

// listFlag is a list of names, separated by commas or given by several flags.
type listFlag struct{ names []string }

// String is the list as it was given.
func (f *listFlag) String() string { return strings.Join(f.names, ",") }

// Type is the word for the flag's value in the help.
func (f *listFlag) Type() string { return "NAME,…" }

// Set adds names to the list.
func (f *listFlag) Set(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return fmt.Errorf("has an empty name in it")
		}
		f.names = append(f.names, name)
	}
	return nil
}

// choiceFlag adds a flag that takes one of a few words, the first by default, and completes them.
func choiceFlag(c *cobra.Command, target *string, name, short, usage string, good ...string) {
	f := &value[string]{v: good[0], text: good[0], kind: "WORD", read: func(text string) (string, error) {
		*target = text
		return text, oneOf(text, good)
	}}
	*target = good[0]
	c.Flags().VarP(f, name, short, usage+": "+alternatives(good)+fmt.Sprintf(" (default %s)", good[0]))
	c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(good, cobra.ShellCompDirectiveNoFileComp))
}

// formatFlag adds the flag --format.
func formatFlag(c *cobra.Command, target *string, good ...string) {
	choiceFlag(c, target, "format", "f", "how to print the result", good...)
}
