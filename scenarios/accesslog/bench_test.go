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

// BenchmarkParse parses lines one by one, without reading, keys or order.
func BenchmarkParse(b *testing.B) {
	for _, f := range Formats() {
		lines := benchLines(f)
		if len(lines) == 0 {
			continue
		}
		b.Run(f.Name, func(b *testing.B) {
			size := 0
			for _, line := range lines {
				size += len(line) + 1
			}
			b.SetBytes(int64(size / len(lines)))
			b.ReportAllocs()
			e := Entry{layout: benchLayout(f)}
			for i := 0; b.Loop(); i++ {
				if err := f.Parse(lines[i%len(lines)], &e); err != nil {
					b.Fatalf("%s: %v", lines[i%len(lines)], err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// benchLines are the good lines of a format among the samples of its tests; one written here for
// formats that the user describes.
func benchLines(f *Format) [][]byte {
	switch f.Name {
	case "csv":
		return [][]byte{[]byte(`2025-05-17T08:05:03.250Z,192.0.2.7,"/a?b=c",200,17`)}
	case "tsv":
		return [][]byte{[]byte("2025-05-17T08:05:03.250Z\t192.0.2.7\t/a?b=c\t200\t17")}
	case "jsonl":
		return [][]byte{[]byte(`{"ts":1747469103.25,"ip":"192.0.2.7","req":{"path":"/a?b=c"},"status":200,"tokens":17}`)}
	}
	var lines [][]byte
	for _, s := range formatSamples() {
		if s.format == f.Name && s.want[0] != '!' && s.line[0] != '#' {
			lines = append(lines, []byte(s.line))
		}
	}
	return lines
}

func benchLayout(f *Format) *layout {
	switch f.Name {
	case "csv", "tsv":
		return &layout{comma: map[string]byte{"csv": ',', "tsv": '\t'}[f.Name], shift: anyUnit, costs: true,
			slots: []slot{timeSlot, clientSlot, pathSlot, statusSlot, costSlot}}
	case "jsonl":
		l := jsonLayout([]Column{{"time", "ts"}, {"client", "ip"}, {"path", "req.path"}, {"cost", "tokens"}})
		l.costs, l.shift = true, inSeconds
		return l
	}
	return nil
}
