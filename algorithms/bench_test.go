package algorithms_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/b6db88e4/ratesim/algorithms"
)

// BenchmarkDecide is one decision of each algorithm, and of golang.org/x/time/rate, about the same
// requests: 200 in each second, 50 µs apart, against a limit of 100/s and a burst of 100, so that half
// are denied. Answers come in runs, as they do for most clients.
func BenchmarkDecide(b *testing.B) {
	gaps := make([]Time, gapCount)
	for i := range gaps {
		gaps[i] = 50 * Time(time.Microsecond)
		if i%200 == 0 {
			gaps[i] = 990 * Time(time.Millisecond)
		}
	}
	benchAll(b, gaps)
}

// BenchmarkDecideRandom is BenchmarkDecide with the requests at random: near its limit a limiter then
// admits and denies at random too, which a processor cannot predict, and a wrong guess costs it more
// than all the arithmetic.
func BenchmarkDecideRandom(b *testing.B) {
	benchAll(b, randomGaps(5*Time(time.Millisecond)))
}

// benchAll decides about requests that far apart against 100/s and a burst of 100.
func benchAll(b *testing.B, gaps []Time) {
	p := algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Second}}
	for _, spec := range algorithms.Specs() {
		b.Run(spec.Name, func(b *testing.B) {
			l := maker(b, spec.Name, p).New()
			if spec.Holds {
				benchHolding(b, l)
			} else {
				benchDecide(b, l, gaps)
			}
		})
	}
	b.Run("x-time-rate", func(b *testing.B) { benchRate(b, gaps) })
}

// BenchmarkDecideWide is the bucket family where 64 bits do not hold the level: 1,000,003 units in a
// period of 30 days and 1 ns, a burst of 10^12, which the first request takes whole.
func BenchmarkDecideWide(b *testing.B) {
	p := algorithms.Policy{
		Limit: algorithms.Limit{N: 1_000_003, Per: 30*24*time.Hour + 1},
		Burst: algorithms.MaxUnits,
	}
	gaps := randomGaps(Time(p.Limit.Per) / Time(p.Limit.N) / 2)
	for _, spec := range algorithms.Specs() {
		if spec.Bursts {
			b.Run(spec.Name, func(b *testing.B) {
				l := maker(b, spec.Name, p).New()
				l.Decide(0, algorithms.MaxUnits)
				benchDecide(b, l, gaps)
			})
		}
	}
}

// gapCount is how many gaps between requests are drawn, a power of two.
const gapCount = 1 << 12

// randomGaps are gaps of a Poisson process with that mean.
func randomGaps(mean Time) []Time {
	r, gaps := rand.New(rand.NewPCG(1, 2)), make([]Time, gapCount)
	for i := range gaps {
		gaps[i] = Time(r.ExpFloat64() * float64(mean))
	}
	return gaps
}

// benchDecide reports the share that was denied along with the time.
func benchDecide(b *testing.B, l algorithms.Limiter, gaps []Time) {
	b.ReportAllocs()
	now, denied := Time(0), 0
	for i := range b.N {
		now += gaps[i%gapCount]
		denied += int(l.Decide(now, 1).Verdict / algorithms.Deny)
	}
	b.ReportMetric(float64(denied)/float64(b.N), "denied")
}

// benchHolding is benchDecide where units come back only as services end: one for every two requests,
// in time and late by turns of a thousand. The end of a service is part of the time.
func benchHolding(b *testing.B, l algorithms.Limiter) {
	b.ReportAllocs()
	h, denied, inFlight := l.(algorithms.Holding), 0, 0
	for i := range b.N {
		no := int(l.Decide(Time(i), 1).Verdict / algorithms.Deny)
		denied, inFlight = denied+no, inFlight+1-no
		if i%2 == 0 && inFlight > 0 {
			inFlight--
			h.Done(Time(i), 1, i/1000%2 == 0)
		}
	}
	b.ReportMetric(float64(denied)/float64(b.N), "denied")
}

// benchRate is benchDecide for the limiter that most Go programs use.
func benchRate(b *testing.B, gaps []Time) {
	b.ReportAllocs()
	l, now, denied := rate.NewLimiter(100, 100), time.Unix(0, 0), 0
	for i := range b.N {
		now = now.Add(time.Duration(gaps[i%gapCount]))
		if !l.AllowN(now, 1) {
			denied++
		}
	}
	b.ReportMetric(float64(denied)/float64(b.N), "denied")
}

// A trace of ten million requests, one each microsecond, over a million keys.
const (
	keys     = 1_000_000
	requests = 10_000_000
)

// keyedTrace draws the keys by Zipf's law with exponent 1.1 and numbers them as they are first seen,
// as interned names are.
var keyedTrace = sync.OnceValue(func() []uint32 {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(3, 4)), 1.1, 1, keys-1)
	trace, ids, next := make([]uint32, requests), make([]uint32, keys), uint32(0)
	for i := range trace {
		rank := zipf.Uint64()
		if ids[rank] == 0 {
			next++
			ids[rank] = next
		}
		trace[i] = ids[rank] - 1
	}
	return trace
})

// BenchmarkKeyed is one limiter for each of a million keys in a Table, 10/s each, and ten million
// decisions an op, asked for 32 at a time as a run does. B/key is what a key takes after the run.
func BenchmarkKeyed(b *testing.B) {
	p := algorithms.Policy{Limit: algorithms.Limit{N: 10, Per: time.Second}}
	for _, spec := range algorithms.Defaults() {
		b.Run(spec.Name, func(b *testing.B) {
			trace := keyedTrace()
			before := heap()
			limiters := algorithms.NewTable(maker(b, spec.Name, p))
			limiters.Grow(keys)
			now, denied := Time(0), 0
			b.ResetTimer()
			for range b.N {
				for ahead := range slices.Chunk(trace, 32) {
					limiters.Fetch(ahead)
					for _, key := range ahead {
						now += Time(time.Microsecond)
						denied += int(limiters.At(key).Decide(now, 1).Verdict / algorithms.Deny)
					}
				}
			}
			b.StopTimer()
			decisions := float64(b.N) * requests
			b.ReportMetric(decisions/b.Elapsed().Seconds()/1e6, "Mdecisions/s")
			b.ReportMetric(float64(heap()-before)/keys, "B/key")
			b.ReportMetric(float64(denied)/decisions, "denied")
			runtime.KeepAlive(limiters)
		})
	}
}

// heap is the bytes in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
