package accesslog

// cloudFront is the standard log of Amazon CloudFront: W3C extended with tabs, times in UTC.
// date and time are when the edge finished the response; time-taken is in seconds.
func cloudFront() *Format {
	const usual = "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end"
	header := func(line []byte) *layout { return w3cHeader(line, '\t') }
	standard := header([]byte(usual))
	return &Format{
		Name:   "cloudfront",
		Title:  "Amazon CloudFront, standard log",
		Stamp:  EndLessTaken,
		Why:    "CloudFront logs the end of a request and time-taken",
		header: header,
		Parse: func(line []byte, e *Entry) error {
			if e.layout == nil {
				e.layout = standard
			}
			err := firstOf(e.w3c(line, header), e.taken(inSeconds))
			if viewed := e.text(viewedSlot); viewed != nil {
				e.Host = viewed
			}
			return err
		},
	}
}
