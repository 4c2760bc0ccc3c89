package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Marshal writes a scenario as a file, the same bytes for equal scenarios. Keys that hold nothing
// are left out, and loading the result gives an equal scenario.
func Marshal(s *Scenario) ([]byte, error) {
	if s == nil {
		return nil, errors.New("no scenario to write")
	}
	var b bytes.Buffer
	b.WriteString("# yaml-language-server: $schema=./ratesim.schema.json\n")
	record(reflect.ValueOf(s).Elem()).block(&b, 0)
	return b.Bytes(), nil
}

// yamlNode is a value on its way into a file: a scalar that is ready to be written, or else a list
// or map.
type yamlNode struct {
	scalar string
	lines  []string // of a text in literal style
	list   []*yamlNode
	keys   []string // of a map
	values []*yamlNode
}

// written is a type whose form in a file is not that of its fields.
type written interface{ yaml() *yamlNode }

// flowWidth is the width up to which lists and maps are written on one line.
const flowWidth = 88

// node makes a node of a value, nil of one that holds nothing.
func node(v reflect.Value) *yamlNode {
	if v.IsZero() {
		return nil
	}
	if w, ok := v.Interface().(written); ok {
		return w.yaml()
	}
	switch x := v.Interface().(type) {
	case algorithms.Limit:
		return plain(FormatRate(x))
	case time.Duration:
		return plain(FormatDuration(x))
	case time.Time:
		return plain(x.UTC().Format(time.RFC3339Nano))
	case Milli:
		return plain(x.String())
	case string:
		return text(x)
	case int64, uint64, bool:
		return plain(fmt.Sprint(x))
	case []Expectation:
		return expectations(x)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return element(v.Elem())
	case reflect.Slice:
		n := &yamlNode{}
		for i := range v.Len() {
			n.list = append(n.list, element(v.Index(i)))
		}
		return n
	}
	return record(v)
}

// element makes a node of a value that is there even if it is zero: what a pointer points to, or an
// entry of a list.
func element(v reflect.Value) *yamlNode {
	if n := node(v); n != nil {
		return n
	}
	switch v.Kind() {
	case reflect.Struct:
		return record(v)
	case reflect.Slice:
		return plain("[]")
	case reflect.String:
		return plain(`""`)
	}
	if _, ok := v.Interface().(time.Duration); ok {
		return plain("0s")
	}
	return plain("0")
}

// record makes a map of a struct.
func record(v reflect.Value) *yamlNode {
	n := &yamlNode{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key := f.Tag.Get("yaml")
		if key == "" || key == "-" {
			continue
		}
		value := node(v.Field(i))
		if value == nil && strings.Contains(f.Tag.Get("jsonschema"), "required") {
			value = element(v.Field(i))
		}
		n.put(key, value)
	}
	return n
}

// put adds an entry to a map, unless it is nil.
func (n *yamlNode) put(key string, value *yamlNode) {
	if value != nil {
		n.keys = append(n.keys, key)
		n.values = append(n.values, value)
	}
}

func plain(text string) *yamlNode { return &yamlNode{scalar: text} }

// yaml writes the options of a limiter beside its other keys.
func (l Limiter) yaml() *yamlNode {
	return withOptions(record(reflect.ValueOf(l)), l.Algorithm, l.Options)
}

func (a Arrivals) yaml() *yamlNode {
	if a.Poisson {
		return plain("poisson")
	}
	return record(reflect.ValueOf(a))
}

func (r Requests) yaml() *yamlNode {
	if r.Trace != nil {
		return node(reflect.ValueOf(r.Trace))
	}
	return node(reflect.ValueOf(r.Instants))
}

func expectations(all []Expectation) *yamlNode {
	n := &yamlNode{}
	for _, x := range all {
		measures := &yamlNode{}
		for _, e := range x.Measures {
			m, _ := LookupMeasure(e.Measure)
			want := e.Want.Format(m.Kind)
			if e.Want.Op != "=" {
				want = strconv.Quote(want)
			}
			measures.put(e.Measure, plain(want))
		}
		n.put(scalarText(x.Limiter), measures)
	}
	return n
}

