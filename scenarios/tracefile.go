package scenarios

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

const (
	maxClientName = 1024 // bytes of a client's name in a trace
	shownRows     = 3    // malformed rows that are described
)

// trace reads the rows of a trace file into a source.
func (c *checker) trace(path string, s *Source, out *source) {
	t := s.Requests.Trace
	if c.bad[path] {
		return
	}
	if t.Client != "" && s.Client != "" {
		c.fail(join(path, "client"), "the source has a client already; leave one of the two out")
	}
	if t.Cost != "" && s.Cost != 0 {
		c.fail(join(path, "cost"), "the source has a cost already; leave one of the two out")
	}
	f, err := openTrace(filepath.Join(c.folder, filepath.FromSlash(t.File)), t.File)
	if err != nil {
		c.fail(join(path, "file"), "file %s: %s", quoted(t.File), err)
		return
	}
	defer f.Close()
	r := &traceReader{csv: newCSV(f), file: t, names: c.names, client: out.spec.Clients.First, cost: out.spec.Cost}
	if problem := r.read(); problem != nil {
		c.fail(join(path, problem.key), "%s", problem.message)
		return
	}
	out.rows, out.name = r.settle(), t.File
	out.end = time.Duration(out.rows[len(out.rows)-1].At) + 1
	c.notes = append(c.notes, r.notes(c.scenario)...)
}

// openTrace opens the file of a trace; the error is for a message that has named it.
func openTrace(path, written string) (*os.File, error) {
	if filepath.IsAbs(filepath.FromSlash(written)) {
		path = filepath.FromSlash(written)
	}
	f, err := os.Open(path)
	if err != nil {
		if err = cause(err); errors.Is(err, fs.ErrNotExist) {
			err = errors.New("no such file")
		}
		return nil, fmt.Errorf("%w (looked for %s)", err, visible(cut(filepath.ToSlash(path), 200)))
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, errors.New("is a folder; name a CSV file in it")
	}
	return f, nil
}

// traceReader turns the rows of a CSV file into requests.
type traceReader struct {
	csv   *csvReader
	file  *TraceFile
	names *clientNames

	client uint32 // of rows without a client column
	cost   int64  // of rows without a cost column
	unit   int64  // nanoseconds of a bare number; 0: instants are dates

	timeColumn, clientColumn, costColumn int // -1: none

	rows      []traffic.Request // At counts from the Unix epoch, or from where the numbers do
	first     int64             // the earliest instant
	last      int64             // the latest
	sorted    bool
	malformed int
	why       []string // of the first malformed rows
}

// traceProblem is what makes a trace unusable, and the key that is to blame.
type traceProblem struct{ key, message string }

// read reads all rows.
func (r *traceReader) read() *traceProblem {
	header, err := r.csv.next()
	if errors.Is(err, io.EOF) {
		return &traceProblem{"file", fmt.Sprintf("file %s: is empty", quoted(r.file.File))}
	}
	if err != nil {
		return &traceProblem{"file", fmt.Sprintf("file %s: %s", quoted(r.file.File), err)}
	}
	if problem := r.columns(header); problem != nil {
		return problem
	}
	r.sorted = true
	for {
		fields, err := r.csv.next()
		switch {
		case errors.Is(err, io.EOF):
			return r.verdict()
		case errors.Is(err, errMalformed):
			r.reject(err.Error())
		case err != nil:
			return &traceProblem{"file", fmt.Sprintf("file %s: %s", quoted(r.file.File), err)}
		default:
			r.row(fields)
		}
		if len(r.rows)+r.malformed > maxRows {
			return &traceProblem{"file", fmt.Sprintf("file %s: has more than %d rows", quoted(r.file.File), maxRows)}
		}
	}
}

// columns finds the named columns in the header.
func (r *traceReader) columns(header []string) *traceProblem {
	for _, column := range []struct {
		key, name string
		at        *int
	}{
		{"time", r.file.Time, &r.timeColumn},
		{"client", r.file.Client, &r.clientColumn},
		{"cost", r.file.Cost, &r.costColumn},
	} {
		*column.at = -1
		if column.name == "" && column.key != "time" {
			continue
		}
		named := func(h string) bool { return strings.TrimSpace(h) == column.name }
		*column.at = slices.IndexFunc(header, named)
		if *column.at < 0 {
			return &traceProblem{column.key, fmt.Sprintf("%s %s: the file has no such column%s; its header has %s",
				column.key, quoted(column.name), suggestion(column.name, header), columnList(header))}
		}
		if slices.ContainsFunc(header[*column.at+1:], named) {
			return &traceProblem{column.key, fmt.Sprintf("%s %s: the file has more than one column of that name; give them names of their own",
				column.key, quoted(column.name))}
		}
	}
	switch r.file.Unit {
	case "s":
		r.unit = 1e9
	case "ms":
		r.unit = 1e6
	case "us":
		r.unit = 1e3
	case "ns":
		r.unit = 1
	}
	return nil
}

func columnList(header []string) string {
	const most = 30
	var names []string
	for _, h := range header[:min(most, len(header))] {
		names = append(names, visible(cut(h, quotedLength)))
	}
	text := strings.Join(names, ", ")
	if len(header) > most {
		text += fmt.Sprintf(" and %d more", len(header)-most)
	}
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		text += " (columns must be separated by commas)"
	}
	return text
}

