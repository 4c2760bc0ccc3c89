package sim

import (
	"reflect"
	"testing"

	"github.com/b6db88e4/ratesim/sim/traffic"
	"pgregory.net/rapid"
)

// A lane that only counts finds what one finds that is looked at, in whatever buckets, and its denials
// are heard in the same order.
func TestCountingCountsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := listPlan(t)
		all := make([]heard, len(plan.Limiters))
		opts := Options{
			Buckets: rapid.IntRange(1, 50).Draw(t, "buckets"), Workers: rapid.IntRange(1, 4).Draw(t, "workers"), Lean: true,
			Refusals: func(i int) Refusals { return &all[i] },
		}
		counted := New(plan, opts)
		if !counted.lanes[0].counting() {
			t.Fatal("a lean lane that no one looks at does more than count")
		}
		got := counted.Finish()
		opts.Refusals, opts.Observers = nil, func(i int) Observer { return &all[i] }
		want := New(plan, opts).Finish()
		for i := range want {
			if !reflect.DeepEqual(got[i].Summary, want[i].Summary) || !reflect.DeepEqual(got[i].Grid, want[i].Grid) {
				t.Fatalf("%s:\n got %+v %+v\nwant %+v %+v", got[i].Name, got[i].Summary, got[i].Grid, want[i].Summary, want[i].Grid)
			}
			if !reflect.DeepEqual(all[i].refused, all[i].observed) {
				t.Fatalf("%s: refusals heard %v, observed %v", got[i].Name, all[i].refused, all[i].observed)
			}
		}
	})
}

// What is taken ahead of being decided is not among what a run has found so far.
func TestResultsTellNothingOfWhatIsAhead(t *testing.T) {
	for workers, size := range map[int]int{1: aloneSize, 2: blockSize} {
		requests := make([]traffic.Request, 2*size)
		for i := range requests {
			requests[i] = traffic.Request{At: Time(i), Cost: 1, Client: uint32(i / size)}
		}
		run := New(planOf(t, requests, 1e9, perMinute(100)), Options{Buckets: 1, Workers: workers})
		for want := int64(1); run.Step(); want++ {
			if s := run.Results()[0].Summary; s.Clients != want || s.Offered != want*int64(size) {
				t.Errorf("%d workers: %d clients sent %d requests, want %d and %d", workers, s.Clients, s.Offered, want, want*int64(size))
			}
		}
	}
}
