package sim

import (
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
	"pgregory.net/rapid"
)

// heard is what one limiter's Refusals and Observer heard.
type heard struct {
	refused, observed []int64
}

func (h *heard) Refused(seq int64, _ *traffic.Request) { h.refused = append(h.refused, seq) }
func (h *heard) Asked(Step, algorithms.Limiter)        {}
func (h *heard) Answered(s Step) {
	if s.Decision.Verdict == algorithms.Deny {
		h.observed = append(h.observed, s.Seq)
	}
}

// A lean run decides as a full one does, and whoever listens hears of each limiter's denials once
// and in order, at any number of workers.
func TestLeanDecidesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := listPlan(t)
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		full := New(plan, Options{Buckets: 1, Workers: 1}).Finish()
		var all []*heard
		for range plan.Limiters {
			all = append(all, &heard{})
		}
		for _, peak := range []bool{false, true} {
			open := *plan
			open.Duration = algorithms.Never
			for i := range all {
				*all[i] = heard{}
			}
			lean := New(&open, Options{
				Buckets: 1, Workers: workers, Lean: true, Peak: peak,
				Refusals:  func(i int) Refusals { return all[i] },
				Observers: func(i int) Observer { return all[i] },
			}).Finish()
			for i := range full {
				want := full[i].Summary
				want.LongestDenials, want.Fairness = 0, 0
				if !peak {
					want.Peak, want.PeakRatio, want.WentOver, want.DeniedWithRoom = 0, 0, 0, 0
				}
				if got := lean[i].Summary; got != want {
					t.Fatalf("%s, peak %t:\n got %+v\nwant %+v", full[i].Name, peak, got, want)
				}
				if int64(len(all[i].refused)) != want.Denied || !slices.Equal(all[i].refused, all[i].observed) {
					t.Fatalf("%s: refusals heard %v, observed %v, denied %d", full[i].Name, all[i].refused, all[i].observed, want.Denied)
				}
			}
		}
	})
}

// listPlan is a few hundred requests of a few clients, close together, put to every algorithm.
func listPlan(t *rapid.T) *Plan {
	names := NewNames()
	for _, name := range []string{"ada", "bob", "cyd"} {
		names.ID(name)
	}
	at := Time(0)
	var requests []traffic.Request
	for range rapid.IntRange(0, 300).Draw(t, "requests") {
		at += Time(rapid.IntRange(0, 40).Draw(t, "gap"))
		requests = append(requests, traffic.Request{
			At: at, Client: uint32(rapid.IntRange(0, 2).Draw(t, "client")), Cost: int64(rapid.IntRange(1, 2).Draw(t, "cost")),
		})
	}
	policy := algorithms.Policy{Limit: algorithms.Limit{N: int64(rapid.IntRange(1, 6).Draw(t, "limit")), Per: 100}}
	plan := &Plan{
		Duration: at + 1, Clients: names, Shared: rapid.Bool().Draw(t, "shared"),
		Open: func() traffic.Source { return traffic.Fixed(requests) },
	}
	for _, spec := range algorithms.Defaults() {
		maker, err := spec.Build(policy)
		if err != nil {
			t.Fatal(err)
		}
		plan.Limiters = append(plan.Limiters, Limiter{Name: spec.Name, Spec: spec, Policy: policy, Maker: maker})
	}
	return plan
}
