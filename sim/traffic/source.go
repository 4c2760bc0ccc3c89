// Package traffic generates requests: exact arrival instants from rates, random processes and
// lists, merged in order of time.
package traffic

import "github.com/b6db88e4/ratesim/algorithms"

// Time is an instant in nanoseconds since the run began.
type Time = algorithms.Time

// Request is one arrival.
type Request struct {
	At     Time
	Cost   int64  // units, at least 1
	Client uint32 // dense id of the client's name
}

// Source yields requests in order of time, and false when there are no more.
type Source interface {
	Next() (Request, bool)
}
