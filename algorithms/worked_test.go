package algorithms_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// TestWorkedExamples runs testdata/*.txt: an algorithm at work, line by line, worked out by hand.
// README.txt there says how to read them.
func TestWorkedExamples(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		if _, err := os.Stat(filepath.Join("testdata", spec.Name+".txt")); err != nil {
			t.Errorf("%s has no worked example: %v", spec.Name, err)
		}
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { runExample(t, file) })
	}
}

// runExample reads a file line by line. A policy line makes a new limiter, the lines after it are
// its requests, ends of service and changes; an empty line or one that begins with # says something to the reader.
func runExample(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var l algorithms.Limiter
	var algorithm string
	var p algorithms.Policy
	for i, line := range strings.Split(string(text), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
		case fields[0] == "policy":
			algorithm, p = fields[1], policyOf(t, fields[2:])
			l = build(t, algorithm, p)
		case fields[1] == "limit":
			to := policyOf(t, fields[2:])
			to.Start, to.Options = p.Start, p.Options
			if !algorithms.Adjust(l, Time(duration(t, fields[0])), maker(t, algorithm, to)) {
				t.Errorf("%s:%d: %s: refused", file, i+1, line)
			}
		case fields[2] == "done" || fields[2] == "late":
			l.(algorithms.Holding).Done(Time(duration(t, fields[0])), integer(t, fields[1]), fields[2] == "late")
		default:
			at, want := Time(duration(t, fields[0])), strings.Join(fields[3:], " ")
			if got := inWords(at, l.Decide(at, integer(t, fields[1]))); got != want {
				t.Errorf("%s:%d: %s\ngot %s", file, i+1, line, got)
			}
		}
	}
}

// policyOf reads "100/1m", "burst=20", "start=30s" (the Unix time of instant 0) and options.
func policyOf(t *testing.T, fields []string) algorithms.Policy {
	n, per, _ := strings.Cut(fields[0], "/")
	p := algorithms.Policy{Limit: algorithms.Limit{N: integer(t, n), Per: duration(t, per)}}
	p.Options = options(strings.Join(fields[1:], " "))
	if text, ok := p.Options["burst"]; ok {
		p.Burst = integer(t, text)
	}
	if text, ok := p.Options["start"]; ok {
		p.Start = int64(duration(t, text))
	}
	delete(p.Options, "burst")
	delete(p.Options, "start")
	return p
}

// options reads "name=value name=value".
func options(text string) map[string]string {
	read := map[string]string{}
	for _, field := range strings.Fields(text) {
		name, value, _ := strings.Cut(field, "=")
		read[name] = value
	}
	return read
}

// inWords is a decision as the files have it: "admit", "delay 10ms", "deny 1.5s", "deny never".
func inWords(at Time, d algorithms.Decision) string {
	switch {
	case d.Until == algorithms.Never:
		return d.Verdict.String() + " never"
	case d.Verdict == algorithms.Admit && d.Until == at:
		return "admit"
	}
	return fmt.Sprintf("%s %s", d.Verdict, time.Duration(d.Until))
}

func integer(t *testing.T, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func duration(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
