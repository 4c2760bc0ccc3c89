package accesslog

// traefik is Traefik's JSON access log.
func traefik() *Format {
	return &Format{
		Name:  "traefik",
		Title: "Traefik, JSON",
		Stamp: Start,
		Why:   "Traefik logs the start of a request",
		Parse: jsonParser(traefikKeys(), (*Entry).traefik),
	}
}

func traefikKeys() []jsonKey {
	return []jsonKey{
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
}

func (e *Entry) traefik() error {
	if !e.has(timeSlot, time2Slot) || !e.has(clientSlot, peerSlot) {
		return errNoRecord
	}
	at := e.firstText(timeSlot, time2Slot)
	return firstOf(e.instant(at, inNanoseconds), e.taken(inNanoseconds), e.take())
}
