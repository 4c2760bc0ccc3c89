package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
)

// Overrides are written into a scenario where it has what they replace, whatever stands around its
// limiters, and what comes of it is one that can be read and run.
func TestFoldedSystems(t *testing.T) {
	tail := "traffic: [{client: a, phases: [{burst: 3}]}]\n"
	for story, text := range map[string]string{
		"a main limit":            "limit: 100/m\nlimits: [{limit: 5/s, key: all}]\n" + tail,
		"none, but others":        "limits: [{limit: 9/s}, {limit: 5/m, key: all}]\n" + tail,
		"none, but tiers":         "tiers: {free: {limit: 9/s}}\ntraffic: [{client: a, phases: [{burst: 3}], tier: free}]\n",
		"a limit of what is held": "limit: 100/m\nservice: {workers: 2, time: 1s}\nlimiters: [{algorithm: gcra}, {algorithm: concurrency, in_flight: 7}]\n" + tail,
		"servers":                 "limit: 100/m\nservers: {count: 2}\nlimiters: [{algorithm: fixed-window, scheme: async}, {name: x, algorithm: gcra, scheme: owner}]\n" + tail,
	} {
		loaded, err := scenarios.FromScenario(parsed(t, text), "x.yaml", ".")
		if err != nil {
			t.Fatalf("%s: %v", story, err)
		}
		limit, burst := algorithms.Limit{N: 7, Per: time.Minute}, int64(3)
		over := scenarios.Overrides{Limit: &limit, Burst: &burst}
		s, err := newSetup(loaded, over)
		if err != nil {
			t.Fatalf("%s: %v", story, err)
		}
		again, err := s.changed(s.scenario)
		if err != nil {
			t.Fatalf("%s: %v", story, err)
		}
		for i, l := range again.plan.Limiters {
			want := s.plan.Limiters[i]
			if l.Name != want.Name || l.Scheme != want.Scheme || l.Policy.Limit != want.Policy.Limit || l.Policy.Burst != want.Policy.Burst || len(l.Enforced) != len(want.Enforced) {
				t.Errorf("%s: %s %+v, not %s %+v", story, l.Name, l.Policy, want.Name, want.Policy)
			}
		}
	}
}

// parsed is the scenario of a text.
func parsed(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	l, err := scenarios.Load("-", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l.Scenario
}
