package algorithms_test

import (
	"fmt"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// pause accepts one request, whatever its cost, and then none for a period.
type pause struct {
	period time.Duration
	open   algorithms.Time // the next request is accepted from here on
	seen   algorithms.Time // the latest instant handed to Decide
}

func (p *pause) When(now algorithms.Time, _ int64) algorithms.Time {
	return max(now, p.seen, p.open)
}

func (p *pause) Decide(now algorithms.Time, cost int64) algorithms.Decision {
	p.seen = max(now, p.seen)
	if when := p.When(now, cost); when > p.seen {
		return algorithms.Decision{Verdict: algorithms.Deny, Until: when}
	}
	p.open = p.seen + algorithms.Time(p.period)
	return algorithms.Decision{Verdict: algorithms.Admit, Until: p.seen}
}

// pauses makes a pause for each key.
type pauses struct{ period time.Duration }

func (m pauses) New() algorithms.Limiter { return &pause{period: m.period} }

// An algorithm of one's own is a Limiter with two methods and a Spec that says what it is. A line in
// Specs makes it known to whatever ranges over the registry.
func ExampleSpec() {
	spec := algorithms.Spec{
		Name:    "pause",
		Summary: "one request, then none for P",
		Worst:   func(algorithms.Policy) int64 { return 1 },
		Build: func(p algorithms.Policy) (algorithms.Maker, error) {
			if p.Limit.Per < 1 {
				return nil, &algorithms.PolicyError{Field: "per", Value: p.Limit.Per.String(), Reason: "must be 1ns or more"}
			}
			return pauses{p.Limit.Per}, nil
		},
	}
	maker, err := spec.Build(algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}})
	if err != nil {
		panic(err)
	}
	limiter := maker.New()
	for _, ms := range []algorithms.Time{0, 400, 1000} {
		d := limiter.Decide(ms*1e6, 1)
		fmt.Printf("%d ms: %v, %v\n", ms, d.Verdict, time.Duration(d.Until))
	}
	// Output:
	// 0 ms: admit, 0s
	// 400 ms: deny, 1s
	// 1000 ms: admit, 1s
}
