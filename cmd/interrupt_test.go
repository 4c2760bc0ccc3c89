//go:build !windows

package cmd

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// endless is a scenario that takes minutes.
const endless = `version: 1
duration: 10d
limit: 100/s
traffic:
  - {client: a, phases: [{rate: 1000/s}]}
`

// writeEndless writes it to a folder of its own.
func writeEndless(t *testing.T) (folder, path string) {
	t.Helper()
	folder = t.TempDir()
	path = filepath.Join(folder, "endless.yaml")
	if err := os.WriteFile(path, []byte(endless), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder, path
}

// TestInterruptedRun: ctrl-C ends a run with status 130 and leaves no half-written file, nor a trace
// of one: between two steps, and where there are no steps to stop between.
func TestInterruptedRun(t *testing.T) {
	for _, flags := range [][]string{{"-f", "ndjson"}, {"--why", "800000000"}} {
		folder, path := writeEndless(t)
		c := exec.Command("ratesim", append([]string{"run", path, "-o", filepath.Join(folder, "out")}, flags...)...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			if files, _ := filepath.Glob(filepath.Join(folder, ".out.*.tmp")); len(files) == 1 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		c.Process.Signal(os.Interrupt)
		c.Wait()
		if code := c.ProcessState.ExitCode(); code != statusInterrupted {
			t.Errorf("%v: status %d", flags, code)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
			t.Errorf("%v: the folder holds %v (%v)", flags, files, err)
		}
	}
}

// TestInterruptedRead: also while it waits for input that does not come.
func TestInterruptedRead(t *testing.T) {
	c := exec.Command("ratesim", "run", "-")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds, so that this returns only once the program reads.
	if _, err := io.WriteString(in, strings.Repeat("# waiting for the rest\n", 10_000)); err != nil {
		t.Fatal(err)
	}
	c.Process.Signal(os.Interrupt)
	text, _ := io.ReadAll(stderr)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != statusInterrupted || len(text) > 0 {
		t.Errorf("status %d, stderr %q", code, text)
	}
}
