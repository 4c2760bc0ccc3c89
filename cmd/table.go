package cmd

import (
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/charmbracelet/x/ansi"
)

// tableGap is the cells between two columns.
const tableGap = 2

// table sets rows of text in columns, the first row as a head. Where they are wider than cells
// together, the widest columns are broken into lines at spaces, and words where they must.
func table(s *draw.Style, cells int, rows [][]string) string {
	for r, row := range rows {
		rows[r] = slices.Clone(row)
		for c := range row {
			rows[r][c] = s.Text(row[c])
		}
	}
	widths := columnWidths(cells, rows)
	var b strings.Builder
	for r, row := range rows {
		role := draw.Plain
		if r == 0 {
			role = draw.Faint
		}
		writeRow(&b, s, widths, row, role)
	}
	return b.String()
}

// columnWidths gives each column the width of its widest text, and takes from the widest columns,
// a cell at a time, what is too much.
func columnWidths(cells int, rows [][]string) []int {
	widths, words := make([]int, len(rows[0])), make([]int, len(rows[0]))
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
	for sum(widths) > room && shrink(widths, nil) {
	}
	return widths
}

// shrink takes one cell from the widest column that is wider than its least width, and reports
// whether there was one. Without least widths one cell is the least.
func shrink(widths, least []int) bool {
	widest := -1
	for c, w := range widths {
		if least == nil && w <= 1 || least != nil && w <= least[c] {
			continue
		}
		if widest < 0 || w > widths[widest] {
			widest = c
		}
	}
	if widest < 0 {
		return false
	}
	widths[widest]--
	return true
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

// paragraphs sets text in lines of at most cells, each with an indent. Blank lines stay.
func paragraphs(s *draw.Style, text string, cells, indent int) string {
	const readable = 96 // longer lines are hard to read
	var b strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		for line := range strings.SplitSeq(ansi.Wrap(s.Text(paragraph), min(cells, readable)-indent, ""), "\n") {
			b.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+line, " ") + "\n")
		}
	}
	return b.String()
}
