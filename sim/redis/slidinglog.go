package redis

import (
	_ "embed"

	"github.com/b6db88e4/ratesim/algorithms"
)

//go:embed sliding-log.lua
var slidingLogLua string

// slidingLog has a key for its log beside that of its state.
func slidingLog(s settings) call {
	return call{
		script:  newScript(2, slidingLogLua),
		request: func(_ algorithms.Time, cost int64) []string { return []string{decimal(cost)} },
		policy:  []string{decimal(s.Limit.N), period(s.Limit.Per), s.option("count_denied")},
	}
}
