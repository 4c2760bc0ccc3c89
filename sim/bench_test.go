package sim

import (
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

type evenly struct {
	at, step Time
	n        int
}

func (e *evenly) Next() (traffic.Request, bool) {
	e.n--
	at := e.at
	e.at += e.step
	return traffic.Request{At: at, Cost: 1}, e.n >= 0
}

func BenchmarkLoop(b *testing.B) {
	for _, spec := range algorithms.Specs() {
		b.Run(spec.Name, func(b *testing.B) {
			policy := algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Second}}
			maker, err := spec.Build(policy)
			if err != nil {
				b.Fatal(err)
			}
			plan := &Plan{Duration: Time(b.N) * 5e6, Clients: NewNames(),
				Open:     func() traffic.Source { return &evenly{n: b.N, step: 5e6} },
				Limiters: []Limiter{{spec.Name, spec, policy, maker}}}
			plan.Clients.ID("a")
			b.ReportAllocs()
			New(plan, Options{Buckets: 120, Workers: 1}).Finish()
		})
	}
}
