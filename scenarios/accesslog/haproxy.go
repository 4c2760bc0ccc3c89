package accesslog

import "bytes"

// haproxy is HAProxy's HTTP log format, with or without what syslog puts before it:
//
//	client:port [accept date] frontend backend/server TR/Tw/Tc/Tr/Ta status bytes - - ---- 1/1/1/1/0 0/0 {…} "request"
//
// The date has milliseconds and no zone.
func haproxy() *Format {
	return &Format{
		Name:  "haproxy",
		Title: "HAProxy, HTTP log format",
		Stamp: Start,
		Why:   "HAProxy logs when it received the request",
		Parse: func(line []byte, e *Entry) error {
			e.reset()
			if len(line) == 0 {
				return errEmpty
			}
			return fault(e.haproxy(afterSyslog(line)))
		},
	}
}

// afterSyslog cuts "Feb  6 12:14:14 localhost haproxy[14389]: " from the front.
func afterSyslog(b []byte) []byte {
	if process := bytes.Index(b, []byte("haproxy[")); process >= 0 {
		if end := bytes.Index(b[process:], []byte("]: ")); end >= 0 {
			return b[process+end+3:]
		}
	}
	return b
}

func (e *Entry) haproxy(b []byte) why {
	client, b, ok := bytes.Cut(b, []byte(" ["))
	end := bytes.IndexByte(b, ']')
	if !ok || end < 0 || len(client) == 0 {
		return errNoTime
	}
	colon := bytes.LastIndexByte(client, ':') // an IPv6 address stands without brackets
	if colon <= 0 || !isPort(client[colon+1:]) {
		return errNoClient
	}
	e.Client = client[:colon]
	if err := e.instant(b[:end], anyUnit); err != 0 {
		return err
	}
	_, b = word(b[end+1:]) // frontend
	_, b = word(b)         // backend/server
	timers, b := word(b)
	if bytes.Count(timers, []byte{'/'}) != 4 {
		return errNoRecord
	}
	e.Duration = haproxyTaken(timers)
	return e.haproxyAnswer(b)
}

// haproxyTaken is the last of the five timers, in ms; a + before it says that the log was written
// before the end, and −1 that there was none.
func haproxyTaken(timers []byte) int64 {
	last := bytes.TrimPrefix(timers[bytes.LastIndexByte(timers, '/')+1:], []byte{'+'})
	if ms, ok := whole(last); ok && ms <= maxTaken/1_000_000 {
		return ms * 1_000_000
	}
	return Unknown
}

// haproxyAnswer reads status and bytes, and the request, which is the last field and in quotes; a
// long one has lost its closing quote.
func (e *Entry) haproxyAnswer(b []byte) why {
	status, b := word(b)
	var ok bool
	if e.Status, ok = statusOf(status); !ok || len(status) == 0 {
		return errStatus
	}
	size, b := word(b)
	if e.Bytes, ok = bytesOf(bytes.TrimPrefix(size, []byte{'+'})); !ok || len(size) == 0 {
		return errBytes
	}
	open := bytes.Index(b, []byte(` "`))
	if open < 0 {
		return errRequest
	}
	e.setRequest(bytes.TrimSuffix(b[open+2:], []byte{'"'}))
	return 0
}
