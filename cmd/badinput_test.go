package cmd

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// inProcess carries out a command line without starting a process.
func inProcess(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = Main(args, strings.NewReader(stdin), &out, &err)
	return status, out.String(), err.String()
}

// scenarioWith is a good scenario, but for the text put at the place of a key.
func scenarioWith(key, text string) string {
	lines := []struct{ key, text string }{
		{"version", "version: 1"},
		{"limit", "limit: 10/s"},
		{"burst", "burst: 5"},
		{"duration", "duration: 10s"},
		{"traffic", "traffic:\n  - {client: a, phases: [{rate: 1/s, for: 5s}]}"},
		{"expect", "expect: {gcra: {admitted: 5}}"},
	}
	var b strings.Builder
	for _, l := range lines {
		if l.key == key {
			l.text = text
		}
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// TestBadInput: whatever a file holds, there is a message that names the file, status 2, nothing on
// standard output, and nothing in the message that a terminal would act on.
func TestBadInput(t *testing.T) {
	const megabyte = 1 << 20
	for _, c := range []struct {
		story, text string
		want        string // in the message
	}{
		{"empty", "", "empty"},
		{"only a comment", "# nothing\n", ""},
		{"no YAML", "version: [1\n", ":"},
		{"a list", "- 1\n- 2\n", ""},
		{"a word", "hello\n", ""},
		{"not text", "\x00\x01\x02\xff\xfe", ""},
		{"a megabyte of noise", noise(megabyte), ""},
		{"a megabyte of [", strings.Repeat("[", megabyte), ""},
		{"a megabyte of {", strings.Repeat("{", megabyte), ""},
		{"a megabyte of - ", strings.Repeat("- ", megabyte/2), ""},
		{"a megabyte of quotes", strings.Repeat(`"`, megabyte), ""},
		{"a megabyte of anchors", strings.Repeat("&a ", megabyte/3), ""},
		{"a megabyte of spaces", strings.Repeat(" ", megabyte), ""},
		{"ten megabytes", scenarioWith("", "") + strings.Repeat("# filling\n", megabyte), ""},
		{"aliases that explode", bomb(), ""},
		{"an unknown key", scenarioWith("limit", "limt: 10/s"), `did you mean "limit"`},
		{"a key twice", scenarioWith("burst", "limit: 5/s"), "limit"},
		{"two documents", scenarioWith("expect", "---\nversion: 1"), ""},
		{"a number without unit", scenarioWith("limit", "limit: 10"), "10/s"},
		{"a wrong unit", scenarioWith("limit", "limit: 10/fortnight"), "fortnight"},
		{"a month", scenarioWith("limit", "limit: 10/month"), "month"},
		{"a zero limit", scenarioWith("limit", "limit: 0/s"), "0/s"},
		{"a negative limit", scenarioWith("limit", "limit: -1/s"), "-1/s"},
		{"a limit that overflows", scenarioWith("limit", "limit: 99999999999999999999999/s"), "99999"},
		{"a limit out of range", scenarioWith("limit", "limit: 2000000000000/s"), "2000000000000"},
		{"a period out of range", scenarioWith("limit", "limit: 1/5000d"), "5000d"},
		{"not a number", scenarioWith("limit", "limit: NaN/s"), "NaN"},
		{"infinite", scenarioWith("duration", "duration: .inf"), "inf"},
		{"an exponent", scenarioWith("limit", "limit: 1e3/s"), "1e3"},
		{"a zero burst", scenarioWith("burst", "burst: 0"), "burst"},
		{"a negative burst", scenarioWith("burst", "burst: -5"), "-5"},
		{"an absurd burst", scenarioWith("burst", "burst: 99999999999999999999"), "999"},
		{"a zero duration", scenarioWith("duration", "duration: 0s"), "0s"},
		{"a negative duration", scenarioWith("duration", "duration: -10s"), "-10s"},
		{"an absurd duration", scenarioWith("duration", "duration: 99999999d"), "99999999d"},
		{"an end before its start", scenarioWith("traffic", "traffic:\n  - {client: a, phases: [{at: 5s, rate: 1/s, for: 2s}, {at: 6s, burst: 1}]}"), ""},
		{"a phase outside the duration", scenarioWith("traffic", "traffic:\n  - {client: a, phases: [{at: 1m, burst: 1}]}"), ""},
		{"absurdly many requests", scenarioWith("traffic", "traffic:\n  - {client: a, phases: [{rate: 1000000000000/ns, for: 5s}]}"), ""},
		{"no traffic", scenarioWith("traffic", ""), "traffic"},
		{"an unknown limiter in expect", scenarioWith("expect", "expect: {grca: {admitted: 5}}"), "grca"},
		{"an unknown measure", scenarioWith("expect", "expect: {gcra: {admited: 5}}"), "admited"},
		{"absurdly many limiters", scenarioWith("burst", "limiters: ["+strings.Repeat("{algorithm: gcra}, ", 20_000)+"]"), "up to 100"},
		{"a start far off", scenarioWith("burst", "start: 9999-12-31"), "out of range; it may be from 1970-01-01"},
		{"a version to come", scenarioWith("version", "version: 2"), "2"},
		{"escape sequences", scenarioWith("limit", "\"\\e[31mlimit\x1b]0;owned\x07\": 1/s"), ""},
		{"a missing trace", scenarioWith("traffic", "traffic:\n  - requests: {file: none.csv, time: t}"), "none.csv"},
	} {
		t.Run(c.story, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "bad.yaml")
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			refused(t, c.want, "run", path)
			if len(c.text) < megabyte/2 {
				status, _, _ := inProcess(c.text, "run", "-")
				if status != 2 {
					t.Errorf("from standard input: status %d", status)
				}
			}
		})
	}
}

// refused runs a command line that must be refused.
func refused(t *testing.T, want string, args ...string) {
	t.Helper()
	status, stdout, stderr := inProcess("", args...)
	if status != 2 || stdout != "" || !strings.HasPrefix(stderr, "ratesim: ") || !strings.Contains(stderr, want) {
		t.Errorf("status %d, stdout %.100q, stderr %.1000q; want %q in it", status, stdout, stderr, want)
	}
	if len(stderr) > 20_000 {
		t.Errorf("a message of %d bytes", len(stderr))
	}
	for _, r := range stderr {
		if r != '\n' && (unicode.IsControl(r) || r == unicode.ReplacementChar) {
			t.Fatalf("%U in %.300q", r, stderr)
		}
	}
}

// TestNoScenarioThere: paths at which there is nothing to read.
func TestNoScenarioThere(t *testing.T) {
	folder := t.TempDir()
	refused(t, "missing.yaml", "run", filepath.Join(folder, "missing.yaml"))
	refused(t, "folder", "run", folder)
	refused(t, "folder", "run", folder+string(filepath.Separator))
	refused(t, "", "run", "")
	refused(t, "", "run", "a\x00b.yaml")
	refused(t, "", "run", strings.Repeat("x", 5000)+".yaml")
}

// noise is bytes that look random and are always the same.
func noise(n int) string {
	b, x := make([]byte, n), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return string(b)
}

// bomb is a few lines that expand to ten thousand million.
func bomb() string {
	var b strings.Builder
	b.WriteString("version: 1\nlesson: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 10 {
		fmt.Fprintf(&b, "k%d: &a%d [%s]\n", i, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	return b.String()
}
