// Package scenarios reads scenario files: what traffic arrives, which limits it meets, and what is
// to be learnt from it.
//
// A scenario is a small YAML file. [Load] finds one by path or by the name of a built-in one,
// reports every mistake in it at once with its line and column, and [Loaded.Plan] makes it ready
// for package sim. [Marshal] writes a [Scenario] back, so that loading the result gives an equal
// one. Rates and lengths of time have notations of their own, [ParseRate] and [ParseDuration], which
// the command line shares.
//
// Nothing here reads a clock or draws a random number.
package scenarios
