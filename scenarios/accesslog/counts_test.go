package accesslog

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLineNumbers: far into a log, and in the second of two files, faults are named by their line.
func TestLineNumbers(t *testing.T) {
	long := strings.Repeat(lineAt("a", 0), 20_000) // 1.6 MB: several chunks
	log := long + "x\n" + lineAt("b", 0)
	_, report := inWords(t, Options{}, Bytes("one", []byte(long)), Bytes("two", []byte(log)))
	if got := fmt.Sprint(report.Faults); got != "[two:20001: client: missing]" {
		t.Error(got)
	}
	if f := report.Files[1]; f.Lines != 20_002 || f.Malformed != 1 || f.Requests != 20_001 {
		t.Errorf("%+v", f)
	}
	late, err := Open([]Input{Pipe("-", strings.NewReader(long+"x\n"+lineAt("b", 500)+lineAt("c", 1)))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = late.Run(func(s *Stream) error {
		for _, ok := s.Next(); ok; _, ok = s.Next() {
		}
		return nil
	})
	var at *LateError
	if !errors.As(err, &at) || at.Line != 20_003 || at.Behind != 499*time.Second {
		t.Errorf("%v", err)
	}
}

// TestStarts: where the end and the duration are logged, requests stand in the order of their
// starts; where the duration is missing, the end is taken, and counted.
func TestStarts(t *testing.T) {
	line := func(client, end, took string) string {
		return fmt.Sprintf("{\"remote_addr\":%q,\"msec\":%s,\"request_time\":%q,\"status\":200}\n", client, end, took)
	}
	log := line("a", "1000.000", "0.000") + line("b", "1001.000", "-") + line("c", "1004.500", "4.250")
	got, report := inWords(t, Options{}, Bytes("log", []byte(log)))
	if want := "a@0 c@0.25 b@1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if report.Subtracted != 2 || report.Untaken != 1 || report.OutOfOrder != 1 || report.Tick != 100*time.Millisecond {
		t.Errorf("%+v", report)
	}
	early := line("a", "1.000", "2.000")
	if _, report = inWords(t, Options{}, Bytes("log", []byte(early))); report.Malformed != 1 {
		t.Errorf("a start before 1970: %+v", report)
	}
}

// TestCounts: what a report counts of requests, and what a filter leaves out.
func TestCounts(t *testing.T) {
	line := func(client, path string, sec, status int) string {
		return strings.Replace(strings.Replace(lineAt(client, sec), "/a", path, 1), " 200 ", fmt.Sprintf(" %d ", status), 1)
	}
	log := line("a", "/x", 0, 200) + line("-", "/search", 1, 429) + line("b", "/search", 2, 503) + "\n" + line("a", "/x", 3, 429)
	key, err := ParseKey("client+path")
	if err != nil {
		t.Fatal(err)
	}
	got, r := inWords(t, Options{Key: key}, Bytes("log", []byte(log)))
	if want := "a /x@0  /search@1 b /search@2 a /x@3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r.Refused429 != 2 || r.Refused503 != 1 || r.Malformed != 1 || r.Requests != 4 || r.Clients != 3 {
		t.Errorf("%+v", r)
	}
	_, r = inWords(t, Options{}, Bytes("log", []byte(log)))
	if r.Unknown != 1 || r.Clients != 3 || r.Last-r.First != 3*second {
		t.Errorf("%+v", r)
	}
	since, err := ParseInstant("2025-05-17T08:00:01")
	if err != nil {
		t.Fatal(err)
	}
	filter := Filter{Since: &since}
	if err := filter.Where("path=/search"); err != nil {
		t.Fatal(err)
	}
	got, r = inWords(t, Options{Filter: filter}, Bytes("log", []byte(log)))
	if want := "@0 b@1"; got != want || r.Filtered != 2 || r.Lines != 5 || r.Refused429 != 1 {
		t.Errorf("got %s, want %s: %+v", got, want, r)
	}
}

// TestPaths: requests tell their path without the query, by id.
func TestPaths(t *testing.T) {
	log := strings.Replace(lineAt("a", 0), "/a", "/b?x", 1) + lineAt("a", 1) + strings.Replace(lineAt("a", 2), "/a", "/b?y", 1)
	_, got := readAll(t, []Input{Bytes("log", []byte(log))}, Options{Paths: true})
	if len(got) != 3 || got[0].path != 0 || got[1].path != 1 || got[2].path != 0 {
		t.Errorf("%+v", got)
	}
}

// TestContainerLogs: the prefix of a container runtime is cut, and parts of lines are malformed.
func TestContainerLogs(t *testing.T) {
	const full, part = "2025-05-17T10:00:00.123456789+02:00 stdout F ", "2025-05-17T10:00:00.123456789+02:00 stderr P "
	log := full + lineAt("a", 0) + part + lineAt("b", 1)[:30] + "\n" + full + lineAt("c", 2) + lineAt("d", 3)
	got, r := inWords(t, Options{}, Bytes("log", []byte(log)))
	if want := "a@0 c@2 d@3"; got != want || !r.Files[0].Container {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := fmt.Sprint(r.Faults); got != "[log:2: container log prefix: only part of a line]" {
		t.Error(got)
	}
}
