package cmd

import (
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// BenchmarkStart is what a user waits for: a process that starts, draws a small scenario and ends.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		if out, err := exec.Command("ratesim", "run", "burst").CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
}

// BenchmarkRun is the same without the process.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if status := Main([]string{"run", "burst"}, strings.NewReader(""), io.Discard, io.Discard); status != 0 {
			b.Fatal(status)
		}
	}
}

// TestNamesDiffer: show takes the name of a scenario or of an algorithm, so no name is both.
func TestNamesDiffer(t *testing.T) {
	for _, name := range scenarioNames() {
		if slices.Contains(algorithmNames(), name) {
			t.Errorf("%q is a scenario and an algorithm", name)
		}
	}
}
