package sim

import (
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
)

// BenchmarkFlow is one request of evenPlan with a system around the limiter: first one with nothing
// in it but the limit itself, then with more and more of what there can be. Beside it BenchmarkLoop
// says what the same request costs without a system.
func BenchmarkFlow(b *testing.B) {
	again := retry.Policy{Kind: retry.Exponential, Wait: 100e6, Most: 10e9, Jitter: retry.Full, Attempts: 3}
	for _, row := range []struct {
		name string
		sys  System
	}{
		{"bare", System{}},
		{"two limits", System{Rules: []Rule{{}, {Key: Key{Client: true}}}}},
		{"retries", System{Profiles: []Profile{{Retry: again}}}},
		{"service", System{Service: &Service{Workers: 10, Time: random.Distribution{Kind: random.Exponential, Time: 90e6}, Queue: 100}}},
		{"timeouts", System{Service: &Service{Workers: 10, Time: random.Distribution{Time: 90e6}, Queue: 100, Timeout: 1e9}}},
	} {
		b.Run(row.name, func(b *testing.B) {
			plan := surroundedPlan(b, row.sys)
			b.ReportAllocs()
			b.ResetTimer()
			New(plan, Options{Buckets: 120, Workers: 1}).Finish()
		})
	}
}

// surroundedPlan is evenPlan of a token bucket with a system around it.
func surroundedPlan(b *testing.B, sys System) *Plan {
	spec := algorithms.Defaults()[0]
	plan := evenPlan(b, spec)
	sys.Tiers, sys.Endpoints = []string{""}, []string{""}
	if sys.Profiles == nil {
		sys.Profiles = []Profile{{}}
	}
	if sys.Rules == nil {
		sys.Rules = []Rule{{}}
	}
	l := &plan.Limiters[0]
	for range sys.Rules {
		l.Enforced = append(l.Enforced, Enforced{Spec: spec, Policy: l.Policy, Maker: l.Maker})
	}
	plan.System = &sys
	return plan
}
