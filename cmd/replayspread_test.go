package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// deniedTwice is what a replay in JSON says that each limiter denies, and would if all requests of a
// tick came at once.
func deniedTwice(t *testing.T, out string) (denied, together []int64) {
	t.Helper()
	var d struct {
		Runs []struct {
			Denied   int64  `json:"denied"`
			Together *int64 `json:"denied_if_together"`
		} `json:"runs"`
	}
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Runs {
		denied = append(denied, r.Denied)
		if r.Together != nil {
			together = append(together, *r.Together)
		}
	}
	return denied, together
}

// Both readings of a clock that ticks in seconds come of one reading of the log, from a pipe as well:
// the one is that of --within-tick spread, the other that of a replay without it.
func TestSpreadComparesInOneReading(t *testing.T) {
	var w bytes.Buffer
	if _, err := (accesslog.Synthetic{Lines: 30_000, Clients: 300, Seed: 3}).WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "access.log")
	if err := os.WriteFile(file, w.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"--limit", "3/s", "-f", "json"}
	_, plain, _ := inProcess(w.String(), append([]string{"replay", "-"}, args...)...)
	_, piped, said := inProcess(w.String(), append([]string{"replay", "-", "--within-tick", "spread"}, args...)...)
	_, filed, _ := inProcess("", append([]string{"replay", file, "--within-tick", "spread"}, args...)...)
	want, none := deniedTwice(t, plain)
	denied, together := deniedTwice(t, piped)
	if len(want) == 0 || none != nil || len(together) != len(want) {
		t.Fatalf("%v %v %v: %s", want, none, together, said)
	}
	differ := false
	for i := range want {
		if together[i] != want[i] {
			t.Errorf("limiter %d: %d denied if together, but %d without spreading", i, together[i], want[i])
		}
		differ = differ || denied[i] != together[i]
	}
	if !differ {
		t.Error("spreading makes no difference at all")
	}
	if again, _ := deniedTwice(t, filed); len(again) != len(denied) || again[0] != denied[0] || again[4] != denied[4] {
		t.Errorf("a file gives %v, a pipe %v", again, denied)
	}
}

// What waits for the side that follows is never more than the other is ahead, however long the log.
func TestForkKeepsOnlyWhatWaits(t *testing.T) {
	const lines, ahead = 20_000, 100
	var w bytes.Buffer
	if _, err := (accesslog.Synthetic{Lines: lines, Clients: 30, Seed: 3}).WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	log, err := accesslog.Open([]accesslog.Input{accesslog.Pipe("a log", &w)}, accesslog.Options{Spread: true})
	if err != nil {
		t.Fatal(err)
	}
	err = log.Run(func(s *accesslog.Stream) error {
		f := &fork{stream: s}
		for range lines / ahead {
			takeSome(t, spreadSide{f}, ahead)
			takeSome(t, loggedSide{f}, ahead)
			if n := cap(f.sides[0].requests) + cap(f.sides[1].requests); n > 4*ahead {
				t.Fatalf("room for %d requests that wait, where one side is never more than %d ahead", n, ahead)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// takeSome takes n requests.
func takeSome(t *testing.T, source traffic.Source, n int) {
	t.Helper()
	for range n {
		if _, ok := source.Next(); !ok {
			t.Fatal("the log ends early")
		}
	}
}
