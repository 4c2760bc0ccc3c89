package accesslog

// envoyJSON is Envoy's JSON access log, with the keys of Envoy Gateway and Istio. x-forwarded-for
// is where Envoy keeps the client's address; its first entry counts.
func envoyJSON() *Format {
	object := jsonParser(envoyKeys(), (*Entry).envoyObject)
	return &Format{
		Name:  "envoy-json",
		Title: "Envoy, JSON (Envoy Gateway, Istio); lines of the default text format among them too",
		Stamp: Start,
		Why:   "Envoy logs the start of a request",
		Parse: func(line []byte, e *Entry) error {
			if len(line) > 0 && line[0] == '[' {
				return e.envoyText(line)
			}
			return object(line, e)
		},
	}
}

func envoyKeys() []jsonKey {
	return []jsonKey{
		{name: "start_time", slot: timeSlot},
		{name: "duration", slot: durationSlot},
		{name: "x-forwarded-for", slot: clientSlot},
		{name: "x_forwarded_for", slot: clientSlot},
		{name: "downstream_remote_address", slot: peerSlot},
		{name: "method", slot: methodSlot},
		{name: "x-envoy-origin-path", slot: pathSlot},
		{name: "x-envoy-original-path", slot: pathSlot},
		{name: "path", slot: pathSlot},
		{name: ":authority", slot: hostSlot},
		{name: "authority", slot: hostSlot},
		{name: "response_code", slot: statusSlot},
		{name: "bytes_sent", slot: bytesSlot},
	}
}

func (e *Entry) envoyObject() error {
	if !e.has(timeSlot) || !e.has(peerSlot, clientSlot) {
		return errNoRecord
	}
	return firstOf(e.instant(e.text(timeSlot), anyUnit), e.taken(inMilliseconds), e.take())
}
