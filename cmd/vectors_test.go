package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// vector is a sequence of requests with the right decisions; see the tests of package algorithms.
type vector struct {
	Name, Algorithm string
	Limit           struct {
		N   int64
		Per int64 `json:"per_ns"`
	}
	Burst    int64
	Start    int64 `json:"start_ns"`
	Options  map[string]any
	Requests []struct{ At, Cost int64 }
	Want     []struct {
		Verdict string
		At      json.RawMessage // missing: nothing is promised
	}
}

// scenario writes the sequence as a scenario file with exact instants.
func (v vector) scenario() string {
	var b strings.Builder
	last := v.Requests[len(v.Requests)-1].At
	fmt.Fprintf(&b, "version: 1\nname: %q\nduration: %dns\nstart: %s\nlimiters:\n", v.Name, last+1,
		time.Unix(0, v.Start).UTC().Format(time.RFC3339Nano))
	fmt.Fprintf(&b, "  - algorithm: %s\n    limit: %d/%dns\n", v.Algorithm, v.Limit.N, v.Limit.Per)
	if v.Burst > 0 {
		fmt.Fprintf(&b, "    burst: %d\n", v.Burst)
	}
	spec, _ := algorithms.Lookup(v.Algorithm)
	for _, o := range spec.Options {
		if value, given := v.Options[o.Name]; given {
			fmt.Fprintf(&b, "    %s: %v\n", o.Name, value)
		}
	}
	b.WriteString("traffic:\n  - client: alice\n    requests:\n")
	for _, r := range v.Requests {
		fmt.Fprintf(&b, "      - {at: %dns, cost: %d}\n", r.At, r.Cost)
	}
	return b.String()
}

// rising reports whether no request comes before the one above it, as a scenario file asks.
func (v vector) rising() bool {
	for i := 1; i < len(v.Requests); i++ {
		if v.Requests[i].At < v.Requests[i-1].At {
			return false
		}
	}
	return true
}

// TestVectors writes published sequences of requests as scenario files and compares what run prints
// with the right decisions, to the nanosecond.
func TestVectors(t *testing.T) {
	decisions, files := 0, []string{"decisions.json", "faults.json"}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("..", "algorithms", "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var vectors []vector
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			if !v.rising() {
				continue // no scenario can hold it
			}
			decisions += len(v.Requests)
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				decideOne(t, v)
			})
		}
	}
	if decisions < 8000 {
		t.Errorf("only %d decisions compared", decisions)
	}
}

func decideOne(t *testing.T, v vector) {
	status, stdout, stderr := inProcess(v.scenario(), "run", "-", "-f", "ndjson")
	if status != 0 {
		t.Fatalf("status %d: %s\n%s", status, stderr, v.scenario())
	}
	lines := strings.SplitAfter(stdout, "\n")
	if len(lines) != len(v.Want)+1 {
		t.Fatalf("%d lines for %d requests", len(lines)-1, len(v.Want))
	}
	for i, want := range v.Want {
		r := v.Requests[i]
		line := fmt.Sprintf(`{"limiter":%q,"algorithm":%q,"seq":%d,"at_ns":%d,"client":"alice","cost":%d,"verdict":%q,"until_ns":`,
			v.Algorithm, v.Algorithm, i, r.At, r.Cost, want.Verdict)
		if want.At != nil {
			line += string(want.At) + "}\n"
		}
		if !strings.HasPrefix(lines[i], line) {
			t.Fatalf("line %d is\n%swant\n%s", i, lines[i], line)
		}
	}
}
