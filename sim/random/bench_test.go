package random

import "testing"

func BenchmarkExponential(b *testing.B) {
	s := New(1, "a")
	for range b.N {
		s.Exponential()
	}
}

func BenchmarkNormal(b *testing.B) {
	s := New(1, "a")
	for range b.N {
		s.Normal()
	}
}

// BenchmarkDraw takes a stream for each length, as requests do.
func BenchmarkDraw(b *testing.B) {
	for _, bench := range []struct {
		name string
		d    Distribution
	}{
		{"constant", Distribution{Constant, 1e6, 0}},
		{"exponential", Distribution{Exponential, 1e6, 0}},
		{"log-normal", Distribution{LogNormal, 1e6, 1000}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for n := range b.N {
				s := Keyed(1, "service", uint64(n))
				bench.d.Draw(&s)
			}
		})
	}
}

func BenchmarkEighthTable(b *testing.B) {
	for range b.N {
		newEighthTable()
	}
}
