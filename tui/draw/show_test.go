package draw

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/muesli/termenv"
)

var show = flag.Int("show", 0, "print the test pages at this width, in colour, and do nothing else")

var ascii = flag.Bool("ascii", false, "print them in ASCII")

// TestShow prints pages to be looked at: go test ./tui/draw -run TestShow -show 120
func TestShow(t *testing.T) {
	if *show == 0 {
		t.Skip("only with -show WIDTH")
	}
	style := NewStyle(Options{Profile: termenv.TrueColor, Dark: true, ASCII: *ascii})
	for _, s := range scenes() {
		fmt.Println(s.at(t, *show).Render(*show, style))
	}
}

var svg = flag.String("svg", "", "write the test pages as pictures into this folder")

// TestShowSVG writes pictures to be looked at: go test ./tui/draw -run TestShowSVG -svg /some/folder
func TestShowSVG(t *testing.T) {
	if *svg == "" {
		t.Skip("only with -svg FOLDER")
	}
	for _, dark := range []bool{true, false} {
		style := NewStyle(Options{Profile: termenv.TrueColor, Dark: dark})
		for _, s := range scenes() {
			text := s.at(t, *show).Render(*show, style)
			name := fmt.Sprintf("%s/%s-dark=%t.svg", *svg, s.name, dark)
			if err := os.WriteFile(name, []byte(SVG(text, SVGOptions{Title: "ratesim run " + s.name, Dark: dark})), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
