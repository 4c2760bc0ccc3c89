package sim

import (
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// Calls wait for a rate and for units in flight at the same time. Both refuse the second of three at
// once, the rate first; what it waits for is the end of the first one's service, and then the rate.
func TestALineWaitsForARateAndForUnitsInFlight(t *testing.T) {
	for _, first := range []string{"token-bucket", "gcra", "fixed-window"} {
		sys := System{
			OnLimit: Queue, Waiting: 5, Rules: []Rule{{Name: "rate"}, {Name: "in flight"}},
			Service: &Service{Workers: 1, Queue: 5, Time: random.Distribution{Time: 500e6}},
		}
		plan := around(t, sys, burst(3, 0), 10*time.Second, []algorithms.Policy{limited(1, time.Second), limited(1, time.Second)}, first)
		spec, _ := algorithms.Lookup("concurrency")
		maker, err := spec.Build(limited(1, time.Second))
		if err != nil {
			t.Fatal(err)
		}
		plan.Limiters[0].Enforced[1] = Enforced{Spec: spec, Policy: limited(1, time.Second), Maker: maker}
		s := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Summary
		if s.System.Succeeded != 3 || s.Delayed != 2 || s.DelayMax != 2e9 {
			t.Errorf("%s: %d succeeded, %d waited, %d ns at most", first, s.System.Succeeded, s.Delayed, s.DelayMax)
		}
	}
}
