package accesslog

// iis is the W3C extended log of Internet Information Services, and of its Advanced Logging module,
// which quotes texts. Times are UTC. HTTP.sys writes the line when the response is sent; time-taken
// is in ms.
func iis() *Format {
	const usual = "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken"
	header := func(line []byte) *layout { return w3cHeader(line, ' ') }
	standard := header([]byte(usual))
	return &Format{
		Name:   "iis",
		Title:  "IIS, W3C extended",
		Stamp:  EndLessTaken,
		Why:    "IIS logs the end of a request and time-taken",
		header: header,
		Parse: func(line []byte, e *Entry) error {
			if e.layout == nil {
				e.layout = standard
			}
			return firstOf(e.w3c(line, header), e.taken(inMilliseconds))
		},
	}
}
