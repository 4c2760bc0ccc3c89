package accesslog

import "bytes"

// Unknown stands for a number that a line does not tell.
const Unknown = -1

// Entry is one parsed line. It is reused from line to line: the texts point into the line, or into
// the entry itself, and hold until the next one is parsed.
type Entry struct {
	Time     int64 // the instant that the line tells, Unix time in ns; Format.Stamp says which
	Duration int64 // ns, or Unknown
	Bytes    int64 // of the response, or Unknown
	Cost     int64 // units, from a column; 0 without one
	Status   int   // 100 to 999; 0 if there was no answer

	Client []byte // as logged, for normalisation; empty if unknown
	User   []byte // empty if unknown
	Method []byte // empty if the request was not HTTP
	Path   []byte // without the query; empty if the request was not HTTP
	Query  []byte // what followed the first ?
	Host   []byte // empty if unknown

	Zoneless bool // the stamp named no zone and was taken as UTC

	// What parsers keep between lines and need while parsing one.
	clock   clock
	layout  *layout
	values  [slots]value
	scratch []byte // texts that had to be unescaped
}

// slot is where a parser with named columns or keys puts what it finds.
type slot uint8

const (
	noSlot   slot = iota
	timeSlot      // first choice for the instant
	time2Slot
	time3Slot
	dateSlot // where date and time are two columns
	clientSlot
	peerSlot // the client if clientSlot is empty: the other end of the connection
	userSlot
	methodSlot
	pathSlot
	querySlot
	hostSlot
	viewedSlot // the host that the client asked for, where hostSlot is the one behind it
	statusSlot
	durationSlot
	bytesSlot
	costSlot
	requestSlot // "GET / HTTP/1.1"
	markSlot    // a key that tells this format from others
	slots
)

// value is the text of a column or of a JSON scalar.
type value struct {
	text    []byte // nil if absent
	quoted  bool   // a JSON string
	escaped bool   // it has JSON escapes
}

// reset forgets the line before.
func (e *Entry) reset() {
	e.Time, e.Duration, e.Bytes, e.Cost, e.Status = 0, Unknown, Unknown, 0, 0
	e.Client, e.User, e.Method, e.Path, e.Query, e.Host = nil, nil, nil, nil, nil, nil
	e.Zoneless = false
	e.scratch = e.scratch[:0]
}

// resetValues forgets the columns of the line before, too.
func (e *Entry) resetValues() {
	e.reset()
	clear(e.values[:])
}

// text is what a slot holds; nil if it is absent, empty or a single hyphen.
func (e *Entry) text(s slot) []byte {
	v := &e.values[s]
	if len(v.text) == 0 || len(v.text) == 1 && v.text[0] == '-' {
		return nil
	}
	if v.escaped {
		v.text, v.escaped = e.unescape(v.text), false
	}
	return v.text
}

// has reports whether one of the slots holds something, be it empty.
func (e *Entry) has(any ...slot) bool {
	for _, s := range any {
		if e.values[s].text != nil {
			return true
		}
	}
	return false
}

// firstText is the text of the first slot that has one.
func (e *Entry) firstText(slots ...slot) []byte {
	for _, s := range slots {
		if text := e.text(s); text != nil {
			return text
		}
	}
	return nil
}

// setRequest takes a request line apart: method, path and query. What is no HTTP request, as
// scanners send it, leaves them empty.
func (e *Entry) setRequest(line []byte) {
	method := bytes.IndexByte(line, ' ')
	if method <= 0 || !isMethod(line[:method]) {
		return
	}
	e.Method = line[:method]
	e.setTarget(cutVersion(line[method+1:]))
}

// isMethod reports whether b is a method as HTTP servers log it: capitals, hyphens and underscores.
func isMethod(b []byte) bool {
	for _, c := range b {
		if (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return len(b) > 0
}

// cutVersion cuts " HTTP/1.1" or " HTTP/2" from the end of a request line.
func cutVersion(b []byte) []byte {
	for _, n := range [...]int{len(" HTTP/1.1"), len(" HTTP/2")} {
		if at := len(b) - n; at >= 0 && string(b[at:at+6]) == " HTTP/" {
			return b[:at]
		}
	}
	return b
}

// setTarget takes a request target apart, be it a path or a whole URL.
func (e *Entry) setTarget(target []byte) {
	if len(target) > 0 && target[0] != '/' {
		target = e.cutOrigin(target)
	}
	if q := bytes.IndexByte(target, '?'); q >= 0 {
		e.Path, e.Query = target[:q], target[q+1:]
		return
	}
	e.Path = target
}

// cutOrigin cuts https://host:port from a whole URL and keeps the host.
func (e *Entry) cutOrigin(target []byte) []byte {
	scheme := bytes.Index(target, []byte("://"))
	if scheme <= 0 || scheme > 5 {
		return target
	}
	rest := target[scheme+3:]
	end := bytes.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	if len(e.Host) == 0 {
		e.Host = rest[:end]
	}
	return rest[end:]
}

// known is b, or nil if it is a hyphen, which logs write for what is unknown.
func known(b []byte) []byte {
	if len(b) == 1 && b[0] == '-' {
		return nil
	}
	return b
}
