package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
)

// hostileLog has in its paths, users and clients what a terminal would act on.
const hostileLog = "192.0.2.1 - \x1b]0;gotcha\a [01/Jun/2025:10:00:00 +0000] \"GET /\x1b[31mred\u202e\u009b HTTP/1.1\" 200 1 \"-\" \"-\"\n" +
	"\x1b[2J - - [01/Jun/2025:10:00:00 +0000] \"GET /| HTTP/1.1\" 200 1 \"-\" \"-\"\n" +
	"host\u202e - - [01/Jun/2025:10:00:00 +0000] \"GET /\r HTTP/1.1\" 200 1 \"-\" \"-\"\n" +
	"192.0.2.1 - \x1b]0;gotcha\a [01/Jun/2025:10:00:00 +0000] \"GET /\x1b[31mred\u202e\u009b HTTP/1.1\" 200 1 \"-\" \"-\"\n"

// Nothing that a log or its name says reaches the terminal in a form that it acts on.
func TestLogContentIsHarmless(t *testing.T) {
	folder := t.TempDir()
	log, clients := filepath.Join(folder, "a\u202eb.log"), filepath.Join(folder, "clients.csv")
	if err := os.WriteFile(log, []byte(hostileLog), 0o644); err != nil {
		t.Fatal(err)
	}
	policy := filepath.Join(folder, "p\u202e\x1b[31m.yaml")
	if err := os.WriteFile(policy, []byte("limit: 2/m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	check := func(what, text string) {
		for _, r := range text {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%s: %q in %q", what, r, text)
				return
			}
		}
	}
	for _, key := range []string{"client", "path", "client+path", "user"} {
		for _, format := range replayFormatNames() {
			status, out, err := inProcess("", "replay", log, "--limit", "1/m", "--versus", "1/h", "--key", key, "-f", format, "--detail", "all", "--clients", clients)
			if status != 0 {
				t.Fatalf("status %d: %s", status, err)
			}
			_, beside, _ := inProcess("", "replay", log, "--limit", "1/m", "--policy", policy, "-f", format)
			check("policy "+format, beside)
			table, _ := os.ReadFile(clients)
			check(key+" "+format, out+err+string(table))
		}
		for _, format := range []string{"text", "json", "csv", "markdown"} {
			_, out, err := inProcess("", "tune", log, "--frontier", "--key", key, "-f", format)
			check("tune "+key+" "+format, out+err)
		}
	}
}

// The same log gives the same bytes however many processors there are.
func TestReplayIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var w bytes.Buffer
	if _, err := (accesslog.Synthetic{Lines: 20_000, Clients: 6_000, Seed: 7}).WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, n := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(n)
		got := ""
		for _, args := range [][]string{{"-f", "json", "--limit", "10/m", "--versus", "5/m"}, {"--peak", "--limit", "5/s", "--within-tick", "spread"}} {
			status, out, err := inProcess(w.String(), append([]string{"replay", "-"}, args...)...)
			if status != 0 {
				t.Fatalf("status %d: %s", status, err)
			}
			got += out + err
		}
		if want == "" {
			want = got
		}
		if got != want || !strings.Contains(got, "20000 requests") {
			t.Errorf("%d processors give another answer", n)
		}
	}
}
