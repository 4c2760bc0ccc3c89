// Package cmd is the command line: one file a command, one file a format.
//
// Results go to standard output and everything else to standard error. The exit status is 0 when
// the work is done, 1 when a run failed or an expectation was not met, 2 when the command line or a
// file is wrong, 130 when interrupted.
package cmd

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/muesli/termenv"
)

// The exit statuses.
const (
	statusDone        = 0
	statusFailed      = 1
	statusUsage       = 2
	statusInterrupted = 130 // 128 + SIGINT, as shells say it
)

// grace is how long an interrupted command may take to clean up after itself. Between two steps of
// a run it needs a few milliseconds; only a read or a write that hangs needs longer.
const grace = 200 * time.Millisecond

// app is one invocation: where it reads and writes, and the environment it sees.
type app struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	draft    draft        // of the result
	clients  draft        // of a table beside it
	tidying  atomic.Int64 // more time than grace to clean up in, in ns
}

// Main carries out the command line args, without the program's name, and returns the exit status.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe then fails instead of killing
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	defer understandEscapes(stdout)()
	a := &app{in: stdin, out: stdout, err: stderr, getenv: os.Getenv}
	return a.main(ctx, args)
}

// understandEscapes makes a Windows console act on escape sequences, which it does only on request,
// and returns how to undo it. Elsewhere it does nothing.
func understandEscapes(stdout io.Writer) (undo func()) {
	if isTerminal(stdout) {
		o := termenv.NewOutput(stdout, termenv.WithProfile(termenv.Ascii))
		if restore, err := termenv.EnableVirtualTerminalProcessing(o); err == nil {
			return func() { restore() }
		}
	}
	return func() {}
}

// stopSignals are those that end the program. One that was ignored when it began, as under nohup,
// stays ignored.
func stopSignals() []os.Signal {
	signals := []os.Signal{syscall.SIGTERM}
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	return signals
}

// main runs the command beside a watch for interruption, so that a command that hangs in a read or
// a write ends as well.
func (a *app) main(ctx context.Context, args []string) int {
	done := make(chan int, 1)
	go func() { done <- a.execute(ctx, args) }()
	select {
	case status := <-done:
		return status
	case <-ctx.Done():
	}
	select {
	case status := <-done:
		return status
	case <-time.After(max(grace, time.Duration(a.tidying.Load()))):
		a.draft.discard()
		a.clients.discard()
		return statusInterrupted
	}
}

// execute runs the command and reports its error.
func (a *app) execute(ctx context.Context, args []string) int {
	root := a.root()
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	return a.report(root.ExecuteContext(ctx))
}

// report says what went wrong and returns the exit status for it.
func (a *app) report(err error) int {
	var failed *failure
	switch {
	case err == nil, isClosedPipe(err):
		return statusDone
	case errors.Is(err, context.Canceled):
		return statusInterrupted
	case errors.As(err, &failed):
		a.complain(err)
		return statusFailed
	}
	a.complain(err)
	return statusUsage
}
