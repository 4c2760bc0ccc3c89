package traffic

import (
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
)

// poissonSource is ten thousand seconds of ten requests each, of three clients.
func poissonSource() Source {
	rate := algorithms.Limit{N: 10, Per: 1e9}
	return New(Spec{
		Name: "a", Cost: 2, Clients: Clients{First: 0, Count: 3, ZipfMilli: 1000}, Arrivals: Process{Kind: Poisson},
		Parts: []Part{{Until: 1e13, Rate: rate, To: rate}},
	}, 1)
}

// Endpoints are drawn in proportion to their weights, and cost what they cost; when requests come
// and who sends them stays as it was.
func TestAimed(t *testing.T) {
	aim := Aim{Shares: []EndpointShare{{7, 3}, {2, 1}}, Costs: []int64{0, 0, 5}}
	plain, source := poissonSource(), Aimed(poissonSource(), aim, "a", 1)
	counts, total := map[uint32]int{}, 0
	for {
		want, more := plain.Next()
		got, ok := source.Next()
		if ok != more {
			t.Fatal("one of the two ends before the other")
		}
		if !ok {
			break
		}
		if got.At != want.At || got.Client != want.Client {
			t.Fatalf("%+v was %+v", got, want)
		}
		if cost := map[uint32]int64{7: 2, 2: 5}[got.Endpoint]; got.Cost != cost {
			t.Fatalf("%+v should cost %d", got, cost)
		}
		counts[got.Endpoint]++
		total++
	}
	// A binomial count of so many is within four deviations of a quarter, √(n·¼·¾), but for one in
	// 16,000 seeds.
	if off := float64(counts[2]) - float64(total)/4; off*off > 16*float64(total)*3/16 {
		t.Errorf("%d of %d requests are for an endpoint with a weight of 1 in 4", counts[2], total)
	}
	if len(counts) != 2 {
		t.Errorf("endpoints %v", counts)
	}
}

// One endpoint needs no draw, and keeps the cost of the source where it has none of its own.
func TestAimedAtOne(t *testing.T) {
	source := Aimed(Fixed([]Request{{At: 1, Cost: 3}, {At: 2, Cost: 4}}), Aim{Shares: []EndpointShare{{Endpoint: 9}}}, "", 1)
	for _, want := range []Request{{At: 1, Cost: 3, Endpoint: 9}, {At: 2, Cost: 4, Endpoint: 9}} {
		if got, ok := source.Next(); !ok || got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if _, ok := source.Next(); ok {
		t.Error("a third request")
	}
}

func BenchmarkAimed(b *testing.B) {
	rate := algorithms.Limit{N: 1000, Per: 1e9}
	spec := Spec{Name: "a", Cost: 1, Parts: []Part{{Until: algorithms.Never, Rate: rate, To: rate}}}
	source := Aimed(New(spec, 1), Aim{Shares: []EndpointShare{{1, 3}, {2, 1}}, Costs: []int64{0, 1, 5}}, "a", 1)
	for b.Loop() {
		source.Next()
	}
}
