package traffic

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
	"pgregory.net/rapid"
)

// shapes is one source of every kind, each with parts of its own and a pause between them.
func shapes() []Spec {
	constant := Part{From: second, Until: minute, Rate: per(7, 3), To: per(7, 3)}
	ramp := Part{From: 2 * minute, Until: 3 * minute, Rate: per(8, 1), To: per(40, 1)}
	sine := Part{From: 3 * minute, Until: 20 * minute, Rate: per(20, 1), To: per(30, 1), Amplitude: per(15, 1), Period: minute}
	burst := Part{From: 21 * minute, Burst: 7, Over: second}
	parts := []Part{constant, ramp, sine, burst}
	markov := Process{Kind: MMPP, Rates: []algorithms.Limit{per(2, 1), {}, per(90, 1)}, Stay: []Time{second, 2 * second, second}}
	return []Spec{
		{Name: "even", Parts: parts},
		{Name: "poisson", Parts: parts, Arrivals: Process{Kind: Poisson}},
		{Name: "on-off", Parts: parts, Arrivals: Process{Kind: OnOff, Active: second, Idle: 2 * second, AlphaMilli: 1500}},
		{Name: "mmpp", Parts: parts, Arrivals: markov},
		{Name: "zipf", Parts: parts, Arrivals: Process{Kind: Poisson}, Clients: Clients{First: 100, Count: 50, ZipfMilli: 1100}},
		{Name: "round robin", Parts: parts, Clients: Clients{First: 200, Count: 3}},
	}
}

// TestGolden pins what every kind of source sends: its first requests and a digest of all. It is the
// same on every machine; to see that, run it with GOARCH=386, and with GOAMD64=v3, which fuses
// multiplications and additions.
func TestGolden(t *testing.T) {
	var text []byte
	for _, spec := range shapes() {
		spec.Cost = 1
		all := collect(New(spec, 1))
		digest := fnv.New64a()
		for _, r := range all {
			fmt.Fprintln(digest, r.At, r.Cost, r.Client)
		}
		text = fmt.Appendf(text, "%s: %d requests, digest %016x\n", spec.Name, len(all), digest.Sum64())
		for _, r := range all[:10] {
			text = fmt.Appendf(text, "%13d client %d\n", r.At, r.Client)
		}
	}
	golden(t, "testdata/requests.golden", text)
}

func TestOrderAndBounds(t *testing.T) {
	for _, spec := range shapes() {
		s := New(spec, 3)
		last := Time(0)
		for r, ok := s.Next(); ok; r, ok = s.Next() {
			inside := slices.ContainsFunc(spec.Parts, func(p Part) bool {
				return r.At >= p.From && (r.At < p.Until || p.Burst > 0 && r.At <= p.From+p.Over)
			})
			if r.At < last || !inside {
				t.Fatalf("%s: a request at %d, after %d", spec.Name, r.At, last)
			}
			last = r.At
		}
	}
}

func TestSeedDecides(t *testing.T) {
	for i, spec := range shapes() {
		first := collect(New(spec, 5))
		if again := collect(New(spec, 5)); !slices.Equal(first, again) {
			t.Errorf("%s: the same seed gives other requests", spec.Name)
		}
		if other := collect(New(spec, 6)); spec.Arrivals.Kind != Even && slices.Equal(first, other) {
			t.Errorf("%s: another seed gives the same requests", spec.Name)
		}
		spec.Name = fmt.Sprint("other ", i)
		if other := collect(New(spec, 5)); spec.Arrivals.Kind != Even && slices.Equal(first, other) {
			t.Errorf("%s: another name gives the same requests", spec.Name)
		}
	}
}

// TestShareLeavesArrivalsAlone: clients have a stream of their own.
func TestShareLeavesArrivalsAlone(t *testing.T) {
	spec := shapes()[1]
	alone := firstInstants(New(spec, 1), math.MaxInt)
	spec.Clients = Clients{Count: 1000, ZipfMilli: 900}
	if shared := firstInstants(New(spec, 1), math.MaxInt); !slices.Equal(alone, shared) {
		t.Error("other clients, other arrivals")
	}
}

// TestRateLeavesPeriodsAlone: on and off periods have one too.
func TestRateLeavesPeriodsAlone(t *testing.T) {
	process := shapes()[2].Arrivals
	for _, rate := range []int64{100, 1000} {
		p := Part{Until: minute, Rate: per(rate, 1), To: per(rate, 1)}
		checkPeriods(t, firstInstants(source(process, p), math.MaxInt), onPeriods(&process, 0, minute))
	}
}

// TestAnotherSourceChangesNothing: of a merged stream each source's share is what it sends alone.
func TestAnotherSourceChangesNothing(t *testing.T) {
	specs := shapes()
	var sources []Source
	for i := range specs {
		specs[i].Clients = Clients{First: uint32(i), Count: 1}
		sources = append(sources, New(specs[i], 1))
	}
	shares := make([][]Request, len(specs))
	for _, r := range collect(Merge(sources...)) {
		shares[r.Client] = append(shares[r.Client], r)
	}
	for i, spec := range specs {
		if alone := collect(New(spec, 1)); !slices.Equal(alone, shares[i]) {
			t.Errorf("%s sends other requests in company", spec.Name)
		}
	}
}

