package cmd

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/mattn/go-isatty"
	"github.com/muesli/termenv"
	"golang.org/x/term"
)

// looks are the wishes about how text is drawn, as flags say them.
type looks struct {
	color      string // auto, always or never
	background string // auto, dark or light
	width      int    // cells; 0: as wide as the terminal
	ascii      bool
}

// defaultWidth is the width of text that goes to no terminal, in cells.
const defaultWidth = 80

// cells is how wide text is drawn: as asked, as wide as the terminal, as the environment says, or
// 80; always within what a page can be drawn for.
func (a *app) cells(l looks, toTerminal bool) int {
	width := l.width
	if width == 0 && toTerminal {
		width = terminalWidth(a.out)
	}
	if width == 0 {
		width, _ = strconv.Atoi(a.getenv("COLUMNS"))
	}
	if width <= 0 {
		width = defaultWidth
	}
	return min(max(width, draw.MinWidth), draw.MaxWidth)
}

// style is the colours and glyphs for text. It follows from the flags and the environment alone:
// nothing is asked of the terminal, since one that does not answer would cost seconds.
func (a *app) style(l looks, toTerminal bool) *draw.Style {
	return draw.NewStyle(draw.Options{
		Profile: a.profile(l.color, toTerminal),
		Dark:    a.dark(l.background),
		ASCII:   l.ascii || a.plainLocale(),
	})
}

// profile is how many colours may be used. On auto, NO_COLOR (no-color.org) and CLICOLOR=0 turn
// colour off, and CLICOLOR_FORCE turns it on where the output is no terminal.
func (a *app) profile(color string, toTerminal bool) termenv.Profile {
	switch {
	case color == "never":
		return termenv.Ascii
	case color == "always":
		return max16(a.colors())
	case a.getenv("NO_COLOR") != "":
		return termenv.Ascii
	case a.forced():
		return max16(a.colors())
	case !toTerminal || a.getenv("CLICOLOR") == "0":
		return termenv.Ascii
	}
	return a.colors()
}

// forced reports whether CLICOLOR_FORCE asks for colour.
func (a *app) forced() bool {
	force := a.getenv("CLICOLOR_FORCE")
	return force != "" && force != "0"
}

// max16 is the profile, or 16 colours where it has none: who insists on colour gets some.
func max16(p termenv.Profile) termenv.Profile { return min(p, termenv.ANSI) }

// colors is what the terminal can show, as COLORTERM and TERM tell. termenv orders its profiles
// from the richest to the poorest.
func (a *app) colors() termenv.Profile {
	kind := strings.ToLower(a.getenv("TERM"))
	switch strings.ToLower(a.getenv("COLORTERM")) {
	case "truecolor", "24bit":
		if kind != "dumb" && !strings.HasPrefix(kind, "screen") { // GNU screen passes COLORTERM on, but not 24-bit colour
			return termenv.TrueColor
		}
	}
	switch {
	case kind == "dumb":
		return termenv.Ascii
	case kind == "" && a.getenv("WT_SESSION") != "": // Windows Terminal sets no TERM
		return termenv.TrueColor
	case kind == "":
		return termenv.Ascii
	case strings.HasSuffix(kind, "-direct"), strings.HasSuffix(kind, "-kitty"), strings.HasSuffix(kind, "-ghostty"):
		return termenv.TrueColor
	case strings.Contains(kind, "256color"), strings.HasPrefix(kind, "alacritty"), strings.HasPrefix(kind, "wezterm"):
		return termenv.ANSI256
	}
	return termenv.ANSI
}

// dark reports whether the background is dark. On auto COLORFGBG tells, which several terminals
// set to the numbers of their two colours ("15;0"); without it a terminal is taken to be dark.
func (a *app) dark(background string) bool {
	switch background {
	case "dark":
		return true
	case "light":
		return false
	}
	fields := strings.Split(a.getenv("COLORFGBG"), ";")
	number, err := strconv.Atoi(fields[len(fields)-1])
	light := err == nil && (number == 7 || number >= 9 && number <= 15)
	return !light
}

// plainLocale reports whether the environment says that text is not UTF-8: by a character set that
// is another, or by the locale C. Where it says nothing, UTF-8 is assumed.
func (a *app) plainLocale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := strings.ToLower(a.getenv(name))
		if locale == "" {
			continue
		}
		_, charset, _ := strings.Cut(locale, ".")
		charset, _, _ = strings.Cut(charset, "@")
		return locale == "c" || locale == "posix" || charset != "" && charset != "utf-8" && charset != "utf8"
	}
	return false
}

// isTerminal reports whether w or r is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// terminalWidth is the terminal's width in cells, 0 where it is unknown.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
