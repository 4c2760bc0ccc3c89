package replay

import "github.com/b6db88e4/ratesim/sim/traffic"

// source hands requests on and counts what is the same for every limiter.
type source struct {
	in   traffic.Source
	path func() uint32

	requests []int64 // by client
	clients  int64   // that sent a request
	timeline Timeline
	last     Time

	paths []uint32 // of the requests since next
	first int64    // number of the first of them
}

// next begins another block of requests, the first of which has the number seq.
func (s *source) next(seq int64) { s.paths, s.first = s.paths[:0], seq }

// Next implements traffic.Source.
func (s *source) Next() (traffic.Request, bool) {
	r, ok := s.in.Next()
	if !ok {
		return r, false
	}
	if s.path != nil {
		s.paths = append(s.paths, s.path())
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

// pathOf is the path of request number seq, which came since next.
func (s *source) pathOf(seq int64) uint32 { return s.paths[seq-s.first] }

// reaching makes room for index i.
func reaching[T any](s []T, i uint32) []T {
	if int(i) < len(s) {
		return s
	}
	return append(s, make([]T, int(i)+1-len(s))...)
}