func TestNoAllocationsPerRequest(t *testing.T) {
	var sources []Source
	for _, spec := range shapes() {
		s := New(spec, 1)
		s.Next()
		if allocations := testing.AllocsPerRun(100, func() { s.Next() }); allocations != 0 {
			t.Errorf("%s: %v allocations a request", spec.Name, allocations)
		}
		sources = append(sources, s)
	}
	s := Merge(append(sources, Fixed(make([]Request, 1000)))...)
	if allocations := testing.AllocsPerRun(1000, func() { s.Next() }); allocations != 0 {
		t.Errorf("merged: %v allocations a request", allocations)
	}
}

// TestExtremes: whatever is valid ends, keeps its bounds and overflows nothing.
func TestExtremes(t *testing.T) {
	most := algorithms.Limit{N: algorithms.MaxUnits, Per: 1}
	least := algorithms.Limit{N: 1, Per: algorithms.MaxPeriod}
	long := 10 * year
	everything := Process{
		Kind:   OnOff,
		Active: long, Idle: long, AlphaMilli: 1001,
		Rates: []algorithms.Limit{most, least, {}}, Stay: []Time{1, long, long},
	}
	for _, test := range []struct {
		story string
		part  Part
	}{
		{"10¹² a nanosecond for ten years", Part{Until: long, Rate: most, To: most}},
		{"one in ten years", Part{From: long, Until: 2 * long, Rate: least, To: least}},
		{"from nothing to 10¹² a nanosecond", Part{Until: long, To: most}},
		{"from 10¹² a nanosecond to nothing", Part{Until: long, Rate: most}},
		{"from the least to the most", Part{Until: long, Rate: least, To: most}},
		{"one nanosecond", Part{From: long, Until: long + 1, Rate: most, To: least}},
		{"a swing of 10¹²", Part{Until: long, Rate: most, To: most, Amplitude: most, Period: long}},
		{"a swing of 10¹² on a ramp", Part{Until: long, Rate: most, To: algorithms.Limit{N: 1, Per: 1}, Amplitude: algorithms.Limit{N: 1, Per: 1}, Period: 3}},
		{"the least swing", Part{Until: long, Rate: least, To: most, Amplitude: least, Period: 1}},
		{"a thousand million at once", Part{From: long, Burst: 1e9}},
		{"10¹² over ten years", Part{Burst: 1e12, Over: long}},
		{"to the last instant of all", Part{From: Time(never) - 1000, Until: Time(never), Rate: algorithms.Limit{N: 1, Per: 300}, To: algorithms.Limit{N: 1, Per: 200}}},
	} {
		for kind := Even; kind <= MMPP; kind++ {
			process := everything
			process.Kind = kind
			last := test.part.From
			for _, at := range firstInstants(source(process, test.part), 1000) {
				if at < last || test.part.Burst == 0 && at >= test.part.Until {
					t.Fatalf("%s, process %d: a request at %d, after %d", test.story, kind, at, last)
				}
				last = at
			}
		}
	}
}

// TestPartsOfAnyKind strings random parts together, pauses and zero rates among them.
func TestPartsOfAnyKind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := Spec{Name: "a", Cost: 1, Clients: Clients{Count: 2}}
		spec.Arrivals = Process{
			Kind:   ProcessKind(rapid.IntRange(0, 3).Draw(t, "kind")),
			Active: second, Idle: second, AlphaMilli: 1300,
			Rates: []algorithms.Limit{{}, per(1, 3600)}, Stay: []Time{minute, minute},
		}
		at := Time(0)
		for range rapid.IntRange(0, 5).Draw(t, "parts") {
			at += Time(rapid.SampledFrom([]int64{0, 0, 1, 1e9, 1e15}).Draw(t, "pause"))
			p := Part{From: at, Until: at + Time(rapid.Int64Range(0, 1e12).Draw(t, "length"))}
			rates := []algorithms.Limit{{}, per(1, 60), per(1, 1), per(3, 7)}
			p.Rate = rapid.SampledFrom(rates).Draw(t, "rate")
			p.To = rapid.SampledFrom(rates).Draw(t, "to")
			if rapid.IntRange(0, 3).Draw(t, "burst") == 0 {
				p = Part{From: at, Burst: 3, Over: p.Until - at}
			}
			spec.Parts = append(spec.Parts, p)
			at = max(p.Until, p.From+p.Over)
		}
		last := Time(0)
		for _, now := range firstInstants(New(spec, 1), 2000) {
			if now < last {
				t.Fatalf("a request at %d, after %d", now, last)
			}
			last = now
		}
	})
}
