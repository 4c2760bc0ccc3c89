package cmd

import (
	"bytes"
	"testing"

	"github.com/muesli/termenv"
)

// in is an app that sees the environment given as names and values in turn.
func in(environment ...string) *app {
	return &app{out: &bytes.Buffer{}, err: &bytes.Buffer{}, getenv: func(name string) string {
		for i := 0; i < len(environment); i += 2 {
			if environment[i] == name {
				return environment[i+1]
			}
		}
		return ""
	}}
}

func TestProfile(t *testing.T) {
	for _, c := range []struct {
		story    string
		flag     string
		terminal bool
		env      []string
		want     termenv.Profile
	}{
		{"a terminal of today", "auto", true, []string{"TERM", "xterm-256color", "COLORTERM", "truecolor"}, termenv.TrueColor},
		{"one that does not say so", "auto", true, []string{"TERM", "xterm-256color"}, termenv.ANSI256},
		{"an old one", "auto", true, []string{"TERM", "xterm"}, termenv.ANSI},
		{"kitty", "auto", true, []string{"TERM", "xterm-kitty"}, termenv.TrueColor},
		{"GNU screen within it", "auto", true, []string{"TERM", "screen-256color", "COLORTERM", "truecolor"}, termenv.ANSI256},
		{"an editor's", "auto", true, []string{"TERM", "dumb"}, termenv.Ascii},
		{"an editor's within a terminal", "auto", true, []string{"TERM", "dumb", "COLORTERM", "truecolor"}, termenv.Ascii},
		{"no TERM", "auto", true, nil, termenv.Ascii},
		{"Windows Terminal", "auto", true, []string{"WT_SESSION", "1"}, termenv.TrueColor},
		{"a pipe", "auto", false, []string{"TERM", "xterm-256color"}, termenv.Ascii},
		{"no colour wanted", "auto", true, []string{"TERM", "xterm", "NO_COLOR", "1"}, termenv.Ascii},
		{"NO_COLOR left empty is not set", "auto", true, []string{"TERM", "xterm", "NO_COLOR", ""}, termenv.ANSI},
		{"no colour, the BSD way", "auto", true, []string{"TERM", "xterm", "CLICOLOR", "0"}, termenv.Ascii},
		{"forced through a pipe", "auto", false, []string{"TERM", "xterm-256color", "CLICOLOR_FORCE", "1"}, termenv.ANSI256},
		{"forced, but not", "auto", false, []string{"TERM", "xterm", "CLICOLOR_FORCE", "0"}, termenv.Ascii},
		{"forced and unwanted", "auto", false, []string{"TERM", "xterm", "CLICOLOR_FORCE", "1", "NO_COLOR", "1"}, termenv.Ascii},
		{"the flag wins over NO_COLOR", "always", false, []string{"TERM", "xterm", "NO_COLOR", "1"}, termenv.ANSI},
		{"always, and nothing known of the terminal", "always", false, nil, termenv.ANSI},
		{"never", "never", true, []string{"TERM", "xterm", "CLICOLOR_FORCE", "1"}, termenv.Ascii},
	} {
		if got := in(c.env...).profile(c.flag, c.terminal); got != c.want {
			t.Errorf("%s: %s, want %s", c.story, got.Name(), c.want.Name())
		}
	}
}

func TestDark(t *testing.T) {
	for _, c := range []struct {
		flag, colorfgbg string
		want            bool
	}{
		{"auto", "", true},
		{"auto", "15;0", true},
		{"auto", "0;15", false},
		{"auto", "0;default;15", false}, // rxvt puts a third number between
		{"auto", "12;8", true},          // bright black is dark
		{"auto", "0;7", false},
		{"auto", "nonsense", true},
		{"light", "15;0", false},
		{"dark", "0;15", true},
	} {
		if got := in("COLORFGBG", c.colorfgbg).dark(c.flag); got != c.want {
			t.Errorf("--background %s, COLORFGBG=%s: dark is %v", c.flag, c.colorfgbg, got)
		}
	}
}

func TestCells(t *testing.T) {
	for _, c := range []struct {
		flag    int
		columns string
		want    int
	}{
		{0, "", 80},
		{0, "132", 132},
		{0, "20", 60},
		{0, "100000", 250},
		{0, "-5", 80},
		{0, "wide", 80},
		{100, "132", 100},
	} {
		if got := in("COLUMNS", c.columns).cells(looks{width: c.flag}, false); got != c.want {
			t.Errorf("--width %d, COLUMNS=%s: %d cells, want %d", c.flag, c.columns, got, c.want)
		}
	}
}

func TestPlainLocale(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want bool
	}{
		{nil, false},
		{[]string{"LANG", "en_US.UTF-8"}, false},
		{[]string{"LANG", "de_DE.utf8@euro"}, false},
		{[]string{"LANG", "en_US"}, false},
		{[]string{"LANG", "de_DE.ISO-8859-1"}, true},
		{[]string{"LANG", "C"}, true},
		{[]string{"LANG", "C.UTF-8"}, false},
		{[]string{"LANG", "en_US.UTF-8", "LC_ALL", "POSIX"}, true},
		{[]string{"LC_ALL", "en_US.UTF-8", "LANG", "C"}, false},
	} {
		if got := in(c.env...).plainLocale(); got != c.want {
			t.Errorf("%q: plain is %v", c.env, got)
		}
	}
}
