package accesslog

import "math/bits"

// spread is the other reading of a log with a coarse clock: the requests of one instant are spread
// evenly over the tick that begins there. Number i of n goes to at + floor(i·tick/n), but never
// past the next instant of the log.
type spread struct {
	waiting []record // ends with all requests so far of one instant
	logged  []int64  // the instants as logged of those that can go
	done    int      // how many at the front have been handed on
	same    int      // how many behind them are known to share an instant
}

// take puts in what can go and returns what is complete; it holds until the next call.
func (s *spread) take(in []record, tick int64, end bool) []record {
	if s.done > 0 {
		s.waiting = s.waiting[:copy(s.waiting, s.waiting[s.done:])]
	}
	s.waiting = append(s.waiting, in...)
	s.done, s.logged = 0, s.logged[:0]
	for s.done < len(s.waiting) {
		s.same = sameInstant(s.waiting[s.done:], s.same)
		next := s.done + s.same
		if next == len(s.waiting) && !end {
			break
		}
		room := tick
		if next < len(s.waiting) {
			room = min(room, s.waiting[next].at-s.waiting[s.done].at)
		}
		for range s.same {
			s.logged = append(s.logged, s.waiting[s.done].at)
		}
		over(s.waiting[s.done:next], room)
		s.done, s.same = next, 0
	}
	return s.waiting[:s.done]
}

// sameInstant is how many requests at the front share an instant, of which n are known to.
func sameInstant(r []record, n int) int {
	for n < len(r) && r[n].at == r[0].at {
		n++
	}
	return n
}

// over spreads requests of one instant over so many nanoseconds.
func over(r []record, room int64) {
	for i := range r {
		hi, lo := bits.Mul64(uint64(i), uint64(room))
		q, _ := bits.Div64(hi, lo, uint64(len(r)))
		r[i].at += int64(q)
	}
}
