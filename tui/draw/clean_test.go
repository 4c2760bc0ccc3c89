package draw

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCleanLeavesNothingThatATerminalWouldObey(t *testing.T) {
	for _, c := range []struct{ story, in, want string }{
		{"plain", "alice", "alice"},
		{"an escape sequence that clears the screen", "a\x1b[2Jb", `a\x1b[2Jb`},
		{"the same in one C1 character", "a\u009b2Jb", `a\x9b2Jb`},
		{"a window title", "\x1b]0;owned\x07", `\x1b]0;owned\x07`},
		{"a line break and a tab", "a\nb\tc", `a\x0ab\x09c`},
		{"backspaces over what stands before", "ok\x7f\b\b", `ok\x7f\x08\x08`},
		{"writing turned round", "abc\u202edef", `abc\u202edef`},
		{"an isolate", "\u2066x\u2069", `\u2066x\u2069`},
		{"a line separator", "a\u2028b", `a\u2028b`},
		{"a space that is none", "a\u200bb\ufeffc", `a\u200bb\ufeffc`},
		{"a hidden tag", "x\U000e0041", `x\U000e0041`},
		{"a filler that shows nothing", "\u3164", `\u3164`},
		{"a letter that swallows the next character", "\u0d4e", `\u0d4e`},
		{"a vowel of two parts", "น\u0e33", "น\u0e4d\u0e32"},
		{"invalid UTF-8", "a\xffb", "a\ufffdb"},
		{"accents, composed or not", "é e\u0301", "é e\u0301"},
		{"wide characters", "日本語", "日本語"},
		{"an emoji of several", "👩\u200d🚀 👍🏽", "👩\u200d🚀 👍🏽"},
		{"a mark with no letter", "\u0301x", "◌\u0301x"},
		{"a tower of marks", "a" + strings.Repeat("\u0301", 100), "a" + strings.Repeat("\u0301", maxMarks)},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.story, c.in, got, c.want)
		}
	}
}

// checkClean fails unless a cleaned string is fit for a terminal and cleaning it again changes nothing.
func checkClean(t interface{ Fatalf(string, ...any) }, in string) {
	out := Clean(in)
	if !utf8.ValidString(out) {
		t.Fatalf("Clean(%q) = %q is not valid UTF-8", in, out)
	}
	for _, r := range out {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			t.Fatalf("Clean(%q) = %q still has %q", in, out, r)
		}
	}
	if again := Clean(out); again != out {
		t.Fatalf("Clean(%q) = %q, cleaned again %q", in, out, again)
	}
}

func TestCleanOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkClean(t, anyText().Draw(t, "text")) })
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "alice", "\x1b[31m", "\u202e", "e\u0301", "\xff", "👩\u200d🚀"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) { checkClean(t, s) })
}

func TestFitTakesExactlyItsCells(t *testing.T) {
	unicodeStyle, asciiStyle := NewStyle(Options{}), NewStyle(Options{ASCII: true})
	for _, c := range []struct {
		in    string
		cells int
		want  string
		ascii string
	}{
		{"alice", 8, "alice   ", "alice   "},
		{"alice", 5, "alice", "alice"},
		{"alice", 4, "ali…", "al.."},
		{"日本語", 6, "日本語", "??????"},
		{"日本語", 5, "日本…", "???.."},
		{"日本語", 4, "日… ", "??.."},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…", ".."},
		{"naïve – “yes”…", 20, "naïve – “yes”…      ", `na?ve - "yes"...    `},
		{"anything", 1, "…", "."},
		{"anything", 0, "", ""},
	} {
		if got := unicodeStyle.Fit(c.in, c.cells); got != c.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", c.in, c.cells, got, c.want)
		}
		if got := asciiStyle.Fit(c.in, c.cells); got != c.ascii {
			t.Errorf("in ASCII Fit(%q, %d) = %q, want %q", c.in, c.cells, got, c.ascii)
		}
	}
}

func TestFitOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := anyStyle().Draw(t, "style")
		in, cells := anyText().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "cells")
		// A letter on either side: what stands beside a text must not change the cells it takes.
		if got := width("x" + style.Fit(in, cells) + "x"); got != cells+2 {
			t.Fatalf("Fit(%q, %d) takes %d cells", in, cells, got-2)
		}
	})
}
