package accesslog

// maxTaken bounds how long a request may have taken: ten years, in ns.
const maxTaken = 3660 * day

// maxTime is the end of 2261, Unix time in ns.
const maxTime = 9_214_646_400 * second

// take fills the entry from the slots that every format treats alike. The instant and the duration
// are the formats' own.
func (e *Entry) take() why {
	e.Client = e.firstText(clientSlot, peerSlot)
	e.User, e.Host = e.text(userSlot), e.text(hostSlot)
	e.takeRequest()
	var ok bool
	if e.Status, ok = statusOf(e.text(statusSlot)); !ok {
		return errStatus
	}
	if e.Bytes, ok = bytesOf(e.text(bytesSlot)); !ok {
		return errBytes
	}
	return 0
}

// takeRequest fills in what was asked for, from a request line or from columns of its parts.
func (e *Entry) takeRequest() {
	if r := e.text(requestSlot); r != nil {
		e.setRequest(r)
	}
	if m := e.text(methodSlot); m != nil {
		e.Method = m
	}
	if p := e.text(pathSlot); p != nil {
		e.setTarget(p)
	}
	if q := e.text(querySlot); q != nil {
		e.Query = q
	}
}

// anyUnit asks instant to tell the unit of a bare number by its size.
const anyUnit = -1

// instant reads a stamp in whatever notation: with dashes, with slashes, or a bare number in a unit
// of 10^shift ns.
func (e *Entry) instant(b []byte, shift int) why {
	var err why
	zoned, ok := true, true
	switch {
	case b == nil:
		return errNoTime
	case len(b) > 10 && b[4] == '-':
		e.Time, zoned, err = dashed(b)
	case len(b) > 10 && b[2] == '/':
		e.Time, zoned, err = slashed(b)
	default:
		if shift == anyUnit {
			n, _ := decimal(b, 0)
			shift = magnitude(n)
		}
		if e.Time, ok = decimal(b, shift); !ok {
			return errTime
		}
	}
	if e.Zoneless = !zoned; err == 0 && (e.Time < 0 || e.Time >= maxTime) {
		err = errTimeRange
	}
	return err
}

// taken reads how long the request took, a number in a unit of 10^shift ns; without one it is
// Unknown.
func (e *Entry) taken(shift int) why {
	b := e.text(durationSlot)
	if b == nil {
		return 0
	}
	n, ok := decimal(b, shift)
	if !ok || n < 0 || n > maxTaken {
		return errDuration
	}
	e.Duration = n
	return 0
}
