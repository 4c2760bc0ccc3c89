package algorithms_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// vector is one sequence of requests with the right answers. decisions.json holds sequences decided
// by brute force in rational arithmetic; faults.json those on which published limiters went wrong.
type vector struct {
	Name      string
	Kind, Was string // of a fault: the class of mistake, and what was answered
	Algorithm string
	Limit     struct {
		N   int64
		Per int64 `json:"per_ns"`
	}
	Burst    int64
	Start    int64 `json:"start_ns"` // Unix time of instant 0
	Options  map[string]any
	Requests []struct{ At, Cost int64 }
	Want     []answer
}

// answer is the decision expected. At is until in ns; null: never; left out: nothing is promised.
type answer struct {
	Verdict string
	At      json.RawMessage
}

// policy is the vector's policy as the library takes it.
func (v vector) policy() algorithms.Policy {
	p := algorithms.Policy{
		Limit:   algorithms.Limit{N: v.Limit.N, Per: time.Duration(v.Limit.Per)},
		Burst:   v.Burst,
		Start:   v.Start,
		Options: map[string]string{},
	}
	for name, value := range v.Options {
		p.Options[name] = fmt.Sprint(value)
	}
	return p
}

// agrees compares a decision with the one expected.
func (a answer) agrees(d algorithms.Decision) error {
	want := fmt.Sprintf("%s %s", a.Verdict, a.At)
	got := fmt.Sprintf("%s %d", d.Verdict, d.Until)
	if d.Until == algorithms.Never {
		got = fmt.Sprintf("%s null", d.Verdict)
	}
	if a.At == nil {
		got = d.Verdict.String() + " "
	}
	if got != want {
		return fmt.Errorf("got %s, want %s", got, want)
	}
	return nil
}

// readVectors reads a file of testdata.
func readVectors(t *testing.T, file string) []vector {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return vectors
}

// build makes a limiter through the public way: Lookup, Build, New.
func build(t testing.TB, algorithm string, p algorithms.Policy) algorithms.Limiter {
	t.Helper()
	return maker(t, algorithm, p).New()
}

// maker is build without the last step.
func maker(t testing.TB, algorithm string, p algorithms.Policy) algorithms.Maker {
	t.Helper()
	spec, ok := algorithms.Lookup(algorithm)
	if !ok {
		t.Fatalf("no algorithm %q", algorithm)
	}
	m, err := spec.Build(p)
	if err != nil {
		t.Fatalf("%s: %v", algorithm, err)
	}
	return m
}

// TestVectors puts every sequence to the library and to the oracle.
func TestVectors(t *testing.T) {
	for _, file := range []string{"decisions.json", "faults.json"} {
		vectors := readVectors(t, file)
		if len(vectors) == 0 {
			t.Errorf("%s has no cases", file)
		}
		for _, v := range vectors {
			t.Run(v.Name, func(t *testing.T) {
				t.Parallel()
				replayVector(t, v, build(t, v.Algorithm, v.policy()))
				right := newOracle(v.Algorithm, v.policy())
				for i, r := range v.Requests {
					if err := v.Want[i].agrees(right.Decide(Time(r.At), r.Cost)); err != nil {
						t.Fatalf("oracle, request %d (%d units at %d): %v", i, r.Cost, r.At, err)
					}
				}
			})
		}
	}
}

// replayVector checks every decision, and before each that When says the same.
func replayVector(t *testing.T, v vector, l algorithms.Limiter) {
	t.Helper()
	for i, r := range v.Requests {
		when := l.When(Time(r.At), r.Cost)
		d := l.Decide(Time(r.At), r.Cost)
		if err := v.Want[i].agrees(d); err != nil {
			t.Fatalf("request %d (%d units at %d): %v", i, r.Cost, r.At, err)
		}
		if fits := when <= Time(r.At); fits != d.Verdict.Accepted() {
			t.Fatalf("request %d: When said %d before the decision %v", i, when, d)
		}
		if !d.Verdict.Accepted() && v.Options["count_denied"] == nil && when != d.Until {
			t.Fatalf("request %d: When said %d, Decide %d", i, when, d.Until)
		}
	}
}
