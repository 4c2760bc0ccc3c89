package accesslog

// cloudflare is Cloudflare's Logpush of HTTP requests. Its stamps are RFC 3339, or Unix time in
// nanoseconds or seconds, as the job was set up.
func cloudflare() *Format {
	keys := []jsonKey{
		{name: "EdgeStartTimestamp", slot: timeSlot},
		{name: "ClientIP", slot: clientSlot},
		{name: "ClientRequestMethod", slot: methodSlot},
		{name: "ClientRequestURI", slot: pathSlot},
		{name: "ClientRequestHost", slot: hostSlot},
		{name: "EdgeResponseStatus", slot: statusSlot},
		{name: "EdgeResponseBytes", slot: bytesSlot},
	}
	return &Format{
		Name:  "cloudflare",
		Title: "Cloudflare Logpush, JSON: stamps in RFC 3339, seconds or nanoseconds",
		Stamp: Start,
		Why:   "EdgeStartTimestamp is when the edge received the request",
		Parse: func(line []byte, e *Entry) error {
			e.resetValues()
			if err := e.scanJSON(line, keys); err != nil {
				return emptyOr(line, err)
			}
			if e.values[timeSlot].text == nil || e.values[clientSlot].text == nil {
				return errNoRecord
			}
			return firstOf(e.instant(e.text(timeSlot), anyUnit), e.take())
		},
	}
}
