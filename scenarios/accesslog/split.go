package accesslog

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
)

const (
	chunkSize   = 256 << 10 // bytes read at a time: enough to spread the cost of handing them on
	longestLine = 1 << 20   // bytes; longer ones are malformed
)

// chunk is a stretch of whole lines on its way from the splitter through a worker to the stream.
type chunk struct {
	data   []byte
	nature         // layout is that of the first line
	file   int     // index of the input
	first  bool    // it begins the file
	last   bool    // it ends the file
	long   bool    // there is no data, but a line that was too long
	err    error   // reading failed behind this chunk
	state  fileEnd // for the last chunk
	parsed parsedLines
	done   chan struct{} // a worker is through with it
}

// fileEnd is what is known about a file at its end.
type fileEnd struct {
	unended     bool // the last line has no line end
	compression string
}

// splitter reads inputs and cuts them at line ends. Where it cuts depends on nothing but the bytes.
type splitter struct {
	log  *Log
	read *atomic.Int64
	free <-chan *chunk
	work chan<- *chunk // to the workers
	line chan<- *chunk // to the stream, in order
	stop <-chan struct{}
	rest []byte // what was read behind the last line end
}

// run reads all inputs, one after the other.
func (s *splitter) run() {
	defer close(s.work)
	defer close(s.line)
	for i := range s.log.inputs {
		if !s.file(i) {
			return
		}
	}
}

// send hands a chunk on, unless the stream was closed.
func (s *splitter) send(c *chunk) bool {
	select {
	case s.line <- c:
	case <-s.stop:
		return false
	}
	select {
	case s.work <- c:
		return true
	case <-s.stop:
		return false
	}
}

// next is a chunk to fill.
func (s *splitter) next(file int, n nature) *chunk {
	select {
	case c := <-s.free:
		c.data, c.nature, c.file = c.data[:0], n, file
		c.first, c.last, c.long, c.err, c.state = false, false, false, nil, fileEnd{}
		return c
	case <-s.stop:
		return nil
	}
}

// file reads one input and reports whether to go on with the next.
func (s *splitter) file(i int) bool {
	in := &s.log.inputs[i]
	n := in.nature
	o, err := in.start(s.read)
	if err != nil {
		return s.fail(i, n, err)
	}
	defer o.Close()
	s.rest = s.rest[:0]
	first, skipping := true, false
	for {
		c := s.next(i, n)
		if c == nil {
			return false
		}
		c.first = first
		first = false
		skipped := skipping
		err := s.fill(c, o, &skipping)
		c.long = skipped && !skipping || err == io.EOF && skipping
		n.layout = c.layoutAfter()
		if err != nil {
			s.end(c, o, in, err)
		}
		if !s.send(c) || err != nil {
			return err == io.EOF
		}
	}
}

// fail reports an input that cannot be read.
func (s *splitter) fail(file int, n nature, err error) bool {
	if c := s.next(file, n); c != nil {
		c.last, c.err = true, err
		s.send(c)
	}
	return false
}

// end marks the last chunk of a file.
func (s *splitter) end(c *chunk, o *opened, in *source, err error) {
	c.last = true
	c.state = fileEnd{len(c.data) > 0 && c.data[len(c.data)-1] != '\n' || c.long, o.compression}
	if err != io.EOF {
		c.err = fmt.Errorf("%s: %w", in.Name, err)
	}
}

// fill reads until the chunk is full of whole lines: the last, incomplete line is kept in rest for
// the next one. While skipping, it drops what belongs to a line that was too long.
func (s *splitter) fill(c *chunk, r io.Reader, skipping *bool) error {
	if cap(c.data) < chunkSize {
		c.data = make([]byte, 0, chunkSize)
	}
	c.data = append(c.data, s.rest...)
	s.rest = s.rest[:0]
	for {
		err := readFull(r, c)
		if *skipping {
			cut := bytes.IndexByte(c.data, '\n')
			if cut < 0 {
				c.data = c.data[:0]
				return err
			}
			c.data = c.data[:copy(c.data, c.data[cut+1:])]
			*skipping = false
		}
		if err != nil {
			return err
		}
		if cut := bytes.LastIndexByte(c.data, '\n') + 1; cut > 0 {
			s.rest = append(s.rest, c.data[cut:]...)
			c.data = c.data[:cut]
			return nil
		}
		if len(c.data) > longestLine {
			c.data = c.data[:0]
			*skipping = true
			return nil
		}
		c.data = append(c.data, make([]byte, len(c.data)+1)...)[:len(c.data)]
	}
}

// readFull reads until the chunk's capacity is used, whatever pieces the reader gives.
func readFull(r io.Reader, c *chunk) error {
	for len(c.data) < cap(c.data) {
		n, err := r.Read(c.data[len(c.data):cap(c.data)])
		c.data = c.data[:len(c.data)+n]
		if err != nil {
			return err
		}
	}
	return nil
}

// layoutAfter is the layout in force behind the chunk: the one that its last header line gives, if
// its format has such lines.
func (c *chunk) layoutAfter() *layout {
	if c.format == nil || c.format.header == nil {
		return c.layout
	}
	for end := len(c.data); end > 0; {
		start := bytes.LastIndex(c.data[:end], []byte("#Fields:"))
		if start < 0 {
			break
		}
		if start == 0 || c.data[start-1] == '\n' {
			line, _, _ := bytes.Cut(c.data[start:], []byte{'\n'})
			if l := c.format.header(trimEnd(line)); l != nil {
				return l
			}
		}
		end = start
	}
	return c.layout
}
