package scenarios

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// hostile are texts that cost a YAML parser the square of their length, the whole stack or all
// memory. Repeated to the size of a scenario each must be answered at once; what it costs is bounded
// by the guard in front of the parser, which BenchmarkHostile measures.
func hostile() map[string]string {
	return map[string]string{
		"brackets": "[", "braces": "{", "dashes": "- ", "empty entries": "-\n", "anchors": "&a ", "aliases": "*a ",
		"single quotes": "'", "double quotes": `"`, "question marks": "? ", "keys in a row": "a: ", "empty keys": "a:\n",
		"backslashes": `"\\`, "tags": "!a ", "literals": "|\n", "comments": "#\n", "blank lines": "\n", "spaces": " ",
		"merge keys": "<<: ", "tabs": "\t", "documents": "---\n", "pairs": "[a: ", "nested maps": "{a: ", "bare keys": "{a, ",
		"deeper and deeper": "- - \n", "entries": "- {at: 1s}\n", "quoted tabs": "\"\tx\tx", "NUL": "\x00", "no UTF-8": "\xff",
		"carriage returns": "\r", "at signs": "@", "texts": "x ", "lines": "x\n",
	}
}

// fill repeats a text to the size of a scenario.
func fill(before, text string) string {
	return before + strings.Repeat(text, (maxSize-len(before))/len(text))
}

// befores are what the hostile text follows: nothing, a list, a block of text, an open quote.
func befores() []string {
	return []string{"", "traffic:\n  - requests:\n    ", "lesson: |\n", "lesson: >-\n  x\n", `name: "`, "traffic: ["}
}

func TestHostile(t *testing.T) {
	for story, text := range hostile() {
		for _, before := range befores() {
			// A small part of the size already takes seconds where the square of it is taken.
			full := fill(before, text)[:maxSize/64]
			if _, err := load([]byte(full), "x.yaml", "."); err == nil {
				t.Errorf("%s behind %q: no error", story, before)
			} else if len(err.Error()) > 20_000 {
				t.Errorf("%s behind %q: a message of %d bytes", story, before, len(err.Error()))
			}
		}
	}
}

// Too large by one byte is too large.
func TestSizeLimit(t *testing.T) {
	text := minimal + "#" + strings.Repeat("x", maxSize-len(minimal)-1)
	if _, err := load([]byte(text), "x.yaml", "."); err != nil {
		t.Errorf("1 MiB exactly: %v", err)
	}
	if _, err := load([]byte(text+"x"), "x.yaml", "."); err == nil || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Errorf("a byte more: %v", err)
	}
}

// Columns are found wherever they are looked for after another, on the same line or not.
func TestOffset(t *testing.T) {
	lines := []string{"a: {b: c}", "", "é世x: \U0001F600 – 1"}
	rapid.Check(t, func(t *rapid.T) {
		d := &document{lines: lines}
		for range 20 {
			line := rapid.IntRange(1, len(lines)).Draw(t, "line")
			column := rapid.IntRange(1, 15).Draw(t, "column")
			characters := []rune(lines[line-1])
			want := len(string(characters[:min(column-1, len(characters))]))
			if got := d.offset(line, column); got != want {
				t.Fatalf("column %d of line %d is at byte %d, want %d", column, line, got, want)
			}
		}
	})
}

// A scenario on one line, as a program may write it.
func BenchmarkLoadOneLine(b *testing.B) {
	text := []byte(fill("version: 1\nlimit: 1/s\ntraffic: [", "{client: a, phases: [{burst: 3}]}, ") + "]")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := load(text, "x.yaml", "."); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for story, text := range hostile() {
		for _, before := range befores() {
			full := []byte(fill(before, text))
			b.Run(story+" behind "+strings.TrimSpace(before), func(b *testing.B) {
				for b.Loop() {
					load(full, "x.yaml", ".")
				}
			})
		}
	}
}

// Exact instants are what scenarios hold most of: a file full of them.
func BenchmarkLoadInstants(b *testing.B) {
	text := []byte(fill("version: 1\nlimit: 1/s\ntraffic:\n  - requests:\n", "    - {at: 1s, cost: 2}\n"))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := load(text, "x.yaml", "."); err != nil {
			b.Fatal(err)
		}
	}
}
