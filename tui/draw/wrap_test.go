package draw

import (
	"slices"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		cells      int
		want       []string
	}{
		{"at spaces", "one two three", 8, []string{"one two", "three"}},
		{"a name with a hyphen stays whole", "and the sliding-log lets 100", 14, []string{"and the", "sliding-log", "lets 100"}},
		{"only what is longer than a line is broken", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"an unbroken hyphen stays what it is", "a\u2011b c", 4, []string{"a\u2011b", "c"}},
		{"nothing", "", 4, []string{""}},
	} {
		if got := Wrap(tc.text, tc.cells); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestFirstParts(t *testing.T) {
	for _, tc := range []struct {
		text  string
		cells int
		want  string
	}{
		{"token-bucket, 5/s, burst 20", 27, "token-bucket, 5/s, burst 20"},
		{"token-bucket, 5/s, burst 20", 26, "token-bucket, 5/s"},
		{"token-bucket, 5/s, burst 20", 16, "token-bucket"},
		{"token-bucket", 5, "token-bucket"}, // cut by who draws it
	} {
		if got := firstParts(tc.text, tc.cells); got != tc.want {
			t.Errorf("%q in %d cells: %q, want %q", tc.text, tc.cells, got, tc.want)
		}
	}
}
