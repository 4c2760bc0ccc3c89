package scenarios

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
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
	for name, text := range map[string]string{"small.log": smallLog, "empty.log": "", "more.log": strings.Replace(strings.Split(smallLog, "\n")[0], "100.1 - - [01/Jun/2025:10:00:01", "100.3 - - [01/Jun/2025:10:00:09", 1) + "\n", "cut.gz": "\x1f\x8b\x08\x00", "garbage.log": "what\nis\nthis\n"} {
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
	for _, part := range []string{"small.log: 4 lines = 3 requests + 1 malformed + 0 filtered", "small.log: format combined; ",
		"small.log: malformed: 1 line, client: missing; first at small.log:3", "small.log: out of order: 1 request, by up to 1s;",
		"small.log: the log's clock ticks every 1s\n", "small.log: t = 0 is the first request, of 2025-06-01T10:00:00Z"} {
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
		{"{file: [small.log, more.log]}", 4, 3},
		{"{file: [small.log, more.log], where: client=198.51.100.3}", 1, 1},
		{"{file: small.log, since: 2025-06-01T10:00:01}", 2, 1},
		{"{file: small.log, until: 2025-06-01T10:00:01Z}", 1, 1},
		{"{file: [more.log, small.log], since: 2025-06-01T10:00, until: 2025-06-01T12:00:02+02:00, reorder: 1s}", 3, 2},
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
		{"replay: {file: [small.log, none.log]}", `x.yaml:4:20: file "none.log": no such file`},
		{"replay: {file: []}", "is empty"},
		{"replay: {file: {a: b}}", "must be a text or a list of texts"},
		{"replay: {file: garbage.log}", `x.yaml:4:20: file "garbage.log": no known log format`},
		{"replay: {file: cut.gz}", `x.yaml:4:20: file "cut.gz": the file ends in the middle`},
		{"replay: {file: '-'}", "standard input was read when this scenario was made and is gone"},
		{"replay: {file: small.log, since: yesterday}", `x.yaml:4:38: instant "yesterday": must be like 2015-05-17`},
		{"replay: {file: small.log, since: 2025-06-02}", "has no request (1 line is malformed, 3 left out by where, since and until)"},
		{"replay: {file: small.log, until: 2999-01-01}", "out of range"},
		{"replay: {file: small.log, cost: /a}", `cost "/a": must be PATH=UNITS`},
		{"replay: {file: small.log, cost: ['/a=2', '/[ab]=3']}", `cost "/[ab]=3": there are no classes`},
		{"replay: {file: small.log, where: 'path=['}", `condition "path=[": there are no classes`},
		{"replay: {file: small.log, reorder: 0s}", "must be longer than zero"},
		{"replay: {format: combined}", `"file" is missing`},
		{"replay: {file: small.log, format: nginx}", "x.yaml:4:39: log format"},
		{"replay: {file: small.log, key: colour}", `key "colour": must be client`},
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
	text := "version: 1\nlimit: 1/m\ntraffic:\n  - replay: {file: small.log, format: combined, key: client/24, where: [path=/a, path=/b], since: 2025-06-01, until: 2025-06-02, cost: [/a=2], reorder: 3h}\n"
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
	if strings.Join(a.File, " ") != strings.Join(b.File, " ") || a.Format != b.Format || a.Key != b.Key || strings.Join(a.Where, " ") != strings.Join(b.Where, " ") ||
		a.Since != b.Since || a.Until != b.Until || strings.Join(a.Cost, " ") != strings.Join(b.Cost, " ") || a.Reorder != b.Reorder {
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

// What a request costs comes from its path, or else from a column.
func TestReplayCosts(t *testing.T) {
	folder := logFolder(t)
	if err := os.WriteFile(filepath.Join(folder, "costs.csv"), []byte("t,p,n\n1750000000,/a,7\n1750000001,/b,8\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		replay string
		want   []int64
	}{
		{"{file: small.log}", []int64{1, 1, 1}},
		{"{file: small.log, cost: /a=3}", []int64{3, 3, 1}},
		{"{file: small.log, cost: [/b=2, '/*=5']}", []int64{5, 5, 2}},
		{"{file: costs.csv, columns: 'time=t,path=p,cost=n'}", []int64{7, 8}},
		{"{file: costs.csv, columns: 'time=t,path=p,cost=n', cost: /b=9}", []int64{7, 9}},
	} {
		l, err := load([]byte("version: 1\nlimit: 100/m\ntraffic:\n  - replay: "+c.replay+"\n"), "x.yaml", folder)
		if err != nil {
			t.Errorf("%s: %v", c.replay, err)
			continue
		}
		var costs []int64
		for _, r := range l.sources[0].rows {
			costs = append(costs, r.Cost)
		}
		if !slices.Equal(costs, c.want) {
			t.Errorf("%s: costs %v, want %v", c.replay, costs, c.want)
		}
	}
}

// A log that was read is not read again when the scenario is changed, be its file gone; whatever
// else is read than before is.
func TestReplayHeld(t *testing.T) {
	folder := logFolder(t)
	replay := &Replay{File: Texts{"-", filepath.Join(folder, "more.log")}}
	start, err := replay.Read(".", strings.NewReader(smallLog), nil)
	if err != nil || start != 1_748_772_000e9 {
		t.Fatalf("%d, %v", start, err)
	}
	os.Remove(filepath.Join(folder, "more.log"))
	s := &Scenario{Version: 1, Limit: algorithms.Limit{N: 1, Per: time.Minute}, Traffic: []Source{{Replay: replay}}}
	requests := func() []traffic.Request {
		t.Helper()
		l, err := FromScenario(s, "log", ".")
		if err != nil {
			t.Fatal(err)
		}
		s = l.Scenario
		return l.sources[len(l.sources)-1].rows
	}
	first := requests()
	s.Limit.N = 2
	if again := requests(); len(first) != 4 || !slices.Equal(first, again) {
		t.Errorf("%v, and changed %v", first, again)
	}
	// Others come before: the same requests under other ids, and held all the same.
	s.Traffic = append([]Source{{Client: "eve", Phases: []Phase{{Burst: 1}}}}, s.Traffic...)
	for range 2 {
		shifted := requests()
		for i := range shifted {
			shifted[i].Client--
		}
		if !slices.Equal(first, shifted) {
			t.Errorf("%v, behind others %v", first, shifted)
		}
	}
	s.Traffic[1].Replay.Where = Texts{"path=/a"}
	if _, err := FromScenario(s, "log", "."); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Errorf("another question to a pipe that was read: %v", err)
	}
	late := smallLog + strings.Replace(smallLog, ":10:", ":08:", 2)
	for _, c := range []struct {
		reorder time.Duration
		want    string
	}{{0, "standard input:5: is 2h0m0s behind"}, {3 * time.Hour, ""}} {
		_, err := (&Replay{File: Texts{"-"}, Reorder: c.reorder}).Read(".", strings.NewReader(late), nil)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("a pipe out of order by 2h within %s: %v", c.reorder, err)
		}
	}
	if _, err := (&Replay{File: Texts{"-"}}).Read(".", strings.NewReader(smallLog), func(int64, int64, int64) error { return context.Canceled }); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
