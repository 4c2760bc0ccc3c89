package sim

// eventKind says what happens. At one instant, lower kinds come first: changes of limits, ends of
// service, releases, messages, answers. Arrivals come after all of them and are not queued: they
// are merged in as they are generated.
type eventKind uint8

const (
	change       eventKind = iota // limits change
	endOfService                  // a call has been served
	release                       // a delayed request goes ahead
	message                       // something between servers arrives
	answer                        // a client has waited long enough for an answer
	attempt                       // a client sends a request again, or one that it held back
)

// event is something that happens to a run at an instant.
type event struct {
	at      Time
	seq     uint64 // order of posting, which decides between events of one kind at one instant
	cost    int64  // units that go ahead; with a System, what else the kind needs to know
	subject uint32 // the client whose request goes ahead; with a System, a number of what it happens to
	kind    eventKind
}

func (e *event) before(o *event) bool {
	if e.at != o.at {
		return e.at < o.at
	}
	if e.kind != o.kind {
		return e.kind < o.kind
	}
	return e.seq < o.seq
}

// events is a totally ordered queue: a 4-ary heap, which is shallower than a binary one and keeps
// the children of a node in neighbouring cache lines.
type events struct {
	heap   []event
	posted uint64
}

// due reports whether the earliest event happens at now or before.
func (q *events) due(now Time) bool { return len(q.heap) > 0 && q.heap[0].at <= now }

// post adds an event.
func (q *events) post(e event) {
	q.posted++
	e.seq = q.posted
	q.heap = append(q.heap, e)
	i := len(q.heap) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&q.heap[parent]) {
			break
		}
		q.heap[i] = q.heap[parent]
		i = parent
	}
	q.heap[i] = e
}

// take removes and returns the earliest event; there must be one.
func (q *events) take() event {
	first := q.heap[0]
	last := q.heap[len(q.heap)-1]
	q.heap = q.heap[:len(q.heap)-1]
	if len(q.heap) > 0 {
		q.sink(last)
	}
	return first
}

// sink puts e in the place of the first event and lets it sink to where it belongs.
func (q *events) sink(e event) {
	i, n := 0, len(q.heap)
	for child := 1; child < n; child = 4*i + 1 {
		earliest := child
		for c := child + 1; c < min(child+4, n); c++ {
			if q.heap[c].before(&q.heap[earliest]) {
				earliest = c
			}
		}
		if !q.heap[earliest].before(&e) {
			break
		}
		q.heap[i] = q.heap[earliest]
		i = earliest
	}
	q.heap[i] = e
}
