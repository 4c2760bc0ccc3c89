package accesslog

import (
	"bytes"
	"fmt"
	"strings"
)

// sampled is how many lines detection looks at.
const sampled = 100

// nature is what one input turned out to be.
type nature struct {
	format *Format // nil if the input is empty
	layout *layout // of its first line; nil where the format has none
	cri    bool    // lines have the prefix of a container runtime: stamp, stream and tag
}

// natureOf tells the format of an input from its first bytes.
func natureOf(name string, sample []byte, opts *Options) (nature, error) {
	lines := sampleLines(sample)
	if len(lines) == 0 {
		return nature{}, nil
	}
	if bytes.HasPrefix(sample, []byte{0xff, 0xfe}) || bytes.HasPrefix(sample, []byte{0xfe, 0xff}) {
		return nature{}, fmt.Errorf("%s: is UTF-16 text: convert it to UTF-8", name)
	}
	n := nature{cri: isCRI(lines)}
	if n.cri {
		for i := range lines {
			lines[i], _ = cutCRI(lines[i])
		}
	}
	err := n.choose(lines, opts)
	if err != nil {
		return n, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// sampleLines are the first lines that are not blank nor too long; those all the same if there is
// nothing else.
func sampleLines(sample []byte) [][]byte {
	var lines, long [][]byte
	for line := range bytes.Lines(withoutBOM(sample)) {
		switch line = trimEnd(line); {
		case len(line) > longestLine:
			long = append(long, line)
		case len(line) > 0:
			lines = append(lines, line)
		}
		if len(lines) == sampled {
			break
		}
	}
	if len(lines) == 0 {
		return long
	}
	return lines
}

// withoutBOM cuts the byte order mark that some editors put before UTF-8 text.
func withoutBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")) }

// trimEnd cuts the line end, LF or CRLF.
func trimEnd(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// choose takes the format that was named, or the one that parses most of the lines.
func (n *nature) choose(lines [][]byte, opts *Options) (err error) {
	switch {
	case opts.Format != "":
		n.format, err = LookupFormat(opts.Format)
	case len(opts.Columns) > 0:
		n.format, err = LookupFormat(namedFormat(lines[0]))
	default:
		n.format, n.layout, err = detect(lines)
		return err
	}
	if err != nil {
		return err
	}
	if len(opts.Columns) > 0 && !n.format.Named {
		return fmt.Errorf("columns can be named for csv, tsv and jsonl, not for %s", n.format.Name)
	}
	if n.format.Named {
		if len(opts.Columns) == 0 {
			return fmt.Errorf("format %s needs its columns named, as in time=ts,client=user", n.format.Name)
		}
		n.layout, err = newLayout(n.format, opts, lines)
	}
	return err
}

// namedFormat guesses how named columns are separated.
func namedFormat(first []byte) string {
	switch {
	case first[0] == '{':
		return "jsonl"
	case bytes.IndexByte(first, '\t') >= 0:
		return "tsv"
	}
	return "csv"
}

// detect is the format that parses most of the lines; among equals the first in the registry. A
// header line that a format knows counts as parsed.
func detect(lines [][]byte) (*Format, *layout, error) {
	var best *Format
	most, far := 0, false
	for _, f := range Formats() {
		if f.Named {
			continue
		}
		n, outside := parsed(f, lines)
		if n > most {
			best, most = f, n
		}
		far = far || outside > len(lines)/2
	}
	switch {
	case best == nil && far:
		return nil, nil, fmt.Errorf("%w, in most of the first lines: the first is %s", errTimeRange, shortened(lines[0]))
	case best == nil:
		return nil, nil, fmt.Errorf("no known log format: the first line is %s; name a format (%s) or the columns (time=ts,client=ip)",
			shortened(lines[0]), strings.Join(FormatNames(), ", "))
	}
	return best, nil, nil
}

// parsed is how many lines the format parses as requests, or recognises as its header, and in how
// many it finds an instant that is out of range.
func parsed(f *Format, lines [][]byte) (n, outside int) {
	var e Entry
	for _, line := range lines {
		err := f.Parse(line, &e)
		if err == errTimeRange {
			outside++
		}
		if err == nil || f.header != nil && f.header(line) != nil && suits(f, line) {
			n++
		}
	}
	return n, outside
}

// suits tells CloudFront's header from that of IIS by its own columns.
func suits(f *Format, header []byte) bool {
	edge := bytes.Contains(header, []byte(" x-edge-"))
	return edge == (f.Name == "cloudfront")
}

// shortened quotes the beginning of a line.
func shortened(line []byte) string {
	const most = 80
	if len(line) > most {
		return fmt.Sprintf("%.*q…", most, line[:most])
	}
	return fmt.Sprintf("%q", line)
}

// isCRI reports whether most lines have the prefix that container runtimes write.
func isCRI(lines [][]byte) bool {
	with := 0
	for _, line := range lines {
		if rest, _ := cutCRI(line); len(rest) < len(line) {
			with++
		}
	}
	return 2*with > len(lines)
}

// cutCRI cuts "2025-12-31T17:37:40.493035218+01:00 stdout F " from the front. Tag P says that the
// line goes on in the next one.
func cutCRI(line []byte) ([]byte, why) {
	stamp, rest, ok := bytes.Cut(line, []byte{' '})
	if !ok || len(rest) < 9 || string(rest[:7]) != "stdout " && string(rest[:7]) != "stderr " {
		return line, 0
	}
	if _, _, err := dashed(stamp); err != 0 || rest[8] != ' ' {
		return line, 0
	}
	if rest[7] == 'P' {
		return rest[9:], errPartial
	}
	return rest[9:], 0
}
