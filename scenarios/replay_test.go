package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/b6db88e4/ratesim/sim"
)

// smallLog has ada's two requests at once, out of order with bob's, which comes a second earlier,
// and a line that is none.
const smallLog = `198.51.100.1 - - [01/Jun/2025:10:00:01 +0000] "GET /a HTTP/1.1" 200 1 "-" "-"
198.51.100.1 - - [01/Jun/2025:10:00:01 +0000] "POST /b HTTP/1.1" 200 1 "-" "-"
nothing
198.51.100.2 - - [01/Jun/2025:10:00:00 +0000] "GET /a HTTP/1.1" 404 1 "-" "-"
`

// logFolder is a folder with the log in it.
func logFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"small.log": smallLog, "empty.log": "", "garbage.log": "what\nis\nthis\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A log is a source like others: its first request is t = 0, its clients keep their names, and a
// synthetic source may send under one of them.
func TestReplaySource(t *testing.T) {
	l, err := load([]byte(`version: 1
limit: 1/m
traffic:
  - replay: {file: small.log}
  - {client: 198.51.100.1, phases: [{at: 2s, burst: 1}]}
`), "x.yaml", logFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := l.Plan(Overrides{Algorithms: []string{"sliding-log"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for source := plan.Open(); ; {
		r, ok := source.Next()
		if !ok {
			break
		}
		got = append(got, plan.Clients.Name(r.Client)+" at "+formatNanos(int64(r.At)))
	}
	want := "198.51.100.2 at 0s, 198.51.100.1 at 1s, 198.51.100.1 at 1s, 198.51.100.1 at 2s"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	if s := sim.New(plan, sim.Options{Buckets: 1, Workers: 1}).Finish()[0].Summary; s.Denied != 2 {
		t.Errorf("sliding-log denies %d, want ada's second and third", s.Denied)
	}
	notes := strings.Join(l.Notes, "\n")
	for _, part := range []string{"small.log: 1 line is malformed and left out (line 3: ", "t = 0 is its first request, of 2025-06-01T10:00:00Z"} {
		if !strings.Contains(notes, part) {
			t.Errorf("notes lack %q:\n%s", part, notes)
		}
	}
}

// The keys of a replay choose and count as the flags of the command do.
func TestReplayKeys(t *testing.T) {
	folder := logFolder(t)
	for _, c := range []struct {
		replay  string
		rows    int
		clients int
	}{
		{"{file: small.log, where: [path=/a]}", 2, 2},
		{"{file: small.log, where: [path=/a, status=4xx]}", 1, 1},
		{"{file: small.log, key: client/24, format: combined}", 3, 1},
		{"{file: small.log, key: path}", 3, 2},
	} {
		l, err := load([]byte("version: 1\nlimit: 1/m\ntraffic:\n  - replay: "+c.replay+"\n"), "x.yaml", folder)
		if err != nil {
			t.Errorf("%s: %v", c.replay, err)
			continue
		}
		seen := map[uint32]bool{}
		for _, r := range l.sources[0].rows {
			seen[r.Client] = true
		}
		if len(l.sources[0].rows) != c.rows || len(seen) != c.clients {
			t.Errorf("%s: %d requests of %d clients, want %d of %d", c.replay, len(l.sources[0].rows), len(seen), c.rows, c.clients)
		}
	}
}

func TestReplayMistakes(t *testing.T) {
	folder := logFolder(t)
	for _, c := range []struct{ source, want string }{
		{"replay: {file: none.log}", `x.yaml:4:20: file "none.log": no such file`},
		{"replay: {file: .}", "is a folder"},
		{"replay: {file: empty.log}", "has no request"},
		{"replay: {file: garbage.log}", `file "garbage.log":`},
		{"replay: {file: small.log, where: [path=/none]}", "has no request"},
		{"replay: {format: combined}", `"file" is missing`},
		{"replay: {file: small.log, format: nginx}", "x.yaml:4:39: log format"},
		{"replay: {file: small.log, key: colour}", `"colour" must be client`},
		{"replay: {file: small.log, where: [colour=red]}", "must be path=GLOB"},
		{"replay: {file: small.log, columns: a}", "must be FIELD=COLUMN"},
		{"{replay: {file: small.log}, phases: [{burst: 1}]}", "either a replay or requests of its own"},
		{"{replay: {file: small.log}, client: ada}", "client does not go with a replay"},
	} {
		_, err := load([]byte("version: 1\nlimit: 1/m\ntraffic:\n  - "+c.source+"\n"), "x.yaml", folder)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error lacks %q:\n%v", c.source, c.want, err)
		}
	}
}

// What is read and written again is the same.
func TestReplayRoundTrip(t *testing.T) {
	text := "version: 1\nlimit: 1/m\ntraffic:\n  - replay: {file: small.log, format: combined, key: client/24, where: [path=/a, path=/b]}\n"
	folder := logFolder(t)
	l, err := load([]byte(text), "x.yaml", folder)
	if err != nil {
		t.Fatal(err)
	}
	again, err := FromScenario(l.Scenario, "x.yaml", folder)
	if err != nil {
		t.Fatal(err)
	}
	a, b := l.Scenario.Traffic[0].Replay, again.Scenario.Traffic[0].Replay
	if a.File != b.File || a.Format != b.Format || a.Key != b.Key || strings.Join(a.Where, " ") != strings.Join(b.Where, " ") {
		t.Errorf("%+v comes back as %+v", a, b)
	}
}

// A policy file is a scenario that may lack traffic; windows then stand where the requests' clock
// has them.
func TestLoadPolicy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(path, []byte("limit: 3/m\nlimiters:\n  - {algorithm: gcra, burst: 9}\n  - {algorithm: fixed-window, name: strict, limit: 1/m}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := LoadPolicy(path)
	if err != nil {
		t.Fatal(err)
	}
	limiters, err := l.Limiters(Overrides{}, 30e9)
	if err != nil || len(limiters) != 2 || limiters[0].Policy.Burst != 9 || limiters[1].Name != "strict" || limiters[1].Policy.Start != 30e9 {
		t.Fatalf("%v %+v", err, limiters)
	}
	if until := limiters[1].Maker.New().Decide(0, 2).Until; until != sim.Time(1<<63-1) {
		t.Errorf("two units never fit into 1/m, but do at %d", until)
	}
	w := limiters[1].Maker.New()
	w.Decide(0, 1)
	if until := w.Decide(0, 1).Until; until != 30e9 {
		t.Errorf("the next window begins at %d, want the 30 s that the minute still has", until)
	}
	if _, err := LoadPolicy(filepath.Join(t.TempDir(), "none.yaml")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file gives %v", err)
	}
}
