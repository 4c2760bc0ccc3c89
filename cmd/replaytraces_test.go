package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// traces is where real logs lie, beside the project and not in it.
const traces = "../../shared/traces"

// traceDocument is what the test reads of the JSON format.
type traceDocument struct {
	Replay struct{ Requests, Clients int64 }
	Log    struct{ Lines, Requests, Malformed, Filtered int64 }
	Runs   []struct {
		Algorithm string
		Denied    int64
		Refused   int64 `json:"clients_refused"`
	}
}

// TestRealLogs holds the denials of real logs against counts made by an independent script: a
// stable sort by time, windows aligned to the epoch, a limit for each client address.
func TestRealLogs(t *testing.T) {
	if _, err := os.Stat(traces); err != nil {
		t.Skipf("no real logs to compare with: %v", err)
	}
	type answer struct {
		limit, algorithm string
		denied, clients  int64
	}
	for _, log := range []struct {
		file              string
		requests, clients int64
		malformed         int64
		answers           []answer
	}{
		{"elastic_apache_combined.log", 10_000, 1753, 0, []answer{
			{"60/m", "fixed-window", 87, 2}, {"60/m", "sliding-log", 87, 2}, {"60/m", "sliding-counter", 87, 2},
			{"60/m burst 60", "token-bucket", 0, 0}, {"1/s burst 10", "token-bucket", 65, 2}, {"5/s", "fixed-window", 3, 1},
		}},
		{"erddap_nginx_combined.log", 10_479, 917, 5796, []answer{
			{"60/m", "fixed-window", 273, 3}, {"60/m", "sliding-log", 292, 3}, {"60/m", "sliding-counter", 294, 3},
			{"60/m burst 60", "token-bucket", 155, 3}, {"1/s burst 10", "token-bucket", 538, 3}, {"5/s", "fixed-window", 45, 1},
		}},
		{"http_dos_bypass_cache_nginx.log", 356, 14, 0, []answer{
			{"60/m", "fixed-window", 9, 1}, {"60/m", "sliding-log", 9, 1}, {"60/m", "sliding-counter", 9, 1},
			{"60/m burst 60", "token-bucket", 8, 1}, {"1/s burst 10", "token-bucket", 230, 8}, {"5/s", "fixed-window", 283, 12},
		}},
	} {
		for _, want := range log.answers {
			t.Run(fmt.Sprint(log.file, " ", want.algorithm, " ", want.limit), func(t *testing.T) {
				d := replayJSON(t, filepath.Join(traces, log.file), "--limit", want.limit, "-a", want.algorithm)
				if d.Replay.Requests != log.requests || d.Replay.Clients != log.clients || d.Log.Malformed != log.malformed {
					t.Errorf("%d requests, %d clients, %d malformed; want %d, %d, %d", d.Replay.Requests, d.Replay.Clients,
						d.Log.Malformed, log.requests, log.clients, log.malformed)
				}
				if d.Log.Lines != d.Log.Requests+d.Log.Malformed+d.Log.Filtered {
					t.Errorf("%d lines are not accounted for: %+v", d.Log.Lines, d.Log)
				}
				if got := d.Runs[0]; got.Denied != want.denied || got.Refused != want.clients {
					t.Errorf("denied %d (%d clients), want %d (%d)", got.Denied, got.Refused, want.denied, want.clients)
				}
			})
		}
	}
}

// replayJSON replays a log and reads the JSON format.
func replayJSON(t *testing.T, args ...string) traceDocument {
	t.Helper()
	status, out, err := inProcess("", append([]string{"replay", "-f", "json"}, args...)...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, err)
	}
	var d traceDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	return d
}
