package sim

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Events leave the queue in order of time, then kind, then posting, whatever was posted between.
func TestEventsAreTotallyOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q events
		var left []event
		for range rapid.IntRange(1, 200).Draw(t, "actions") {
			if len(left) > 0 && rapid.IntRange(0, 2).Draw(t, "take") == 0 {
				first := slices.MinFunc(left, func(a, b event) int {
					return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.seq, b.seq))
				})
				if got := q.take(); got != first {
					t.Fatalf("took %+v, want %+v", got, first)
				}
				left = slices.DeleteFunc(left, func(e event) bool { return e == first })
				continue
			}
			e := event{at: Time(rapid.IntRange(0, 9).Draw(t, "at")), kind: eventKind(rapid.IntRange(0, 2).Draw(t, "kind"))}
			q.post(e)
			e.seq = q.posted
			left = append(left, e)
		}
		if len(q.heap) != len(left) {
			t.Fatalf("%d events queued, want %d", len(q.heap), len(left))
		}
	})
}

// A class holds delays that differ by less than one part in 1,024, and classEnd is its last one.
func TestDelayClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delay := Time(rapid.Int64Range(0, int64(algorithms.Never)-1).Draw(t, "delay"))
		c := class(delay)
		end := classEnd(c)
		if end < delay || class(end) != c || end != algorithms.Never && class(end+1) != c+1 {
			t.Fatalf("delay %d: class %d ends at %d", delay, c, end)
		}
		if end-delay > delay>>classBits {
			t.Fatalf("delay %d is rounded up to %d", delay, end)
		}
	})
}

// Beyond a million, percentiles are rounded up by less than one part in 1,024, and it is said.
func TestManyDelays(t *testing.T) {
	var d delays
	const n = exactDelays + 1000
	for i := Time(1); i <= n; i++ {
		d.add(i * 1000)
	}
	var s Summary
	d.summarize(&s)
	if !s.DelayRounded || s.DelayMean != (n+1)*500 || s.DelayMax != n*1000 {
		t.Errorf("rounded %v, mean %d, max %d", s.DelayRounded, s.DelayMean, s.DelayMax)
	}
	for p, got := range map[Time]Time{50: s.DelayP50, 95: s.DelayP95, 99: s.DelayP99} {
		exact := (n*p + 99) / 100 * 1000
		if got < exact || got-exact > exact/1024 {
			t.Errorf("p%d is %d, want %d and at most 1/1024 more", p, got, exact)
		}
	}
}

// When the memory for the trailing window runs out, the peak is a lower bound and says so.
func TestTrailIsBounded(t *testing.T) {
	tr := newTrail(algorithms.Limit{N: 10, Per: 1e18})
	tr.units = make([]int64, 1)
	for i := range Time(trailLimit + 10) {
		tr.wentAhead(i, 0, 1)
	}
	var s Summary
	tr.summarize(&s)
	if len(tr.ring) != trailLimit || !s.PeakIsLowerBound || s.Peak != trailLimit {
		t.Errorf("%d passages kept, peak %d, lower bound %v; want %d, %d, true", len(tr.ring), s.Peak, s.PeakIsLowerBound, trailLimit, trailLimit)
	}
}

// Units beyond 32 bits are counted whole.
func TestTrailOfLargeCosts(t *testing.T) {
	tr := newTrail(algorithms.Limit{N: 1, Per: 10})
	tr.units = make([]int64, 1)
	tr.wentAhead(0, 0, 1e12)
	tr.wentAhead(9, 0, 1)
	tr.wentAhead(10, 0, 5)
	if tr.peak != 1e12+1 || tr.units[0] != 6 {
		t.Errorf("peak %d, now %d; want %d and 6", tr.peak, tr.units[0], int64(1e12+1))
	}
}

// Buckets cover the span without gap or overlap and differ by at most a nanosecond in length.
func TestBucketsCoverTheSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := Time(rapid.Int64Range(1, int64(algorithms.Never)).Draw(t, "span"))
		n := int(min(span, Time(rapid.IntRange(1, 10_000).Draw(t, "n"))))
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		length := bucketStart(i+1, n, span) - bucketStart(i, n, span)
		if length != span/Time(n) && length != span/Time(n)+1 {
			t.Fatalf("bucket %d of %d over %d is %d long", i, n, span, length)
		}
		if bucketStart(0, n, span) != 0 || bucketStart(n, n, span) != span {
			t.Fatalf("%d buckets over %d end at %d", n, span, bucketStart(n, n, span))
		}
	})
}
