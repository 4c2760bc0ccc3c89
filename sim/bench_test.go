package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// evenPlan is b.N requests of ten clients, each at 40/s, put to one algorithm at 100/s with a burst
// of 100, all under one key: about three in four are denied.
func evenPlan(b *testing.B, spec *algorithms.Spec) *Plan {
	policy := algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Second}}
	maker, err := spec.Build(policy)
	if err != nil {
		b.Fatal(err)
	}
	names := NewNames()
	plan := &Plan{
		Duration: Time(b.N) * 2.5e6, Shared: true, Clients: names,
		Limiters: []Limiter{{Name: spec.Name, Spec: spec, Policy: policy, Maker: maker}},
	}
	var sources []traffic.Spec
	for i := range 10 {
		name := fmt.Sprint("client-", i)
		rate := algorithms.Limit{N: 40, Per: time.Second}
		sources = append(sources, traffic.Spec{
			Name: name, Cost: 1, Clients: traffic.Clients{First: names.ID(name), Count: 1},
			Parts: []traffic.Part{{Until: plan.Duration, Rate: rate, To: rate}},
		})
	}
	plan.Open = func() traffic.Source {
		var all []traffic.Source
		for _, s := range sources {
			all = append(all, traffic.New(s, 1))
		}
		return traffic.Merge(all...)
	}
	return plan
}

// BenchmarkLoop is one request through the event loop with ten even sources and all measures on:
// generated, merged, decided, counted, its level recorded, held against the exact window.
func BenchmarkLoop(b *testing.B) {
	for _, spec := range algorithms.Defaults() {
		b.Run(spec.Name, func(b *testing.B) {
			plan := evenPlan(b, spec)
			b.ReportAllocs()
			b.ResetTimer()
			New(plan, Options{Buckets: 120, Workers: 1}).Finish()
		})
	}
}

// BenchmarkLoopAll is one request through all algorithms on all cores.
func BenchmarkLoopAll(b *testing.B) {
	plan := evenPlan(b, algorithms.Defaults()[0])
	plan.Limiters = nil
	for _, spec := range algorithms.Defaults() {
		plan.Limiters = append(plan.Limiters, evenPlan(b, spec).Limiters...)
	}
	b.ReportAllocs()
	b.ResetTimer()
	New(plan, Options{Buckets: 120, Workers: 2}).Finish()
}
