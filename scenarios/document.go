package scenarios

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// What is read is bounded, so that a hostile file costs a message and not a machine.
const (
	maxSize       = 1 << 20 // bytes of a scenario file
	maxBlankLines = 100     // in a row; the YAML scanner takes the square of it
	maxTabs       = 1000    // in one line; likewise
	maxBrackets   = 1000    // open at once, closing or not; each takes the scanner much memory
	maxShown      = 20      // mistakes that an error spells out
	maxKept       = 1000    // mistakes that are told apart; those beyond are counted
	shownColumns  = 100     // of an offending line
)

// Mistake is one thing wrong with a scenario file.
type Mistake struct {
	Line, Column int    // from 1, the column in characters; 0 when it concerns the file as a whole
	Message      string // what is wrong, with the offending text and the good values
	width        int    // characters that the mistake covers
}

// FileError is everything wrong with one scenario file.
type FileError struct {
	File     string    // as the user named it
	Mistakes []Mistake // in the order of the lines

	more  int // mistakes beyond those
	lines []string
}

// Error lists the mistakes as file:line:column: message, each with its line and a mark under the
// offending text. It is safe to print on a terminal.
func (e *FileError) Error() string {
	var b strings.Builder
	for i, m := range e.Mistakes[:min(maxShown, len(e.Mistakes))] {
		if i > 0 {
			b.WriteByte('\n')
		}
		e.write(&b, m)
	}
	if more := len(e.Mistakes) - maxShown + e.more; more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

func (e *FileError) write(b *strings.Builder, m Mistake) {
	b.WriteString(visible(e.File))
	if m.Line == 0 {
		b.WriteString(": " + m.Message)
		return
	}
	fmt.Fprintf(b, ":%d:%d: %s", m.Line, m.Column, m.Message)
	if m.Line > len(e.lines) {
		return
	}
	before, marked, after := frame(e.lines[m.Line-1], m.Column-1, m.width)
	number := strconv.Itoa(m.Line)
	fmt.Fprintf(b, "\n  %s | %s%s%s\n  %*s | %*s%s", number, before, marked, after,
		len(number), "", uniseg.StringWidth(before), "", strings.Repeat("^", max(1, uniseg.StringWidth(marked))))
}

// frame cuts the part of a line that is worth showing, about shownColumns wide, into what stands
// before the mistake, the mistake and what follows.
func frame(line string, at, width int) (before, marked, after string) {
	var cells []string // the characters, or bytes that are none
	for rest := line; rest != ""; {
		_, size := utf8.DecodeRuneInString(rest)
		cells, rest = append(cells, visible(rest[:size])), rest[size:]
	}
	at = min(at, len(cells))
	end := min(at+min(width, shownColumns/2), len(cells))
	from, to := 0, len(cells)
	if to > shownColumns {
		from = max(0, min(at-shownColumns/3, to-shownColumns))
		to = min(to, max(end, from+shownColumns))
	}
	before, marked, after = strings.Join(cells[from:at], ""), strings.Join(cells[at:end], ""), strings.Join(cells[end:to], "")
	if from > 0 {
		before = "…" + before
	}
	if to < len(cells) {
		after += "…"
	}
	return before, marked, after
}

// span is where a value stands in a file.
type span struct{ line, column, width int }

// document is a scenario file under the lens: its lines, where each value stands, and what is
// wrong with it so far.
type document struct {
	file     string
	lines    []string
	spans    map[string]span // by path, such as traffic[0].phases[1].at
	bad      map[string]bool // paths at or below which a mistake has been found
	mistakes []Mistake
	more     int // mistakes beyond maxKept
	cursor   cursor
}

// cursor is a place in a line, for going along it.
type cursor struct{ line, column, offset int }

func newDocument(file string) *document {
	return &document{file: file, spans: map[string]span{}, bad: map[string]bool{}}
}

// err is the mistakes found so far, if any.
func (d *document) err() error {
	if len(d.mistakes) == 0 {
		return nil
	}
	slices.SortStableFunc(d.mistakes, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return &FileError{File: d.file, Mistakes: d.mistakes, more: d.more, lines: d.lines}
}

// failAt notes a mistake at a place.
func (d *document) failAt(s span, format string, args ...any) {
	if len(d.mistakes) == maxKept {
		d.more++
		return
	}
	d.mistakes = append(d.mistakes, Mistake{Line: s.line, Column: s.column, width: s.width, Message: fmt.Sprintf(format, args...)})
}

// fail notes a mistake at a path, or at the nearest path above it that stands in the file.
func (d *document) fail(path, format string, args ...any) {
	d.spoil(path)
	d.failAt(d.span(path), format, args...)
}

// spoil marks a path and all above it as bad, so that nothing is concluded from what was not read.
func (d *document) spoil(path string) {
	if path == "" {
		d.bad[wholeFile] = true
	}
	for ; path != "" && !d.bad[path]; path = above(path) {
		d.bad[path] = true
	}
}

// wholeFile stands for the path of the file itself.
const wholeFile = "$"

// above is the path of the map or list that a path is in.
func above(path string) string { return path[:max(0, strings.LastIndexAny(path, ".["))] }

func (d *document) span(path string) span {
	for {
		if s, ok := d.spans[path]; ok || path == "" {
			return s
		}
		path = above(path)
	}
}

// has reports whether the file has a value at the path, good or bad.
func (d *document) has(path string) bool {
	_, ok := d.spans[path]
	return ok
}

// read takes the bytes of a file in: as text with plain line ends, or with a mistake if they
// are not a text worth parsing.
func (d *document) read(data []byte) (text string, ok bool) {
	if len(data) > maxSize {
		d.fail("", "is larger than 1 MiB, the most that a scenario may be; long lists of requests belong into a CSV file (requests: {file: …})")
		return "", false
	}
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		d.fail("", "is written in UTF-16; save it as UTF-8")
		return "", false
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	text = string(data)
	d.lines = strings.Split(text, "\n")
	blank, brackets := 0, 0
	for i, line := range d.lines {
		brackets += strings.Count(line, "[") + strings.Count(line, "{") - strings.Count(line, "]") - strings.Count(line, "}")
		if brackets = max(0, brackets); brackets > maxBrackets {
			d.failAt(span{i + 1, 1, 0}, "nested more than %d deep", maxDepth)
			return "", false
		}
		if strings.TrimSpace(line) != "" {
			blank = 0
		} else if blank++; blank > maxBlankLines {
			d.failAt(span{i + 1, 1, 0}, "more than %d blank lines in a row", maxBlankLines)
			return "", false
		}
		if at, reason := badCharacter(line); reason != "" {
			d.failAt(span{i + 1, at + 1, 1}, "%s", reason)
			return "", false
		}
	}
	return text, true
}

// badCharacter finds what has no place in a line of text. Only the first is reported: a file that
// has one is likely no text at all.
func badCharacter(line string) (column int, reason string) {
	tabs := 0
	for i, r := range line {
		switch {
		case r == utf8.RuneError && !utf8.ValidString(line[i:min(len(line), i+3)]):
			return column, fmt.Sprintf(`byte \x%02x is not UTF-8; is this a text file?`, line[i])
		case r == '\t':
			if tabs++; tabs > maxTabs {
				return column, fmt.Sprintf("more than %d tabs in one line", maxTabs)
			}
		case unicode.IsControl(r), r == '\uFEFF', r == '\uFFFE', r == '\uFFFF':
			return column, fmt.Sprintf(`character \x%02x has no place in a text file`, r)
		}
		column++
	}
	return 0, ""
}
