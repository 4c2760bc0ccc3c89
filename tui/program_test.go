package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/scenarios"
)

// screen is a terminal's output that can be waited on.
type screen struct {
	mutex   sync.Mutex
	written bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.written.Write(p)
}

func (s *screen) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.written.String()
}

// waitFor waits until a text has been written.
func (s *screen) waitFor(t *testing.T, text string) {
	t.Helper()
	for range 1000 {
		if strings.Contains(s.String(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %q in %q", text, s.String())
}

// started is a program under way, without a terminal: a size is sent instead.
func started(t *testing.T, ctx context.Context, m Model) (*screen, io.Writer, chan error) {
	t.Helper()
	in, keys := io.Pipe()
	out, ended := &screen{}, make(chan error, 1)
	m.width, m.height = 100, 30
	go func() { ended <- Run(ctx, m, in, out) }()
	t.Cleanup(func() { keys.Close() })
	return out, keys, ended
}

func wait(t *testing.T, ended chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("does not end")
		return nil
	}
}

// The program from its start to its end: a picture, a key, another picture, and a terminal that is
// left as it was.
func TestProgram(t *testing.T) {
	m := openScenario(t, Options{Style: plainStyle()}, "boundary", scenarios.Overrides{})
	out, keys, ended := started(t, context.Background(), m)
	out.waitFor(t, "Window-boundary double burst")
	io.WriteString(keys, "n")
	out.waitFor(t, "denies request 100")
	io.WriteString(keys, "q")
	if err := wait(t, ended); err != nil {
		t.Fatal(err)
	}
	leftClean(t, out.String())
}

// leftClean checks that the alternate screen is left, and the cursor shown again.
func leftClean(t *testing.T, written string) {
	t.Helper()
	for _, pair := range [][2]string{{"\x1b[?1049h", "\x1b[?1049l"}, {"\x1b[?25l", "\x1b[?25h"}} {
		if on, off := strings.LastIndex(written, pair[0]), strings.LastIndex(written, pair[1]); on < 0 || off < on {
			t.Errorf("%q is not undone by %q", pair[0], pair[1])
		}
	}
	if strings.Contains(written, "\x1b]") {
		t.Error("asks or tells the terminal something")
	}
}

// ctrl-C ends it as interrupted, and so does the end of its context, as at SIGTERM.
func TestProgramInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	for _, interrupt := range []func(io.Writer){
		func(keys io.Writer) { io.WriteString(keys, "\x03") },
		func(io.Writer) { cancel() },
	} {
		out, keys, ended := started(t, ctx, openScenario(t, Options{Style: plainStyle()}, "boundary", scenarios.Overrides{}))
		out.waitFor(t, "Window-boundary double burst")
		interrupt(keys)
		if err := wait(t, ended); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		leftClean(t, out.String())
	}
}

// A panic in a command restores the terminal and is an error.
func TestProgramPanic(t *testing.T) {
	m := openScenario(t, Options{Style: plainStyle()}, "boundary", scenarios.Overrides{})
	broken := *m.setup.plan
	broken.Open = nil
	m.run.setup = &setup{title: "broken", plan: &broken}
	out, _, ended := started(t, context.Background(), m)
	if err := wait(t, ended); !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("error %v", err)
	}
	leftClean(t, out.String())
}
