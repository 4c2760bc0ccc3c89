package scenarios

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// errMalformed is wrapped by the error of a row that cannot be read, while the next ones can.
var errMalformed = errors.New("")

const (
	maxLine    = 64 << 10 // bytes of one line
	maxSkipped = 64 << 20 // bytes of a longer line that are read to find its end: a device has none
	maxQuoted  = 20       // lines that a quoted field may stretch over
)

// csvReader reads comma-separated rows as RFC 4180 has them, with what real files add: a byte order
// mark, lines that end in CR LF or LF, blank lines. Unlike encoding/csv, it loses only one line to
// a quote that is never closed, and not the rest of the file, and is bounded in memory.
type csvReader struct {
	in      *bufio.Reader
	pending []string // lines that were read ahead for the end of a quote, and are to be read again
	read    int      // lines taken from the file
	line    int      // the number of the line at which the latest row begins, from 1
	fields  []string // of the latest row, reused
}

func newCSV(r io.Reader) *csvReader {
	c := &csvReader{in: bufio.NewReaderSize(r, maxLine)}
	if mark, err := c.in.Peek(3); err == nil && bytes.Equal(mark, []byte("\uFEFF")) {
		c.in.Discard(3)
	}
	return c
}

// next returns the fields of the next row, which are valid until the row after it is read. The
// error is io.EOF at the end, wraps errMalformed where only this row is lost, and is final otherwise.
func (c *csvReader) next() ([]string, error) {
	for {
		line, err := c.nextLine()
		if err != nil && !errors.Is(err, errMalformed) {
			return nil, err
		}
		c.line = c.read - len(c.pending)
		if err != nil {
			return nil, err
		}
		if line != "" {
			return c.row(line)
		}
	}
}

// nextLine returns a line without its end.
func (c *csvReader) nextLine() (string, error) {
	if len(c.pending) > 0 {
		line := c.pending[0]
		c.pending = c.pending[1:]
		return line, nil
	}
	line, err := c.in.ReadSlice('\n')
	if len(line) > 0 {
		c.read++
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		return "", c.skipLine()
	}
	if errors.Is(err, io.EOF) && len(line) > 0 {
		err = nil
	}
	return strings.TrimRight(string(line), "\r\n"), err
}

// skipLine leaves the rest of a line out that is too long. A line with no end in sight is an error
// of the whole file, and so is such a header, which cannot be done without.
func (c *csvReader) skipLine() error {
	for skipped := maxLine; ; {
		part, err := c.in.ReadSlice('\n')
		if skipped += len(part); c.read == 1 || skipped > maxSkipped {
			return fmt.Errorf("line %d is longer than %d bytes; is this a text file?", c.read, maxLine)
		}
		if err == nil || errors.Is(err, io.EOF) {
			return fmt.Errorf("is longer than %d bytes%w", maxLine, errMalformed)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// row splits a line into fields, taking in further lines while a quote is open.
func (c *csvReader) row(line string) ([]string, error) {
	c.fields = c.fields[:0]
	for rest := line; ; {
		if !strings.HasPrefix(rest, `"`) {
			field, tail, more := strings.Cut(rest, ",")
			c.fields = append(c.fields, field)
			if !more {
				return c.fields, nil
			}
			rest = tail
			continue
		}
		field, tail, ok := c.quoted(rest[1:])
		if !ok || tail != "" && tail[0] != ',' {
			return nil, fmt.Errorf("has a quote that is never closed, or text behind one%w", errMalformed)
		}
		c.fields = append(c.fields, field)
		if tail == "" {
			return c.fields, nil
		}
		rest = tail[1:]
	}
}

// quoted reads a quoted field from behind its opening quote. Where the quote is not closed in time,
// the lines looked at are to be read again.
func (c *csvReader) quoted(text string) (field, tail string, ok bool) {
	var b strings.Builder
	var ahead []string
	for {
		inside, rest, closed := strings.Cut(text, `"`)
		b.WriteString(inside)
		switch {
		case closed && strings.HasPrefix(rest, `"`): // a doubled quote is a quote
			b.WriteByte('"')
			text = rest[1:]
			continue
		case closed:
			return b.String(), rest, true
		}
		line, err := c.nextLine()
		if err == nil {
			ahead = append(ahead, line)
		}
		if err != nil || len(ahead) > maxQuoted {
			c.pending = append(ahead, c.pending...)
			return "", "", false
		}
		b.WriteByte('\n')
		text = line
	}
}
