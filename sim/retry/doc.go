// Package retry is what a client does after an answer that is no success.
package retry

import "github.com/b6db88e4/ratesim/sim/random"

// Time is an instant or a length in nanoseconds.
type Time = random.Time
