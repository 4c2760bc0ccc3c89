package redis

import (
	_ "embed"
	"math/big"

	"github.com/b6db88e4/ratesim/algorithms"
)

//go:embed gcra.lua
var gcraLua string

// gcra passes lengths of time as nanoseconds and a fraction in units of 1/n, N/P = n/p in lowest terms.
func gcra(s settings) call {
	n, p := lowest(s.Limit)
	length := func(units int64) []string { // units·T
		ns, fraction := new(big.Int).QuoRem(product(whole(units), p), n, new(big.Int))
		return []string{ns.String(), fraction.String()}
	}
	return call{
		script:  newScript(1, gcraLua),
		request: func(_ algorithms.Time, cost int64) []string { return length(cost) },
		policy:  append(length(s.Capacity()), n.String()),
	}
}
