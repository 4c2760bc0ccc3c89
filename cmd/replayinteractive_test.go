package cmd

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// logScenario is logs as the interactive program opens them under 60/m.
func logScenario(t *testing.T, stdin io.Reader, set func(*replayFlags), logs ...string) *scenarios.Loaded {
	t.Helper()
	a := &app{getenv: func(string) string { return "" }}
	f := &replayFlags{logFlags: newLogFlags()}
	f.logFlags.format = "auto"
	if err := f.limits.Set("60/m"); err != nil {
		t.Fatal(err)
	}
	set(f)
	policies, err := f.policies()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := f.scenario(context.Background(), a, logs, stdin, policies[0])
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// denials is what limiters deny of a scenario's requests, by limiter.
func denials(t *testing.T, loaded *scenarios.Loaded) map[string]int64 {
	t.Helper()
	plan, err := loaded.Plan(scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, r := range sim.New(plan, sim.Options{Buckets: 1, Workers: 1}).Finish() {
		out[r.Name] = r.Summary.Denied
	}
	return out
}

// Several files, a pipe, a window of time, costs and a wider reorder window reach the interactive
// program: what it shows is denied as replay says.
func TestReplayInteractivelyOfWhat(t *testing.T) {
	text, err := os.ReadFile(shopLog)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	folder := t.TempDir()
	late, early := filepath.Join(folder, "late.log"), filepath.Join(folder, "early.log")
	for path, some := range map[string][]string{early: lines[:900], late: lines[900:]} {
		if err := os.WriteFile(path, []byte(strings.Join(some, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		story string
		stdin string
		logs  []string
		args  []string
		set   func(*replayFlags)
	}{
		{story: "two files, the later one first", logs: []string{late, early}, set: func(*replayFlags) {}},
		{story: "a pipe", logs: []string{"-"}, stdin: string(text), set: func(*replayFlags) {}},
		{story: "a pipe and a file", logs: []string{early, "-"}, stdin: strings.Join(lines[900:], ""), set: func(*replayFlags) {}},
		{story: "a window of time", logs: []string{shopLog}, args: []string{"--since", "2026-03-02T09:10", "--until", "2026-03-02T09:20"},
			set: func(f *replayFlags) { f.since.Set("2026-03-02T09:10"); f.until.Set("2026-03-02T09:20") }},
		{story: "costs and order", logs: []string{late, early}, args: []string{"--cost", "/api/*=3", "--reorder", "1h"},
			set: func(f *replayFlags) { f.costs = []string{"/api/*=3"}; f.reorder.Set("1h") }},
	} {
		t.Run(c.story, func(t *testing.T) {
			_, out, said := inProcess(c.stdin, append(append([]string{"replay", "--limit", "60/m", "-f", "csv"}, c.args...), c.logs...)...)
			got := denials(t, logScenario(t, strings.NewReader(c.stdin), c.set, c.logs...))
			some := int64(0)
			for line := range strings.Lines(out) {
				fields := strings.Split(line, ",")
				if want, err := strconv.ParseInt(fields[5], 10, 64); err == nil && want != got[fields[0]] {
					t.Errorf("%s denies %d, replay says %d", fields[0], got[fields[0]], want)
				} else {
					some += want
				}
			}
			if some == 0 {
				t.Errorf("nothing is denied: %s%s", out, said)
			}
		})
	}
}

// With the log on standard input, keys come from the terminal.
func TestReplayInteractivelyFromAPipe(t *testing.T) {
	log, err := filepath.Abs(shopLog)
	if err != nil {
		t.Fatal(err)
	}
	p := openPane(t, 100, 30, "cat "+log+" | ratesim replay - --limit 60/m -i; echo left with $?; sleep 60")
	p.waitFor("standard input", "paused", "of 1,722 requests")
	p.press("e", "Down", "Right")
	p.waitFor("‹ 61 ›")
	p.press("Escape")
	p.waitFor("←→ step")
	p.press("n")
	p.waitFor("denies request")
	p.press("y")
	p.waitFor("Save it with s")
	p.press("q")
	p.waitFor("left with 0")
}

// shopLog is the sample log.
const shopLog = "../scenarios/accesslog/testdata/shop.log"

// A log opened in the interactive program is decided as replay decides it: the sample log under 60/m,
// whose windows stand where they stood when it was written.
func TestReplayAsAScenario(t *testing.T) {
	got := denials(t, logScenario(t, nil, func(*replayFlags) {}, shopLog))
	for name, want := range map[string]int64{"token-bucket": 415, "fixed-window": 360, "sliding-log": 480} {
		if got[name] != want {
			t.Errorf("%s denies %d, want %d as ratesim replay says", name, got[name], want)
		}
	}
}
