// Synthetic writes a made-up access log in the combined format to standard output, the same bytes for
// the same flags: for measuring, and for trying things out.
//
//	go run ./scenarios/accesslog/synthetic -lines 1000000 -clients 2000 > access.log
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
)

func main() {
	lines := flag.Int64("lines", 1_000_000, "how many lines")
	clients := flag.Uint("clients", 2000, "how many clients, the first of which sends most (Zipf, 1.1)")
	rate := flag.Int64("rate", 300, "requests a second, at random (Poisson)")
	seed := flag.Uint64("seed", 1, "where random draws begin")
	flag.Parse()
	if *lines < 1 || *clients < 1 || *clients > 10_000_000 || *rate < 1 || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "synthetic: lines, clients and rate must be 1 or more, clients 10000000 at most, and nothing else be given")
		os.Exit(2)
	}
	log := accesslog.Synthetic{Lines: *lines, Clients: uint32(*clients), Seed: *seed, Rate: *rate}
	if _, err := log.WriteTo(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "synthetic:", err)
		os.Exit(1)
	}
}
