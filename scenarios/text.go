package scenarios

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotedLength is how many characters of an offending text an error shows.
const quotedLength = 60

// quoted shows a text from a file in quotes, harmless to a terminal and cut to a sane length.
func quoted(text string) string {
	return `"` + visible(cut(text, quotedLength)) + `"`
}

// cut shortens text to at most length characters, the last of them an ellipsis if any are left out.
func cut(text string, length int) string {
	if len(text) <= length || utf8.RuneCountInString(text) <= length {
		return text
	}
	n := 0
	for i := range text {
		if n++; n == length {
			return text[:i] + "…"
		}
	}
	return text
}

// visible escapes what a terminal would act on or not show: control characters, marks that turn
// the direction of writing, bytes that are not UTF-8. A tab becomes a space.
func visible(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !utf8.ValidString(text[i:i+1]):
			b.WriteString(`\x` + strconv.FormatUint(uint64(text[i]), 16))
		case r == '\t':
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// suggestion is ` (did you mean "x"?)` for the word closest to a misspelt one, or nothing.
func suggestion(word string, good []string) string {
	if best := closest(word, good); best != "" {
		return " (did you mean " + quoted(best) + "?)"
	}
	return ""
}

// closest is the word that a misspelt one was most likely meant to be, "" if there is none.
func closest(word string, good []string) string {
	best, distance := "", 1+max(1, len(word)/3)
	for _, g := range good {
		if d := editDistance(strings.ToLower(word), g, distance); d < distance {
			best, distance = g, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions, replacements and swaps of neighbours that turn a
// into b (optimal string alignment), or returns limit if it is at least that.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
