package accesslog

// combined is the NCSA combined log format. What follows the bytes, a referer and a user agent, is
// not looked at: a quote that is not closed there loses nothing that matters here, and fields that
// a server was told to append do no harm.
func combined() *Format {
	return &Format{
		Name:  "combined",
		Title: "NCSA combined: Apache, nginx and many others",
		Stamp: Either,
		Why:   "Apache logs the start of a request, nginx its end, and this format has no duration",
		Parse: func(line []byte, e *Entry) error {
			_, err := e.ncsa(line)
			return fault(err)
		},
	}
}
