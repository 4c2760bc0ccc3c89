package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"github.com/b6db88e4/ratesim/algorithms"
)

// decoder binds the nodes of a file to a Scenario, following the tags of its fields, and notes
// every mistake on the way.
type decoder struct {
	*document
	fields map[reflect.Type][]field
}

// bound is a type that reads itself, where its form in the file is not that of its fields.
type bound interface {
	bind(d *decoder, n ast.Node, path string)
}

// field is what the tags of a struct's field say.
type field struct {
	index     int
	key       string
	zero      bool // a length of time or a rate may be zero
	required  bool
	low, high int64 // of a whole number
	longest   int   // of a text, in characters; 0 for any length
	choices   []string
}

// fieldsOf are the fields of a struct that stand in the file under a key of their own.
func (d *decoder) fieldsOf(t reflect.Type) []field {
	if fields, ok := d.fields[t]; ok {
		return fields
	}
	var fields []field
	for i := range t.NumField() {
		if tag := t.Field(i).Tag; tag.Get("yaml") != "" && tag.Get("yaml") != "-" {
			fields = append(fields, newField(i, tag))
		}
	}
	d.fields[t] = fields
	return fields
}

func newField(index int, tag reflect.StructTag) field {
	f := field{index: index, key: tag.Get("yaml"), zero: tag.Get("zero") != ""}
	for part := range strings.SplitSeq(tag.Get("jsonschema"), ",") {
		name, value, _ := strings.Cut(part, "=")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "required":
			f.required = true
		case "minimum":
			f.low = n
		case "maximum":
			f.high = n
		case "maxLength":
			f.longest = int(n)
		case "enum":
			f.choices = append(f.choices, value)
		}
	}
	return f
}

func keysOf(fields []field) []string {
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	return keys
}

// value binds a node to a value of any type that a Scenario holds.
func (d *decoder) value(n ast.Node, path string, v reflect.Value, f field) {
	d.spans[path] = d.nodeSpan(n)
	if b, ok := v.Addr().Interface().(bound); ok {
		b.bind(d, n, path)
		return
	}
	switch target := v.Addr().Interface().(type) {
	case *algorithms.Limit:
		d.rate(n, path, target, f)
	case *time.Duration:
		d.length(n, path, target, f)
	case **time.Time:
		d.instant(n, path, target)
	case **uint64:
		d.seed(n, path, target)
	case *Milli:
		d.milli(n, path, target)
	case *string:
		d.text(n, path, target, f)
	case *int64:
		d.whole(n, path, target, f)
	case *bool:
		d.flag(n, path, target)
	case *[]Expectation:
		d.expect(n, path, target)
	default:
		d.compound(n, path, v, f)
	}
}

// compound binds what has values within.
func (d *decoder) compound(n ast.Node, path string, v reflect.Value, f field) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, path, v.Elem(), f)
	case reflect.Slice:
		d.list(n, path, v, f)
	default:
		d.record(n, path, v, nil)
	}
}

// nodeSpan is where a node begins, and how much of its first line it covers.
func (d *document) nodeSpan(n ast.Node) span {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		return d.place(m.Values[0].Key.GetToken())
	}
	return d.place(n.GetToken())
}

// record binds a map to a struct. An entry that the struct has no field for goes to extra, if there
// is one, which says whether it takes it.
func (d *decoder) record(n ast.Node, path string, v reflect.Value, extra func(entry) bool) {
	fields := d.fieldsOf(v.Type())
	entries, ok := d.entries(n, path, keysOf(fields))
	if !ok {
		return
	}
	for _, e := range entries {
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == e.key })
		switch {
		case i >= 0:
			d.value(e.value, join(path, e.key), v.Field(fields[i].index), fields[i])
		case extra == nil || !extra(e):
			d.unknownKey(e, path, "", keysOf(fields))
		}
	}
	for _, f := range fields {
		if f.required && !d.has(join(path, f.key)) && !d.bad[join(path, f.key)] {
			d.missing(path, f.key)
		}
	}
}

// unknownKey notes a key that is none of those that belong to the map at path. What was meant is not
// reported as missing then.
func (d *decoder) unknownKey(e entry, path, where string, keys []string) {
	if meant := closest(e.key, keys); meant != "" {
		d.spoil(join(path, meant))
	}
	d.failAt(e.span, "unknown key %s%s%s; keys here: %s", quoted(e.key), where, suggestion(e.key, keys), strings.Join(keys, ", "))
}

// missing notes that a required key is not there.
func (d *document) missing(path, key string) {
	d.spoil(join(path, key))
	d.failAt(d.span(path), "%q is missing%s", key, in(path))
}

// in says where a path is, for a message: " in traffic[0]".
func in(path string) string {
	if path == "" {
		return ""
	}
	return " in " + path
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// entry is a key of a map with its value.
type entry struct {
	key   string
	span  span // of the key
	value ast.Node
}

// entries are the entries of a map, each key once. The keys are for the message if it is no map.
func (d *decoder) entries(n ast.Node, path string, keys []string) ([]entry, bool) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		d.fail(path, "%s must be a map with the keys %s", subject(path, n), strings.Join(keys, ", "))
		return nil, false
	}
	var entries []entry
	first := map[string]int{}
	for _, mv := range m.Values {
		tk := mv.Key.GetToken()
		e := entry{tk.Value, d.place(tk), mv.Value}
		if line, again := first[e.key]; again {
			d.failAt(e.span, "key %s stands here twice; it is on line %d already", quoted(e.key), line)
			continue
		}
		first[e.key] = e.span.line
		entries = append(entries, e)
	}
	return entries, true
}

