package draw

import (
	"strings"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/charmbracelet/x/ansi"
)

// measure is the widest that running text is set: longer lines are hard to read.
const measure = 100

// header is the title with the limit and the axis' scale on its right, or below where there is no
// room, and the lesson.
func (pg Page) header(p *Picture) []string {
	var out []string
	facts := flow(p.facts(pg.Limit), p.style.glyphs.middot, p.layout.Width-1)
	title := p.style.cut(p.style.Text(pg.Title), p.layout.Width-1)
	if len(facts) == 1 && width(title)+gap+width(facts[0]) < p.layout.Width {
		free := p.layout.Width - 1 - width(title) - width(facts[0])
		title, facts = p.style.Paint(Title, title)+spaces(free)+p.style.Paint(Faint, facts[0]), nil
	} else {
		title = p.style.Paint(Title, title)
	}
	out = append(out, title)
	for _, line := range facts {
		out = append(out, p.style.Paint(Faint, line))
	}
	out = append(out, pg.around(p)...)
	for i, paragraph := range paragraphs(pg.Lesson) {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, p.text(Plain, paragraph, 0)...)
	}
	return out
}

// around is what stands around the limiters, in lines between its parts if there is room.
func (pg Page) around(p *Picture) []string {
	var parts, out []string
	for _, text := range pg.Around {
		parts = append(parts, p.style.Text(text))
	}
	for _, line := range flow(parts, p.style.glyphs.middot, p.layout.Width-1) {
		for i, piece := range Wrap(line, p.layout.Width-1-gap) {
			out = append(out, p.style.Paint(Faint, spaces(min(i, 1)*gap)+strings.TrimRight(piece, " ")))
		}
	}
	return out
}

// facts are what all lanes have in common.
func (p *Picture) facts(limit string) []string {
	var parts []string
	if limit != "" {
		parts = append(parts, p.style.cut(p.style.Text("limit "+limit), p.layout.Width-1))
	}
	if p.span > 0 {
		parts = append(parts, p.style.endLabel(p.span))
	}
	if column := p.span / sim.Time(p.layout.Lane); column > 0 {
		parts = append(parts, "1 column = "+p.style.Short(column))
	}
	return parts
}

// paragraphs splits text at blank lines and joins the lines between them: a file's line breaks
// follow the file's width, not the terminal's.
func paragraphs(text string) []string {
	var out []string
	joined := ""
	for _, line := range append(strings.Split(text, "\n"), "") {
		line = strings.TrimSpace(line)
		if line == "" && joined != "" {
			out, joined = append(out, joined), ""
		}
		joined = strings.TrimSpace(joined + " " + line)
	}
	return out
}

// text sets text in lines of at most the picture's width, those after the first indented.
func (p *Picture) text(role Role, text string, indent int) []string {
	cells := min(p.layout.Width-2, measure) - indent
	lines := Wrap(p.style.Text(text), cells)
	for i, line := range lines {
		lines[i] = p.style.Paint(role, strings.TrimRight(line, " "))
		if i > 0 {
			lines[i] = spaces(indent) + lines[i]
		}
	}
	return lines
}

// Wrap breaks cleaned text into lines of so many cells: at spaces, and within words only where one is
// longer than a line. A hyphen is no place to break, for names are written with it.
func Wrap(text string, cells int) []string {
	const unbroken = "\u2011" // a hyphen at which nothing breaks
	if strings.Contains(text, unbroken) {
		return strings.Split(ansi.Wrap(text, cells, ""), "\n")
	}
	lines := ansi.Wrap(strings.ReplaceAll(text, "-", unbroken), cells, "")
	return strings.Split(strings.ReplaceAll(lines, unbroken, "-"), "\n")
}

// footer is what to watch for, whether it was seen, and the notes.
func (pg Page) footer(p *Picture) []string {
	var out []string
	if watch := strings.Join(paragraphs(pg.Watch), " "); watch != "" {
		out = append(out, pg.watch(p, watch)...)
	}
	for _, note := range pg.Notes {
		out = append(out, p.text(Faint, note, 2)...)
	}
	return out
}

// watch is the line that says what to look for, with its mark.
func (pg Page) watch(p *Picture, text string) []string {
	const label = "watch: "
	lines := p.text(Plain, text, len(label))
	lines[0] = label + lines[0]
	mark := pg.mark(p)
	if mark == "" {
		return lines
	}
	if last := lines[len(lines)-1]; width(last)+gap+width(mark) < p.layout.Width {
		lines[len(lines)-1] = last + spaces(gap) + mark
		return lines
	}
	return append(lines, spaces(len(label))+mark)
}

func (pg Page) mark(p *Picture) string {
	switch pg.Seen {
	case Seen:
		return p.style.Paint(Good, strings.TrimSpace(p.style.glyphs.seen)+" seen")
	case NotSeen:
		return p.style.Paint(Bad, strings.TrimSpace(p.style.glyphs.unseen)+" not seen")
	}
	return ""
}
