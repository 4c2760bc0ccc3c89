package replay

import (
	"testing"

	"pgregory.net/rapid"
)

// A timeline holds every event in the bucket that covers it, whatever the scale of time, in bounded
// memory.
func TestTimeline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tl Timeline
		at, events := Time(0), []Time(nil)
		for range rapid.IntRange(1, 200).Draw(t, "events") {
			at += Time(rapid.Int64Range(0, 1<<rapid.IntRange(0, 54).Draw(t, "scale")).Draw(t, "gap"))
			tl.add(at)
			events = append(events, at)
		}
		for _, tl := range []Timeline{tl, tl.AtMost(64)} {
			want := make([]int64, len(tl.Counts))
			for _, e := range events {
				want[e/tl.Width()]++
			}
			for i := range want {
				if tl.Counts[i] != want[i] {
					t.Fatalf("bucket %d of width %d: %d, want %d", i, tl.Width(), tl.Counts[i], want[i])
				}
			}
			if got := sum(tl.Columns(7, at+1)); got != int64(len(events)) {
				t.Fatalf("columns hold %d of %d events", got, len(events))
			}
		}
		if len(tl.Counts) > mostBuckets || len(tl.AtMost(64).Counts) > 64 {
			t.Fatalf("%d buckets", len(tl.Counts))
		}
		if at >= mostBuckets && len(tl.Counts) <= mostBuckets/2 {
			t.Fatalf("only %d buckets in use", len(tl.Counts))
		}
	})
}

// Counts of pairs are exact as long as there is room, and beyond too low by at most what was taken
// off; a pair that is more frequent than that is never lost.
func TestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(2, 40).Draw(t, "most")
		p, want := newPairs(most), map[uint64]int64{}
		for range rapid.IntRange(0, 500).Draw(t, "adds") {
			client, path := uint32(rapid.IntRange(0, 5).Draw(t, "client")), uint32(rapid.IntRange(0, 20).Draw(t, "path"))
			p.add(client, path)
			want[uint64(client)<<32|uint64(path)]++
		}
		for key, n := range want {
			got := p.find(key).count
			if got > n || got < n-p.off || len(want) <= most && got != n {
				t.Fatalf("%x: %d counted of %d, %d taken off", key, got, n, p.off)
			}
		}
		if p.n > most {
			t.Fatalf("%d pairs held, %d allowed", p.n, most)
		}
	})
}
