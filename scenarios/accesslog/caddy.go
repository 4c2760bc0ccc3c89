package accesslog

// caddy is Caddy's JSON access log. ts is written when the request is done, as a number of seconds
// unless the log was told otherwise; so is duration. client_ip, where Caddy trusts proxies, is the
// address in front of them.
func caddy() *Format {
	return &Format{
		Name:  "caddy",
		Title: "Caddy, JSON",
		Stamp: EndLessTaken,
		Why:   "Caddy logs the end of a request and its duration",
		Parse: jsonParser(caddyKeys(), (*Entry).caddy),
	}
}

func caddyKeys() []jsonKey {
	return []jsonKey{
		{name: "ts", slot: timeSlot},
		{name: "duration", slot: durationSlot},
		{name: "status", slot: statusSlot},
		{name: "size", slot: bytesSlot},
		{name: "user_id", slot: userSlot},
		{name: "request", in: []jsonKey{
			{name: "client_ip", slot: clientSlot},
			{name: "remote_ip", slot: peerSlot},
			{name: "remote_addr", slot: peerSlot}, // before Caddy 2.5
			{name: "method", slot: methodSlot},
			{name: "host", slot: hostSlot},
			{name: "uri", slot: pathSlot},
		}},
	}
}

func (e *Entry) caddy() error {
	if !e.has(pathSlot) || !e.has(peerSlot) {
		return errNoRecord
	}
	return firstOf(e.instant(e.text(timeSlot), inSeconds), e.caddyTaken(), e.take())
}

// caddyTaken reads a duration: a number of seconds, or text such as 1.5ms if the log was told so.
func (e *Entry) caddyTaken() why {
	v := &e.values[durationSlot]
	if !v.quoted {
		return e.taken(inSeconds)
	}
	units := [...]struct {
		name  string
		shift int
	}{{"ns", inNanoseconds}, {"us", inMicroseconds}, {"µs", inMicroseconds}, {"ms", inMilliseconds}, {"s", inSeconds}}
	for _, u := range units {
		if n := len(v.text) - len(u.name); n > 0 && string(v.text[n:]) == u.name {
			v.text = v.text[:n]
			return e.taken(u.shift)
		}
	}
	return errDuration
}

// firstOf is the first that says something.
func firstOf(whys ...why) error {
	for _, w := range whys {
		if w != 0 {
			return w
		}
	}
	return nil
}

// emptyOr tells an empty line from one that is wrong.
func emptyOr(line []byte, err error) error {
	if len(line) == 0 {
		return errEmpty
	}
	return err
}
