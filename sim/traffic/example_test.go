package traffic_test

import (
	"fmt"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Two clients take turns at 4 requests a second for a second, and a third sends a burst of three in
// the midst of it. At the same instant the order is that of the sources.
func Example() {
	rate := algorithms.Limit{N: 4, Per: time.Second}
	steady := traffic.New(traffic.Spec{
		Name:    "steady",
		Cost:    1,
		Parts:   []traffic.Part{{Until: traffic.Time(time.Second), Rate: rate, To: rate}},
		Clients: traffic.Clients{First: 0, Count: 2},
	}, 1)
	burst := traffic.New(traffic.Spec{
		Name:    "burst",
		Cost:    5,
		Parts:   []traffic.Part{{From: 500e6, Burst: 3, Over: 300e6}},
		Clients: traffic.Clients{First: 2, Count: 1},
	}, 1)
	all := traffic.Merge(steady, burst)
	for r, ok := all.Next(); ok; r, ok = all.Next() {
		fmt.Printf("%5v  client %d, cost %d\n", time.Duration(r.At), r.Client, r.Cost)
	}
	// Output:
	//    0s  client 0, cost 1
	// 250ms  client 1, cost 1
	// 500ms  client 0, cost 1
	// 500ms  client 2, cost 5
	// 600ms  client 2, cost 5
	// 700ms  client 2, cost 5
	// 750ms  client 1, cost 1
}
