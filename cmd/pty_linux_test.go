package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openPTY opens a pseudo-terminal: its master's end, which plays the terminal, and its slave's, on
// which a program runs.
func openPTY(t *testing.T, columns uint16) (master, slave *os.File) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	master = os.NewFile(uintptr(fd), "/dev/ptmx")
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("cannot unlock a pseudo-terminal: %v", err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skipf("a pseudo-terminal without a number: %v", err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("cannot open the pseudo-terminal's other end: %v", err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// screen is what a terminal has been sent so far.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// shows waits until the text is there.
func (s *screen) shows(t *testing.T, text string) {
	t.Helper()
	for range 1000 {
		if strings.Contains(s.String(), text) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("the terminal never shows %q", text)
}

// onTerminal starts the program on a terminal of its own that never answers, and returns what was
// written to it once the program has ended.
func onTerminal(t *testing.T, columns uint16, env []string, during func(*screen, *exec.Cmd), args ...string) (string, *exec.Cmd) {
	t.Helper()
	master, slave := openPTY(t, columns)
	c := exec.Command("ratesim", args...)
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	c.Env = append([]string{"TERM=xterm-256color"}, env...)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	seen := &screen{}
	done := make(chan struct{})
	go func() {
		io.Copy(seen, master) // until the last slave's end closes, which reads as EIO
		close(done)
	}()
	if during != nil {
		during(seen, c)
	}
	c.Wait()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the terminal is still open")
	}
	return seen.String(), c
}

// TestAsksTerminalNothing: on a terminal that never answers there is colour at once, and no query:
// no operating system command (ESC ]), no device status or attributes (ESC [ … n, c), no cursor
// addressing.
func TestAsksTerminalNothing(t *testing.T) {
	for _, args := range [][]string{{"run", "burst"}, {"list"}, {"show", "gcra"}, {"check", "burst"}} {
		text, c := onTerminal(t, 100, nil, nil, args...)
		if !c.ProcessState.Success() {
			t.Errorf("%v: %v\n%s", args, c.ProcessState, text)
		}
		for rest := text; ; {
			_, after, found := strings.Cut(rest, "\x1b")
			if !found {
				break
			}
			sequence, _, _ := strings.Cut(after, "m")
			if strings.Trim(sequence, "[0123456789;") != "" {
				t.Fatalf("%v: an escape sequence that is no colour: %q", args, after[:min(len(after), 12)])
			}
			rest = after
		}
		if args[0] == "run" && !strings.Contains(text, "\x1b[38;5;") {
			t.Errorf("%v: no colour on a terminal of 256", args)
		}
	}
}

// TestFillsTerminal: the text is as wide as the terminal, and plain where no colour is wanted.
func TestFillsTerminal(t *testing.T) {
	for _, columns := range []uint16{60, 120} {
		text, _ := onTerminal(t, columns, []string{"NO_COLOR=1"}, nil, "run", "burst")
		widest := 0
		for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", ""), "\n") {
			widest = max(widest, len([]rune(line)))
		}
		if widest > int(columns) || widest < int(columns)-10 || strings.Contains(text, "\x1b") {
			t.Errorf("%d columns: the widest line has %d; escapes: %v", columns, widest, strings.Contains(text, "\x1b"))
		}
	}
}

// TestProgressBar: a run of more than a second has a bar, which is gone at its end, here by ctrl-C.
func TestProgressBar(t *testing.T) {
	_, path := writeEndless(t)
	text, c := onTerminal(t, 80, nil, func(s *screen, c *exec.Cmd) {
		s.shows(t, "%")
		c.Process.Signal(os.Interrupt)
	}, "run", path)
	if code := c.ProcessState.ExitCode(); code != statusInterrupted {
		t.Errorf("status %d", code)
	}
	lines := strings.Split(text, "\r")
	if last := lines[len(lines)-1]; strings.TrimSpace(last) != "" || strings.Contains(text, "\n") || strings.Contains(text, "\x1b") {
		t.Errorf("this stays on the terminal: %q", text)
	}
}
