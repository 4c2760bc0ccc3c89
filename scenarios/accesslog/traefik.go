package accesslog

// traefik is Traefik's JSON access log.
func traefik() *Format {
	keys := []jsonKey{
		{name: "StartUTC", slot: timeSlot},
		{name: "StartLocal", slot: time2Slot},
		{name: "Duration", slot: durationSlot},
		{name: "ClientHost", slot: clientSlot},
		{name: "ClientAddr", slot: peerSlot},
		{name: "ClientUsername", slot: userSlot},
		{name: "RequestMethod", slot: methodSlot},
		{name: "RequestPath", slot: pathSlot},
		{name: "RequestHost", slot: hostSlot},
		{name: "DownstreamStatus", slot: statusSlot},
		{name: "DownstreamContentSize", slot: bytesSlot},
	}
	return &Format{
		Name:  "traefik",
		Title: "Traefik, JSON",
		Stamp: Start,
		Why:   "Traefik logs the start of a request",
		Parse: func(line []byte, e *Entry) error {
			e.resetValues()
			if err := e.scanJSON(line, keys); err != nil {
				return emptyOr(line, err)
			}
			at := e.text(timeSlot)
			if at == nil {
				at = e.text(time2Slot)
			}
			if at == nil || e.values[clientSlot].text == nil && e.values[peerSlot].text == nil {
				return errNoRecord
			}
			return firstOf(e.instant(at, inNanoseconds), e.taken(inNanoseconds), e.take())
		},
	}
}
