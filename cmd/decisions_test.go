package cmd

import (
	encodingcsv "encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// anyName is a name as a hostile file may have it.
func anyName() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringOf(rapid.RuneFrom([]rune(`ab"\,; é日`+"\x00\x1b\x7f\u0085\u202e\u200d\U0001f600\U000e0001\u2028\n\r\t"))),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

// TestJSONStrings: what is written reads back, and nothing in it acts on a terminal.
func TestJSONStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := anyName().Draw(t, "name")
		text := string(appendJSON(nil, name))
		var back string
		if err := json.Unmarshal([]byte(text), &back); err != nil || back != strings.ToValidUTF8(name, "�") && back != string([]rune(name)) {
			t.Fatalf("%q became %s, which reads %q (%v)", name, text, back, err)
		}
		harmless(t, text)
	})
}

// TestCSVFields: a field is one field of one record, and nothing in it acts on a terminal.
func TestCSVFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := anyName().Draw(t, "name")
		text := string(appendCSV(nil, name))
		records, err := encodingcsv.NewReader(strings.NewReader("x," + text + ",y\n")).ReadAll()
		if err != nil || len(records) != 1 || len(records[0]) != 3 {
			t.Fatalf("%q became %s, which reads %q (%v)", name, text, records, err)
		}
		harmless(t, text)
	})
}

func harmless(t *rapid.T, text string) {
	if !utf8.ValidString(text) {
		t.Fatalf("%q is not UTF-8", text)
	}
	for _, r := range text {
		if unicode.IsControl(r) || r == '\u202e' {
			t.Fatalf("%q holds %U", text, r)
		}
	}
}
