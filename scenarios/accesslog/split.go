package accesslog

import (
	"bytes"
	"io"
)

const (
	chunkSize   = 256 << 10 // bytes read at a time: enough to spread the cost of handing them on
	longestLine = 1 << 20   // bytes; longer ones are malformed
)

// chunk is a stretch of whole lines on its way through a worker to the stream.
type chunk struct {
	data   []byte
	nature         // layout is that of the first line
	file   int     // index of the input
	first  bool    // it begins the file
	last   bool    // it ends the file
	long   bool    // there is no data, but a line that was too long
	err    error   // reading failed behind this chunk: an error of opening, or the reader's own
	state  fileEnd // for the last chunk
	parsed parsedLines
	done   chan struct{} // the worker is through with it
}

// fileEnd is what is known about a file at its end.
type fileEnd struct {
	unended     bool // the last line has no line end
	compression string
}

// splitter reads inputs, one after the other, and cuts them at line ends. Where it cuts depends on
// nothing but the bytes. The workers take turns with it: the one that has it reads a chunk, hands
// it on and parses it while the bytes are still in its cache.
type splitter struct {
	log      *Log
	nature       // of the lines to come
	file     int // index of the input that is open, or the next
	open     *opened
	rest     []byte // what was read behind the last line end
	first    bool   // nothing of the input has been read
	skipping bool   // within a line that is too long
	finished bool   // there is no more, or reading failed
}

// next fills a chunk. It returns false when there are no more.
func (s *splitter) next(c *chunk) bool {
	if s.finished = s.finished || s.file == len(s.log.inputs); s.finished {
		return false
	}
	c.begin(s.file)
	err := s.begin()
	if err == nil {
		c.nature, c.first = s.nature, s.first
		s.first = false
		skipped := s.skipping
		err = s.fill(c)
		c.long = skipped && !s.skipping || err == io.EOF && s.skipping
		s.layout = c.layoutAfter()
	}
	if err != nil {
		s.end(c, err)
	}
	return true
}

// begin makes a chunk ready to be filled.
func (c *chunk) begin(file int) {
	c.data, c.file, c.nature = c.data[:0], file, nature{}
	c.first, c.last, c.long, c.err, c.state = false, false, false, nil, fileEnd{}
}

// begin opens the next input, if none is open.
func (s *splitter) begin() (err error) {
	if s.open != nil {
		return nil
	}
	in := &s.log.inputs[s.file]
	s.nature, s.rest, s.first, s.skipping = in.nature, s.rest[:0], true, false
	s.open, err = in.start(&s.log.read)
	return err
}

// end marks the last chunk of an input.
func (s *splitter) end(c *chunk, err error) {
	c.last = true
	if err != io.EOF {
		c.err, s.finished = err, true
	}
	if s.open != nil {
		unended := len(c.data) > 0 && c.data[len(c.data)-1] != '\n'
		c.state = fileEnd{unended || s.skipping, s.open.compression}
	}
	s.close()
	s.file++
}

// close closes the input that is open, if any.
func (s *splitter) close() {
	if s.open != nil {
		s.open.Close()
		s.open = nil
	}
}

// fill reads until the chunk is full of whole lines: the last, incomplete line is kept in rest for
// the next one. While skipping, it drops what belongs to a line that was too long.
func (s *splitter) fill(c *chunk) error {
	if cap(c.data) < chunkSize {
		c.data = make([]byte, 0, chunkSize)
	}
	c.data = append(c.data, s.rest...)
	s.rest = s.rest[:0]
	for {
		err := readFull(s.open, c)
		if s.skipping {
			cut := bytes.IndexByte(c.data, '\n')
			if cut < 0 {
				c.data = c.data[:0]
				return err
			}
			c.data = c.data[:copy(c.data, c.data[cut+1:])]
			s.skipping = false
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
			s.skipping = true
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
