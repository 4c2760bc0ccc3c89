package accesslog

import "bytes"

// vhostCombined is Apache's vhost_combined: host:port, then combined.
func vhostCombined() *Format {
	return &Format{
		Name:  "vhost_combined",
		Title: "Apache vhost_combined: host:port, then combined",
		Stamp: Start,
		Why:   "Apache logs the start of a request",
		Parse: func(line []byte, e *Entry) error {
			host, rest, ok := bytes.Cut(line, []byte{' '})
			colon := bytes.LastIndexByte(host, ':')
			if !ok || colon <= 0 || !isPort(host[colon+1:]) {
				e.reset()
				if len(line) == 0 {
					return errEmpty
				}
				return errNoHost
			}
			_, err := e.ncsa(rest)
			e.Host = host[:colon]
			return fault(err)
		},
	}
}

// isPort reports whether b is a port number.
func isPort(b []byte) bool {
	n, ok := whole(b)
	return ok && n <= 65535
}
