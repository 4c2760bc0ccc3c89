package accesslog

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// maxDepth bounds how deeply objects and arrays may nest.
const maxDepth = 32

// jsonKey says what to do with one key of an object: keep its value, or look into it. Of an array
// the first scalar is kept, as of "X-Forwarded-For":["1.2.3.4"].
type jsonKey struct {
	name string
	slot slot
	in   []jsonKey
}

// jsonParser parses lines of one JSON object each: the values of keys go to their slots, and finish
// makes a request of them.
func jsonParser(keys []jsonKey, finish func(*Entry) error) func([]byte, *Entry) error {
	return func(line []byte, e *Entry) error {
		e.resetValues()
		if err := e.scanJSON(line, keys); err != nil {
			return emptyOr(line, err)
		}
		return finish(e)
	}
}

// scanJSON reads one JSON object, strictly, and puts the values of keys into their slots. A key
// that comes twice has its last value. Bytes above 0x7f are taken as they are.
func (e *Entry) scanJSON(b []byte, keys []jsonKey) error {
	i := blank(b, 0)
	if i == len(b) || b[i] != '{' {
		return errJSON
	}
	i, err := e.object(b, i+1, keys, 1)
	if err != 0 {
		return err
	}
	if blank(b, i) != len(b) {
		return errJSONTail
	}
	return nil
}

// object reads from behind the opening brace and returns the index behind the closing one.
func (e *Entry) object(b []byte, i int, keys []jsonKey, depth int) (int, why) {
	if depth > maxDepth {
		return i, errJSONDepth
	}
	if i = blank(b, i); i < len(b) && b[i] == '}' {
		return i + 1, 0
	}
	for {
		start := blank(b, i) + 1
		if start > len(b) || b[start-1] != '"' {
			return start, errJSONKey
		}
		end, _, err := str(b, start)
		if err != 0 {
			return end, err
		}
		if i = blank(b, end); i == len(b) || b[i] != ':' {
			return i, errJSONColon
		}
		key := find(keys, b[start:end-1])
		if i, err = e.value(b, blank(b, i+1), key, depth); err != 0 {
			return i, err
		}
		if i = blank(b, i); i == len(b) {
			return i, errJSONEnd
		}
		switch b[i] {
		case '}':
			return i + 1, 0
		case ',':
			i++
		default:
			return i, errJSONComma
		}
	}
}

// find is the entry of that name, or nil.
func find(keys []jsonKey, name []byte) *jsonKey {
	for k := range keys {
		if keys[k].name == string(name) {
			return &keys[k]
		}
	}
	return nil
}

// value reads one value and keeps it if key says so.
func (e *Entry) value(b []byte, i int, key *jsonKey, depth int) (int, why) {
	if i >= len(b) {
		return i, errJSONEnd
	}
	switch b[i] {
	case '{':
		var in []jsonKey
		if key != nil {
			in = key.in
		}
		return e.object(b, i+1, in, depth+1)
	case '[':
		return e.array(b, i+1, key, depth+1)
	case '"':
		end, escaped, err := str(b, i+1)
		if err == 0 {
			e.keep(key, value{b[i+1 : end-1], true, escaped})
		}
		return end, err
	case 't', 'f', 'n':
		return literal(b, i)
	}
	end, err := number(b, i)
	if err == 0 {
		e.keep(key, value{text: b[i:end]})
	}
	return end, err
}

func (e *Entry) keep(key *jsonKey, v value) {
	if key != nil {
		e.values[key.slot] = v
	}
}

// array reads from behind the opening bracket; key keeps the first scalar.
func (e *Entry) array(b []byte, i int, key *jsonKey, depth int) (int, why) {
	if depth > maxDepth {
		return i, errJSONDepth
	}
	if i = blank(b, i); i < len(b) && b[i] == ']' {
		return i + 1, 0
	}
	for {
		var err why
		if i, err = e.value(b, blank(b, i), key, depth); err != 0 {
			return i, err
		}
		key = nil
		if i = blank(b, i); i == len(b) {
			return i, errJSONEnd
		}
		switch b[i] {
		case ']':
			return i + 1, 0
		case ',':
			i++
		default:
			return i, errJSONComma
		}
	}
}

// blank skips white space.
func blank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// str reads a string from behind its opening quote and returns the index behind the closing one.
func str(b []byte, i int) (end int, escaped bool, err why) {
	for {
		if i = plain(b, i); i == len(b) {
			return i, escaped, errJSONEnd
		}
		switch {
		case b[i] == '"':
			return i + 1, escaped, 0
		case b[i] != '\\':
			return i, escaped, errJSONString
		}
		n := escapeLength(b[i:])
		if n == 0 {
			return i, true, errJSONString
		}
		escaped = true
		i += n
	}
}

// plain is the index of the first quote, backslash or control character from i on. It looks at
// eight bytes at a time: a byte of x is below n exactly if (x−n)&^x has its highest bit set, as
// long as no byte before it is (Mycroft's test), and equals c if the byte of x^c is below 1.
func plain(b []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slash := x^ones*'"', x^ones*'\\'
		found := ((x-ones*0x20)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if found != 0 {
			return i + bits.TrailingZeros64(found)>>3
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
		i++
	}
	return i
}

// escapeLength is the length of the escape that b begins with, or 0 if it is none.
func escapeLength(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b[2:]); ok {
			return 6
		}
	}
	return 0
}

// hex4 reads four hexadecimal digits.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// literal reads true, false or null.
func literal(b []byte, i int) (int, why) {
	for _, word := range [...]string{"true", "false", "null"} {
		if len(b)-i >= len(word) && string(b[i:i+len(word)]) == word {
			return i + len(word), 0
		}
	}
	return i, errJSONValue
}

// number reads a number by the grammar of RFC 8259.
func number(b []byte, i int) (int, why) {
	start := i
	if b[i] == '-' {
		i++
	}
	first := i
	if i = pastDigits(b, i); i == first || b[first] == '0' && i > first+1 {
		if first == start && i == first {
			return i, errJSONValue
		}
		return i, errJSONNumber
	}
	if i < len(b) && b[i] == '.' {
		point := i + 1
		if i = pastDigits(b, point); i == point {
			return i, errJSONNumber
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		digits := i
		if i = pastDigits(b, i); i == digits {
			return i, errJSONNumber
		}
	}
	return i, 0
}

func pastDigits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// unescape is a JSON string with its escapes resolved, kept in scratch until the next line. Half a
// surrogate pair becomes U+FFFD.
func (e *Entry) unescape(b []byte) []byte {
	start := len(e.scratch)
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\\')
		if i < 0 || i+1 >= len(b) {
			break
		}
		e.scratch = append(e.scratch, b[:i]...)
		b = b[i:]
		n := escapeLength(b)
		if n == 6 {
			r, _ := hex4(b[2:])
			if r >= 0xd800 && r < 0xdc00 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
				if low, ok := hex4(b[8:]); ok && low >= 0xdc00 && low < 0xe000 {
					r, n = (r-0xd800)<<10+(low-0xdc00)+0x10000, 12
				}
			}
			e.scratch = utf8.AppendRune(e.scratch, r)
		} else {
			n = 2
			e.scratch = append(e.scratch, escaped(b[1]))
		}
		b = b[n:]
	}
	e.scratch = append(e.scratch, b...)
	return e.scratch[start:len(e.scratch):len(e.scratch)]
}

func escaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
