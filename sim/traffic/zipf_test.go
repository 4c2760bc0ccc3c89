package traffic

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestZipfWeights(t *testing.T) {
	for _, test := range []struct {
		n      uint32
		sMilli int64
	}{{2, 1000}, {10, 1}, {200, 1100}, {5000, 500}, {100_000, 2500}, {64, 10_000}} {
		weights := zipfWeights(test.n, test.sMilli)
		for i, w := range weights {
			want := float64(weights[0]) * math.Pow(float64(i+1), -float64(test.sMilli)/1000)
			if math.Abs(float64(w)-want) > 1+1e-13*want {
				t.Fatalf("%d of %d, s = %d/1000: weight %d, want %g", i+1, test.n, test.sMilli, w, want)
			}
			if i > 0 && w > weights[i-1] {
				t.Fatalf("%d of %d, s = %d/1000 is heavier than the one before", i+1, test.n, test.sMilli)
			}
		}
	}
}

// TestZipfSumFits: the sum of the weights must not overflow, and the heaviest must not vanish.
func TestZipfSumFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint32Range(2, 3000).Draw(t, "n")
		weights := zipfWeights(n, rapid.Int64Range(1, 1_000_000).Draw(t, "s"))
		sum := uint64(0)
		for _, w := range weights {
			if sum += w; sum < w {
				t.Fatal("the sum overflows")
			}
		}
		if weights[0] < math.MaxUint64/4/uint64(n) {
			t.Fatalf("the heaviest weighs only %d", weights[0])
		}
	})
}

// TestZipfShares: a source's requests come from its clients in these shares, within four standard
// errors, and its ids begin where they should.
func TestZipfShares(t *testing.T) {
	const n, clients, first = 500_000, 50, 1000
	spec := Spec{
		Name:    "shoppers",
		Cost:    1,
		Parts:   []Part{{Burst: n}},
		Clients: Clients{First: first, Count: clients, ZipfMilli: 1100},
	}
	counts := make([]int, clients)
	for s := New(spec, 1); ; {
		r, ok := s.Next()
		if !ok {
			break
		}
		counts[r.Client-first]++
	}
	total := 0.0
	for k := range clients {
		total += math.Pow(float64(k+1), -1.1)
	}
	for k, got := range counts {
		share := math.Pow(float64(k+1), -1.1) / total
		if math.Abs(float64(got)-n*share) > 4*math.Sqrt(n*share) {
			t.Errorf("client %d sent %d of %d requests, want %.0f", k+1, got, n, n*share)
		}
	}
	if !slices.IsSortedFunc(counts[:10], func(a, b int) int { return b - a }) {
		t.Errorf("the first ten sent %v: not the heaviest first", counts[:10])
	}
}

func TestRoundRobin(t *testing.T) {
	s := New(Spec{
		Cost:    3,
		Parts:   []Part{{Burst: 4}, {From: 7, Burst: 3}},
		Clients: Clients{First: 5, Count: 3},
	}, 1)
	var got []uint32
	for {
		r, ok := s.Next()
		if !ok {
			break
		}
		if r.Cost != 3 {
			t.Errorf("cost is %d", r.Cost)
		}
		got = append(got, r.Client)
	}
	if want := []uint32{5, 6, 7, 5, 6, 7, 5}; !slices.Equal(got, want) {
		t.Errorf("clients %v, want %v", got, want)
	}
}
