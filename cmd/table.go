package cmd

import (
	"regexp"
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/charmbracelet/x/ansi"
)

// tableGap is the cells between two columns.
const tableGap = 2

// table sets rows of text in columns, the first row as a head. Where they are wider than cells
// together, the widest columns but the first are broken into lines at spaces; where that is not
// enough, each row becomes a card.
func table(s *draw.Style, cells int, rows [][]string) string {
	for r, row := range rows {
		rows[r] = slices.Clone(row)
		for c := range row {
			rows[r][c] = s.Text(row[c])
		}
	}
	widths, fits := columnWidths(cells, rows)
	var b strings.Builder
	if !fits {
		writeCards(&b, s, cells, rows)
		return b.String()
	}
	for r, row := range rows {
		role := draw.Plain
		if r == 0 {
			role = draw.Faint
		}
		writeRow(&b, s, widths, row, role)
	}
	return b.String()
}

// columnWidths gives each column the width of its widest text, and takes from the widest columns but
// the first, a cell at a time, what is too much. It reports whether that could be done without
// breaking words.
func columnWidths(cells int, rows [][]string) (widths []int, fits bool) {
	widths = make([]int, len(rows[0]))
	words := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, text := range row {
			widths[c] = max(widths[c], ansi.StringWidth(text))
			for word := range strings.FieldsSeq(text) {
				words[c] = max(words[c], ansi.StringWidth(word))
			}
		}
	}
	room := cells - tableGap*(len(widths)-1)
	for sum(widths) > room && shrink(widths, words) {
	}
	return widths, sum(widths) <= room
}

// shrink takes one cell from the widest column but the first that is wider than its widest word, and
// reports whether there was one.
func shrink(widths, words []int) bool {
	widest := 0
	for c := 1; c < len(widths); c++ {
		if widths[c] > words[c] && (widest == 0 || widths[c] > widths[widest]) {
			widest = c
		}
	}
	if widest == 0 {
		return false
	}
	widths[widest]--
	return true
}

// writeCards writes each row as its first text and, below, the others with their heads.
func writeCards(b *strings.Builder, s *draw.Style, cells int, rows [][]string) {
	heads, label := make([]string, len(rows[0])), 0
	for c, head := range rows[0] {
		heads[c] = strings.TrimSpace(head) // without what aligns it with its column
		label = max(label, ansi.StringWidth(heads[c])+tableGap)
	}
	for _, row := range rows[1:] {
		b.WriteString(s.Paint(draw.Title, row[0]) + "\n")
		for c := 1; c < len(row); c++ {
			if strings.TrimSpace(row[c]) == "" {
				continue
			}
			head := heads[c] + strings.Repeat(" ", label-ansi.StringWidth(heads[c]))
			text := strings.TrimLeft(paragraphs(s, row[c], cells, label+tableGap), " ")
			b.WriteString("  " + s.Paint(draw.Faint, head) + text)
		}
	}
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// writeRow writes a row, whose texts may take several lines.
func writeRow(b *strings.Builder, s *draw.Style, widths []int, row []string, role draw.Role) {
	columns, height := make([][]string, len(row)), 1
	for c, text := range row {
		columns[c] = strings.Split(ansi.Wrap(text, widths[c], ""), "\n")
		height = max(height, len(columns[c]))
	}
	for line := range height {
		pad, written := 0, strings.Builder{}
		for c := range row {
			text := ""
			if line < len(columns[c]) {
				text = strings.TrimRight(columns[c][line], " ")
			}
			if text != "" {
				written.WriteString(strings.Repeat(" ", pad) + s.Paint(columnRole(c, role), text))
				pad = 0
			}
			pad += widths[c] - ansi.StringWidth(text) + tableGap
		}
		b.WriteString(written.String() + "\n")
	}
}

// columnRole makes the first column, which holds the names, stand out.
func columnRole(column int, role draw.Role) draw.Role {
	if column == 0 && role == draw.Plain {
		return draw.Title
	}
	return role
}

// flagName is a flag in a text, which is not broken at its hyphens.
var flagName = regexp.MustCompile(`(?:^|\s)--[a-z]+(?:-[a-z]+)*`)

// unbroken stands for a hyphen at which a line is not broken: as wide, and never in cleaned text.
const unbroken = "\ue000"

// paragraphs sets text in lines of at most cells, each with an indent. Blank lines stay.
func paragraphs(s *draw.Style, text string, cells, indent int) string {
	const readable = 96 // longer lines are hard to read
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		text := flagName.ReplaceAllStringFunc(s.Text(paragraph), func(flag string) string { return strings.ReplaceAll(flag, "-", unbroken) })
		for line := range strings.SplitSeq(ansi.Wrap(text, min(cells, readable)-indent, ""), "\n") {
			line = strings.ReplaceAll(line, unbroken, "-")
			b.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+line, " ") + "\n")
		}
	}
	return b.String()
}
