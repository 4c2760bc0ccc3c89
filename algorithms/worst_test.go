package algorithms_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// sec is one second of a run; the limits of these tests are per second.
const sec = Time(time.Second)

// burst is n unit requests at one instant.
func burst(at Time, n int64) []request { return spaced(at, 0, 1, n) }

// spaced is n unit requests, number i at from + ceil(i·per/parts).
func spaced(from, per Time, parts, n int64) []request {
	var made []request
	for i := range n {
		made = append(made, request{from + Time((i*int64(per)+parts-1)/parts), 1})
	}
	return made
}

// then is one sequence after another.
func then(sequences ...[]request) []request {
	var all []request
	for _, s := range sequences {
		all = append(all, s...)
	}
	return all
}

// TestWorstReached shows for each algorithm the traffic that gets most through within one period:
// the bound of the registry is reached, or missed by as much as the row says.
func TestWorstReached(t *testing.T) {
	rows := []struct {
		algorithm, options string
		n, burst           int64
		requests           []request
		reaches, bound     int64
	}{
		// The bucket at once, then each unit as it flows in.
		{"token-bucket", "", 100, 20, then(burst(0, 20), spaced(sec/100, sec, 100, 99)), 119, 119},
		{"gcra", "", 100, 20, then(burst(0, 20), spaced(sec/100, sec, 100, 99)), 119, 119},
		{"leaky-meter", "", 7, 4, then(burst(0, 4), spaced(sec/7+1, sec, 7, 6)), 10, 10},
		{"token-bucket", "", 1, 1, burst(0, 9), 1, 1},
		// The bucket just before a refill, and what the refill brings.
		{"token-bucket", "refill=interval", 100, 20, then(burst(sec-1, 30), burst(sec, 30)), 40, 40},
		{"token-bucket", "refill=interval", 20, 100, then(burst(sec-1, 100), burst(sec, 100)), 120, 120},
		// At unit cost the queue lets N through; with one large request behind small ones it is N−1+B.
		{"leaky-bucket", "", 100, 100, burst(0, 200), 100, 199},
		{"leaky-bucket", "", 10, 20, then(spaced(0, sec, 10, 9), []request{{9 * sec / 10, 20}}), 29, 29},
		// N at the end of a window and N at the start of the next.
		{"fixed-window", "", 100, 0, then(burst(sec-1, 100), burst(sec, 100)), 200, 200},
		// The first request of the window is P before its end: one unit short of 2N.
		{"fixed-window", "anchor=first", 100, 0, then(burst(0, 1), burst(sec-1, 99), burst(sec, 100)), 199, 200},
		{"sliding-log", "", 100, 0, then(burst(sec/2, 100), spaced(sec/2, sec, 1000, 1001)), 100, 100},
		// All in the last nanosecond of a window, then one each N-th of the next.
		{"sliding-counter", "", 100, 0, then(burst(sec-1, 100), spaced(sec+sec/100, sec, 100, 100)), 199, 199},
		{"sliding-counter", "", 1, 0, then(burst(sec-1, 1), spaced(sec, sec, 100, 101)), 1, 1},
		// Truncated, the weight of N falls by one within the first nanosecond.
		{"sliding-counter", "rounding=floor", 100, 0, then(burst(sec-1, 100), spaced(sec+1, sec, 100, 100)), 200, 200},
		// N at the end of a slot, N when that slot has left, P − P/slots later.
		{"sliding-buckets", "slots=10", 100, 0, then(burst(sec/10-1, 100), burst(sec, 100)), 200, 200},
		{"sliding-buckets", "slots=1", 100, 0, then(burst(sec-1, 100), burst(sec, 100)), 200, 200},
		{"unlimited", "", 1, 1, burst(0, 1000), 1000, -1},
	}
	for _, row := range rows {
		t.Run(row.algorithm+" "+row.options, func(t *testing.T) {
			spec, _ := algorithms.Lookup(row.algorithm)
			p := algorithms.Policy{Limit: algorithms.Limit{N: row.n, Per: time.Second}, Burst: row.burst, Options: options(row.options)}
			s := newSubject(spec, p, maker(t, row.algorithm, p))
			if s.worst != row.bound {
				t.Errorf("bound %d, want %d", s.worst, row.bound)
			}
			if peak := s.peak(s.make(), row.requests); peak != row.reaches {
				t.Errorf("%d go ahead within a period, want %d", peak, row.reaches)
			}
		})
	}
}

// TestShaperAtUnitCost: with requests of one unit no period sees more than N leave a leaky bucket.
func TestShaperAtUnitCost(t *testing.T) {
	spec, _ := algorithms.Lookup("leaky-bucket")
	rapid.Check(t, func(t *rapid.T) {
		s := drawSubject(t, spec)
		past := s.script(drawSteps(60).Draw(t, "steps"))
		for i := range past {
			past[i].cost = 1
		}
		if peak := s.peak(s.make(), past); peak > s.policy.Limit.N {
			t.Fatal(s.fault(past, "%d units left within one period", peak))
		}
	})
}
