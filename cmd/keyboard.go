package cmd

import (
	"fmt"
	"os"
	"runtime"
)

// keysFromTerminal has keys read from the terminal itself where standard input is a pipe with something
// else; what that is called, an example, and a command that prints instead are for messages. Until close standard input is the
// terminal then; who wants the pipe takes a.in before.
func (a *app) keysFromTerminal(piped bool, what, example, instead string) (close func(), err error) {
	if !piped {
		return func() {}, nil
	}
	if isTerminal(a.in) {
		return nil, fmt.Errorf("standard input is the terminal; here - is a %s from a pipe: %s", what, example)
	}
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	tty, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("standard input is the %s, and there is no terminal to read keys from (%s: %w); to print instead: %s", what, name, cause(err), instead)
	}
	pipe := a.in
	a.in = tty
	return func() { a.in = pipe; tty.Close() }, nil
}
