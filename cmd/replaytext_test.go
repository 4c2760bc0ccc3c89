package cmd

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// threeLines are three requests at once by one client.
const threeLines = `192.0.2.1 - - [01/Jun/2025:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "-"
192.0.2.1 - - [01/Jun/2025:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "-"
192.0.2.1 - - [01/Jun/2025:10:00:00 +0000] "GET /b HTTP/1.1" 200 1 "-" "-"
`

// replayText is what replay prints of a log, and on standard error.
func replayText(t *testing.T, log string, status int, args ...string) (out, errors string) {
	t.Helper()
	got, out, errors := inProcess(log, append([]string{"replay", "-"}, args...)...)
	if got != status {
		t.Fatalf("%v: status %d, want %d: %s", args, got, status, errors)
	}
	return out, errors
}

// What is limited is called by its name, in one and in many.
func TestReplayNamesItsKeys(t *testing.T) {
	for _, c := range []struct{ key, title, noun string }{
		{"client", "3 requests of 1 client\n", "client"},
		{"path", "3 requests of 2 keys (path)\n", "key"},
		{"client+path", "3 requests of 2 keys (client+path)\n", "key"},
		{"all", "3 requests of 1 key (all)\n", "key"},
	} {
		out, _ := replayText(t, threeLines, 0, "--limit", "1/m", "--key", c.key, "-a", "gcra")
		if !strings.Contains(out, c.title) {
			t.Errorf("%s: no %q in\n%s", c.key, c.title, out)
		}
		if !strings.Contains(out, "half of all denials fall on 1 "+c.noun+",") {
			t.Errorf("%s: denials are not spread over a %s in\n%s", c.key, c.noun, out)
		}
	}
}

// A limiter of a policy file keeps its whole name beside another limit.
func TestReplayNamesWithSpaces(t *testing.T) {
	policy := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(policy, []byte("limit: 1/m\nlimiters:\n  - {algorithm: gcra, name: front door, burst: 2}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := replayText(t, threeLines, 0, "--policy", policy, "--versus", "3/m", "--burst", "3")
	if !strings.Contains(out, "\nfront door           0            1 ") || !strings.Contains(out, " front door: 192.0.2.1 1 to 0\n") {
		t.Errorf("the limiter's name is not whole in\n%s", out)
	}
	if _, said := replayText(t, threeLines, 2, "--policy", policy, "--burst", "3"); !strings.Contains(said, "--burst goes with --limit") {
		t.Errorf("a burst that nothing takes: %s", said)
	}
}

// A log without paths has no path that is refused most.
func TestReplayWithoutPaths(t *testing.T) {
	log := "{\"t\":1750000000}\n{\"t\":1750000000}\n"
	args := []string{"--log-format", "jsonl", "--columns", "time=t", "--limit", "1/m", "-a", "gcra"}
	if out, _ := replayText(t, log, 0, args...); strings.Contains(out, "path") {
		t.Errorf("paths are shown in\n%s", out)
	}
	if out, _ := replayText(t, log, 0, append(args, "-f", "ndjson")...); !strings.Contains(out, `"path":null`) {
		t.Errorf("the path is not null in\n%s", out)
	}
}

// No line is wider than asked for, whatever is in the log, and flags stay whole.
func TestReplayFits(t *testing.T) {
	long := strings.Replace(threeLines, "/a", "/\x1b[31m"+strings.Repeat("a-b", 100), 1) +
		strings.ReplaceAll(threeLines, "192.0.2.1", "2001:db8:1111:2222:3333:4444:5555:6666")
	for _, width := range []int{60, 80, 120, 200} {
		for _, args := range [][]string{
			{"--limit", "1/m", "--detail", "all"}, {"--limit", "1/m", "--limit", "1/s", "--limit", "2/h"},
			{"--limit", "1/s", "--peak", "--within-tick", "spread"}, {"--limit", "1/s", "--versus", "2/m", "--key", "client+path"},
		} {
			out, _ := replayText(t, long, 0, append(args, "--width", strconv.Itoa(width))...)
			for line := range strings.Lines(out) {
				if cells := ansi.StringWidth(strings.TrimSuffix(line, "\n")); cells > width || strings.HasSuffix(line, "--\n") {
					t.Errorf("%v at %d: %d cells: %s", args, width, cells, line)
				}
			}
		}
	}
	out, _ := replayText(t, threeLines, 0, "--limit", "1/m", "--limit", "2/m", "--width", "60", "-a", "gcra")
	if !strings.Contains(out, "\ndenied requests, their share, and clients refused (in\nbrackets)\n") {
		t.Errorf("a head is not broken in\n%s", out)
	}
}

// The table of the most refused keeps its columns at 80 cells, whatever clients and paths are called.
func TestMostRefusedAtEighty(t *testing.T) {
	for _, client := range []string{"192.0.2.1", "2001:db8:1111:2222:3333:4444:5555:6666", strings.Repeat("名", 60)} {
		for _, path := range []string{"/a", "/" + strings.Repeat("long/", 40)} {
			log := strings.ReplaceAll(strings.ReplaceAll(threeLines, "192.0.2.1", client), "/a", path)
			out, _ := replayText(t, strings.Repeat(log, 1000), 0, "--limit", "1/m", "-a", "gcra")
			_, table, _ := strings.Cut(out, "most refused by gcra\n")
			lines := strings.Split(table, "\n")
			if !strings.HasPrefix(lines[0], "client ") || !strings.Contains(lines[0], "  first denied  most refused path") ||
				!strings.Contains(lines[1], " 06-01 10:00:00  ") || !strings.HasPrefix(lines[2], " half of all") {
				t.Errorf("%s %s: no table in\n%s", client, path, out)
			}
			for _, name := range []string{client, path} {
				if len(name) > 20 && !strings.Contains(lines[1], "…") || len(name) < 20 && !strings.Contains(lines[1], name) {
					t.Errorf("%q is not shown, whole or cut, in\n%s", name, lines[1])
				}
			}
		}
	}
	old := strings.Replace(threeLines, "2025", "2024", 1)
	if out, _ := replayText(t, old, 0, "--limit", "1/365d", "-a", "gcra"); !strings.Contains(out, " 2025-06-01 10:00:00  ") {
		t.Errorf("over two years, the year is missing in\n%s", out)
	}
}

// A path that could not be counted for certain is marked as such, in JSON and beside the table of clients.
func TestReplaySaysWherePathsAreUnsure(t *testing.T) {
	var many strings.Builder
	for i := range 20_000 {
		many.WriteString(strings.Replace(threeLines[:strings.Index(threeLines, "\n")+1], "/a", "/"+strconv.Itoa(i), 1))
	}
	table := filepath.Join(t.TempDir(), "clients.csv")
	for _, c := range []struct {
		log    string
		unsure bool
	}{{threeLines, false}, {many.String(), true}} {
		out, said := replayText(t, c.log, 0, "--limit", "1/m", "-a", "gcra", "-f", "json", "--clients", table)
		if marked := strings.Contains(out, `"path_denied_is_lower_bound":true`); marked != c.unsure {
			t.Errorf("%d bytes: marked %v in JSON", len(c.log), marked)
		}
		if told := strings.Contains(said, "too many pairs of a client and a path"); told != c.unsure {
			t.Errorf("%d bytes: told %v: %s", len(c.log), told, said)
		}
	}
}
