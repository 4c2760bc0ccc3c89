package accesslog

// cloudflare is Cloudflare's Logpush of HTTP requests. Its stamps are RFC 3339, or Unix time in
// nanoseconds or seconds, as the job was set up.
func cloudflare() *Format {
	return &Format{
		Name:  "cloudflare",
		Title: "Cloudflare Logpush, JSON: stamps in RFC 3339, seconds or nanoseconds",
		Stamp: Start,
		Why:   "EdgeStartTimestamp is when the edge received the request",
		Parse: jsonParser(cloudflareKeys(), (*Entry).cloudflare),
	}
}

func cloudflareKeys() []jsonKey {
	return []jsonKey{
		{name: "EdgeStartTimestamp", slot: timeSlot},
		{name: "ClientIP", slot: clientSlot},
		{name: "ClientRequestMethod", slot: methodSlot},
		{name: "ClientRequestURI", slot: pathSlot},
		{name: "ClientRequestHost", slot: hostSlot},
		{name: "EdgeResponseStatus", slot: statusSlot},
		{name: "EdgeResponseBytes", slot: bytesSlot},
	}
}

func (e *Entry) cloudflare() error {
	if !e.has(timeSlot) || !e.has(clientSlot) {
		return errNoRecord
	}
	return firstOf(e.instant(e.text(timeSlot), anyUnit), e.take())
}
