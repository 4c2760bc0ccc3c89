//go:build unix

package cmd

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCheckPassesOver: a named pipe in a folder, which nobody writes to, does not hold a check up;
// a link to a scenario counts.
func TestCheckPassesOver(t *testing.T) {
	folder := t.TempDir()
	good, pipe, link := filepath.Join(folder, "good.yaml"), filepath.Join(folder, "pipe.yaml"), filepath.Join(folder, "link.yaml")
	if err := os.WriteFile(good, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(pipe, 0o644); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	if err := os.Symlink("good.yaml", link); err != nil {
		t.Fatal(err)
	}
	if files, err := filesIn(folder); err != nil || !slices.Equal(files, []string{good, link}) {
		t.Errorf("%q are scenarios (%v)", files, err)
	}
}
