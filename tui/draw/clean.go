package draw

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxMarks is how many combining marks one character keeps: no script stacks more than a handful,
// and a tower of hundreds would paint over the lines above it.
const maxMarks = 6

// Clean makes a string from a file safe to send to a terminal on one line. Control characters
// (C0, DEL, C1), and with them every escape sequence, become visible escapes such as \x1b; so do
// line separators and format characters that are invisible or turn the direction of writing
// (U+202E). Invalid UTF-8 becomes U+FFFD. A combining mark without a letter before it gets a
// dotted circle, so that it does not attach to what is printed before the string.
// Clean(Clean(s)) == Clean(s).
func Clean(s string) string {
	if plainASCII(s) {
		return s
	}
	var b strings.Builder
	marks, based := 0, false
	for _, r := range amSplitter.Replace(s) {
		if attaches(r) {
			if !based {
				b.WriteRune('◌')
			}
			if marks++; marks <= maxMarks {
				b.WriteRune(r)
			}
			based = true
			continue
		}
		writeVisible(&b, r)
		marks, based = 0, true
	}
	return b.String()
}

// writeVisible writes a character that does not attach to the one before it.
func writeVisible(b *strings.Builder, r rune) {
	switch {
	case unicode.IsControl(r):
		fmt.Fprintf(b, `\x%02x`, r)
	case hidden(r) && r <= 0xffff:
		fmt.Fprintf(b, `\u%04x`, r)
	case hidden(r):
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		b.WriteRune(r) // invalid UTF-8 ranges as U+FFFD
	}
}

// amSplitter writes the vowel am of Thai and Lao as its two parts, a mark and a letter. As one
// character it takes a cell of its own in a terminal, but none by the rules for clusters.
var amSplitter = strings.NewReplacer("\u0e33", "\u0e4d\u0e32", "\u0eb3", "\u0ecd\u0eb2")

// attaches reports whether r is drawn onto the character before it.
func attaches(r rune) bool {
	return joiner(r) || isEmojiModifier(r) || !hidden(r) &&
		(unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc) || unicode.Is(unicode.Other_Grapheme_Extend, r))
}

// joiner reports whether r is one of the two invisible characters that scripts and emoji need.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// isEmojiModifier reports whether r is one of the five skin tones.
func isEmojiModifier(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// hidden reports whether r may not be printed as it is: format characters, separators of lines and
// paragraphs, fillers that show nothing, characters that swallow the next one.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || prepends(r)
}

// prepends reports whether r draws the character after it into its own cell, as a few letters of
// old orthographies do: at a name's end that would be the space that follows.
func prepends(r rune) bool {
	const first = 0x600 // no such character comes before
	cluster, _ := ansi.FirstGraphemeCluster(string(r)+" ", ansi.GraphemeWidth)
	return r >= first && len(cluster) > utf8.RuneLen(r)
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Text is Clean, and in an ASCII style also free of every character beyond 7 bits: common
// punctuation is spelled out, anything else becomes a question mark for each of its cells.
func (s *Style) Text(text string) string {
	text = Clean(text)
	if !s.ascii || plainASCII(text) {
		return text
	}
	var b strings.Builder
	for cluster, width := range clusters(text) {
		if plain, ok := spelled(cluster); ok {
			b.WriteString(plain)
		} else {
			b.WriteString(strings.Repeat("?", max(width, 1)))
		}
	}
	return b.String()
}

// spelled writes one character in ASCII, where it has a common spelling.
func spelled(cluster string) (string, bool) {
	if cluster[0] < utf8.RuneSelf {
		return cluster[:1], true // a letter keeps its accents to itself
	}
	switch cluster {
	case "–", "—", "−":
		return "-", true
	case "‘", "’":
		return "'", true
	case "“", "”", "„":
		return `"`, true
	case "…":
		return "...", true
	case "→":
		return "->", true
	case "×":
		return "x", true
	case "·":
		return "-", true
	case "≤":
		return "<=", true
	case "≥":
		return ">=", true
	case "µ", "μ":
		return "u", true
	case "\u00a0":
		return " ", true
	}
	return "", false
}

// clusters ranges over the characters of text as a reader counts them, each with the cells it
// takes.
func clusters(text string) func(func(string, int) bool) {
	return func(yield func(string, int) bool) {
		for text != "" {
			cluster, width := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
			if cluster == "" || !yield(cluster, width) {
				return
			}
			text = text[len(cluster):]
		}
	}
}

// width is the number of cells that text takes; escape sequences take none.
func width(text string) int { return ansi.StringWidth(text) }

// Fit returns text cleaned, cut with an ellipsis where it is longer than cells, and filled with
// spaces to exactly that many.
func (s *Style) Fit(text string, cells int) string {
	text = s.cut(s.Text(text), cells)
	return text + spaces(cells-width(text))
}

// cut shortens cleaned text to at most cells.
func (s *Style) cut(text string, cells int) string {
	if width(text) <= cells {
		return text
	}
	dots := s.glyphs.dots
	if cells <= width(dots) {
		return dots[:min(len(dots), max(cells, 0)*len(dots)/width(dots))]
	}
	var b strings.Builder
	room := cells - width(dots)
	for cluster, w := range clusters(text) {
		if room -= w; room < 0 {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + dots
}

// right fills cleaned text with spaces on its left.
func right(text string, cells int) string { return spaces(cells-width(text)) + text }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }
