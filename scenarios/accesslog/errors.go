package accesslog

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

// readError says that an input cannot be read on.
type readError struct {
	file        string
	line        int    // where it ends; 0 if nothing came of it
	compression string // "", gzip or zstd
	err         error
}

func (e *readError) Unwrap() error { return e.err }

// Error names the file, the line and what is wrong with the data.
func (e *readError) Error() string {
	where := e.file
	if e.line > 0 {
		where += ":" + strconv.Itoa(e.line)
	}
	switch {
	case e.compression != "" && (errors.Is(e.err, io.ErrUnexpectedEOF) || errors.Is(e.err, io.EOF)):
		return fmt.Sprintf("%s: the file ends in the middle of its compressed data (%s); it was not written or copied to its end", where, e.compression)
	case e.compression != "":
		return fmt.Sprintf("%s: the compressed data (%s) is damaged: %v", where, e.compression, e.err)
	}
	return fmt.Sprintf("%s: %v", where, e.err)
}

// NotationError says what is wrong with a text that stands for a key, a condition or the like.
type NotationError struct {
	What   string // "key", "condition"
	Text   string // as written
	Reason string // what is wrong with it, and what would be right
}

func (e *NotationError) Error() string { return fmt.Sprintf("%s %q: %s", e.What, e.Text, e.Reason) }

// wrongly is the error of a text that is not as it should be.
func wrongly(what, text, reason string, args ...any) error {
	return &NotationError{what, text, fmt.Sprintf(reason, args...)}
}

// why says what is wrong with a line, and where in it. Being a small number, it becomes an error
// without allocation, however many lines are malformed. 0 is no fault.
type why uint8

const (
	errEmpty why = iota + 1
	errTooLong
	errHeader // not a fault: counted apart
	errPartial
	errNoClient
	errControl
	errFields
	errUser
	errNoTime
	errTime
	errTimeRange
	errRequest
	errQuote
	errStatus
	errBytes
	errDuration
	errCost
	errTail
	errNoRecord
	errNoHost
	errCSVQuote
	errJSON
	errJSONEnd
	errJSONTail
	errJSONKey
	errJSONColon
	errJSONComma
	errJSONString
	errJSONNumber
	errJSONValue
	errJSONDepth
)

// Error is what is wrong in words.
func (w why) Error() string { return whys[w] }

var whys = [...]string{
	errEmpty:      "empty line",
	errTooLong:    "line longer than 1 MiB",
	errHeader:     "header line",
	errPartial:    "container log prefix: only part of a line",
	errNoClient:   "client: missing",
	errControl:    "client: has control characters",
	errFields:     "too few fields",
	errUser:       "user: missing between client and time",
	errNoTime:     "time: missing",
	errTime:       "time: not an instant",
	errTimeRange:  "time: outside 1970 to 2261",
	errRequest:    "request: missing",
	errQuote:      "request: quote is not closed",
	errStatus:     "status: not a number of three digits",
	errBytes:      "bytes: not a number",
	errDuration:   "duration: not a length of time",
	errCost:       "cost: not a whole number from 1 to 10^12",
	errTail:       "end of line: unexpected text",
	errNoRecord:   "not an access record of this format",
	errNoHost:     "host: missing host:port before the client",
	errCSVQuote:   "column: quote is not closed",
	errJSON:       "json: expected an object",
	errJSONEnd:    "json: line ends early",
	errJSONTail:   "json: text after the object",
	errJSONKey:    "json: expected a key in quotes",
	errJSONColon:  "json: expected : after a key",
	errJSONComma:  "json: expected , or a closing bracket",
	errJSONString: "json: control character or bad escape in a string",
	errJSONNumber: "json: bad number",
	errJSONValue:  "json: expected a value",
	errJSONDepth:  "json: nested deeper than 32",
}
