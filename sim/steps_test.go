package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Steps hold the first decisions, and count and find them as a scan of all would.
func TestSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, seen := randomPlan(t), history{}
		keep := rapid.IntRange(1, 400).Draw(t, "keep")
		run := New(plan, Options{Buckets: 1, Workers: 1, Observer: seen, Steps: keep})
		run.Finish()
		steps := run.Steps()
		for i := range plan.Limiters {
			all := seen[i][:min(keep, len(seen[i]))]
			lane := steps.Lanes[i]
			if len(lane.Verdicts) != len(all) || steps.Len() != len(all) {
				t.Fatalf("%d answers to %d requests kept, want %d", len(lane.Verdicts), steps.Len(), len(all))
			}
			n := rapid.IntRange(0, len(all)).Draw(t, "n")
			var want Tally
			for _, s := range all[:n] {
				want.add(s.Decision.Verdict)
			}
			if got := lane.Before(n); got != want {
				t.Fatalf("before %d: %+v, want %+v", n, got, want)
			}
			denied := func(s Step) bool { return s.Decision.Verdict == algorithms.Deny }
			next := slices.IndexFunc(all[n:], denied)
			if next >= 0 {
				next += n
			}
			if got := lane.NextDenied(n); got != next {
				t.Fatalf("denied from %d on: %d, want %d", n, got, next)
			}
			last := n - 1
			for last >= 0 && !denied(all[last]) {
				last--
			}
			if got := lane.LastDenied(n - 1); got != last {
				t.Fatalf("denied up to %d: %d, want %d", n-1, got, last)
			}
		}
	})
}

// What a view of the steps holds stays as it was while the run goes on.
func TestStepsAreAView(t *testing.T) {
	run := New(planOf(t, at(3*blockSize, 0, 1), 2e9, perMinute(100)), Options{Buckets: 2, Workers: 2, Steps: 5 * blockSize})
	run.Step()
	early := run.Steps()
	run.Finish()
	late := run.Steps()
	if early.Len() != blockSize || late.Len() != 5*blockSize {
		t.Errorf("%d requests kept early, %d late; want %d and %d", early.Len(), late.Len(), blockSize, 5*blockSize)
	}
	if got := early.Lanes[0].Before(blockSize); got != (Tally{Admitted: 100, Denied: blockSize - 100}) {
		t.Errorf("early tally %+v", got)
	}
}

// A single denial is found and counted from everywhere, whatever lies between: its place and the one
// it is looked for from are all those near a running tally.
func TestDenialsFarApart(t *testing.T) {
	const n = 4 * tallied
	var places []int
	for edge := 0; edge <= n; edge += tallied {
		for place := max(0, edge-2); place <= min(edge+2, n-1); place++ {
			places = append(places, place)
		}
	}
	for _, denied := range places {
		a := answers{most: n}
		for i := range n {
			a.add(map[bool]algorithms.Verdict{true: algorithms.Deny, false: algorithms.Admit}[i == denied])
		}
		lane := a.view()
		for _, from := range places {
			next, last, before := -1, -1, int64(0)
			if denied >= from {
				next = denied
			}
			if denied <= from {
				last = denied
			}
			if denied < from {
				before = 1
			}
			if got := lane.NextDenied(from); got != next {
				t.Errorf("%d denied: from %d on found %d, want %d", denied, from, got, next)
			}
			if got := lane.LastDenied(from); got != last {
				t.Errorf("%d denied: up to %d found %d, want %d", denied, from, got, last)
			}
			if got := lane.Before(from); got != (Tally{Admitted: int64(from) - before, Denied: before}) {
				t.Errorf("%d denied: before %d counted %+v", denied, from, got)
			}
		}
	}
}
