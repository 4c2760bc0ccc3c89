package accesslog

import (
	"bytes"
	"strconv"
	"strings"
)

// Key says what a limit is counted by. The zero value is the client.
type Key struct {
	text  string
	parts []keyPart
}

type keyPart struct {
	kind keyKind
	bits int // of an address; 0 for the whole one
}

type keyKind uint8

const (
	byClient keyKind = iota
	byPath
	byUser
	byAll
)

// ParseKey reads client, client/24, client/64 (any prefix: up to /32 it cuts IPv4 addresses, above
// IPv6 ones), path, user, all, or several joined by +.
func ParseKey(text string) (Key, error) {
	k := Key{text: text}
	for name := range strings.SplitSeq(text, "+") {
		part, ok := keyPartOf(name)
		if !ok {
			return Key{}, wrongly("key", text, "%smust be client, client/24, client/64, path, user or all; join several with +", partOf(name, text))
		}
		k.parts = append(k.parts, part)
	}
	if text == "client" {
		k.parts = nil // the common one needs no loop
	}
	return k, nil
}

// partOf names a part of a text, unless it is all of it.
func partOf(part, text string) string {
	if part == text {
		return ""
	}
	return strconv.Quote(part) + " "
}

func keyPartOf(name string) (keyPart, bool) {
	switch name {
	case "client":
		return keyPart{kind: byClient}, true
	case "path":
		return keyPart{kind: byPath}, true
	case "user":
		return keyPart{kind: byUser}, true
	case "all":
		return keyPart{kind: byAll}, true
	}
	bits, ok := strings.CutPrefix(name, "client/")
	n, err := strconv.Atoi(bits)
	return keyPart{byClient, n}, ok && err == nil && n >= 1 && n <= 128
}

// String is the key as it was written.
func (k Key) String() string {
	if k.text == "" {
		return "client"
	}
	return k.text
}

// append appends the key of a request: its parts separated by spaces. Spaces and backslashes within
// a part, but for the last one, are written with a backslash, so that different parts never give
// the same key.
func (k Key) append(dst []byte, e *Entry) []byte {
	if len(k.parts) == 0 {
		return appendClient(dst, e.Client, 0)
	}
	for i, p := range k.parts {
		start := len(dst)
		dst = p.append(dst, e)
		if i == len(k.parts)-1 {
			break
		}
		if bytes.IndexByte(dst[start:], ' ') >= 0 || bytes.IndexByte(dst[start:], '\\') >= 0 {
			dst = escapeSpaces(dst, start)
		}
		dst = append(dst, ' ')
	}
	return dst
}

func (p keyPart) append(dst []byte, e *Entry) []byte {
	switch p.kind {
	case byClient:
		return appendClient(dst, e.Client, p.bits)
	case byPath:
		return append(dst, e.Path...)
	case byUser:
		return append(dst, e.User...)
	}
	return append(dst, "all"...)
}

// escapeSpaces writes \s for a space and \\ for a backslash in dst[start:].
func escapeSpaces(dst []byte, start int) []byte {
	part := string(dst[start:])
	dst = dst[:start]
	for i := range len(part) {
		switch part[i] {
		case ' ':
			dst = append(dst, `\s`...)
		case '\\':
			dst = append(dst, `\\`...)
		default:
			dst = append(dst, part[i])
		}
	}
	return dst
}
