package accesslog

import "bytes"

// traefikCLF is Traefik's common log format: combined, then
//
//	RequestCount "router" "server URL" 12ms
func traefikCLF() *Format {
	return &Format{
		Name:  "traefik-clf",
		Title: "Traefik common log format",
		Stamp: Start,
		Why:   "Traefik logs the start of a request",
		Parse: func(line []byte, e *Entry) error {
			rest, err := e.ncsa(line)
			if err != 0 {
				return err
			}
			last := rest[bytes.LastIndexByte(rest, ' ')+1:]
			ms, ok := bytes.CutSuffix(last, []byte("ms"))
			n, digits := whole(ms)
			if !ok || !digits || n > maxTaken/1_000_000 {
				return errDuration
			}
			e.Duration = n * 1_000_000
			return nil
		},
	}
}
