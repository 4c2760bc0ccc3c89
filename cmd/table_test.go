package cmd

import (
	"strings"
	"testing"

	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/muesli/termenv"
)

// Cards have the heads of a table without the spaces that align them, and nothing empty.
func TestCards(t *testing.T) {
	style := draw.NewStyle(draw.Options{Profile: termenv.Ascii})
	rows := alignRight([][]string{{"limiter", "worst minute of all", "n"}, {strings.Repeat("x", 60), "", "1"}, {"y", "06-01  10:01:22 and so on", "2"}})
	got := table(style, 60, rows)
	want := strings.Repeat("x", 60) + "\n  n                    1\ny\n  worst minute of all  06-01  10:01:22 and so on\n  n                    2\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A flag is not broken at its hyphens, where lines may else be broken.
func TestParagraphsKeepFlagsWhole(t *testing.T) {
	style := draw.NewStyle(draw.Options{Profile: termenv.Ascii})
	got := paragraphs(style, "the other reading is that of --within-tick spread, a well-known one", 36, 0)
	if want := "the other reading is that of\n--within-tick spread, a well-known\none\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
