package retry_test

import (
	"fmt"
	"time"

	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
)

// Three clients are refused together and told to come back in 30 seconds. Without a spread they come
// back together.
func ExamplePolicy_Next() {
	told := retry.Answer{RetryAfter: retry.Time(30 * time.Second)}
	for _, spread := range []time.Duration{0, 5 * time.Second} {
		policy := retry.Policy{Kind: retry.RetryAfter, Spread: retry.Time(spread), Attempts: 3}
		var back []time.Duration
		for client := range uint64(3) {
			state := retry.State{Attempts: 1}
			draw := random.Keyed(1, "retry", client)
			at, _ := policy.Next(0, &state, told, &draw)
			back = append(back, time.Duration(at).Round(time.Millisecond))
		}
		fmt.Println(back)
	}
	// Output:
	// [30s 30s 30s]
	// [30.079s 30.855s 30.64s]
}

// A fixed window of five in ten seconds has four left: the client sends every two seconds.
func ExamplePolicy_Hold() {
	policy := retry.Policy{Kind: retry.Pace}
	var now retry.Time
	for remaining := int64(4); remaining >= 0; remaining-- {
		left := int64(10 - now/retry.Time(time.Second))
		now = policy.Hold(now, remaining, left, left)
		fmt.Print(time.Duration(now), " ")
	}
	// Output: 2s 4s 6s 8s 10s
}