// text makes a scalar of a text: plain where that is safe beyond doubt, literal where it has
// several lines, and otherwise quoted.
func text(s string) *yamlNode {
	lines := strings.Split(s, "\n")
	gap := strings.Contains(s, strings.Repeat("\n", maxBlankLines))
	if len(lines) == 1 || gap || lines[0] == "" || lines[len(lines)-1] == "" || slices.ContainsFunc(lines, notLiteral) {
		return plain(scalarText(s))
	}
	return &yamlNode{lines: lines}
}

// notLiteral reports whether a line of a text cannot stand in a literal block as it is.
func notLiteral(line string) bool {
	return strings.TrimSpace(line) != line || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(line)
}

// scalarText is a text as a plain scalar if it begins with a letter or a slash, has nothing in it that YAML
// gives a meaning, and is no word that YAML takes for something else.
func scalarText(s string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" -_./", r)
	}
	odd := strings.ContainsFunc(s, func(r rune) bool { return !safe(r) })
	if s == "" || odd || !unicode.IsLetter(rune(s[0])) && s[0] != '/' || strings.HasSuffix(s, " ") || strings.Contains(s, " -") || isWord(s) {
		return doubleQuoted(s)
	}
	return s
}

// isWord recognises the words of YAML 1.1 and 1.2 that are not texts.
func isWord(s string) bool {
	return slices.Contains([]string{"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"}, strings.ToLower(s))
}

// doubleQuoted is a text in double quotes, with escapes for what is not printable.
func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// flow writes the node on one line; ok is false if that cannot be or is wider than flowWidth.
func (n *yamlNode) flow(width int) (line string, ok bool) {
	var parts []string
	switch {
	case n.scalar != "":
		return n.scalar, len(n.scalar) <= width
	case n.lines != nil:
		return "", false
	case n.list != nil:
		for _, x := range n.list {
			part, ok := x.flow(width)
			if width -= len(part) + 2; !ok || width < 0 {
				return "", false
			}
			parts = append(parts, part)
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	}
	for i, x := range n.values {
		part, ok := x.flow(width)
		if width -= len(n.keys[i]) + len(part) + 4; !ok || width < 0 {
			return "", false
		}
		parts = append(parts, n.keys[i]+": "+part)
	}
	return "{" + strings.Join(parts, ", ") + "}", true
}

// block writes a list or map over several lines, indented by so many spaces. The first line is not
// indented: something stands before it.
func (n *yamlNode) block(b *bytes.Buffer, indent int) {
	separate := func(i int) {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", indent))
		}
	}
	for i, x := range n.list {
		separate(i)
		b.WriteString("- ")
		if line, ok := x.flow(flowWidth - indent); ok && !x.nested() {
			b.WriteString(line + "\n")
			continue
		}
		x.block(b, indent+2)
	}
	for i, x := range n.values {
		separate(i)
		b.WriteString(n.keys[i] + ":")
		x.after(b, indent)
	}
}

// nested reports whether a map has a list of maps within, and is easier to read over lines.
func (n *yamlNode) nested() bool {
	return slices.ContainsFunc(n.values, func(x *yamlNode) bool { return len(x.list) > 0 && x.list[0].values != nil })
}

// after writes the value of a key.
func (n *yamlNode) after(b *bytes.Buffer, indent int) {
	below := indent + 2
	switch {
	case n.scalar != "":
		b.WriteString(" " + n.scalar + "\n")
		return
	case n.lines != nil:
		b.WriteString(" |\n")
		for _, line := range n.lines {
			b.WriteString(strings.TrimRight(strings.Repeat(" ", below)+line, " ") + "\n")
		}
		return
	}
	top := indent == 0 && (len(n.values) > 0 || len(n.list) > 0 && n.list[0].values != nil)
	if line, ok := n.flow(flowWidth - indent); ok && !top {
		b.WriteString(" " + line + "\n")
		return
	}
	b.WriteString("\n" + strings.Repeat(" ", below))
	n.block(b, below)
}
