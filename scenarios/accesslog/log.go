package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"time"
)

// Options say how logs are read. The zero value detects the format and counts by client.
type Options struct {
	Format  string   // a name of Formats, or "" to detect each input's
	Columns []Column // for csv, tsv and jsonl: which column holds what

	// Unit is what a bare number in the time column counts: a second, a millisecond, a microsecond
	// or a nanosecond. 0 tells it from the size of the first row's.
	Unit time.Duration

	Key    Key
	Filter Filter
	Costs  []PathCost // the first that matches wins; else the cost column, else 1

	// Reorder is how far back in log time a line may be out of order: 0 stands for two minutes.
	// A line further behind is a LateError, unless Sort is set.
	Reorder time.Duration

	// Held is the most requests that wait for being put in order: 0 stands for a million (24 MB).
	// If more arrive within Reorder, the earliest go, and what comes before them later is late.
	Held int

	// Sort holds all requests, in 24 bytes each, and puts them in order however far they are out.
	Sort bool

	// Spread spreads the requests of one instant over the log's tick. The tick is the one inferred
	// from what has been read when they go; with Sort that is everything.
	Spread bool

	Paths   bool // Detail tells paths
	Strict  bool // the first malformed line is an error
	Workers int  // goroutines that parse: 0 stands for GOMAXPROCS
}

const (
	// DefaultReorder is how far back in log time a line may be out of order.
	DefaultReorder = 2 * time.Minute

	// DefaultHeld is how many requests may wait for being put in order.
	DefaultHeld = 1 << 20
)

// Log is one or more logs that are read as one, in the order given.
type Log struct {
	inputs []source
	opts   Options
	read   atomic.Int64 // bytes, before decompression
	used   bool         // a stream was opened
}

// source is an input with what its first bytes told.
type source struct {
	Input
	nature
	sample  []byte  // of an input that can be read once
	started *opened // likewise
	empty   bool
}

// Open looks at the beginning of every input and tells its format. It reads an input that can be
// opened only once as far as that needs.
func Open(inputs []Input, opts Options) (*Log, error) {
	if len(inputs) == 0 {
		return nil, errors.New("no log to read")
	}
	opts.fill()
	l := &Log{opts: opts}
	for _, in := range inputs {
		l.inputs = append(l.inputs, source{Input: in})
		if err := l.inputs[len(l.inputs)-1].examine(&l.opts, &l.read); err != nil {
			l.Close()
			return nil, err
		}
	}
	return l, nil
}

// fill puts in the defaults.
func (o *Options) fill() {
	if o.Reorder <= 0 {
		o.Reorder = DefaultReorder
	}
	if o.Held <= 0 {
		o.Held = DefaultHeld
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
}

// examine reads the first chunk and tells the format from it.
func (s *source) examine(opts *Options, read *atomic.Int64) error {
	o, err := s.open(read)
	if err != nil {
		return err
	}
	sample, err := sampleOf(o)
	s.empty = len(sample) == 0
	if s.Once {
		s.sample, s.started = sample, o
	} else {
		defer o.Close()
	}
	if err == io.EOF {
		err = nil
	}
	broken := &readError{s.Name, bytes.Count(sample, []byte{'\n'}), o.compression, err}
	if s.empty && err != nil {
		return broken
	}
	s.nature, err = natureOf(s.Name, sample, opts)
	if err != nil && broken.err != nil { // it is not to be blamed on what there is of the lines
		return broken
	}
	return err
}

// longestSample bounds what is read to tell a format.
const longestSample = 16 << 20

// sampleOf reads the first chunk, and more where that holds no whole line that could be a request.
func sampleOf(r io.Reader) (sample []byte, err error) {
	for size := chunkSize; ; size *= 2 {
		from := len(sample)
		sample = append(sample, make([]byte, size-from)...)
		n, err := readUp(r, sample[from:])
		sample = sample[:from+n]
		if err != nil || size >= longestSample || hasLine(sample) {
			return sample, err
		}
	}
}

// readUp fills b, unless an error or the end comes before.
func readUp(r io.Reader, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var more int
		more, err = r.Read(b[n:])
		n += more
	}
	return n, err
}

