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

// Interrupted while it waits for more of the log, replay leaves neither of its files, nor a trace.
func TestInterruptedReplay(t *testing.T) {
	folder := t.TempDir()
	c := exec.Command("ratesim", "replay", "-", "--limit", "1/m", "--clients", filepath.Join(folder, "clients.csv"), "-o", filepath.Join(folder, "out"))
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, strings.Repeat(threeLines, 5000)); err != nil {
		t.Fatal(err)
	}
	drafts := func() int {
		files, _ := filepath.Glob(filepath.Join(folder, ".*.tmp"))
		return len(files)
	}
	for range 1000 {
		if drafts() == 2 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if drafts() != 2 {
		t.Errorf("%d drafts before anything is known, want two", drafts())
	}
	c.Process.Signal(os.Interrupt)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != statusInterrupted {
		t.Errorf("status %d", code)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
		t.Errorf("the folder holds %v (%v)", files, err)
	}
}
