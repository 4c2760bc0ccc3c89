package accesslog

import (
	"errors"
	"math"
	"time"

	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Stream is the requests of a log in order of time. It is a traffic.Source.
type Stream struct {
	log            *Log
	clients, paths *Names
	order          sorter
	spread         *spread // nil unless asked for
	out            []record
	next           int   // index into out
	start          int64 // Unix time of the first request, ns
	begun          bool
	ended          bool // all chunks have been taken in
	err            error

	report Report
	total  tally
	files  []tally
	line   int // lines of the current file in the chunks before

	pipes
	closed bool
}

// sorter puts requests in order: a window or a full sort.
type sorter interface {
	add(record) (late int64)
	take(end bool) []record
}

// Stream starts reading from the beginning. A log with an input that can be opened only once has
// one stream.
func (l *Log) Stream() (*Stream, error) {
	if in := l.once(); in != nil && l.used {
		return nil, errors.New(in.Name + ": cannot be read twice")
	}
	if l.once() == nil {
		l.read.Store(0)
	}
	l.used = true
	s := &Stream{log: l, clients: NewNames(), paths: NewNames()}
	s.order = &window{reorder: int64(l.opts.Reorder), held: l.opts.Held, floor: math.MinInt64}
	if l.opts.Sort {
		s.order = &fullSort{reorder: int64(l.opts.Reorder)}
	}
	if l.opts.Spread {
		s.spread = &spread{}
	}
	s.files = make([]tally, len(l.inputs))
	s.report.begin(l)
	s.launch()
	return s, nil
}

// launch starts the workers. So many chunks are under way that each worker has one in hand and one
// waiting, and the stream one.
func (s *Stream) launch() {
	under := 2*s.log.opts.Workers + 1
	s.pipes = pipes{
		turn:  make(chan *splitter, 1),
		free:  make(chan *chunk, under),
		lines: make(chan *chunk, under),
		stop:  make(chan struct{}),
	}
	s.turn <- &splitter{log: s.log}
	for range under {
		s.free <- &chunk{done: make(chan struct{}, 1)}
	}
	for range s.log.opts.Workers {
		w := &worker{opts: &s.log.opts, filter: !s.log.opts.Filter.none(), pipes: s.pipes}
		go w.run()
	}
}

// Close stops reading. It is needed only where the stream is not taken to its end, and does no harm
// where it is.
func (s *Stream) Close() {
	if !s.closed {
		s.closed, s.ended = true, true
		close(s.stop)
		// The turn is free once a read under way is done, which on a pipe may take long.
		go func() { (<-s.turn).close() }()
	}
}

// Next is the next request, in order of time; its instant is relative to the first request, and its
// Endpoint the id of its path, for Paths.
func (s *Stream) Next() (traffic.Request, bool) {
	if s.next == len(s.out) && !s.refill() {
		return traffic.Request{}, false
	}
	r := &s.out[s.next]
	s.next++
	return traffic.Request{
		At: traffic.Time(r.at - s.start), Cost: r.charge.cost(), Client: r.client, Endpoint: r.path,
	}, true
}

// Detail is what an observer may want to know of a request beyond what a limiter needs.
type Detail struct {
	Path   uint32       // id, for Paths; 0 without Options.Paths
	Status int          // as the log has it; 0 if there was no answer
	Logged traffic.Time // its instant before it was spread, where Options.Spread asks for that
}

// Detail is that of the request which Next returned last.
func (s *Stream) Detail() Detail {
	r := &s.out[s.next-1]
	d := Detail{r.path, r.charge.status(), traffic.Time(r.at - s.start)}
	if s.spread != nil {
		d.Logged = traffic.Time(s.spread.logged[s.next-1] - s.start)
	}
	return d
}

// Lines is how many lines have been taken in so far.
func (s *Stream) Lines() int64 { return int64(s.total.lines) }

// Start is the Unix time of instant 0, the first request, in ns. It reads as far as it must to know
// it, and is 0 if there is no request.
func (s *Stream) Start() int64 {
	if s.next == len(s.out) {
		s.refill()
	}
	return s.start
}

// Clients are the names of the keys seen so far: a request's Client is its id there.
func (s *Stream) Clients() *Names { return s.clients }

// Paths are the paths seen so far, if Options.Paths asked for them. Beyond a million different
// ones, all others share the id of the path "…".
func (s *Stream) Paths() *Names { return s.paths }

// Err is what ended the stream early: a *LateError, a *MalformedError, or an error of reading.
func (s *Stream) Err() error { return s.err }

// refill takes in chunks until requests can go.
func (s *Stream) refill() bool {
	s.out, s.next = nil, 0
	for s.err == nil {
		s.out = s.ready()
		if len(s.out) > 0 {
			s.begin()
			return true
		}
		if s.ended {
			return false
		}
		c, ok := <-s.lines
		if !ok {
			s.ended = true
			continue
		}
		<-c.done
		s.absorb(c)
		s.free <- c
	}
	s.out = nil
	s.Close()
	return false
}

// ready is what can go.
func (s *Stream) ready() []record {
	out := s.order.take(s.ended)
	if s.spread == nil {
		return out
	}
	spread := s.spread.take(out, s.total.tick, s.ended && len(out) == 0)
	for s.ended && len(spread) == 0 && len(out) > 0 {
		out = s.order.take(true)
		spread = s.spread.take(out, s.total.tick, len(out) == 0)
	}
	return spread
}

// begin notes the first and the latest instant handed on.
func (s *Stream) begin() {
	if !s.begun {
		s.begun, s.start = true, s.out[0].at
		s.report.First = s.start
	}
	s.report.Last = s.out[len(s.out)-1].at
}

// absorb takes in what a worker made of a chunk: gives names their ids and puts requests in order.
func (s *Stream) absorb(c *chunk) {
	p := &c.parsed
	if c.first {
		s.line = 0
	}
	s.faults(c)
	s.total.add(&p.tally)
	s.files[c.file].add(&p.tally)
	if !s.clients.fits(len(p.keys)) || !s.paths.fits(len(p.paths)) {
		s.err = errors.New("the different keys or paths take more than 4 GiB: choose a coarser key")
	}
	if s.err == nil {
		s.requests(c)
	}
	s.line += p.lines
	if c.last {
		s.report.end(c)
	}
	if s.err == nil && c.err != nil {
		s.err = s.failed(c)
	}
}

// failed is the error of an input that could not be read to its end.
func (s *Stream) failed(c *chunk) error {
	var opening *readError
	if errors.As(c.err, &opening) {
		return c.err
	}
	return &readError{s.log.inputs[c.file].Name, s.line, c.state.compression, c.err}
}

// faults lists the first malformed lines.
func (s *Stream) faults(c *chunk) {
	for _, f := range c.parsed.faults {
		at := MalformedError{s.log.inputs[c.file].Name, s.line + f.line, f.why.Error()}
		if s.log.opts.Strict && s.err == nil {
			s.err = &at
		}
		if len(s.report.Faults) < listed {
			s.report.Faults = append(s.report.Faults, Fault(at))
		}
	}
}

// mostPaths bounds the memory for paths, of which a log may have as many as lines.
const mostPaths = 1 << 20

func (s *Stream) requests(c *chunk) {
	p := &c.parsed
	key, path := uint32(0), uint32(0)
	for i := range p.requests {
		if i%fetched == 0 {
			s.clients.fetch(p.requests[i:min(i+fetched, len(p.requests))])
		}
		l := &p.requests[i]
		r := record{at: l.at, charge: l.charge, client: s.clients.id(l.keyHash, p.keys[key:l.keyEnd])}
		if s.log.opts.Paths {
			r.path = s.path(l.path, p.paths[path:l.pathEnd])
		}
		key, path = l.keyEnd, l.pathEnd
		if late := s.order.add(r); late > 0 {
			s.err = s.tooLate(c.file, s.line+int(l.line), time.Duration(late))
			return
		}
	}
}

// tooLate is the error for a line that comes too late to be put in order.
func (s *Stream) tooLate(file, line int, behind time.Duration) *LateError {
	e := &LateError{File: s.log.inputs[file].Name, Line: line, Behind: behind}
	if behind <= s.log.opts.Reorder {
		e.Held = s.log.opts.Held
	}
	return e
}

func (s *Stream) path(h uint32, path []byte) uint32 {
	if s.paths.Len() >= mostPaths {
		if id, ok := s.paths.Lookup(string(path)); ok {
			return id
		}
		path = []byte("…")
		h = hash(path)
	}
	return s.paths.id(h, path)
}
