package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// checkXML fails unless text is one well-formed document.
func checkXML(t interface{ Fatalf(string, ...any) }, text string) {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %q", err, text)
		}
	}
}

func TestAnySVGIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(anyText()).Draw(t, "lines"), "\n")
		checkXML(t, SVG(text, SVGOptions{Title: anyText().Draw(t, "title"), Dark: rapid.Bool().Draw(t, "dark")}))
	})
}

func TestSVGOfAPageIsWellFormed(t *testing.T) {
	for _, s := range handmade() {
		checkXML(t, SVG(s.page.Render(80, NewStyle(Options{Profile: termenv.TrueColor, Dark: true})), SVGOptions{Dark: true}))
	}
}

func FuzzSVG(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[1;38;2;1;2;3mred\x1b[0m<&>\"│█⣿╭")
	f.Add("\x1b[38;5m\x1b[48;2;1m\x1b]0;x\x07")
	f.Fuzz(func(t *testing.T, s string) { checkXML(t, SVG(s, SVGOptions{Title: s})) })
}

func TestEveryCellStandsAtItsColumn(t *testing.T) {
	for _, c := range []struct{ story, in, want string }{
		{"letters", "ab", `<text x="0 8" y="12" fill="#1F2328">ab</text>`},
		{"a space between", "a b", `<text x="16" y="12" fill="#1F2328">b</text>`},
		{"after wide characters", "日本x", `<text x="0 16 32" y="12" fill="#1F2328">日本x</text>`},
		{"a letter with its accent stands alone", "ae\u0301b", `<text x="8" y="12" fill="#1F2328">` + "e\u0301</text>"},
		{"the second line", "\nx", `<text x="0" y="28" fill="#1F2328">x</text>`},
		{"characters of XML", "<&", `>&lt;&amp;</text>`},
		{"bold", "\x1b[1mx", ` font-weight="bold">x</text>`},
		{"a full block is a box", "█", `<path fill="#1F2328" d="M0 0h8v16h-8z"/>`},
		{"a bar stands on the ground", "▁", `d="M0 14h8v2h-8z"`},
		{"lines reach the sides of their cells", "─", `d="M0 8L8 8"`},
		{"a stretch of bars is one box", "▄▄▄", `d="M0 8h24v8h-24z"/>`},
		{"dashes do not stretch", "┊┊", `d="M4 1L`},
		{"an arc joins two sides", "╭", `d="M8 8Q4 8 4 16"`},
	} {
		if got := SVG(c.in, SVGOptions{}); !strings.Contains(got, c.want) {
			t.Errorf("%s: SVG(%q) has no %s:\n%s", c.story, c.in, c.want, got)
		}
	}
}

func TestColoursOfEscapeSequences(t *testing.T) {
	const fore = "#1F2328"
	for _, c := range []struct{ story, in, fore, back string }{
		{"none", "x", fore, ""},
		{"one of eight", "\x1b[31mx", "#C4432B", ""},
		{"one of eight bright ones", "\x1b[94mx", "#56B4E9", ""},
		{"behind the text", "\x1b[44mx", fore, "#2F6FB3"},
		{"bright behind the text", "\x1b[101mx", fore, "#F0703A"},
		{"of the cube of 256", "\x1b[38;5;74mx", "#5FAFD7", ""},
		{"a grey of 256", "\x1b[38;5;245mx", "#8A8A8A", ""},
		{"a true colour", "\x1b[38;2;240;112;58mx", "#F0703A", ""},
		{"several at once", "\x1b[1;38;5;16;48;2;1;2;3mx", "#000000", "#010203"},
		{"reset", "\x1b[31m\x1b[0mx", fore, ""},
		{"reset without a number", "\x1b[31;44m\x1b[mx", fore, ""},
		{"back to the default", "\x1b[31;44m\x1b[39;49mx", fore, ""},
		{"reversed", "\x1b[31;7mx", "#FFFFFF", "#C4432B"},
		{"reversed and back", "\x1b[31;7m\x1b[27mx", "#C4432B", ""},
		{"a colour that lasts to the next line", "\x1b[31m\nx", "#C4432B", ""},
		{"an incomplete one", "\x1b[38;2;1mx", fore, ""},
		{"another sequence", "\x1b[2J\x1b[Hx", fore, ""},
	} {
		rows := parseScreen(c.in, newTheme(false)).rows
		last := rows[len(rows)-1]
		if got := last[len(last)-1].ink; got.fore != c.fore || got.back != c.back {
			t.Errorf("%s: %q gives %s on %q, want %s on %q", c.story, c.in, got.fore, got.back, c.fore, c.back)
		}
	}
}
