package cmd

import (
	"context"
	"testing"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// A log opened in the interactive program is decided as replay decides it: the sample log under 60/m,
// whose windows stand where they stood when it was written.
func TestReplayAsAScenario(t *testing.T) {
	const log = "../scenarios/accesslog/testdata/shop.log"
	a := &app{getenv: func(string) string { return "" }}
	f := &replayFlags{logFlags: newLogFlags()}
	f.logFlags.format = "auto"
	if err := f.limits.Set("60/m"); err != nil {
		t.Fatal(err)
	}
	policies, err := f.policies()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := f.scenario(context.Background(), a, log, policies[0])
	if err != nil {
		t.Fatal(err)
	}
	plan, err := loaded.Plan(scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"token-bucket": 415, "fixed-window": 360, "sliding-log": 480}
	for _, r := range sim.New(plan, sim.Options{Buckets: 1, Workers: 1}).Finish() {
		if denied, ok := want[r.Name]; ok && r.Summary.Denied != denied {
			t.Errorf("%s denies %d, want %d as ratesim replay says", r.Name, r.Summary.Denied, denied)
		}
	}
}
