package accesslog

// nginxJSON is an nginx log_format written as JSON. There is no standard one: the keys are nginx's
// own variables, and the names that its documentation and its log shippers use. msec, which tells
// milliseconds, is preferred to the stamps that tell seconds.
func nginxJSON() *Format {
	return &Format{
		Name:  "nginx-json",
		Title: "nginx with a log_format in JSON",
		Stamp: EndLessTaken,
		Why:   "nginx logs the end of a request, and request_time if it was told to",
		Parse: jsonParser(nginxJSONKeys(), (*Entry).nginxJSON),
	}
}

func nginxJSONKeys() []jsonKey {
	return []jsonKey{
		{name: "msec", slot: timeSlot},
		{name: "time_iso8601", slot: time2Slot},
		{name: "time_local", slot: time3Slot},
		{name: "@timestamp", slot: time2Slot},
		{name: "timestamp", slot: time2Slot},
		{name: "time", slot: time2Slot},
		{name: "http_x_forwarded_for", slot: clientSlot},
		{name: "x_forwarded_for", slot: clientSlot},
		{name: "remote_addr", slot: peerSlot},
		{name: "remote_ip", slot: peerSlot},
		{name: "client_ip", slot: peerSlot},
		{name: "client", slot: peerSlot},
		{name: "remote_user", slot: userSlot},
		{name: "request", slot: requestSlot},
		{name: "request_method", slot: methodSlot},
		{name: "method", slot: methodSlot},
		{name: "request_uri", slot: pathSlot},
		{name: "uri", slot: pathSlot},
		{name: "path", slot: pathSlot},
		{name: "host", slot: hostSlot},
		{name: "http_host", slot: hostSlot},
		{name: "server_name", slot: hostSlot},
		{name: "status", slot: statusSlot},
		{name: "response", slot: statusSlot},
		{name: "body_bytes_sent", slot: bytesSlot},
		{name: "bytes_sent", slot: bytesSlot},
		{name: "request_time", slot: durationSlot},
	}
}

func (e *Entry) nginxJSON() error {
	if !e.has(peerSlot, clientSlot) {
		return errNoRecord
	}
	at := e.firstText(timeSlot, time2Slot, time3Slot)
	return firstOf(e.instant(at, anyUnit), e.taken(inSeconds), e.take())
}
