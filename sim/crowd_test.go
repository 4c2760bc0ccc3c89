package sim

import (
	"errors"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
)

// TestCrowdedRunsEnd lets more and more wait where nothing bounds it, in each of the places where that
// can be, and sees that the run ends by itself and says so.
func TestCrowdedRunsEnd(t *testing.T) {
	slow := func(timeout Time) *Service {
		return &Service{Workers: 1, Time: random.Distribution{Time: 1e9}, Queue: -1, Timeout: timeout}
	}
	for name, sys := range map[string]System{
		"in the service's queue":                     {Service: slow(0)},
		"in the service's queue, their clients gone": {Service: slow(1), Profiles: []Profile{{Retry: retry.Policy{Kind: retry.AtOnce, Attempts: 100}}}},
		"for the next try":                           {Profiles: []Profile{{Retry: retry.Policy{Kind: retry.Fixed, Wait: 1e12, Attempts: 2}}}},
		"for the limit":                              {OnLimit: Queue, Waiting: 1000},
	} {
		plan := around(t, sys, burst(300, 0), time.Hour, []algorithms.Policy{limited(1000, time.Second)}, "fixed-window")
		if sys.Service == nil {
			plan = around(t, sys, burst(300, 0), time.Hour, []algorithms.Policy{limited(1, time.Hour)}, "fixed-window")
		}
		run := New(plan, Options{Buckets: 1, Workers: 1})
		if run.Finish(); run.Err() != nil {
			t.Errorf("%s: %v, where there is room for all", name, run.Err())
		}
		run = New(plan, Options{Buckets: 1, Workers: 1})
		run.lanes[0].most = 100
		run.Finish()
		var crowded *Crowded
		if err := run.Err(); !errors.As(err, &crowded) || crowded.Limiter != "fixed-window" || crowded.Most != 100 {
			t.Errorf("%s: %v", name, err)
		}
		if run.Step() {
			t.Errorf("%s: a run that has ended goes on", name)
		}
	}
}
