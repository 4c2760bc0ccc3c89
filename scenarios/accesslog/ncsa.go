package accesslog

import "bytes"

// The NCSA family begins alike:
//
//	client ident user [20/May/2015:12:05:17 +0000] "GET /path?query HTTP/1.1" 200 1234
//
// ncsa parses that much and returns what follows.
func (e *Entry) ncsa(b []byte) (rest []byte, err why) {
	e.reset()
	gap := bytes.IndexByte(b, ' ')
	if gap <= 0 {
		return nil, noClient(b)
	}
	e.Client = b[:gap]
	b = b[gap:]
	if len(b) > 6 && string(b[:6]) == " - - [" {
		b = b[6:]
	} else if b, err = e.names(b); err != 0 {
		return nil, err
	}
	if b, err = e.bracketed(b); err != 0 {
		return nil, err
	}
	return e.answer(b)
}

func noClient(b []byte) why {
	if len(b) == 0 {
		return errEmpty
	}
	return errNoClient
}

// names reads " ident user [" with care: the client may have been a list, "1.2.3.4, 5.6.7.8", and a
// user's name may hold spaces and brackets.
func (e *Entry) names(b []byte) (rest []byte, err why) {
	for len(e.Client) > 0 && e.Client[len(e.Client)-1] == ',' {
		next := bytes.IndexByte(b[1:], ' ')
		if next < 0 {
			return nil, errNoTime
		}
		e.Client = e.Client[:len(e.Client)+1+next]
		b = b[1+next:]
	}
	open := stampAt(b)
	if open < 0 {
		return nil, errNoTime
	}
	ident := bytes.IndexByte(b[1:], ' ') + 1
	if ident <= 1 || open-1 <= ident {
		return nil, errUser
	}
	e.User = known(b[ident+1 : open-1])
	return b[open+1:], 0
}

// stampAt is the index of the bracket that opens the stamp.
func stampAt(b []byte) int {
	for from := 0; ; {
		i := bytes.Index(b[from:], []byte(" ["))
		if i < 0 {
			return -1
		}
		at := from + i + 1
		if len(b)-at > 4 && b[at+3] == '/' || !bytes.Contains(b[at:], []byte(" [")) {
			return at
		}
		from = at
	}
}

// bracketed reads the stamp up to the opening quote of the request.
func (e *Entry) bracketed(b []byte) (rest []byte, err why) {
	if len(b) < 29 {
		return nil, errTime
	}
	end := 26
	if b[end] == ']' {
		e.Time, err = e.clock.zoned(b[:end])
	} else {
		if end = bytes.IndexByte(b, ']'); end < 0 {
			return nil, errTime
		}
		var zoned bool
		e.Time, zoned, err = slashed(b[:end])
		e.Zoneless = !zoned
	}
	if err != 0 {
		return nil, err
	}
	if b = b[end+1:]; len(b) < 2 || b[0] != ' ' || b[1] != '"' {
		return nil, errRequest
	}
	return b[2:], 0
}

// answer reads the request from behind its opening quote, the status and the bytes.
func (e *Entry) answer(b []byte) (rest []byte, err why) {
	end := closing(b)
	if end < 0 {
		return nil, errQuote
	}
	e.setRequest(b[:end])
	return e.statusAndBytes(b[end+1:])
}

// statusAndBytes reads ` 200 1234`, almost always without a call.
func (e *Entry) statusAndBytes(b []byte) (rest []byte, err why) {
	if len(b) > 6 && b[0] == ' ' && b[1]-'1' < 9 && b[2]-'0' <= 9 && b[3]-'0' <= 9 && b[4] == ' ' && b[5]-'0' <= 9 {
		n, i := int64(b[5]-'0'), 6
		for i < len(b) && i < 5+18 && b[i]-'0' <= 9 {
			n = n*10 + int64(b[i]-'0')
			i++
		}
		if i == len(b) || b[i] == ' ' {
			e.Status, e.Bytes = int(b[1]-'0')*100+int(b[2]-'0')*10+int(b[3]-'0'), n
			return b[i:], 0
		}
	}
	status, b := word(b)
	ok := false
	if e.Status, ok = statusOf(status); !ok || len(status) == 0 {
		return nil, errStatus
	}
	size, b := word(b)
	if e.Bytes, ok = bytesOf(size); !ok || len(size) == 0 {
		return nil, errBytes
	}
	return b, 0
}

// closing is the index of the closing quote: one that has no backslash before it, or an even
// number of them.
func closing(b []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '"')
		if i < 0 {
			return -1
		}
		at := from + i
		slashes := 0
		for at-slashes > 0 && b[at-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
		from = at + 1
	}
}

// word reads " word" and returns what follows, beginning with the next space.
func word(b []byte) (w, rest []byte) {
	if len(b) == 0 || b[0] != ' ' {
		return nil, b
	}
	b = b[1:]
	if end := bytes.IndexByte(b, ' '); end >= 0 {
		return b[:end], b[end:]
	}
	return b, nil
}
