package draw

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

var update = flag.Bool("update", false, "write the golden files anew; read them before they are committed")

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs at %s\nrun with -update, and read what changed", file, firstDifference(got, string(want)))
	}
}

// firstDifference shows the first line that is not the same.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d:\ngot  %q\nwant %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("the end: %d lines instead of %d", len(a), len(b))
}

// pages draws a scene at several widths, each under a line that says which.
func (s scene) pages(t *testing.T, style *Style, widths ...int) string {
	t.Helper()
	var b strings.Builder
	for _, cells := range widths {
		pg := s.page
		if pg.Results == nil && s.run.algorithms != nil {
			pg = s.at(t, cells)
		}
		fmt.Fprintf(&b, "%s %d\n%s\n", strings.Repeat("=", cells-4), cells, pg.Render(cells, style))
	}
	return b.String()
}

func TestPages(t *testing.T) {
	plain, ascii := NewStyle(Options{Profile: termenv.Ascii}), NewStyle(Options{Profile: termenv.Ascii, ASCII: true})
	for _, s := range scenes() {
		golden(t, s.name+".txt", s.pages(t, plain, 60, 80, 120, 200))
		golden(t, s.name+".ascii.txt", s.pages(t, ascii, 60, 120))
	}
	for _, s := range handmade() {
		golden(t, s.name+".txt", s.pages(t, plain, 60, 80, 120, 200))
		golden(t, s.name+".ascii.txt", s.pages(t, ascii, 60, 120))
	}
}

func TestPagesInColour(t *testing.T) {
	s := scenes()[1] // every mark there is
	for _, c := range []struct {
		name  string
		style Options
	}{
		{"dark", Options{Profile: termenv.TrueColor, Dark: true}},
		{"light", Options{Profile: termenv.TrueColor}},
		{"dark256", Options{Profile: termenv.ANSI256, Dark: true}},
		{"light16", Options{Profile: termenv.ANSI}},
	} {
		golden(t, s.name+"."+c.name+".txt", s.pages(t, NewStyle(c.style), 80, 120))
	}
}

func TestPicture(t *testing.T) {
	s := scenes()[1]
	style := NewStyle(Options{Profile: termenv.TrueColor, Dark: true})
	golden(t, s.name+".svg", SVG(s.at(t, 80).Render(80, style), SVGOptions{Title: "ratesim run burst", Dark: true}))
}
