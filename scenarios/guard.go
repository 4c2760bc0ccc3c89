package scenarios

import (
	"strings"

	"github.com/goccy/go-yaml/token"
)

const (
	// maxDepth is how deep lists and maps may be nested. The format needs seven; the YAML parser
	// recurses, and takes the square of the depth.
	maxDepth = 32

	// maxKeys is how many keys a map may have. The parser recurses from key to key.
	maxKeys = 500
)

// guard looks through the tokens of a file, before the parser does, for what would cost it too
// much and for what scenarios do without.
type guard struct {
	doc    *document
	tokens token.Tokens
	open   []level
	said   map[token.Type]bool // each kind of refusal is made once
}

// level is a list or map that is open.
type level struct {
	flow   token.Type // MappingStart or SequenceStart; 0 in block style
	column int        // in block style: of its keys or dashes
	keys   int
	colon  bool // in a flow map: the entry has its colon
}

// judge reports whether the parser may be let loose on the tokens.
func (g *guard) judge() bool {
	g.said = map[token.Type]bool{}
	if tk := g.tokens.InvalidToken(); tk != nil {
		g.invalid(tk)
		return false
	}
	for i, tk := range g.tokens {
		if !g.step(i, tk) {
			break
		}
	}
	return len(g.doc.mistakes) == 0
}

func (g *guard) invalid(tk *token.Token) {
	message := tk.Error
	switch {
	case strings.Contains(message, "header option"):
		message = `a text that begins with > or | needs quotes, and so does a comparison: ">= 3"`
	case strings.Contains(message, "\t"):
		message = "a tab stands where only spaces can indent"
	}
	g.fail(tk, "not well-formed YAML: %s", visible(message))
}

func (g *guard) fail(tk *token.Token, format string, args ...any) {
	g.doc.failAt(g.doc.place(tk), format, args...)
}

// step judges one token; false ends it.
func (g *guard) step(i int, tk *token.Token) bool {
	switch tk.Type {
	case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.DirectiveType, token.MappingKeyType:
		if !g.said[tk.Type] {
			g.said[tk.Type] = true
			g.fail(tk, "%s", refusal(tk.Type))
		}
	case token.DocumentHeaderType:
		if g.before(i) != nil {
			g.fail(tk, "a second document begins here; a file holds one scenario")
			return false
		}
	case token.MappingStartType, token.SequenceStartType:
		return g.push(tk, level{flow: tk.Type})
	case token.MappingEndType, token.SequenceEndType:
		return g.close(i)
	case token.CollectEntryType:
		return g.endEntry(i)
	case token.SequenceEntryType:
		return g.dash(i, tk)
	case token.MappingValueType:
		return g.colon(i, tk)
	}
	return true
}

// refusal says why a kind of token is not accepted.
func refusal(t token.Type) string {
	switch t {
	case token.AnchorType, token.AliasType, token.MergeKeyType:
		return "YAML anchors (&), aliases (*) and merge keys (<<) are not read here; write the value out"
	case token.TagType:
		return "YAML tags (!) are not read here; put a text that begins with one in quotes"
	case token.DirectiveType:
		return "YAML directives (%) are not read here"
	default:
		return `keys with "? " are not read here; write key: value`
	}
}

// push opens a list or map.
func (g *guard) push(tk *token.Token, l level) bool {
	if len(g.open) >= maxDepth {
		g.fail(tk, "nested more than %d deep", maxDepth)
		return false
	}
	g.open = append(g.open, l)
	return true
}

func (g *guard) top() *level {
	if len(g.open) == 0 {
		return nil
	}
	return &g.open[len(g.open)-1]
}

func (g *guard) inFlow() bool { return len(g.open) > 0 && g.top().flow != 0 }

// block makes the block list or map at this column the innermost open one.
func (g *guard) block(tk *token.Token, column int) bool {
	for len(g.open) > 0 && g.top().column > column {
		g.open = g.open[:len(g.open)-1]
	}
	if len(g.open) > 0 && g.top().column == column {
		return true
	}
	return g.push(tk, level{column: column})
}

func (g *guard) close(i int) bool {
	ok := g.endEntry(i)
	if g.inFlow() {
		g.open = g.open[:len(g.open)-1]
	}
	return ok
}

// endEntry checks that an entry of a flow map that ends here has a colon: {a} would be {a: null}.
func (g *guard) endEntry(i int) bool {
	l := g.top()
	if l == nil || l.flow == 0 {
		return true
	}
	had := l.colon
	l.colon = false
	prev := g.before(i)
	if had || l.flow == token.SequenceStartType || prev == nil || prev.Type == token.MappingStartType || prev.Type == token.CollectEntryType {
		return true
	}
	g.fail(prev, "%s has no value; write key: value", quoted(prev.Value))
	return true
}

// dash handles the dash of a block list.
func (g *guard) dash(i int, tk *token.Token) bool {
	if g.inFlow() {
		g.fail(tk, "a dash inside brackets; entries there are separated by commas")
		return false
	}
	if !g.block(tk, tk.Position.Column) {
		return false
	}
	next := g.after(i)
	if next == nil || ends(next) || next.Position.Line > tk.Position.Line && next.Position.Column <= tk.Position.Column {
		g.fail(tk, "an empty entry; write a value behind the dash, or take it out")
	}
	return true
}

// colon handles the colon behind a key.
func (g *guard) colon(i int, tk *token.Token) bool {
	key := g.before(i)
	if key == nil {
		return true // the parser will say
	}
	if !g.inFlow() && !g.block(key, key.Position.Column) {
		return false
	}
	l := g.top()
	if l.flow != 0 && l.colon {
		g.fail(tk, "a second colon in one entry; separate entries by commas, and put a text with \": \" in quotes")
		return false
	}
	l.colon = true
	if l.keys++; l.keys > maxKeys {
		g.fail(key, "more than %d keys in one map", maxKeys)
		return false
	}
	if g.valueMissing(i, key, tk) {
		g.fail(key, "%s has no value; write one, or leave the key out", quoted(key.Value))
	}
	return true
}

// valueMissing reports whether nothing follows a key: null, to YAML.
func (g *guard) valueMissing(i int, key, colon *token.Token) bool {
	next := g.after(i)
	switch {
	case next == nil || ends(next):
		return true
	case g.inFlow():
		return next.Type == token.CollectEntryType || next.Type == token.MappingEndType || next.Type == token.SequenceEndType
	case next.Position.Line == colon.Position.Line:
		return false
	case next.Type == token.SequenceEntryType:
		return next.Position.Column < key.Position.Column
	}
	return next.Position.Column <= key.Position.Column
}

func ends(tk *token.Token) bool {
	return tk.Type == token.DocumentEndType || tk.Type == token.DocumentHeaderType
}

// before is the token before number i, comments aside; after is the one after it.
func (g *guard) before(i int) *token.Token {
	for i--; i >= 0; i-- {
		if g.tokens[i].Type != token.CommentType {
			return g.tokens[i]
		}
	}
	return nil
}

func (g *guard) after(i int) *token.Token {
	for i++; i < len(g.tokens); i++ {
		if g.tokens[i].Type != token.CommentType {
			return g.tokens[i]
		}
	}
	return nil
}
