package cmd

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the commands that scripts have beyond those of testscript.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){"status": status, "pick": pick}
}

// status runs a program and wants an exit status of it: "status 2 ratesim run nope".
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}

// pick copies the lines that contain a text: "pick stdout TEXT FILE".
func pick(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: pick FROM TEXT FILE")
	}
	var picked strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if strings.Contains(line, args[1]) {
			picked.WriteString(line)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(picked.String()), 0o644))
}
