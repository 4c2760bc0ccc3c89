package traffic

// List is the source of requests that are already there: exact instants, or the rows of a trace.
type List struct {
	requests []Request
	next     int // index of the next one
}

// Fixed makes a source of the requests, which must be in order of time, each of a cost of 1 or more.
// It neither copies nor changes them, so any number of sources may share them.
func Fixed(requests []Request) *List { return &List{requests: requests} }

// Next returns the next request, and false after the last.
func (l *List) Next() (Request, bool) {
	if l.next == len(l.requests) {
		return Request{}, false
	}
	r := l.requests[l.next]
	l.next++
	return r, true
}
