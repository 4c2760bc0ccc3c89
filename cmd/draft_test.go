package cmd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// save writes text through an output to path, ended by err.
func save(a *app, path, text string, err error) error {
	o, opened := a.output(path)
	if opened != nil {
		return opened
	}
	o.WriteString(text)
	return o.finish(err)
}

// sees fails unless the file holds text and nothing else is left in its folder.
func sees(t *testing.T, path, text string, others ...string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != text {
		t.Errorf("%s holds %q (%v), want %q", filepath.Base(path), got, err, text)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1+len(others) {
		t.Errorf("the folder holds %v (%v)", files, err)
	}
}

func TestOutputAppearsWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	a := &app{out: &bytes.Buffer{}}
	broken := errors.New("broken")

	if err := save(a, path, "half", broken); err != broken {
		t.Errorf("the error is %v", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a failed run left a file: %v", err)
	}
	if err := save(a, path, "first", nil); err != nil {
		t.Fatal(err)
	}
	sees(t, path, "first")
	if err := save(a, path, "half of the second", broken); err != broken {
		t.Errorf("the error is %v", err)
	}
	sees(t, path, "first")
	if err := save(a, path, "second", nil); err != nil {
		t.Fatal(err)
	}
	sees(t, path, "second")
}

// TestInterruptedDraft: what interruption discards is gone, and what is done stays.
func TestInterruptedDraft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	a := &app{out: &bytes.Buffer{}}
	if err := save(a, path, "done", nil); err != nil {
		t.Fatal(err)
	}
	a.draft.discard() // after the end
	sees(t, path, "done")

	o, err := a.output(path)
	if err != nil {
		t.Fatal(err)
	}
	o.WriteString("half")
	a.draft.discard()
	sees(t, path, "done")
}

func TestOutputKeepsModeAndLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("neither file modes nor links for everyone there")
	}
	folder := t.TempDir()
	path, link := filepath.Join(folder, "out.txt"), filepath.Join(folder, "link")
	if err := errors.Join(os.WriteFile(path, nil, 0o640), os.Chmod(path, 0o640), os.Symlink("out.txt", link)); err != nil {
		t.Fatal(err)
	}
	if err := save(&app{}, link, "new", nil); err != nil {
		t.Fatal(err)
	}
	sees(t, path, "new", "link")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is one no more: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 {
		t.Errorf("its mode is %v: %v", info.Mode(), err)
	}
}

func TestOutputThatCannotBe(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{folder, filepath.Join(folder, "none", "out.txt")} {
		if err := save(&app{}, path, "x", nil); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	if err := save(&app{}, os.DevNull, "x", nil); err != nil {
		t.Errorf("the null device: %v", err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device has become a file")
	}
}
