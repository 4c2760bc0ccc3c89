package scenarios

import (
	"reflect"
	"testing"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// What an entry of limiters says is otherwise around its limiter, and all else is as around the
// others.
func TestApart(t *testing.T) {
	sql, _ := servers.FindPreset("sql")
	head := "version: 1\nduration: 1m\nlimit: 10/s\n"
	tail := "traffic:\n  - {client: a, phases: [{burst: 1}], retry: at-once}\n  - {client: b, phases: [{burst: 1}]}\n"
	shared := "servers: {count: 2, store: redis, outages: [{at: 1s, for: 1s}], restarts: [{at: 5s}]}\n"
	for _, test := range []struct {
		entry, around string
		change        func(*sim.System)
	}{
		{"key: user+endpoint", "", func(s *sim.System) { s.Rules[0].Key = sim.Key{User: true, Endpoint: true} }},
		{"key: all", "limits: [{limit: 5/s}]\n", func(s *sim.System) { s.Rules[0].Key = sim.Key{} }},
		{"on_partial_deny: keep", "", func(s *sim.System) { s.KeepPartial = true }},
		{"on_partial_deny: refund", "on_partial_deny: keep\n", func(s *sim.System) { s.KeepPartial = false }},
		{"on_limit: {queue: 3}", "", func(s *sim.System) { s.OnLimit, s.Waiting = sim.Queue, 3 }},
		{"on_limit: reject", "on_limit: degrade\n", func(s *sim.System) { s.OnLimit = sim.Reject }},
		{"retry: {wait: fixed, first: 2s}", "", func(s *sim.System) { // of those who send again at all
			s.Profiles[0].Retry = retry.Policy{Kind: retry.Fixed, Wait: 2e9, Attempts: 4}
		}},
		{"retry: none", "", func(s *sim.System) { s.Profiles[0].Retry = retry.Policy{Attempts: 1} }},
		{"fail: open", shared, func(s *sim.System) { s.Servers.FailOpen = true }},
		{"store: sql", shared, func(s *sim.System) { // with what a restart of it costs
			s.Servers.Store.Latency, s.Servers.Store.Timeout = sql.Store.Latency, sql.Store.Timeout
			s.Servers.Store.Restarts = []servers.Restart{sql.Restart}
			s.Servers.Store.Restarts[0].At = 5e9
		}},
	} {
		text := head + test.around + "limiters:\n  - {algorithm: gcra}\n  - {name: other, algorithm: gcra, " + test.entry + "}\n" + tail
		plan, want := mustPlan(t, text, Overrides{}), mustPlan(t, text, Overrides{}).System
		test.change(want)
		if plan.Limiters[0].System != nil {
			t.Errorf("%s: something is apart around the limiter that says nothing", test.entry)
		}
		if got := plan.Limiters[1].System; !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", test.entry, got, want)
		}
		if reflect.DeepEqual(plan.System, want) {
			t.Errorf("%s: differs in nothing", test.entry)
		}
	}
}

// A limiter whose limit does not follow the load has nothing that it changes to.
func TestApartFromLoad(t *testing.T) {
	plan := mustPlan(t, minimal+"service: {workers: 1, time: 1s}\nload: {every: 1s, above: 9, limit: 1/s, burst: 2}\nlimiters:\n  - {algorithm: gcra}\n  - {name: stands, algorithm: gcra, load: none}\n", Overrides{})
	if plan.Limiters[0].Enforced[0].Loaded == nil || plan.Limiters[1].Enforced[0].Loaded != nil {
		t.Error("the wrong limit follows the load")
	}
}

// A scenario whose list of limiters gets shorter stays in order, and stays one with a system.
func TestSetLimiters(t *testing.T) {
	for name, text := range map[string]string{
		"servers": shared,
		"a queue": minimal + "limiters:\n  - {algorithm: gcra}\n  - {name: waits, algorithm: gcra, on_limit: queue}\n",
	} {
		l := mustLoad(t, text)
		for i := range l.Scenario.Limiters {
			s := *l.Scenario
			s.SetLimiters(s.Limiters[i : i+1])
			again, err := FromScenario(&s, name, ".")
			if err != nil {
				t.Errorf("%s, limiter %d alone: %v", name, i, err)
			} else if plan, err := again.Plan(Overrides{}); err != nil || plan.System == nil {
				t.Errorf("%s, limiter %d alone: no system, %v", name, i, err)
			}
		}
	}
	if again := mustLoad(t, shared).Scenario; again.Servers.Sync == 0 || again.Servers.Store == nil {
		t.Error("a scenario lost what another has no use for")
	}
}
