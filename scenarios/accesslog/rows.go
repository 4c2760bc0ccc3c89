package accesslog

import (
	"bytes"
	"fmt"
	"time"
)

const asNamed = "the named column is taken as the start of a request"

// csv is rows of columns separated by commas, with quotes as in RFC 4180; a row is one line.
func csv() *Format {
	return &Format{Name: "csv", Title: "CSV with columns named", Stamp: Start, Why: asNamed, Named: true, Parse: parseRow}
}

// tsv is rows of columns separated by tabs.
func tsv() *Format {
	return &Format{Name: "tsv", Title: "TSV with columns named", Stamp: Start, Why: asNamed, Named: true, Parse: parseRow}
}

// jsonLines is one JSON object a line.
func jsonLines() *Format {
	return &Format{Name: "jsonl", Title: "JSON lines with keys named", Stamp: Start, Why: asNamed, Named: true, Parse: parseObject}
}

func parseRow(line []byte, e *Entry) error {
	e.resetValues()
	if len(line) == 0 {
		return errEmpty
	}
	if e.layout == nil {
		return errNoRecord
	}
	return firstOf(e.columns(line), e.row())
}

func parseObject(line []byte, e *Entry) error {
	e.resetValues()
	if e.layout == nil {
		return errNoRecord
	}
	if err := e.scanJSON(line, e.layout.keys); err != nil {
		return emptyOr(line, err)
	}
	return fault(e.row())
}

// newLayout is the layout that named columns give a file with these first lines.
func newLayout(f *Format, opts *Options, lines [][]byte) (*layout, error) {
	columns := opts.Columns
	var first []byte
	if len(lines) > 0 {
		first = lines[0]
	}
	var l *layout
	var err error
	switch f.Name {
	case "jsonl":
		l = jsonLayout(columns)
	case "tsv":
		l, err = columnLayout(first, '\t', columns)
	default:
		l, err = columnLayout(first, ',', columns)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		l.costs = l.costs || c.Field == "cost"
	}
	l.shift, err = shiftOf(opts.Unit)
	if l.shift == anyUnit {
		l.shift = unitOf(f, l, lines)
	}
	return l, err
}

// unitOf is the unit of the first row's stamp if that is a bare number: every row counts in it.
func unitOf(f *Format, l *layout, lines [][]byte) int {
	e := Entry{layout: l}
	for _, line := range lines {
		_ = f.Parse(line, &e)
		b := e.text(timeSlot)
		if n, ok := decimal(b, 0); ok && bytes.IndexByte(b, '-') != 0 {
			return magnitude(n)
		}
	}
	return anyUnit
}

// shiftOf is the unit as a power of ten of a nanosecond, anyUnit if none is given.
func shiftOf(unit time.Duration) (int, error) {
	switch unit {
	case 0:
		return anyUnit, nil
	case time.Second:
		return inSeconds, nil
	case time.Millisecond:
		return inMilliseconds, nil
	case time.Microsecond:
		return inMicroseconds, nil
	case time.Nanosecond:
		return inNanoseconds, nil
	}
	return anyUnit, fmt.Errorf("unit of time %q: must be 1s, 1ms, 1µs or 1ns", unit)
}

// unitName is the name of a unit of time.
func unitName(shift int) string {
	switch shift {
	case inSeconds:
		return "seconds"
	case inMilliseconds:
		return "milliseconds"
	case inMicroseconds:
		return "microseconds"
	case inNanoseconds:
		return "nanoseconds"
	}
	return ""
}
