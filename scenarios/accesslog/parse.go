package accesslog

import "bytes"

// parsedLine is one request on its way from a worker to the stream, which gives its key and path
// their ids.
type parsedLine struct {
	at      int64  // arrival, Unix time in ns
	charge  charge // cost and status
	keyHash uint32
	keyEnd  uint32 // where its key ends in parsedLines.keys
	path    uint32 // hash
	pathEnd uint32
	line    uint32 // within the chunk, from 1
}

// parsedLines is what a worker made of a chunk.
type parsedLines struct {
	requests    []parsedLine
	keys, paths []byte
	tally
	faults []lineFault // the first few
}

type lineFault struct {
	line int // within the chunk, from 1
	why  why
}

// listed is how many malformed lines are named one by one.
const listed = 10

func (p *parsedLines) reset() {
	p.requests, p.keys, p.paths, p.faults = p.requests[:0], p.keys[:0], p.paths[:0], p.faults[:0]
	p.tally.reset()
}

// malformed counts a line that is no request.
func (p *parsedLines) malformed(w why) {
	if len(p.faults) < listed {
		p.faults = append(p.faults, lineFault{p.lines, w})
	}
	p.tally.malformed(w, 1)
}

// worker reads and parses chunks. It keeps nothing from one to the next that could change a result.
type worker struct {
	opts   *Options
	filter bool // there is something to filter by
	entry  Entry
	pipes
}

// pipes connect the workers to the stream.
type pipes struct {
	turn  chan *splitter // whose turn it is to read: one splitter goes round
	free  chan *chunk    // to be filled
	lines chan *chunk    // in the order of the log; wait for done
	stop  chan struct{}  // closed if the stream is not taken to its end
}

// run works until there is no more.
func (w *worker) run() {
	for {
		c := w.read()
		if c == nil {
			return
		}
		w.chunk(c)
		c.done <- struct{}{}
	}
}

// read waits for a chunk and its turn, and fills the chunk. Handing it on before it gives the turn
// away keeps the chunks in order.
func (w *worker) read() (c *chunk) {
	select {
	case c = <-w.free:
	case <-w.stop:
		return nil
	}
	select {
	case split := <-w.turn:
		defer func() { w.turn <- split }()
		finished := split.finished
		if split.next(c) {
			w.lines <- c
			return c
		}
		if !finished {
			close(w.lines)
		}
	case <-w.stop:
	}
	return nil
}

func (w *worker) chunk(c *chunk) {
	p := &c.parsed
	p.reset()
	w.entry.layout = c.layout
	data := c.data
	if c.first {
		data = withoutBOM(data)
	}
	if c.long {
		p.lines++
		p.malformed(errTooLong)
	}
	headings := c.first && c.layout != nil && c.layout.headings
	for len(data) > 0 {
		var line []byte
		line, data = cutLine(data)
		p.lines++
		if headings && len(line) > 0 {
			headings = false
			p.headers++
			continue
		}
		w.line(c, line)
	}
}

// cutLine cuts the first line off, without its end, LF or CRLF.
func cutLine(data []byte) (line, rest []byte) {
	line = data
	if end := bytes.IndexByte(data, '\n'); end >= 0 {
		line, rest = data[:end], data[end+1:]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, rest
}

// line parses one line and files it as a request, malformed, filtered or a header.
func (w *worker) line(c *chunk, line []byte) {
	p := &c.parsed
	switch err := w.parse(c, line); err {
	case nil:
		if bad := w.request(c); bad != 0 {
			p.malformed(bad)
		}
	case errHeader:
		p.headers++
	default:
		reason, _ := err.(why)
		p.malformed(reason)
	}
}

func (w *worker) parse(c *chunk, line []byte) error {
	if len(line) > longestLine {
		return errTooLong
	}
	if c.cri {
		var err why
		if line, err = cutCRI(line); err != 0 {
			return err
		}
	}
	if c.format == nil {
		return emptyOr(line, errNoRecord)
	}
	return c.format.Parse(line, &w.entry)
}

// request files the parsed line.
func (w *worker) request(c *chunk) why {
	p, e := &c.parsed, &w.entry
	at := arrival(e, c.format.Stamp)
	if at < 0 {
		return errTimeRange
	}
	plain := isDotted(e.Client)
	if !plain {
		if err := checkClient(e.Client); err != 0 {
			return err
		}
	}
	if w.filter && !w.opts.Filter.takes(e, at) {
		p.filtered++
		return 0
	}
	start := len(p.keys)
	if plain && len(w.opts.Key.parts) == 0 {
		p.keys = append(p.keys, e.Client...)
	} else {
		p.keys = w.opts.Key.append(p.keys, e)
	}
	p.tally.request(e, c.format.Stamp, len(p.keys) == start)
	p.file(w.opts, e, at, hash(p.keys[start:]))
	return 0
}

// arrival is the start of the request, as far as the format tells it. Unix time in ns.
func arrival(e *Entry, s Stamp) int64 {
	if s == EndLessTaken && e.Duration > 0 {
		return e.Time - e.Duration
	}
	return e.Time
}

// file adds a request whose key has just been added.
func (p *parsedLines) file(opts *Options, e *Entry, at int64, key uint32) {
	r := parsedLine{
		at:      at,
		charge:  newCharge(costOf(opts.Costs, e), e.Status),
		keyHash: key,
		keyEnd:  uint32(len(p.keys)),
		line:    uint32(p.lines),
	}
	if opts.Paths {
		p.paths = append(p.paths, e.Path...)
		r.path = hash(e.Path)
	}
	r.pathEnd = uint32(len(p.paths))
	p.requests = append(p.requests, r)
}