// row takes one row, or rejects it.
func (r *traceReader) row(fields []string) {
	if most := max(r.timeColumn, r.clientColumn, r.costColumn); len(fields) <= most {
		r.reject(fmt.Sprintf("has %d columns", len(fields)))
		return
	}
	at, reason := r.instant(strings.TrimSpace(fields[r.timeColumn]))
	request := traffic.Request{At: sim.Time(at), Cost: r.cost, Client: r.client}
	if reason == "" && r.costColumn >= 0 {
		request.Cost, reason = rowCost(strings.TrimSpace(fields[r.costColumn]))
	}
	if reason == "" && r.clientColumn >= 0 {
		request.Client, reason = r.rowClient(strings.TrimSpace(fields[r.clientColumn]))
	}
	if reason != "" {
		r.reject(reason)
		return
	}
	if len(r.rows) == 0 {
		r.first, r.last = at, at
	}
	r.sorted = r.sorted && at >= r.last
	r.first, r.last = min(r.first, at), max(r.last, at)
	r.rows = append(r.rows, request)
}

func (r *traceReader) instant(text string) (int64, string) {
	if r.unit > 0 {
		ns, reason := parseTick(text, r.unit)
		if reason != "" {
			reason = "time " + quoted(text) + " " + reason
		}
		return ns, reason
	}
	ns, reason := parseStamp(text)
	if reason != "" {
		if _, bad := parseTick(text, 1); bad == "" {
			return 0, "time " + quoted(text) + " is a bare number; say what it counts, such as unit: ms"
		}
		return 0, "time " + quoted(text) + " " + reason
	}
	return ns, ""
}

func rowCost(text string) (int64, string) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 1 && n <= algorithms.MaxUnits {
		return n, ""
	}
	d, reason := parseDecimal(text) // 5.0 is a whole number too
	if reason != "" || d.Scale > 0 || d.Digits < 1 || d.Digits > algorithms.MaxUnits {
		return 0, "cost " + quoted(text) + " is not a whole number from 1 to " + strconv.FormatInt(algorithms.MaxUnits, 10)
	}
	return d.Digits, ""
}

func (r *traceReader) rowClient(name string) (uint32, string) {
	if len(name) > maxClientName {
		return 0, fmt.Sprintf("client %s is longer than %d bytes", quoted(name), maxClientName)
	}
	if id, ok := r.names.Lookup(name); ok {
		return id, ""
	}
	if r.names.Len() >= maxClients {
		return 0, fmt.Sprintf("client %s is beyond the %d clients that are told apart", quoted(name), maxClients)
	}
	return r.names.ID(strings.Clone(name)), ""
}

func (r *traceReader) reject(reason string) {
	r.malformed++
	if len(r.why) < shownRows {
		r.why = append(r.why, fmt.Sprintf("line %d: %s", r.csv.line, reason))
	}
}

// verdict says whether there is anything to run.
func (r *traceReader) verdict() *traceProblem {
	long := uint64(r.last)-uint64(r.first) > uint64(algorithms.MaxPeriod)
	switch {
	case long && r.unit == 0:
		return &traceProblem{"time", fmt.Sprintf("time %s: goes from %s to %s, longer than %s", quoted(r.file.Time),
			formatStamp(r.first), formatStamp(r.last), FormatDuration(algorithms.MaxPeriod))}
	case long:
		return &traceProblem{"unit", fmt.Sprintf("unit %s: the rows cover more than %s; is it another unit?", r.file.Unit, FormatDuration(algorithms.MaxPeriod))}
	case len(r.rows) > 0:
		return nil
	case r.malformed > 0:
		return &traceProblem{"time", fmt.Sprintf("file %s: every row is malformed (%s)", quoted(r.file.File), strings.Join(r.why, "; "))}
	}
	return &traceProblem{"file", fmt.Sprintf("file %s: has a header but no rows", quoted(r.file.File))}
}

// settle puts the requests in order of time, those of one instant as they stand in the file, and
// has the earliest be instant 0.
func (r *traceReader) settle() []traffic.Request {
	for i := range r.rows {
		r.rows[i].At -= sim.Time(r.first)
	}
	if !r.sorted {
		slices.SortStableFunc(r.rows, func(a, b traffic.Request) int {
			switch {
			case a.At < b.At:
				return -1
			case a.At > b.At:
				return 1
			}
			return 0
		})
	}
	return slices.Clip(r.rows)
}

// notes are what one should know about a trace that was read.
func (r *traceReader) notes(s *Scenario) []string {
	var notes []string
	name := visible(r.file.File)
	if r.malformed > 0 {
		more := ""
		if r.malformed > len(r.why) {
			more = "; …"
		}
		notes = append(notes, fmt.Sprintf("%s: %s malformed and left out (%s%s)", name, plural(r.malformed, "row is", "rows are"), strings.Join(r.why, "; "), more))
	}
	if s.Start != nil && r.unit == 0 && r.first != s.startNanos() {
		notes = append(notes, fmt.Sprintf("%s: t = 0 is its first row, of %s, and stands for the scenario's start, %s", name, formatStamp(r.first), formatStamp(s.startNanos())))
	}
	return notes
}

func formatStamp(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
