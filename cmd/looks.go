package cmd

import (
	"fmt"
	"strconv"

	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/spf13/cobra"
)

// looksFlags adds the flags that say how text is drawn.
func looksFlags(c *cobra.Command, l *looks) {
	lookFlags(c, l)
	width := &value[int64]{kind: "CELLS", read: func(text string) (int64, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < draw.MinWidth || n > draw.MaxWidth {
			return 0, fmt.Errorf("must be a whole number from %d to %d", draw.MinWidth, draw.MaxWidth)
		}
		l.width = n
		return int64(n), nil
	}}
	c.Flags().Var(width, "width", "how wide to draw (default: the terminal's width, or 80)")
}

// lookFlags adds those that apply whatever the width.
func lookFlags(c *cobra.Command, l *looks) {
	choiceFlag(c, &l.color, "color", "", "when to use colour", "auto", "always", "never")
	choiceFlag(c, &l.background, "background", "", "the terminal's background", "auto", "dark", "light")
	c.Flags().BoolVar(&l.ascii, "ascii", false, "draw with 7-bit characters only")
}

// canvas is the width and the style of text on standard output.
func (a *app) canvas(l looks) (int, *draw.Style) {
	terminal := isTerminal(a.out)
	return a.cells(l, terminal), a.style(l, terminal)
}
