package tui

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/tui/draw"
)

var update = flag.Bool("update", false, "rewrite the golden files of views")

// golden holds a view against testdata.
func golden(t *testing.T, name, view string) {
	t.Helper()
	if filepath.Ext(name) == "" {
		name += ".txt"
	}
	path := filepath.Join("testdata", name)
	view += "\n"
	if *update {
		if err := os.WriteFile(path, []byte(view), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update, and read it", err)
	}
	got := strings.Split(view, "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("%s differs at line %d:\ngot  %q\nwant %q\nrun with -update, and read what changed", path, i+1, at(got, i), line)
		}
	}
}

func at(lines []string, i int) string {
	if i >= len(lines) {
		return ""
	}
	return lines[i]
}

// fits reports whether a view fits a window exactly.
func fits(view string, width, height int) bool {
	lines := strings.Split(view, "\n")
	for _, line := range lines {
		if ansi.StringWidth(line) > width {
			return false
		}
	}
	return len(lines) == height
}

// window is a size that views are held against golden files at.
type window struct {
	name          string
	width, height int
}

func windows() []window {
	return []window{{"80x24", 80, 24}, {"120x40", 120, 40}, {"200x60", 200, 60}}
}

// The main states at every size, without colour, and one of them in every kind of colour.
func TestViews(t *testing.T) {
	for _, state := range []struct{ name, keys string }{
		{"start", ""},
		{"denial", "n"},
		{"window", "n j j j j j"},
		{"close", "n j j j j z end left"},
		{"end", "end tab tab"},
		{"few", "x x x X x x x x x n"},
		{"help", "?"},
	} {
		for _, w := range windows() {
			t.Run(state.name+"-"+w.name, func(t *testing.T) {
				m := press(opened(t, NewRun(Options{Style: plainStyle()}, "Window-boundary double burst", boundary(t)), w.width, w.height), state.keys)
				if !fits(m.View(), w.width, w.height) {
					t.Errorf("does not fit:\n%s", m.View())
				}
				golden(t, state.name+"-"+w.name, m.View())
			})
		}
	}
}

// The states that need a scenario, at every size.
func TestScenarioViews(t *testing.T) {
	for _, state := range []struct{ name, scenario, keys string }{
		{"picker", "", "down"},
		{"filter", "", "/ w i n d o w"},
		{"predict", "", "down enter"},
		{"reveal", "", "down enter 3 enter"},
		{"editor", "boundary", "n e down right"},
		{"mistake", "boundary", "n e enter ctrl+u 5 enter"},
		{"changes", "boundary", "n e down right esc tab tab tab"},
		{"save", "boundary", "s"},
		{"command", "boundary", "e down right esc y"},
		{"clients", "burst-parameter", "n n n"},
	} {
		for _, w := range windows() {
			t.Run(state.name+"-"+w.name, func(t *testing.T) {
				m := New(Options{Style: plainStyle()})
				if state.scenario != "" {
					m = openScenario(t, Options{Style: plainStyle()}, state.scenario, scenarios.Overrides{})
				}
				m = press(opened(t, m, w.width, w.height), state.keys)
				if !fits(m.View(), w.width, w.height) {
					t.Errorf("does not fit:\n%s", m.View())
				}
				golden(t, state.name+"-"+w.name, m.View())
			})
		}
	}
}

// The picture of the program is what it shows.
func TestPicture(t *testing.T) {
	style := draw.NewStyle(draw.Options{Profile: termenv.TrueColor, Dark: true})
	m := opened(t, openScenario(t, Options{Style: style}, "boundary", scenarios.Overrides{}), 120, 40)
	m = press(m, "j j j j j z n right right")
	golden(t, "picture.svg", strings.TrimSuffix(draw.SVG(m.View()+"\n", draw.SVGOptions{Title: "ratesim tui boundary", Dark: true}), "\n"))
}

// In colour a view says the same, and nothing is said by colour alone.
func TestViewsInColour(t *testing.T) {
	for name, o := range map[string]draw.Options{
		"dark": {Profile: termenv.TrueColor, Dark: true}, "light": {Profile: termenv.TrueColor},
		"dark256": {Profile: termenv.ANSI256, Dark: true}, "dark16": {Profile: termenv.ANSI, Dark: true},
	} {
		for _, w := range windows() {
			t.Run(name+"-"+w.name, func(t *testing.T) {
				colour := press(opened(t, NewRun(Options{Style: draw.NewStyle(o)}, "Window-boundary double burst", boundary(t)), w.width, w.height), "n j j j j j")
				plain, err := os.ReadFile(filepath.Join("testdata", "window-"+w.name+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				if ansi.Strip(colour.View())+"\n" != string(plain) {
					t.Error("says something else than without colour")
				}
				if name == "dark" {
					golden(t, "window-"+name+"-"+w.name, colour.View())
				}
			})
		}
	}
}

// Where only ASCII may be used, nothing else is.
func TestViewsInASCII(t *testing.T) {
	style := draw.NewStyle(draw.Options{Profile: termenv.Ascii, ASCII: true})
	m := opened(t, NewRun(Options{Style: style}, "double", boundary(t)), 120, 40)
	for _, keys := range []string{"n", "j j j j j", "tab", "tab", "b", "?", "x", "z"} {
		m = press(m, keys)
		for _, r := range m.View() {
			if r > 126 {
				t.Fatalf("after %q: %q in\n%s", keys, r, m.View())
			}
		}
	}
}