// subject names a value in a message: its key, and the text if it is a scalar.
func subject(path string, n ast.Node) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	if name == "" {
		name = "the file"
	}
	if text, ok := scalar(n); ok {
		return name + " " + quoted(text)
	}
	return name
}

// list binds a list.
func (d *decoder) list(n ast.Node, path string, v reflect.Value, f field) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fail(path, "%s must be a list", subject(path, n))
		return
	}
	if len(s.Values) == 0 {
		d.fail(path, "%s is empty; give it an entry, or leave the key out", subject(path, n))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values)))
	for i, node := range s.Values {
		d.value(node, index(path, i), v.Index(i), f)
	}
}

// scalar is the text of a value that is no list and no map, as it is written.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// scalar notes a mistake unless the node is one; what says what it should be.
func (d *decoder) scalar(n ast.Node, path, what string) (string, bool) {
	text, ok := scalar(n)
	if _, null := n.(*ast.NullNode); null {
		d.fail(path, "%s has no value; write %s, or leave the key out", subject(path, n), what)
	} else if !ok {
		d.fail(path, "%s must be %s, not a list or map", subject(path, n), what)
	}
	return text, ok
}

// refuse notes that a scalar is not as it should be.
func (d *decoder) refuse(n ast.Node, path, reason string) {
	d.fail(path, "%s: %s", subject(path, n), reason)
}

func (d *decoder) text(n ast.Node, path string, target *string, f field) {
	text, ok := d.scalar(n, path, "a text")
	if !ok {
		return
	}
	if _, block := n.(*ast.LiteralNode); block {
		text = strings.TrimRight(text, " \t\n")
	}
	switch {
	case len(f.choices) > 0 && !slices.Contains(f.choices, text):
		d.refuse(n, path, "must be "+strings.Join(f.choices, " or ")+suggestion(text, f.choices))
	case f.longest > 0 && utf8.RuneCountInString(text) > f.longest:
		d.refuse(n, path, fmt.Sprintf("is longer than %d characters", f.longest))
	}
	*target = text
}

func (d *decoder) rate(n ast.Node, path string, target *algorithms.Limit, f field) {
	text, ok := d.scalar(n, path, "a rate such as 100/m")
	if !ok {
		return
	}
	l, reason := parseRate(text)
	if reason == "" && l.N == 0 && !f.zero {
		reason = zeroRate
	}
	if reason != "" {
		d.refuse(n, path, reason)
		return
	}
	*target = l
}

func (d *decoder) length(n ast.Node, path string, target *time.Duration, f field) {
	text, ok := d.scalar(n, path, "a length of time such as 30s")
	if !ok {
		return
	}
	length, reason := parseDuration(text)
	if reason == "" && length == 0 && !f.zero {
		reason = "must be longer than zero; the shortest is 1ns"
	}
	if reason != "" {
		d.refuse(n, path, reason)
		return
	}
	*target = length
}

func (d *decoder) instant(n ast.Node, path string, target **time.Time) {
	text, ok := d.scalar(n, path, "a date or an instant such as 2024-02-29T12:00:00Z")
	if !ok {
		return
	}
	ns, reason := parseStamp(text)
	if reason == farStamp || reason == "" && (ns < 0 || ns > lastStart) {
		reason = "is out of range; it may be from 1970-01-01 to 2199-12-31"
	}
	if reason != "" {
		d.refuse(n, path, reason)
		return
	}
	t := time.Unix(0, ns).UTC()
	*target = &t
}

func (d *decoder) seed(n ast.Node, path string, target **uint64) {
	text, ok := d.scalar(n, path, "a whole number")
	if !ok {
		return
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		d.refuse(n, path, "must be a whole number from 0 to 18446744073709551615")
		return
	}
	*target = &seed
}

func (d *decoder) whole(n ast.Node, path string, target *int64, f field) {
	text, ok := d.scalar(n, path, "a whole number")
	if !ok {
		return
	}
	number, reason := parseDecimal(text)
	if reason != "" || number.Scale > 0 || number.Digits < f.low || number.Digits > f.high {
		d.refuse(n, path, wholeRange(f))
		return
	}
	*target = number.Digits
}

func (d *decoder) flag(n ast.Node, path string, target *bool) {
	text, ok := d.scalar(n, path, "true or false")
	if ok && text != "true" && text != "false" {
		d.refuse(n, path, "must be true or false")
	}
	*target = text == "true"
}

func wholeRange(f field) string {
	if f.low == f.high {
		return fmt.Sprintf("must be %d", f.low)
	}
	return fmt.Sprintf("must be a whole number from %d to %d, in plain digits", f.low, f.high)
}

func (d *decoder) milli(n ast.Node, path string, target *Milli) {
	text, ok := d.scalar(n, path, "a number such as 1.1")
	if !ok {
		return
	}
	number, reason := parseDecimal(text)
	if reason == "" && number.Scale > 3 {
		reason = "has more than three digits behind the point"
	}
	thousandths, _, fits := number.times(1000)
	if reason == "" && !fits {
		reason = "is out of range"
	}
	if reason != "" {
		d.refuse(n, path, reason)
		return
	}
	*target = Milli(thousandths)
}
