package accesslog_test

import (
	"fmt"
	"os"
	"time"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
)

func Example() {
	in, err := accesslog.File("testdata/small.log")
	if err != nil {
		fmt.Println(err)
		return
	}
	log, err := accesslog.Open([]accesslog.Input{in}, accesslog.Options{Paths: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = log.Run(func(s *accesslog.Stream) error {
		fmt.Println("begins", time.Unix(0, s.Start()).UTC().Format(time.RFC3339))
		for {
			r, ok := s.Next()
			if !ok {
				break
			}
			d := s.Detail()
			fmt.Println(time.Duration(r.At), s.Clients().Name(r.Client), s.Paths().Name(d.Path), d.Status)
		}
		r := s.Report()
		fmt.Printf("%d lines = %d requests + %d malformed + %d filtered; tick %v; %d out of order\n",
			r.Lines, r.Requests, r.Malformed, r.Filtered, r.Tick, r.OutOfOrder)
		fmt.Println(r.Files[0].Instants)
		for _, f := range r.Faults {
			fmt.Println(f)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// begins 2025-05-17T08:00:01Z
	// 0s 2001:db8::1 /login 200
	// 0s 192.0.2.7 / 200
	// 2s 192.0.2.7 /search 429
	// 4 lines = 3 requests + 1 malformed + 0 filtered; tick 1s; 2 out of order
	// Apache logs the start of a request, nginx its end, and this format has no duration: instants are as logged
	// testdata/small.log:3: request: quote is not closed
}

func ExampleSynthetic() {
	_, err := accesslog.Synthetic{Lines: 2, Clients: 2, Seed: 7}.WriteTo(os.Stdout)
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 20.110.243.98 - - [01/Jun/2025:00:00:00 +0000] "GET /search?q=4904 HTTP/1.1" 304 1677 "https://www.example.com/" "curl/8.8.0"
	// 20.55.121.177 - - [01/Jun/2025:00:00:00 +0000] "GET /api/v1/items/3977 HTTP/1.1" 200 14305 "https://www.example.com/" "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
}
