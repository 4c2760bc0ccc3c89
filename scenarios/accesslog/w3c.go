package accesslog

import "bytes"

// The W3C extended log format names its columns in a line "#Fields: date time c-ip …", which may
// come again when the server restarts or was told to log other fields.

// w3cHeader is the layout that a #Fields line gives, nil for any other line.
func w3cHeader(line []byte, comma byte) *layout {
	names, ok := bytes.CutPrefix(line, []byte("#Fields:"))
	if !ok {
		return nil
	}
	l := &layout{comma: comma}
	for _, name := range bytes.Fields(names) {
		l.zoneless = l.zoneless || bytes.HasSuffix(name, []byte("-local"))
		l.slots = append(l.slots, w3cSlot(string(name)))
	}
	return l
}

// w3cSlot is where the column of that name goes.
func w3cSlot(name string) slot {
	switch name {
	case "date", "date-local", "date-UTC":
		return dateSlot
	case "time", "time-local", "time-UTC":
		return timeSlot
	case "c-ip":
		return peerSlot
	case "x-forwarded-for", "X-Forwarded-For", "cs(X-Forwarded-For)":
		return clientSlot
	case "cs-username":
		return userSlot
	case "cs-method":
		return methodSlot
	case "cs-uri-stem":
		return pathSlot
	case "cs-uri-query":
		return querySlot
	case "cs(Host)", "cs-host":
		return hostSlot
	case "x-host-header": // CloudFront: what the viewer asked for
		return viewedSlot
	case "sc-status":
		return statusSlot
	case "sc-bytes":
		return bytesSlot
	case "time-taken", "TimeTakenMS":
		return durationSlot
	}
	return noSlot
}

// w3c reads a line into the slots of its layout. A # begins a line that is no request.
func (e *Entry) w3c(line []byte, header func([]byte) *layout) why {
	e.resetValues()
	if len(line) == 0 {
		return errHeader
	}
	if line[0] == '#' {
		if l := header(line); l != nil {
			e.layout = l
		}
		return errHeader
	}
	if err := e.columns(line); err != 0 {
		return err
	}
	if e.values[timeSlot].text == nil || e.values[dateSlot].text == nil {
		return errNoTime
	}
	start, err := dashedDay(e.values[dateSlot].text)
	if err != 0 {
		return err
	}
	since, rest, err := timeOfDay(e.values[timeSlot].text)
	if err != 0 || len(rest) > 0 {
		return errTime
	}
	e.Time, e.Zoneless = start+since, e.layout.zoneless
	return e.take()
}