// hasLine reports whether a text has a whole line that is not too long and not blank.
func hasLine(text []byte) bool {
	for line := range bytes.Lines(text) {
		if n := len(trimEnd(line)); line[len(line)-1] == '\n' && n > 0 && n <= longestLine {
			return true
		}
	}
	return false
}

// start opens the input for reading from its beginning.
func (s *source) start(read *atomic.Int64) (*opened, error) {
	if s.started == nil {
		return s.open(read)
	}
	o := s.started
	s.started = nil
	o.Reader = io.MultiReader(&sampleReader{s.sample}, o.Reader)
	s.sample = nil
	return o, nil
}

// sampleReader gives back what was read to tell the format.
type sampleReader struct{ rest []byte }

func (s *sampleReader) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Close closes what is still open of inputs that can be opened only once.
func (l *Log) Close() {
	for i := range l.inputs {
		if o := l.inputs[i].started; o != nil {
			l.inputs[i].started = nil
			o.Close()
		}
	}
}

// once is the first input that cannot be read again, nil if all can.
func (l *Log) once() *source {
	for i := range l.inputs {
		if l.inputs[i].Once {
			return &l.inputs[i]
		}
	}
	return nil
}

// Run hands a stream of the log to use. If a line turns out to be further out of order than
// Options.Reorder, it reads the log again, sorts all of it, and calls use once more, from the
// beginning; a pipe cannot be read again, so that is an error which says what to do.
//
// use should take the stream to its end. Errors of reading are returned for it.
func (l *Log) Run(use func(*Stream) error) error {
	err := l.attempt(use)
	var late *LateError
	if !errors.As(err, &late) {
		return err
	}
	if pipe := l.once(); pipe != nil {
		return fmt.Errorf("%w; %s cannot be read twice: %s", err, pipe.Name, late.remedy())
	}
	l.opts.Sort = true
	return l.attempt(use)
}

func (l *Log) attempt(use func(*Stream) error) error {
	s, err := l.Stream()
	if err != nil {
		return err
	}
	defer s.Close()
	err = use(s)
	if failed := s.Err(); failed != nil {
		return failed
	}
	return err
}

// Progress reports how many bytes have been read of how many, before decompression. total is -1 if
// unknown. It may be called from another goroutine.
func (l *Log) Progress() (read, total int64) {
	for i := range l.inputs {
		if l.inputs[i].Size < 0 {
			return l.read.Load(), -1
		}
		total += l.inputs[i].Size
	}
	return l.read.Load(), total
}

// LateError says that a line is further out of order than the reorder window reaches.
type LateError struct {
	File   string
	Line   int           // from 1
	Behind time.Duration // behind the latest line before it
	Held   int           // how many requests wait at most, if the window was too full and not too short; else 0
}

func (e *LateError) Error() string {
	if e.Held > 0 {
		return fmt.Sprintf("%s:%d: is %s behind a line before it, which the reorder window would reach, but it holds no more than %d requests", e.File, e.Line, e.Behind, e.Held)
	}
	return fmt.Sprintf("%s:%d: is %s behind a line before it, more than the reorder window holds", e.File, e.Line, e.Behind)
}

// remedy is what helps where the log cannot be read again. No --reorder makes room in a full window.
func (e *LateError) remedy() string {
	if e.Held > 0 {
		return "read from a file"
	}
	return fmt.Sprintf("raise --reorder above %s, or read from a file", e.Behind)
}

// MalformedError says that a line is malformed. Only Options.Strict makes that an error.
type MalformedError struct {
	File string
	Line int // from 1
	Why  string
}

func (e *MalformedError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why) }
