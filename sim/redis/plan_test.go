package redis_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/redis"
	"github.com/b6db88e4/ratesim/sim/redis/redistest"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// crowded is a plan of three clients that try again until they succeed, under a limit of their own and
// one for all, in every algorithm that has a script.
func crowded(t *testing.T) *sim.Plan {
	var requests []traffic.Request
	names := sim.NewNames()
	for i := range 60 {
		requests = append(requests, traffic.Request{At: Time(i) * 1e9, Cost: 1, Client: names.ID(string(rune('a' + i%3)))})
	}
	plan := &sim.Plan{
		Duration: Time(time.Minute), Clients: names,
		Open: func() traffic.Source { return traffic.Fixed(requests) },
		System: &sim.System{
			Profiles: []sim.Profile{{Retry: retry.Policy{Kind: retry.RetryAfter, Attempts: 10}}},
			Tiers:    []string{""}, Endpoints: []string{""},
			Rules: []sim.Rule{{Key: sim.Key{Client: true}}, {}},
		},
	}
	for _, name := range redis.Algorithms() {
		spec, _ := algorithms.Lookup(name)
		l := sim.Limiter{Name: name, Spec: spec}
		for _, p := range []algorithms.Policy{{Limit: algorithms.Limit{N: 3, Per: 10 * time.Second}}, perMinute(30)} {
			maker, err := spec.Build(p)
			if err != nil {
				t.Fatal(err)
			}
			l.Enforced = append(l.Enforced, sim.Enforced{Spec: spec, Policy: p, Maker: maker})
		}
		l.Policy, l.Maker = l.Enforced[0].Policy, l.Enforced[0].Maker
		plan.Limiters = append(plan.Limiters, l)
	}
	return plan
}

// summaries are what a run comes to.
func summaries(plan *sim.Plan) []sim.Summary {
	var out []sim.Summary
	for _, r := range sim.New(plan, sim.Options{Buckets: 10, Workers: 2}).Finish() {
		out = append(out, r.Summary)
	}
	return out
}

// TestSystem: where answers lead to more requests, and several limits hold, a run in the store is the
// run in the model.
func TestSystem(t *testing.T) {
	server := redistest.Start(t)
	plan, s := crowded(t), open(t, server.URL(), "run")
	decided, err := s.Plan(plan)
	if err != nil {
		t.Fatal(err)
	}
	want := summaries(plan)
	if got := summaries(decided); !reflect.DeepEqual(got, want) || s.Err() != nil {
		t.Errorf("in the store %+v\nin the model %+v\n%v", got, want, s.Err())
	}
	s = open(t, server.URL(), "check")
	checked, checkers, err := s.Check(plan)
	if err != nil {
		t.Fatal(err)
	}
	if got := summaries(checked); !reflect.DeepEqual(got, want) {
		t.Errorf("checked %+v\nin the model %+v", got, want)
	}
	for i, rules := range checkers {
		if len(rules) != 2 {
			t.Fatalf("%d checkers of %s", len(rules), plan.Limiters[i].Name)
		}
		for _, c := range rules {
			if c.Finish(); c.Difference() != nil || c.Compared() < 30 {
				t.Errorf("%s: %d compared, %+v", plan.Limiters[i].Name, c.Compared(), c.Difference())
			}
		}
	}
}

// TestUnfit: what a store cannot decide is refused before anything is asked.
func TestUnfit(t *testing.T) {
	s := open(t, "redis://"+redistest.Fake(t, redistest.Replies()), "run")
	for _, row := range []struct {
		want   string
		change func(*sim.Plan)
	}{
		{"gcra: a store cannot decide it, for a limit that changes", func(p *sim.Plan) { p.Limiters[1].Enforced[1].Changes = make([]sim.Changed, 1) }},
		{"gcra: a store cannot decide it, for a limit that changes", func(p *sim.Plan) { p.Limiters[1].Enforced[0].Loaded = &sim.Changed{} }},
		{"gcra: a store cannot decide it, for a scheme other than central-atomic", func(p *sim.Plan) {
			p.System.Servers, p.Limiters[1].Scheme = &servers.Config{Count: 2}, servers.Owner
		}},
		{"gcra: a store cannot decide it, for want of a script", func(p *sim.Plan) {
			spec, _ := algorithms.Lookup("leaky-bucket")
			p.Limiters[1].Enforced[1].Spec = spec
		}},
	} {
		plan := crowded(t)
		row.change(plan)
		if _, err := s.Plan(plan); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, want %s", err, row.want)
		}
		if _, _, err := s.Check(plan); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%v, want %s", err, row.want)
		}
	}
}
