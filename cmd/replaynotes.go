package cmd

import (
	"time"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim"
)

// spreadFlag is the flag that takes the requests of one tick otherwise.
const spreadFlag = "--within-tick spread"

// notes say what one should know about the logs to judge the answer.
func notes(r *replayed) []string {
	m := accesslog.Remarks{Length: scenarios.FormatDuration, Shortest: shortestPeriod(r.limiters), Other: spreadFlag}
	if r.together != nil {
		m.Other, m.Spread = "", "the requests of one tick are spread evenly over it"
	}
	return r.log.Notes(m)
}

// shortestPeriod is the shortest period of limits, 0 without limiters.
func shortestPeriod(limiters []sim.Limiter) time.Duration {
	shortest := time.Duration(0)
	for _, l := range limiters {
		if per := l.Policy.Limit.Per; shortest == 0 || per < shortest {
			shortest = per
		}
	}
	return shortest
}
