package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// draft is a file that takes its place only when it is complete: it is written beside its place,
// in the same folder, and renamed. Until then whatever stood there stands. What is no ordinary
// file, such as /dev/null or a named pipe, is written to directly.
//
// The zero draft is nothing. A draft may be discarded at any time, from any goroutine.
type draft struct {
	mu   sync.Mutex
	file *os.File
	path string // its place
	temp string // where it is written; "" if that is its place
	flag string // that names it, for messages; "" for -o
}

// open begins the draft of a file at path.
func (d *draft) open(path string) error {
	place, err := filepath.EvalSymlinks(path) // a link stays; what it points to is replaced
	if errors.Is(err, fs.ErrNotExist) {
		place, err = path, nil
	}
	if err != nil {
		return d.wrong(path, cause(err))
	}
	mode := fs.FileMode(0o666) // before the umask
	info, err := os.Stat(place)
	switch {
	case err == nil && info.IsDir():
		return d.wrong(path, errors.New("is a folder; give the name of a file"))
	case err == nil && !info.Mode().IsRegular():
		return d.begin(path, place, "", os.O_WRONLY, mode)
	case err == nil && info.Mode().Perm()&0o222 == 0: // renaming over it would not ask
		return d.wrong(path, errors.New("is read-only; make it writable, or give the name of another file"))
	case err == nil:
		mode = info.Mode().Perm()
	}
	return d.beside(path, place, mode)
}

// beside begins the draft under a name of its own in the folder of its place.
func (d *draft) beside(path, place string, mode fs.FileMode) error {
	folder, name := filepath.Split(place)
	for i := 0; ; i++ {
		temp := filepath.Join(folder, fmt.Sprintf(".%s.%d-%d.tmp", name, os.Getpid(), i))
		err := d.begin(path, place, temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || i == 99 {
			return err
		}
	}
}

func (d *draft) begin(path, place, temp string, flags int, mode fs.FileMode) error {
	name := temp
	if name == "" {
		name = place
	}
	f, err := os.OpenFile(name, flags, mode)
	if err != nil {
		return d.wrong(path, cause(err))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.file, d.path, d.temp = f, place, temp
	return nil
}

// wrong is the error of a path that cannot be written to.
func (d *draft) wrong(path string, err error) error {
	return fmt.Errorf("%s %q: %w", cmp.Or(d.flag, "-o"), path, err)
}

// keep puts the complete draft in its place.
func (d *draft) keep() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.temp == "" {
		return d.file.Close()
	}
	// Without Sync a power cut just after the rename could leave an empty file where a good one was.
	err := errors.Join(d.file.Sync(), d.file.Close())
	if err == nil {
		err = os.Rename(d.temp, d.path)
	}
	if err != nil {
		os.Remove(d.temp)
	}
	d.temp = ""
	return err
}

// discard removes the draft, if there is one that has not taken its place.
func (d *draft) discard() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.temp == "" {
		return
	}
	d.file.Close() // before it is removed, which Windows refuses for an open file
	os.Remove(d.temp)
	d.temp = ""
}

// cause is what went wrong with a path, without the path and the system call.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
