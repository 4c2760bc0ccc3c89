package sim

// service is what requests that go ahead are served by: some workers, and a queue in order of
// coming. It keeps calls by number and knows nothing else of them.
type service struct {
	cfg   *Service
	busy  int
	queue ring
	most  int // longest queue
}

// entered is what becomes of a call that comes to a service.
type entered uint8

const (
	served entered = iota // a worker takes it at once
	queued                // it waits for a worker
	lost                  // the queue is full
)

// enter brings a call.
func (s *service) enter(call uint32) entered {
	switch {
	case s.busy < s.cfg.Workers:
		s.busy++
		return served
	case s.cfg.Queue >= 0 && s.queue.n >= s.cfg.Queue:
		return lost
	}
	s.queue.push(call)
	s.most = max(s.most, s.queue.n)
	return queued
}

// leave frees a worker and hands it the next call, if one waits.
func (s *service) leave() (call uint32, ok bool) {
	if s.queue.n == 0 {
		s.busy--
		return 0, false
	}
	return s.queue.pop(), true
}

// ring is a queue of numbers.
type ring struct {
	items   []uint32 // its length is a power of two
	head, n int
}

func (r *ring) push(x uint32) {
	if r.n == len(r.items) {
		items := make([]uint32, max(16, 2*len(r.items)))
		n := copy(items, r.items[r.head:])
		copy(items[n:], r.items[:r.head])
		r.items, r.head = items, 0
	}
	r.items[(r.head+r.n)&(len(r.items)-1)] = x
	r.n++
}

// pop takes the oldest number; there must be one.
func (r *ring) pop() uint32 {
	x := r.items[r.head]
	r.head = (r.head + 1) & (len(r.items) - 1)
	r.n--
	return x
}

// first is the oldest number; there must be one.
func (r *ring) first() uint32 { return r.items[r.head] }
