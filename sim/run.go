package sim

import "github.com/b6db88e4/ratesim/sim/traffic"

// Options say how a run is carried out and recorded. None of them changes a decision.
type Options struct {
	Buckets  int      // buckets of each Grid, at least 1; fewer where Plan.Duration has fewer nanoseconds
	Workers  int      // limiters simulated at the same time, at least 1
	Observer Observer // sees every decision of every limiter; nil for none. With it Workers is 1.

	// LevelClient is the client whose limiter's level is recorded; "" for the one with the most
	// units in the run.
	LevelClient string
}

// Step is one decision, as an Observer sees it.
type Step struct {
	Limiter  int   // index into Plan.Limiters
	Seq      int64 // the request's number in the run, from 0, the same for every limiter
	Request  traffic.Request
	Decision Decision
}
