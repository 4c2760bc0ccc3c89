package accesslog

import "strings"

// checkGlob finds what shells and routers give a meaning and a glob here does not: taken for the
// letter itself, it would match nothing without a word. A ? is fine: it stands for one byte, and no
// path has one.
func checkGlob(pattern string) (reason string) {
	if i := strings.IndexAny(pattern, "[{"); i >= 0 {
		return "there are no classes or alternatives: " + pattern[i:i+1] + " has no meaning; * stands for any text, ? for one byte, and several conditions are alternatives"
	}
	return ""
}

// glob reports whether text matches pattern, in which * stands for any text, / included, and ? for
// any one byte. On a mismatch only the last * takes one byte more, so it costs at most the product
// of the lengths.
func glob(pattern string, text []byte) bool {
	p, t := 0, 0
	star, kept := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, kept = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			kept++
			p, t = star+1, kept
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
