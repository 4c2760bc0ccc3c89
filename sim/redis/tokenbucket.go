package redis

import (
	_ "embed"
	"strconv"

	"github.com/b6db88e4/ratesim/algorithms"
)

var (
	//go:embed token-bucket.lua
	tokenBucketLua string
	//go:embed token-bucket-interval.lua
	intervalBucketLua string
)

// tokenBucket passes everything in units of 1/p token, N/P = n/p in lowest terms.
func tokenBucket(s settings) call {
	if s.option("refill") == "interval" {
		return intervalBucket(s)
	}
	n, p := lowest(s.Limit)
	missing := whole(s.Capacity() - s.initial())
	return call{
		script: newScript(1, tokenBucketLua),
		request: func(_ algorithms.Time, cost int64) []string {
			return []string{product(whole(cost), p).String()}
		},
		policy: []string{product(whole(s.Capacity()), p).String(), n.String(), product(missing, p).String()},
	}
}

// intervalBucket passes when the refills are.
func intervalBucket(s settings) call {
	refills := windowsOf(s.Policy)
	return call{
		script: newScript(1, intervalBucketLua),
		request: func(now algorithms.Time, cost int64) []string {
			passed, next := refills.at(now)
			return []string{decimal(cost), strconv.FormatUint(passed, 10), strconv.FormatUint(next, 10)}
		},
		policy: []string{decimal(s.Limit.N), period(s.Limit.Per), decimal(s.Capacity()), decimal(s.initial())},
	}
}

// initial is the tokens at instant 0.
func (s settings) initial() int64 {
	n, err := strconv.ParseInt(s.option("initial"), 10, 64)
	if err != nil {
		return s.Capacity()
	}
	return n
}
