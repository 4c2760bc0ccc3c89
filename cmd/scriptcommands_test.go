package cmd

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptCommands are the commands that scripts have beyond those of testscript.
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){"status": status, "refuse": refuse, "pick": pick}
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

// refuse wants a command line to be refused: status 2, nothing on standard output, and a message that
// matches: "refuse 'unknown command' rnu". It starts no process, and reads no file of the script.
func refuse(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: refuse PATTERN ARG...")
	}
	status, stdout, stderr := inProcess("", args[1:]...)
	if status != 2 || stdout != "" || !regexp.MustCompile("(?m)"+args[0]).MatchString(stderr) {
		ts.Fatalf("status %d, stdout %q, stderr\n%s", status, stdout, stderr)
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
