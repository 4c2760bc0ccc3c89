package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how wide the help is set, in cells.
const helpWidth = 96

// usage writes how a command is called: its form, examples, and the commands or flags it has.
func usage(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", useLine(c))
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	for _, g := range c.Groups() {
		fmt.Fprintf(w, "\n%s\n", g.Title)
		writeCommands(w, c, g.ID)
	}
	if c.HasAvailableSubCommands() && len(c.Groups()) == 0 {
		fmt.Fprintln(w, "\nCommands:")
		writeCommands(w, c, "")
	}
	if c.HasAvailableFlags() {
		fmt.Fprintln(w, "\nFlags:")
		writeFlags(w, c)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nMore about a command: %s COMMAND --help\n", c.CommandPath())
	}
	return nil
}

// useLine is the form of a command line.
func useLine(c *cobra.Command) string {
	if c.HasAvailableSubCommands() {
		return c.CommandPath() + " COMMAND"
	}
	return c.UseLine()
}

// writeCommands lists the commands of one group.
func writeCommands(w io.Writer, c *cobra.Command, group string) {
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.GroupID == group || group == groupMore && sub.Name() == "help" {
			fmt.Fprintf(w, "  %-*s  %s\n", c.NamePadding(), sub.Name(), sub.Short)
		}
	}
}

// writeFlags lists a command's flags in the order in which they were added.
func writeFlags(w io.Writer, c *cobra.Command) {
	var heads, texts []string
	widest := 0
	c.Flags().VisitAll(func(f *pflag.Flag) {
		kind, text := pflag.UnquoteUsage(f)
		head := "    "
		if f.Shorthand != "" {
			head = "-" + f.Shorthand + ", "
		}
		heads, texts = append(heads, strings.TrimRight(head+"--"+f.Name+" "+kind, " ")), append(texts, text)
		widest = max(widest, ansi.StringWidth(heads[len(heads)-1]))
	})
	for i, head := range heads {
		const between = 3
		pad := strings.Repeat(" ", widest-ansi.StringWidth(head)+between)
		text := wrapHelp(texts[i], helpWidth-2-widest-between)
		margin := "\n" + strings.Repeat(" ", 2+widest+between)
		fmt.Fprintf(w, "  %s%s%s\n", head, pad, strings.ReplaceAll(text, "\n", margin))
	}
}

// wrapHelp breaks a text of the help into lines of at most so many cells.
func wrapHelp(text string, cells int) string { return ansi.Wrap(text, cells, "") }
