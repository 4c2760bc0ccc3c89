package accesslog

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/b6db88e4/ratesim/sim/traffic"
)

// million is a synthetic log of so many lines in memory.
func synthetic(b testing.TB, lines int64, clients uint32) []byte {
	var out bytes.Buffer
	if _, err := (Synthetic{Lines: lines, Clients: clients, Seed: 1}).WriteTo(&out); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// BenchmarkRead reads, parses, interns and orders a million lines, and takes every request.
func BenchmarkRead(b *testing.B) {
	for _, clients := range []uint32{2000, 150_000} {
		data := synthetic(b, 1_000_000, clients)
		for _, mode := range []struct {
			name string
			opts Options
		}{{"", Options{}}, {"/sort", Options{Sort: true}}, {"/spread", Options{Spread: true}}, {"/paths", Options{Paths: true}}} {
			b.Run(fmt.Sprintf("combined-%d%s", clients, mode.name), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					drain(b, data, mode.opts)
				}
				b.ReportMetric(float64(b.N)*1e6/b.Elapsed().Seconds(), "lines/s")
			})
		}
	}
}

func drain(b *testing.B, data []byte, opts Options) {
	log, err := Open([]Input{Bytes("log", data)}, opts)
	if err != nil {
		b.Fatal(err)
	}
	s, err := log.Stream()
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	last := traffic.Time(0)
	for {
		r, ok := s.Next()
		if !ok {
			break
		}
		if r.At < last {
			b.Fatal("out of order")
		}
		last = r.At
		n++
	}
	if s.Err() != nil || n != 1_000_000 {
		b.Fatal(n, s.Err())
	}
}
