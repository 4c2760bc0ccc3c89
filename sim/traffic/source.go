// Package traffic generates requests: exact arrival instants from rates, random processes and
// lists, merged in order of time.
//
// [New] makes the source that a [Spec] describes, [Fixed] one of requests that are already there, and
// [Merge] one of many. A source yields one request at a time and keeps none, so ten requests and ten
// thousand million take the same memory.
//
// All instants come from integers alone, and random numbers from streams that depend on the seed and
// the source's name alone, so requests are the same on every machine and in any company.
//
// To add a shape of rate, see [Part] and curve.go; a way in which arrivals fall under it, [Process]
// and Generator.begin; a way to share requests among clients, [Clients] and clients.go.
package traffic

import "github.com/b6db88e4/ratesim/algorithms"

// Time is an instant in nanoseconds since the run began.
type Time = algorithms.Time

// Request is one arrival.
type Request struct {
	At       Time
	Cost     int64  // units, at least 1
	Client   uint32 // dense id of the client's name
	Endpoint uint32 // what is asked for: an index into names that the caller keeps; 0 where there are none
}

// Source yields requests in order of time, and false when there are no more.
type Source interface {
	Next() (Request, bool)
}
