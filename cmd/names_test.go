package cmd

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestClosest takes slips of the finger and words that mean nothing.
func TestClosest(t *testing.T) {
	for _, c := range []struct {
		name string
		want []string
	}{
		{"token-bucket", []string{"token-bucket"}},
		{"tokenbucket", []string{"token-bucket"}},
		{"tokne-bucket", []string{"token-bucket"}},
		{"GCRA", []string{"gcra"}},
		{"gcar", []string{"gcra"}},
		{"bucket", []string{"token-bucket", "leaky-bucket"}},
		{"sliding", []string{"sliding-log"}},
		{"q", nil},
		{"", nil},
		{"nothing-like-it", nil},
	} {
		known := []string{"token-bucket", "gcra", "leaky-bucket", "sliding-log"}
		if got := closest(c.name, known); !slices.Equal(got, c.want) {
			t.Errorf("closest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDistance: it is a distance, and one slip is one step.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching("[a-d]{0,6}")
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) || (d == 0) != (a == b) || d > max(len(a), len(b)) {
			t.Fatalf("distance(%q, %q) = %d, the other way %d", a, b, d, distance(b, a))
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		word := []byte(rapid.StringMatching("[a-z]{2,12}").Draw(t, "word"))
		i := rapid.IntRange(0, len(word)-2).Draw(t, "i")
		slipped := slices.Clone(word)
		slipped[i], slipped[i+1] = slipped[i+1], slipped[i]
		if d := distance(string(word), string(slipped)); d > 1 {
			t.Fatalf("two letters of %q exchanged: distance %d", word, d)
		}
	})
}
