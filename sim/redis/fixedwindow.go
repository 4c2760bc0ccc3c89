package redis

import (
	_ "embed"

	"github.com/b6db88e4/ratesim/algorithms"
)

//go:embed fixed-window.lua
var fixedWindowLua string

// fixedWindow passes where the window of the request ends, as long as that does not depend on the
// requests before it.
func fixedWindow(s settings) call {
	end := windowsOf(s.Policy).next
	if s.option("anchor") == "first" {
		end = func(algorithms.Time) string { return "0" }
	}
	return call{
		script:  newScript(1, fixedWindowLua),
		request: func(now algorithms.Time, cost int64) []string { return []string{decimal(cost), end(now)} },
		policy:  []string{decimal(s.Limit.N), period(s.Limit.Per), s.option("count_denied")},
	}
}
