package servers

import (
	"math"
	"math/bits"

	"github.com/b6db88e4/ratesim/algorithms"
)

// ledger counts what is admitted by key and window of the store's clock, and keeps the largest bound
// that the scheme says held for any of them. It is told of everything in order of time.
type ledger struct {
	windows
	limit  int64
	window uint64 // number of the window under way
	until  uint64 // where it ends
	counts []count
	active uint64 // 1 + number of the latest window in which something was admitted
	report Report
}

// count is the units admitted of one key.
type count struct {
	window uint64 // 1 + number of the window that the units belong to
	units  int64
}

func newLedger(w windows, limit int64, servers int) ledger {
	return ledger{windows: w, limit: limit, until: w.end(0), report: Report{Admitted: make([]int64, servers)}}
}

// enter goes on to the window of now.
func (l *ledger) enter(now Time) {
	if uint64(now) >= l.until {
		l.window = l.number(now)
		l.until = l.end(l.window)
	}
}

// within reports whether an instant not after now lies in the window under way and not on its edge,
// where every count is 0 anyway.
func (l *ledger) within(at Time) bool { return uint64(at)+l.period > l.until }

// of is the count of a key in the window under way.
func (l *ledger) of(key uint32) *count {
	if int(key) >= len(l.counts) {
		l.counts = extended(l.counts, key)
	}
	k := &l.counts[key]
	if k.window != l.window+1 {
		*k = count{window: l.window + 1}
	}
	return k
}

// decided takes what a server decided at now.
func (l *ledger) decided(now Time, server uint8, key uint32, cost int64, v algorithms.Verdict) {
	l.enter(now)
	k := l.of(key)
	if v == algorithms.Deny {
		if k.units <= l.limit-cost {
			l.report.DeniedWithRoom++
		}
		return
	}
	k.units += cost
	l.report.Admitted[server] += cost
	l.report.OverAdmitted = max(l.report.OverAdmitted, k.units-l.limit)
	if l.active != l.window+1 {
		l.active = l.window + 1
		l.report.Windows++
	}
}

// bound says that some window has times the limit as its bound, the limit itself included.
func (l *ledger) bound(times int64) { l.atMost(multiple(times, l.limit)) }

// atMost says that some window has a bound of so many units in all.
func (l *ledger) atMost(units int64) { l.report.Bound = max(l.report.Bound, units-l.limit) }

// multiple is a·b for numbers of 0 or more, at most the largest int64.
func multiple(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(lo)
}

// extended is a list by key with room for one more key, at least twice as long as before.
func extended[T any](list []T, key uint32) []T {
	longer := make([]T, max(int(key)+1, 2*len(list)))
	copy(longer, list)
	return longer
}
