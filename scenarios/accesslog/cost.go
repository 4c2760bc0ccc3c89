package accesslog

import (
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
)

// PathCost is what a request costs whose path matches a glob.
type PathCost struct {
	Glob string
	Cost int64 // units, 1 to algorithms.MaxUnits
}

// ParsePathCost reads "/search=5" or "/api/*=2".
func ParsePathCost(text string) (PathCost, error) {
	at := strings.LastIndexByte(text, '=')
	if at > 0 {
		n, err := strconv.ParseInt(text[at+1:], 10, 64)
		if err == nil && n >= 1 && n <= algorithms.MaxUnits {
			if reason := checkGlob(text[:at]); reason != "" {
				return PathCost{}, wrongly("cost", text, "%s", reason)
			}
			return PathCost{text[:at], n}, nil
		}
	}
	return PathCost{}, wrongly("cost", text, "must be PATH=UNITS, with * for any text in PATH and UNITS from 1 to %d", int64(algorithms.MaxUnits))
}

// costOf is what a request costs: the cost of the first path that matches, else what its line says,
// else 1.
func costOf(paths []PathCost, e *Entry) int64 {
	for i := range paths {
		if glob(paths[i].Glob, e.Path) {
			return paths[i].Cost
		}
	}
	return max(e.Cost, 1)
}
