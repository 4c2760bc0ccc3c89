package cmd

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
)

// madeLog makes up a log of a million lines of so many clients, once.
var madeLog = struct {
	sync.Mutex
	logs map[uint32][]byte
}{logs: map[uint32][]byte{}}

func million(b *testing.B, clients uint32) []byte {
	b.Helper()
	madeLog.Lock()
	defer madeLog.Unlock()
	if madeLog.logs[clients] == nil {
		var w bytes.Buffer
		if _, err := (accesslog.Synthetic{Lines: 1_000_000, Clients: clients, Seed: 1}).WriteTo(&w); err != nil {
			b.Fatal(err)
		}
		madeLog.logs[clients] = w.Bytes()
	}
	return madeLog.logs[clients]
}

// BenchmarkReplay is a million lines in the combined format, read, sorted and put to every
// algorithm, on two cores: with the table alone, with the paths of the most refused clients, and
// with the exact peak.
func BenchmarkReplay(b *testing.B) {
	for _, clients := range []uint32{2_000, 150_000} {
		for _, c := range []struct {
			name, format string
			peak         bool
		}{{"table", "csv", false}, {"paths", "text", false}, {"peak", "csv", true}} {
			b.Run(fmt.Sprintf("clients=%d/%s", clients, c.name), func(b *testing.B) {
				log := million(b, clients)
				b.SetBytes(int64(len(log)))
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					benchReplay(b, log, c.format, c.peak)
				}
				b.ReportMetric(float64(b.N)*1e6/b.Elapsed().Seconds(), "lines/s")
			})
		}
	}
}

func benchReplay(b *testing.B, log []byte, format string, peak bool) {
	f := &replayFlags{logFlags: newLogFlags(), format: format, peak: peak, withinTick: "together"}
	f.logFlags.format = "combined"
	f.top.v = 10
	if err := f.limits.Set("60/m"); err != nil {
		b.Fatal(err)
	}
	policies, err := f.policies()
	if err != nil {
		b.Fatal(err)
	}
	j := &replayJob{app: &app{}, ctx: context.Background(), flags: f, policies: policies}
	j.inputs = []accesslog.Input{accesslog.Bytes("made up", log)}
	if r, err := j.read(); err != nil || r.Requests != 1_000_000 {
		b.Fatalf("%v: %+v", err, r)
	}
}
