package scenarios

import (
	"errors"

	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// parse reads the text as one YAML document. The tokens are judged first, since the parser takes
// the square of the time, or the whole stack, for what a scenario never holds.
func (d *document) parse(text string) ast.Node {
	tokens := lexer.Tokenize(text)
	g := &guard{doc: d, tokens: tokens}
	if !g.judge() {
		return nil
	}
	file, err := parseTokens(tokens)
	if err != nil {
		d.syntaxError(err)
		return nil
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			if _, isComment := doc.Body.(*ast.CommentGroupNode); !isComment {
				return doc.Body
			}
		}
	}
	d.fail("", "is empty; a scenario has at least a limit and traffic (ratesim show burst prints one)")
	return nil
}

// parseTokens calls the parser, which panics on some malformed input.
func parseTokens(tokens token.Tokens) (file *ast.File, err error) {
	defer func() {
		if p := recover(); p != nil {
			file, err = nil, errors.New("is not well-formed YAML")
		}
	}()
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// syntaxError turns an error of the YAML parser into a mistake.
func (d *document) syntaxError(err error) {
	var syntax *yaml.SyntaxError
	if !errors.As(err, &syntax) || syntax.Token == nil {
		d.fail("", "%s", visible(err.Error()))
		return
	}
	message := syntax.Message
	if strings.HasPrefix(message, "mapping value is not allowed") {
		message += `; put a text with ": " in it in quotes`
	}
	d.failAt(d.place(syntax.Token), "not well-formed YAML: %s", visible(message))
}

// place is where a token stands. The scanner's columns are off by some characters behind quotes
// and spaces now and then, so the text itself is looked for around there.
func (d *document) place(tk *token.Token) span {
	const around = 80 // bytes on each side
	s := span{line: min(max(1, tk.Position.Line), len(d.lines)), column: max(1, tk.Position.Column)}
	text, _, _ := strings.Cut(strings.TrimSpace(tk.Origin), "\n")
	s.width = max(1, utf8.RuneCountInString(text))
	line := d.lines[s.line-1]
	at := d.offset(s.line, s.column)
	if text == "" || strings.HasPrefix(line[at:], text) {
		return s
	}
	from, to := max(0, at-around), min(len(line), at+around+len(text))
	before := strings.LastIndex(line[from:min(at+len(text), to)], text)
	after := strings.Index(line[at:to], text)
	switch {
	case before >= 0 && (after < 0 || at-from-before <= after):
		s.column -= utf8.RuneCountInString(line[from+before : at])
	case after >= 0:
		s.column += utf8.RuneCountInString(line[at : at+after])
	}
	return s
}

// offset is the byte offset of a column, in characters from 1, in a line. It goes on from the
// column asked for before, or back from it, so that going along a long line costs no more than its
// length, also where each entry is looked at twice.
func (d *document) offset(line, column int) int {
	c := &d.cursor
	if c.line != line {
		*c = cursor{line: line, column: 1}
	}
	text := d.lines[line-1]
	for c.column > column {
		_, size := utf8.DecodeLastRuneInString(text[:c.offset])
		c.offset -= size
		c.column--
	}
	for c.column < column && c.offset < len(text) {
		_, size := utf8.DecodeRuneInString(text[c.offset:])
		c.offset += size
		c.column++
	}
	return c.offset
}
