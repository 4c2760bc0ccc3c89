package scenarios

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// FromPolicy is a scenario without traffic: every algorithm under one limit, to be put to requests
// from elsewhere. A burst of 0 stands for the count of the limit.
func FromPolicy(limit algorithms.Limit, burst int64) *Loaded {
	return &Loaded{Scenario: &Scenario{Limit: limit, Burst: burst}}
}

// LoadPolicy reads a scenario file that may lack traffic: what counts is its limit, burst and
// limiters. Where the file is wrong, the error is a *FileError with all its mistakes.
func LoadPolicy(path string) (*Loaded, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	if len(data) <= maxSize && len(bytes.TrimSpace(data)) > 0 && !hasTraffic(data) {
		data = append(data, "\ntraffic: [{client: none, requests: [{at: 0s}]}]\n"...)
	}
	l, err := load(data, path, ".")
	if err != nil {
		return nil, err
	}
	if keys := l.Scenario.systemKeys(); len(keys) > 0 {
		return nil, fmt.Errorf("%s: has %s; a log is put to limiters alone, so leave that out (ratesim run simulates it)", visible(path), visible(strings.Join(keys, ", ")))
	}
	l.Path = path
	return l, nil
}

// hasTraffic reports whether a line of the file begins with the key.
func hasTraffic(data []byte) bool {
	for line := range bytes.Lines(data) {
		if bytes.HasPrefix(line, []byte("traffic:")) {
			return true
		}
	}
	return false
}

// Limiters are the scenario's limiters for requests whose instant 0 is the Unix time start, in ns.
func (l *Loaded) Limiters(over Overrides, start int64) ([]sim.Limiter, error) {
	at := time.Unix(0, start).UTC()
	scenario := *l.Scenario
	scenario.Start = &at
	moved := *l
	moved.Scenario = &scenario
	return moved.limiters(over)
}
