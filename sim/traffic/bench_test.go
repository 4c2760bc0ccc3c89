package traffic

import (
	"fmt"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// Measured one event at a time: the time of a sub-benchmark is that of one call of Next.

func BenchmarkNext(b *testing.B) {
	day := Time(24 * time.Hour)
	steady := Part{Until: 3650 * day, Rate: perSecond(300), To: perSecond(300)}
	ramp := Part{Until: 3650 * day, Rate: perSecond(100), To: perSecond(500)}
	sine := steady
	sine.Amplitude, sine.Period = perSecond(100), Time(time.Minute)
	bursty := Process{Kind: OnOff, Active: Time(time.Second), Idle: Time(time.Second), AlphaMilli: 1500}
	markov := Process{
		Kind:  MMPP,
		Rates: []algorithms.Limit{perSecond(10), perSecond(500)},
		Stay:  []Time{Time(time.Second), Time(time.Second)},
	}
	for _, bench := range []struct {
		name    string
		part    Part
		process Process
	}{
		{"even", steady, Process{}},
		{"poisson", steady, Process{Kind: Poisson}},
		{"ramp", ramp, Process{}},
		{"ramp-poisson", ramp, Process{Kind: Poisson}},
		{"sine", sine, Process{}},
		{"sine-poisson", sine, Process{Kind: Poisson}},
		{"onoff", steady, bursty},
		{"onoff-sine", sine, bursty},
		{"mmpp", steady, markov},
		{"burst", Part{Burst: 1 << 60, Over: day}, Process{}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			spec := Spec{Name: "a", Cost: 1, Parts: []Part{bench.part}, Arrivals: bench.process}
			benchmarkSource(b, New(spec, 1))
		})
	}
	b.Run("zipf", func(b *testing.B) {
		spec := Spec{Name: "a", Cost: 1, Parts: []Part{steady}, Clients: Clients{Count: 1_000_000, ZipfMilli: 1100}}
		benchmarkSource(b, New(spec, 1))
	})
	b.Run("fixed", func(b *testing.B) {
		benchmarkSource(b, &endless{requests: make([]Request, 10_000)})
	})
}

// endless sends the same requests again and again.
type endless struct {
	requests []Request
	list     List
}

func (e *endless) Next() (Request, bool) {
	r, ok := e.list.Next()
	if !ok {
		e.list = *Fixed(e.requests)
		r, ok = e.list.Next()
	}
	return r, ok
}

func perSecond(n int64) algorithms.Limit { return algorithms.Limit{N: n, Per: time.Second} }

func benchmarkSource(b *testing.B, source Source) {
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if _, ok := source.Next(); !ok {
			b.Fatal("the source has run dry")
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	for _, kind := range []struct {
		name    string
		process ProcessKind
	}{{"even", Even}, {"poisson", Poisson}} {
		for _, n := range []int{1, 10, 1000} {
			b.Run(fmt.Sprintf("%s/%d", kind.name, n), func(b *testing.B) {
				benchmarkSource(b, Merge(manySources(n, kind.process)...))
			})
		}
	}
}

// manySources are n sources of one kind at rates that have little in common.
func manySources(n int, kind ProcessKind) []Source {
	sources := make([]Source, n)
	for i := range sources {
		rate := perSecond(int64(300 + 7*i))
		part := Part{Until: Time(10 * 365 * 24 * time.Hour), Rate: rate, To: rate}
		sources[i] = New(Spec{
			Name:     fmt.Sprint("source ", i),
			Cost:     1,
			Parts:    []Part{part},
			Arrivals: Process{Kind: kind},
		}, 1)
	}
	return sources
}

func BenchmarkZipfTable(b *testing.B) {
	for range b.N {
		random.NewAlias(zipfWeights(1_000_000, 1100))
	}
}
