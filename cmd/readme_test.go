package cmd

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// readme is the README's text.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The README's pictures are what the commands under them print.
func TestReadmePictures(t *testing.T) {
	commands := regexp.MustCompile("`go run \\. (run .*) -o (scenarios/\\S+\\.svg)`").FindAllStringSubmatch(readme(t), -1)
	if len(commands) < 2 {
		t.Fatalf("the README has %d commands that make its pictures", len(commands))
	}
	for _, command := range commands {
		want, err := os.ReadFile("../" + command[2])
		if err != nil {
			t.Fatal(err)
		}
		var got, problems bytes.Buffer
		if status := Main(words(command[1]), strings.NewReader(""), &got, &problems); status != 0 {
			t.Fatalf("status %d: %s", status, &problems)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s is not what the program draws; make it again with the README's command", command[2])
		}
	}
}

// The README's commands work.
func TestReadmeCommands(t *testing.T) {
	commands := regexp.MustCompile(`(?m)^(?:ratesim|go run \.) (run|explain|check|list|show|replay|tune) ?(.*)$`).FindAllStringSubmatch(readme(t), -1)
	t.Chdir("..")
	if len(commands) < 6 {
		t.Fatalf("found only %d commands", len(commands))
	}
	for _, c := range commands {
		line, _, _ := strings.Cut(c[1]+" "+c[2], "|")
		if strings.Contains(line, "--store") {
			continue // see TestReadmeStoreCommands
		}
		var out, problems bytes.Buffer
		if status := Main(words(line), strings.NewReader(""), &out, &problems); status != 0 || out.Len() == 0 {
			t.Errorf("ratesim %s: status %d: %s", line, status, &problems)
		}
	}
}

// words splits a command line as a shell does one without escapes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
