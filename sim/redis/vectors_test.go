package redis_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/redis"
	"github.com/b6db88e4/ratesim/sim/redis/redistest"
)

// vector is one sequence of requests with the right decisions; see the tests of package algorithms.
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
		At      json.RawMessage // null: never; missing: nothing is promised
	}
}

// policy is the vector's policy as the library takes it.
func (v vector) policy() algorithms.Policy {
	p := algorithms.Policy{
		Limit: algorithms.Limit{N: v.Limit.N, Per: time.Duration(v.Limit.Per)},
		Burst: v.Burst, Start: v.Start, Options: map[string]string{},
	}
	for name, value := range v.Options {
		p.Options[name] = fmt.Sprint(value)
	}
	return p
}

// TestVectors puts the published sequences to the scripts, one request at a time, and before each asks
// what the answer would be.
func TestVectors(t *testing.T) {
	server := redistest.Start(t)
	decisions := map[string]int{}
	for _, file := range []string{"decisions.json", "faults.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "algorithms", "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var vectors []vector
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Fatal(err)
		}
		for i, v := range vectors {
			if !slices.Contains(redis.Algorithms(), v.Algorithm) {
				continue
			}
			decisions[v.Algorithm] += len(v.Requests)
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				decideVector(t, open(t, server.URL(), fmt.Sprint(file, i)), v)
			})
		}
	}
	for _, algorithm := range redis.Algorithms() {
		if decisions[algorithm] < 500 {
			t.Errorf("%s: only %d decisions compared", algorithm, decisions[algorithm])
		}
	}
}

func decideVector(t *testing.T, s *redis.Store, v vector) {
	l := limiter(t, s, v.Algorithm, v.policy())
	for i, r := range v.Requests {
		when := l.When(Time(r.At), r.Cost)
		d := l.Decide(Time(r.At), r.Cost)
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		want, got := v.Want[i].Verdict+" "+string(v.Want[i].At), fmt.Sprint(d.Verdict, " ", int64(d.Until))
		switch {
		case v.Want[i].At == nil:
			got = d.Verdict.String() + " "
		case d.Until == algorithms.Never:
			got = d.Verdict.String() + " null"
		}
		if got != want {
			t.Fatalf("request %d (%d units at %d): %s, want %s", i, r.Cost, r.At, got, want)
		}
		if v.Options["count_denied"] == nil && when != d.Until {
			t.Fatalf("request %d: asked, it said %d, and decided %d", i, when, d.Until)
		}
	}
}
