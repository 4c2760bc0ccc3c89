package replay

import "github.com/b6db88e4/ratesim/sim/traffic"

// source hands requests on and counts what is the same for every limiter.
type source struct {
	in traffic.Source

	requests []int64 // by client
	clients  int64   // that sent a request
	timeline Timeline
	last     Time
}

// Next implements traffic.Source.
func (s *source) Next() (traffic.Request, bool) {
	r, ok := s.in.Next()
	if !ok {
		return r, false
	}
	s.requests = reaching(s.requests, r.Client)
	if s.requests[r.Client] == 0 {
		s.clients++
	}
	s.requests[r.Client]++
	s.timeline.add(r.At)
	s.last = r.At
	return r, true
}

// reaching makes room for index i.
func reaching[T any](s []T, i uint32) []T {
	if int(i) < len(s) {
		return s
	}
	return append(s, make([]T, int(i)+1-len(s))...)
}
