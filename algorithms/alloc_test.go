package algorithms_test

import (
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// TestNoAllocation: deciding and asking cost no memory. What a log keeps grows to its size first.
func TestNoAllocation(t *testing.T) {
	perSecond := algorithms.Limit{N: 100, Per: time.Second}
	// P in lowest terms of N/P is 10^15 + 1 ns, and B·P does not fit 64 bits.
	wide := algorithms.Limit{N: 1_000_003, Per: 1_000_000_000_000_001}
	for _, spec := range algorithms.Specs() {
		for _, p := range withOptions(spec, algorithms.Policy{Limit: perSecond}, algorithms.Policy{Limit: wide, Burst: 5_000}) {
			l := maker(t, spec.Name, p).New()
			now, step := Time(0), Time(int64(p.Limit.Per)/p.Limit.N/2)
			ask := func() {
				now += step
				l.When(now, 2)
				l.Decide(now, 1)
				if g, ok := l.(algorithms.Gauged); ok {
					g.Level(now)
				}
			}
			for range 2*min(p.Limit.N, 1000) + 500 {
				ask()
			}
			if n := testing.AllocsPerRun(100, ask); n != 0 {
				t.Errorf("%s %+v: %v allocations", spec.Name, p, n)
			}
		}
	}
}

// TestMemoryBounded: what is kept grows with what counts, not with what is asked. A slice that doubles
// needs few allocations to hold few entries.
func TestMemoryBounded(t *testing.T) {
	rows := []struct {
		algorithm, options, keeps string
		n                         int64
	}{
		{"sliding-buckets", "slots=10", "one entry a slot", algorithms.MaxUnits},
		{"sliding-log", "", "10 entries", 10},
		{"sliding-log", "count_denied=true", "10 entries, the denied ones included", 10},
	}
	for _, row := range rows {
		m := maker(t, row.algorithm, algorithms.Policy{
			Limit:   algorithms.Limit{N: row.n, Per: time.Second},
			Options: options(row.options),
		})
		n := testing.AllocsPerRun(1, func() {
			l := m.New()
			for i := range 10 * sec / 1e6 {
				l.Decide(i*1e6, 1)
			}
		})
		if n > 12 {
			t.Errorf("%s %s keeps %s, yet 10,000 requests took %v allocations", row.algorithm, row.options, row.keeps, n)
		}
	}
}

// withOptions gives each policy bare, and once with each value that a Bool or Choice option takes.
func withOptions(spec *algorithms.Spec, policies ...algorithms.Policy) []algorithms.Policy {
	all := policies
	for _, p := range policies {
		for _, o := range spec.Options {
			values := o.Choices
			if o.Kind == algorithms.Bool {
				values = []string{"true"}
			}
			for _, v := range values {
				p.Options = map[string]string{o.Name: v}
				all = append(all, p)
			}
		}
	}
	return all
}
