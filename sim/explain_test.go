package sim

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Why the sixth of seven requests at once is refused by a bucket of five at 1/s.
func TestExplainDenial(t *testing.T) {
	plan := planOf(t, at(7, 0), 10e9, algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}, Burst: 5})
	e, err := Explain(plan, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	if e.Decision != (Decision{Verdict: algorithms.Deny, Until: 1e9}) || e.Before != (State{}) || e.Capacity != 5 || e.Counts {
		t.Errorf("%+v", e)
	}
	if c, ok := e.Change(); !ok || c != (Change{Burst: 6, Limit: 0}) {
		t.Errorf("change %+v, %v; want a burst of 6 and no limit, since no time has passed", c, ok)
	}
	want := []Header{{"Retry-After", "1"}, {"X-RateLimit-Limit", "5"}, {"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "5"},
		{"RateLimit-Policy", `"default";q=5;w=5`}, {"RateLimit", `"default";r=0;t=1`}}
	if got := e.Response.Headers(); e.Response.Status != 429 || !slices.Equal(got, want) {
		t.Errorf("status %d, headers %v, want 429 and %v", e.Response.Status, got, want)
	}
}

// A window says which requests fill it: two of the first minute do not count in the second.
func TestExplainWindow(t *testing.T) {
	plan := planOf(t, at(1, 10, 20, 70, 80, 90), 120e9, perMinute(2))
	fixed := slices.IndexFunc(plan.Limiters, func(l Limiter) bool { return l.Name == "fixed-window" })
	e, err := Explain(plan, fixed, 4)
	if err != nil {
		t.Fatal(err)
	}
	if !e.Counts || e.Since != 60e9 || !slices.Equal(e.Filling, []int64{2, 3}) || e.Decision.Until != 120e9 {
		t.Errorf("counts %v since %d: %v, until %d; want since 60 s: [2 3], until 120 s", e.Counts, e.Since, e.Filling, e.Decision.Until)
	}
	if c, _ := e.Change(); c != (Change{Limit: 3}) {
		t.Errorf("change %+v, want a limit of 3", c)
	}
}

// A burst that is not written follows the limit: so one more request a minute is enough.
func TestExplainLimitWithItsBurst(t *testing.T) {
	plan := planOf(t, at(101, 0), 1e9, perMinute(100))
	e, err := Explain(plan, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := e.Change(); c != (Change{Burst: 101, Limit: 101}) {
		t.Errorf("change %+v, want a burst or a limit of 101", c)
	}
}

// A request that can never fit is given no time to come back.
func TestExplainOversized(t *testing.T) {
	requests := at(1, 0)
	requests[0].Cost = 9
	plan := planOf(t, requests, 1e9, algorithms.Policy{Limit: algorithms.Limit{N: 5, Per: 2 * time.Second}})
	for i, l := range plan.Limiters[:8] {
		e, err := Explain(plan, i, 0)
		if err != nil {
			t.Fatal(err)
		}
		if e.Decision.Until != algorithms.Never || e.Response.RetryAfter != 0 || e.Response.Remaining != 5 || e.Response.Reset != 0 {
			t.Errorf("%s: %+v", l.Name, e.Response)
		}
	}
}

func TestExplainBeyondTheRun(t *testing.T) {
	_, err := Explain(planOf(t, at(3, 0), 1e9, perMinute(1)), 0, 3)
	if err == nil || !strings.Contains(err.Error(), "request 3: the run has only 3 requests") {
		t.Errorf("error %v", err)
	}
}

// An explanation agrees with the run, whichever way it is asked for, and its change admits while
// one less does not.
func TestExplanationsAgreeWithTheRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, seen := randomPlan(t), history{}
		run := New(plan, Options{Buckets: 1, Workers: 1, Observer: seen, Steps: 1000})
		run.Finish()
		steps := run.Steps()
		if steps.Len() == 0 {
			return
		}
		seq := rapid.IntRange(0, steps.Len()-1).Draw(t, "seq")
		for i := range plan.Limiters {
			e, err := Explain(plan, i, int64(seq))
			if err != nil {
				t.Fatal(err)
			}
			if e.Decision != seen[i][seq].Decision || !reflect.DeepEqual(e, steps.Explain(plan, i, seq)) {
				t.Fatalf("%s: explained %+v, was %+v", plan.Limiters[i].Name, e.Decision, seen[i][seq].Decision)
			}
			checkState(t, e)
			checkChange(t, e)
		}
	})
}

func checkState(t *rapid.T, e *Explanation) {
	fits := e.Request.Cost <= e.Before.Remaining
	if e.Limiter.Spec.Name != "unlimited" && fits != e.Decision.Verdict.Accepted() {
		t.Fatalf("%s: cost %d, remaining %d, %s", e.Limiter.Name, e.Request.Cost, e.Before.Remaining, e.Decision.Verdict)
	}
	denied := e.Decision.Verdict == algorithms.Deny
	if denied != (e.Response.Status == 429) || !denied && e.Response.RetryAfter != 0 || e.Response.Remaining < 0 || e.Response.Reset < 0 && !e.Limiter.Spec.Holds {
		t.Fatalf("%s: %+v", e.Limiter.Name, e.Response)
	}
	if denied && (e.Decision.Until == algorithms.Never) != (e.Response.RetryAfter == 0) {
		t.Fatalf("%s: until %d, retry after %d", e.Limiter.Name, e.Decision.Until, e.Response.RetryAfter)
	}
}

func checkChange(t *rapid.T, e *Explanation) {
	c, ok := e.Change()
	if ok != (e.Decision.Verdict == algorithms.Deny) {
		t.Fatalf("%s: a change of %+v for a verdict of %s", e.Limiter.Name, c, e.Decision.Verdict)
	}
	burst := e.Limiter.Policy.Burst // as it was written, so that one left out follows the limit
	with := func(burst, limit int64) bool {
		p := e.Limiter.Policy
		p.Burst, p.Limit.N = burst, limit
		return e.admits(p)
	}
	p := e.Limiter.Policy
	if c.Burst != 0 && (!with(c.Burst, p.Limit.N) || with(c.Burst-1, p.Limit.N)) {
		t.Fatalf("%s: a burst of %d is not the smallest that admits", e.Limiter.Name, c.Burst)
	}
	if c.Limit != 0 && (!with(burst, c.Limit) || with(burst, c.Limit-1)) {
		t.Fatalf("%s: a limit of %d is not the smallest that admits", e.Limiter.Name, c.Limit)
	}
}

// The fields of draft-ietf-httpapi-ratelimit-headers: a window only where it is whole seconds.
func TestResponseWindow(t *testing.T) {
	for _, c := range []struct {
		limit  algorithms.Limit
		burst  int64
		window int64
	}{
		{algorithms.Limit{N: 100, Per: time.Minute}, 0, 60},
		{algorithms.Limit{N: 100, Per: time.Minute}, 50, 30},
		{algorithms.Limit{N: 7, Per: time.Second}, 3, 0},
		{algorithms.Limit{N: 10, Per: time.Second}, 5, 0},
	} {
		t.Run(fmt.Sprint(c.limit, c.burst), func(t *testing.T) {
			plan := planOf(t, at(1, 0), 1e9, algorithms.Policy{Limit: c.limit, Burst: c.burst})
			e, err := Explain(plan, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			if e.Response.Window != c.window {
				t.Errorf("window %d, want %d", e.Response.Window, c.window)
			}
		})
	}
}
