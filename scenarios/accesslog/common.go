package accesslog

// common is the NCSA common log format, and nothing after it.
func common() *Format {
	return &Format{
		Name:  "common",
		Title: "NCSA common: Apache and many others",
		Stamp: Either,
		Why:   "Apache logs the start of a request, nginx its end, and this format has no duration",
		Parse: func(line []byte, e *Entry) error {
			rest, err := e.ncsa(line)
			if err == 0 && len(rest) > 0 {
				err = errTail
			}
			return fault(err)
		},
	}
}

// fault is the error of a why, nil if there is none.
func fault(w why) error {
	if w == 0 {
		return nil
	}
	return w
}
