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

// Adjust implements Adjusting.
func (o *other) Adjust(now Time, to Limiter) bool {
	if t, ok := to.(*other); ok {
		to = t.Limiter
	}
	return adjust(o.Limiter, now, to)
}

// keys lie on the first three pages of a table.
var keys = []uint32{0, 1, 511, 512, 1025}

// A table's limiters decide as limiters made one by one at instant 0 do, each for itself, however the
// table grows and the limit changes between.
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
				for _, key := range keys {
					single[key] = maker.New()
				}
				now := Time(0)
				for range rapid.IntRange(1, 100).Draw(t, "requests") {
					now += Time(rapid.IntRange(0, 900).Draw(t, "gap"))
					if rapid.IntRange(0, 9).Draw(t, "change") == 0 {
						n, burst := rapid.SampledFrom([]int64{1, 2, 5, MaxUnits}).Draw(t, "to"), rapid.Int64Range(1, 5).Draw(t, "burst")
						m, err := spec.Build(Policy{Limit: Limit{n, time.Microsecond}, Burst: burst})
						if err != nil || !table.Adjust(now, m) {
							t.Fatal("cannot be changed", err)
						}
						for _, key := range keys {
							Adjust(single[key], now, m)
						}
					}
					key := rapid.SampledFrom(keys).Draw(t, "key")
					table.Grow(int(key) + 1)
					table.Fetch([]uint32{key, 0})
					if got, want := table.At(key).Decide(now, 1), single[key].Decide(now, 1); got != want {
						t.Fatalf("key %d at %d: %v, want %v", key, now, got, want)
					}
				}
			})
		})
	}
}
