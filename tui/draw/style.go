package draw

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Options say what the terminal can show. The zero value is true colour on a light background.
type Options struct {
	Profile termenv.Profile // termenv.Ascii for no colour at all
	Dark    bool            // the background is dark
	ASCII   bool            // 7-bit characters only, in names from files too
}

// Style holds the colours and glyphs of everything in this package. It is never changed after
// NewStyle, so that any number of goroutines may share one.
type Style struct {
	glyphs glyphs
	ascii  bool
	sgr    [roles]struct{ before, after string }
}

// NewStyle makes a style with a renderer of its own: nothing global is read or set, and nothing is
// asked of a terminal. Where box-drawing characters are set to take two cells
// (RUNEWIDTH_EASTASIAN), no drawing made of them can line up, and the style is ASCII.
func NewStyle(o Options) *Style {
	s := &Style{glyphs: unicodeGlyphs(), ascii: o.ASCII || ansi.StringWidth("─") != 1}
	if s.ascii {
		s.glyphs = asciiGlyphs()
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(o.Profile)
	r.SetHasDarkBackground(o.Dark)
	for role := range roles {
		// lipgloss resolves the profile; what it puts around a text is the same for every text.
		before, after, _ := strings.Cut(role.style(r).Render("x"), "x")
		s.sgr[role].before, s.sgr[role].after = before, after
	}
	return s
}

// Paint returns text in the role's colour, unchanged where the style has none for it.
func (s *Style) Paint(role Role, text string) string {
	if text == "" || s.sgr[role].before == "" {
		return text
	}
	return s.sgr[role].before + text + s.sgr[role].after
}

// Role says what a piece of text stands for, and so its colour.
type Role uint8

// The roles in use. Colour only ever repeats what a glyph or a word says.
const (
	Plain    Role = iota
	Title         // the heading of a page, a limiter's name
	Faint         // labels, units, zeros: what may be overlooked
	Rule          // lines that only guide the eye
	Admitted      // went ahead at once
	Waited        // had to wait, and went ahead later
	Denied        // was refused
	Cheap         // got a cheap answer instead of a refusal
	Offered       // requests before any limiter has seen them: they recede behind what became of them
	Level         // the line of a level chart
	Good          // a check that holds
	Bad           // a check that does not
	roles
)

// The palette of Okabe and Ito (2008), which stays apart in every common colour blindness: sky
// blue, yellow, vermilion, reddish purple, bluish green. On a light background blue, the purple and
// the yellow, darkened, in each other's place, and darkened vermilion and green. On white, all but
// rules have a contrast of 4.5:1 or more.
func (r Role) style(renderer *lipgloss.Renderer) lipgloss.Style {
	st := renderer.NewStyle()
	switch r {
	case Title:
		return st.Bold(true)
	case Faint:
		return st.Foreground(colour("#6C6C6C", "242", "8", "#8A8A8A", "245", "8"))
	case Rule:
		return st.Foreground(colour("#B4B9C0", "250", "7", "#4A515C", "239", "8"))
	case Admitted, Good:
		return st.Foreground(colour("#0072B2", "25", "4", "#56B4E9", "74", "12"))
	case Waited:
		return st.Foreground(colour("#A0417D", "132", "5", "#F0E442", "227", "11"))
	case Denied, Bad:
		return st.Bold(r == Bad).Foreground(colour("#B34700", "130", "1", "#F0703A", "209", "9"))
	case Cheap:
		return st.Foreground(colour("#7A5C00", "94", "3", "#CC79A7", "175", "13"))
	case Offered:
		return st.Foreground(colour("#6E7681", "243", "8", "#9AA3AE", "247", "7"))
	case Level:
		return st.Foreground(colour("#007A5A", "29", "2", "#2BC79A", "43", "10"))
	}
	return st
}

// colour gives each profile its own value, since the nearest of 16 colours to a hex value is
// often one that no longer stands apart: first for a light background, then for a dark one.
func colour(light, light256, light16, dark, dark256, dark16 string) lipgloss.CompleteAdaptiveColor {
	return lipgloss.CompleteAdaptiveColor{
		Light: lipgloss.CompleteColor{TrueColor: light, ANSI256: light256, ANSI: light16},
		Dark:  lipgloss.CompleteColor{TrueColor: dark, ANSI256: dark256, ANSI: dark16},
	}
}
