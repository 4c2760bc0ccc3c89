// Package random draws the random numbers of a run, in integers only: the same on every machine.
//
// A [Stream] is determined by a seed and a name. From it come uniform numbers, choices of unequal
// chances ([Alias]), exponential times, normal deviates, and lengths of time of a [Distribution].
// What is not whole is a [Fixed].
package random

import "github.com/b6db88e4/ratesim/algorithms"

// Time is an instant or a length in nanoseconds.
type Time = algorithms.Time
