package algorithms_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// A copy decides as the original would have, and neither notices what the other goes through.
func TestCopiesAreIndependent(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		t.Run(spec.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s := drawSubject(t, spec)
				past := s.script(drawSteps(30).Draw(t, "steps"))
				cut := rapid.IntRange(0, len(past)).Draw(t, "cut")
				original := s.after(past[:cut])
				if rapid.Bool().Draw(t, "change") {
					m, err := spec.Build(drawChange(t, spec, s.policy))
					if err != nil || !algorithms.Adjust(original, last(past[:cut]), m) {
						t.Fatal("cannot be changed", err)
					}
				}
				copying, ok := original.(algorithms.Copying)
				if !ok {
					t.Fatalf("%T cannot be copied", original)
				}
				first, second := copying.Copy(), copying.Copy()
				var want []algorithms.Decision
				for _, r := range past[cut:] {
					want = append(want, original.Decide(r.at, r.cost))
				}
				for _, c := range []algorithms.Limiter{first, second} {
					for i, r := range past[cut:] {
						if got := c.Decide(r.at, r.cost); got != want[i] {
							t.Fatalf("%s: copied after %v, decides %v: %v, want %v", s.name, past[:cut], r, got, want[i])
						}
					}
				}
			})
		})
	}
}
