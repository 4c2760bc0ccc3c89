package draw

import (
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Only what admits without a bound and without a level is said to let everything through.
func TestBecause(t *testing.T) {
	unbounded, bounded := func(algorithms.Policy) int64 { return -1 }, func(algorithms.Policy) int64 { return 5 }
	tokens := algorithms.Gauge{Name: "in flight"}
	for _, row := range []struct {
		story   string
		spec    algorithms.Spec
		verdict algorithms.Verdict
		want    []string
	}{
		{"nothing ever holds it back", algorithms.Spec{Worst: unbounded}, algorithms.Admit,
			[]string{"It lets everything through, whatever came before."}},
		{"without a bound over time, and yet full", algorithms.Spec{Worst: unbounded, Gauge: tokens}, algorithms.Deny,
			[]string{"Just before: in flight 5 of 5, room for nothing. The request takes 1."}},
		{"without a bound or a level, and yet denied", algorithms.Spec{Worst: unbounded}, algorithms.Deny,
			[]string{"Just before: room for nothing. The request takes 1."}},
		{"bounded, without a level", algorithms.Spec{Worst: bounded}, algorithms.Deny,
			[]string{"Just before: room for nothing. The request takes 1."}},
	} {
		e := &sim.Explanation{
			Limiter: &sim.Limiter{Spec: &row.spec}, Request: traffic.Request{Cost: 1}, Capacity: 5,
			Before: sim.State{Level: 5000}, Decision: sim.Decision{Verdict: row.verdict},
		}
		if got := NewStyle(Options{}).Because(e); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %q, want %q", row.story, got, row.want)
		}
	}
}
