package cmd

import (
	"fmt"
	"slices"
	"strings"
)

// closest returns the known names that name is likely a slip of: those at the smallest edit
// distance, if that is at most a third of the name's length, and those that it begins or that
// contain it.
func closest(name string, known []string) []string {
	lower := strings.ToLower(name)
	best := len(name)/3 + 1
	var near []string
	for _, k := range known {
		d := distance(lower, strings.ToLower(k))
		if len(lower) > 2 && strings.Contains(strings.ToLower(k), lower) {
			d = min(d, 1)
		}
		if d < best {
			best, near = d, nil
		}
		if d == best {
			near = append(near, k)
		}
	}
	return near
}

// distance is the fewest letters to insert, remove, replace or exchange with their neighbour that
// turn a into b (Damerau and Levenshtein, each pair of letters exchanged once at most).
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return len(a) + len(b) // nobody mistypes that; spare the table
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			d := min(rows[i-1][j], rows[i][j-1]) + 1
			d = min(d, rows[i-1][j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}

func differ(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}

// alternatives joins names with commas and a closing "or".
func alternatives(names []string) string { return joined(names, "or") }

// enumerate joins names with commas and a closing "and".
func enumerate(names []string) string { return joined(names, "and") }

func joined(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	end := len(names) - 1
	return strings.Join(names[:end], ", ") + " " + last + " " + names[end]
}

// oneOf checks a word against the good ones, and lists them otherwise.
func oneOf(word string, good []string) error {
	if slices.Contains(good, word) {
		return nil
	}
	return fmt.Errorf("must be %s", alternatives(good))
}

// count writes a number with its noun: 1 request, 2 requests.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
