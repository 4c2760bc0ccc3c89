package accesslog

import "bytes"

// envoy is Envoy's default text format:
//
//	[start] "method path protocol" code flags received sent duration upstream "x-forwarded-for" "agent" "id" "authority" "upstream"
//
// and Istio's, which has details, a termination reason and a quoted failure reason after the flags,
// and the downstream address further on.
func envoy() *Format {
	return &Format{
		Name:  "envoy",
		Title: "Envoy and Istio, default text format",
		Stamp: Start,
		Why:   "Envoy logs the start of a request",
		Parse: func(line []byte, e *Entry) error { return e.envoyText(line) },
	}
}

func (e *Entry) envoyText(b []byte) error {
	e.resetValues()
	end := bytes.IndexByte(b, ']')
	if len(b) == 0 || b[0] != '[' || end < 0 {
		return emptyOr(b, errNoTime)
	}
	if err := e.instant(b[1:end], anyUnit); err != 0 {
		return err
	}
	b = b[end+1:]
	if len(b) < 2 || b[0] != ' ' || b[1] != '"' {
		return errRequest
	}
	if end = closing(b[2:]); end < 0 {
		return errQuote
	}
	e.setRequest(b[2 : 2+end])
	return fault(e.envoyNumbers(b[3+end:]))
}

// envoyNumbers reads from the code to the duration, then the quoted fields.
func (e *Entry) envoyNumbers(b []byte) why {
	code, b := word(b)
	var ok bool
	if e.Status, ok = statusOf(code); !ok || len(code) == 0 {
		return errStatus
	}
	_, b = word(b) // flags
	received, b := word(b)
	if _, ok = whole(received); !ok { // Istio: that was the details; the reasons follow
		_, b = word(b)
		if b = pastQuoted(b); b == nil {
			return errFields
		}
		_, b = word(b)
	}
	sent, b := word(b)
	if e.Bytes, ok = bytesOf(sent); !ok || len(sent) == 0 {
		return errBytes
	}
	took, b := word(b)
	ms, ok := bytesOf(took)
	if !ok || len(took) == 0 || ms > maxTaken/1_000_000 {
		return errDuration
	}
	if ms >= 0 {
		e.Duration = ms * 1_000_000
	}
	_, b = word(b) // upstream service time
	return e.envoyNames(b)
}

// envoyNames reads "x-forwarded-for" "agent" "id" "authority" "upstream", and in Istio's format
// the cluster and two addresses, of which the third from here is the client's end.
func (e *Entry) envoyNames(b []byte) why {
	var forwarded [4][]byte
	for i := range forwarded {
		rest := pastQuoted(b)
		if rest == nil {
			return errFields
		}
		forwarded[i] = b[2 : len(b)-len(rest)-1]
		b = rest
	}
	e.Client, e.Host = known(forwarded[0]), known(forwarded[3])
	if e.Client != nil {
		return 0
	}
	if b = pastQuoted(b); len(b) > 0 {
		_, b = word(b) // cluster
		_, b = word(b) // upstream local address
		_, b = word(b) // downstream local address
		peer, _ := word(b)
		e.Client = known(peer)
	}
	return 0
}

// pastQuoted skips ` "text"` and returns what follows, nil if there is no such text.
func pastQuoted(b []byte) []byte {
	if len(b) < 3 || b[0] != ' ' || b[1] != '"' {
		return nil
	}
	end := closing(b[2:])
	if end < 0 {
		return nil
	}
	return b[3+end:]
}
