// Package accesslog reads real access logs as streams of requests: fast, in order of time, and
// without dropping a line in silence.
//
//	log, err := accesslog.Open([]accesslog.Input{accesslog.File("access.log.gz")}, accesslog.Options{})
//	err = log.Run(func(s *accesslog.Stream) error {
//		for {
//			request, ok := s.Next()
//			…
//		}
//	})
//
// A [Format] describes one log format as data, with the parser of its lines; [Formats] lists them.
// To add one, write its file and its line there. Arrival instants are the starts of requests:
// where a format logs the end and the duration, the duration is subtracted, and [Format.Instants]
// says which was done.
//
// Lines in are always requests + malformed + filtered ([Report]). Header lines, which formats with
// named columns have, are counted apart.
//
// Reading is a pipeline: one goroutine reads and cuts the input at line ends, several parse, and
// the caller's own goroutine puts the pieces together in the order of the file. What comes out does
// not depend on how many parse.
package accesslog
