package cmd

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/scenarios"
)

// pane is a terminal inside tmux.
type pane struct {
	t      *testing.T
	socket string
}

// openPane starts a shell command on a terminal of a size.
func openPane(t *testing.T, width, height int, command string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux here")
	}
	folder, err := os.MkdirTemp("", "ratesim") // short: a socket's path has a limit
	if err != nil {
		t.Fatal(err)
	}
	p := &pane{t, filepath.Join(folder, "s")}
	t.Cleanup(func() {
		exec.Command("tmux", "-S", p.socket, "kill-server").Run()
		os.RemoveAll(folder)
	})
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), command)
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// press sends keys by tmux's names for them.
func (p *pane) press(keys ...string) { p.t.Helper(); p.tmux(append([]string{"send-keys"}, keys...)...) }

// screen is what is on the terminal.
func (p *pane) screen() string { p.t.Helper(); return p.tmux("capture-pane", "-p") }

// waitFor waits until all texts are on screen.
func (p *pane) waitFor(texts ...string) {
	p.t.Helper()
	screen := ""
	for range 500 {
		screen = p.screen()
		missing := false
		for _, text := range texts {
			missing = missing || !strings.Contains(screen, text)
		}
		if !missing {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.t.Fatalf("never %q on\n%s", texts, screen)
}

// A viewer plays the boundary, steps to its first denial, reads why, raises the burst until the
// request passes, saves that, and leaves: on terminals of three sizes.
func TestTUIOnATerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			folder := t.TempDir()
			p := openPane(t, size[0], size[1], "cd "+folder+" && ratesim tui boundary; echo left with $?; sleep 60")
			p.waitFor("Window-boundary double burst", "paused", "0 of 200 requests")
			p.press("Space")
			p.waitFor("playing")
			p.press("Space", "Home", "n")
			p.waitFor("paused", "101 of 200 requests", "token-bucket denies request 100", "tokens left 0.333 of 100", "under a burst of 101", "429")
			p.press("e", "Down", "Right")
			p.waitFor("‹ 110 ›", "token-bucket admits request 100")
			p.press("Escape") // and wait, for with the next key at once it would be alt and that key
			p.waitFor("←→ step")
			p.press("s")
			p.waitFor("Save to: boundary.yaml")
			p.press("Enter")
			p.waitFor("saved to boundary.yaml")
			p.press("q")
			p.waitFor("left with 0")
			if screen := p.screen(); strings.Contains(screen, "token-bucket") {
				t.Errorf("left behind:\n%s", screen)
			}
			l, err := scenarios.Load(filepath.Join(folder, "boundary.yaml"), nil)
			if err != nil || l.Scenario.Burst != 110 {
				t.Errorf("saved %+v, %v", l, err)
			}
		})
	}
}

// A scenario from a pipe is shown as one from a file; keys come from the terminal.
func TestTUIFromAPipe(t *testing.T) {
	for _, command := range []string{"ratesim tui -", "ratesim run -i -"} {
		p := openPane(t, 80, 24, "ratesim show retry-storm | "+command+"; echo left with $?; sleep 60")
		p.waitFor("Retry storm", "service of 10 workers", "paused", "goodput")
		p.press("j", "j", "n")
		p.waitFor("20 in flight denies request", "HTTP 429", "given up")
		p.press("q")
		p.waitFor("left with 0")
	}
}

// Killed in the middle of playing, it leaves the terminal as it was.
func TestTUIKilled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	p := openPane(t, 80, 24, "sh -c 'echo $$ >"+file+"; exec ratesim tui boundary'; echo left with $?, $(stty -a | grep -o '[-]*icanon'); sleep 60")
	p.waitFor("paused")
	p.press("Space")
	p.waitFor("playing")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.waitFor("left with 130, icanon")
	if screen := p.screen(); strings.Contains(screen, "token-bucket") {
		t.Errorf("left behind:\n%s", screen)
	}
}
