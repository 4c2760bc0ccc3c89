package redis

import (
	_ "embed"

	"github.com/b6db88e4/ratesim/algorithms"
)

//go:embed sliding-counter.lua
var slidingCounterLua string

// slidingCounter passes where the window of the request ends.
func slidingCounter(s settings) call {
	end := windowsOf(s.Policy).next
	return call{
		script:  newScript(1, slidingCounterLua),
		request: func(now algorithms.Time, cost int64) []string { return []string{decimal(cost), end(now)} },
		policy:  []string{decimal(s.Limit.N), period(s.Limit.Per), s.option("rounding")},
	}
}
