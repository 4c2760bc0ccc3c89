// Package quiet keeps the program from asking the terminal for its background colour.
//
// Bubble Tea asks in an init function of its own, whichever command runs, and a terminal that does
// not answer costs five seconds. It does not ask if the background is known already. Packages that
// do not import each other are initialised in the order of their import paths, so this one, whose
// path sorts before github.com/charmbracelet/bubbletea, comes first. It imports nothing else, so
// that nothing makes it wait.
package quiet

import "github.com/charmbracelet/lipgloss"

// Nothing in this program draws with the renderer that this sets: its styles bring their own.
func init() { lipgloss.SetHasDarkBackground(true) }
