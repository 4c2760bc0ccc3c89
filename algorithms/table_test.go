package algorithms

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// other is a limiter that NewTable does not know.
type other struct{ Limiter }

type otherMaker struct{ Maker }

func (m otherMaker) New() Limiter { return &other{m.Maker.New()} }

// A table's limiters decide as limiters made one by one do, each for itself, however the table
// grows between.
func TestTableDecidesTheSame(t *testing.T) {
	for _, spec := range Specs() {
		t.Run(spec.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.SampledFrom([]int64{1, 3, MaxUnits}).Draw(t, "limit")
				maker, err := spec.Build(Policy{Limit: Limit{n, time.Microsecond}})
				if err != nil {
					t.Fatal(err)
				}
				if rapid.Bool().Draw(t, "other") {
					maker = otherMaker{maker}
				}
				table, single := NewTable(maker), map[uint32]Limiter{}
				now := Time(0)
				for range rapid.IntRange(1, 100).Draw(t, "requests") {
					now += Time(rapid.IntRange(0, 900).Draw(t, "gap"))
					key := uint32(rapid.SampledFrom([]int{0, 1, 511, 512, 1025}).Draw(t, "key"))
					table.Grow(int(key) + 1)
					table.Fetch([]uint32{key, 0})
					if single[key] == nil {
						single[key] = maker.New()
					}
					if got, want := table.At(key).Decide(now, 1), single[key].Decide(now, 1); got != want {
						t.Fatalf("key %d at %d: %v, want %v", key, now, got, want)
					}
				}
			})
		})
	}
}
