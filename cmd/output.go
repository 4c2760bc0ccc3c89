package cmd

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// output is where a command's result goes: standard output, or a file that appears whole or not at
// all.
type output struct {
	*bufio.Writer
	name  string // for messages
	draft *draft // nil for standard output
}

// output opens the place for a result. The path "" or "-" is standard output. Another is checked
// and prepared at once, so that a wrong one is reported before a long run and not after. The inputs
// are files that the command reads, none of which it may replace.
func (a *app) output(path string, inputs ...string) (*output, error) {
	if path == "" || path == "-" {
		return newOutput(a.out, "standard output", nil), nil
	}
	for _, input := range inputs {
		if sameFile(path, input) {
			return nil, fmt.Errorf("-o %q: would take the place of what is read; give the name of another file", path)
		}
	}
	if err := a.draft.open(path); err != nil {
		return nil, err
	}
	return newOutput(a.draft.file, path, &a.draft), nil
}

// sameFile reports whether two paths lead to one file. A device may well be read and written.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil || !one.Mode().IsRegular() {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

func newOutput(w io.Writer, name string, d *draft) *output {
	return &output{bufio.NewWriterSize(w, 1<<16), name, d}
}

// finish ends the result. With err nil it is complete and takes its place; otherwise a file is left
// as it was, and what has reached standard output stays.
func (o *output) finish(err error) error {
	if err != nil && o.draft != nil {
		o.draft.discard()
		return err
	}
	if flushed := o.Flush(); err == nil {
		err = o.wrote(flushed)
	}
	switch {
	case o.draft == nil:
		return err
	case err != nil:
		o.draft.discard()
		return err
	}
	return o.wrote(o.draft.keep())
}

// wrote makes the error of a write a failure of the run, and one that says where.
func (o *output) wrote(err error) error {
	if err == nil || isClosedPipe(err) {
		return err
	}
	return failed(fmt.Errorf("writing %s: %w", o.name, cause(err)))
}
