package accesslog

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Column says which column of a CSV or TSV file, or which key of JSON lines, holds a field.
type Column struct {
	Field string // time, client, user, method, path, host, status, bytes or cost
	Name  string // as in the header line; a number from 1 counts columns; a.b is key b of object a
}

// columnFields are the fields that columns can be named for, in the order in which they are listed.
func columnFields() []struct {
	name string
	slot slot
} {
	return []struct {
		name string
		slot slot
	}{
		{"time", timeSlot},
		{"client", clientSlot},
		{"user", userSlot},
		{"method", methodSlot},
		{"path", pathSlot},
		{"host", hostSlot},
		{"status", statusSlot},
		{"bytes", bytesSlot},
		{"cost", costSlot},
	}
}

// ParseColumns reads "time=ts,client=user,cost=tokens". time is needed.
func ParseColumns(text string) ([]Column, error) {
	var columns []Column
	for part := range strings.SplitSeq(text, ",") {
		field, name, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || name == "" || !slices.Contains(fieldNames(), field) {
			return nil, wrongly("columns", text, "%smust be FIELD=COLUMN, with FIELD one of %s",
				partOf(part, text), strings.Join(fieldNames(), ", "))
		}
		for _, c := range columns {
			if c.Field == field || c.Name == name {
				return nil, wrongly("columns", text, "%q repeats %s=%s", part, c.Field, c.Name)
			}
		}
		columns = append(columns, Column{field, name})
	}
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Field == "time" }) {
		return nil, wrongly("columns", text, "time=COLUMN is missing")
	}
	return columns, nil
}

func fieldNames() []string {
	var names []string
	for _, f := range columnFields() {
		names = append(names, f.name)
	}
	return names
}

// slotOf is the slot of a field that ParseColumns has accepted.
func slotOf(field string) slot {
	for _, f := range columnFields() {
		if f.name == field {
			return f.slot
		}
	}
	return noSlot
}

// columnLayout is the layout of rows under a header line. Where every column is named by number,
// there is none: a first line that happens to be one is a malformed row, and said.
func columnLayout(header []byte, comma byte, columns []Column) (*layout, error) {
	l := &layout{comma: comma, shift: anyUnit}
	names := splitRow(header, comma)
	for _, c := range columns {
		at := slices.Index(names, c.Name)
		if at >= 0 {
			l.headings = true
		} else if n, err := strconv.Atoi(c.Name); err == nil && n >= 1 && n <= 10_000 {
			at = n - 1
		} else {
			return nil, fmt.Errorf("column %q: the first line has no such column, but %s", c.Name, quotedNames(names))
		}
		for len(l.slots) <= at {
			l.slots = append(l.slots, noSlot)
		}
		l.slots[at] = slotOf(c.Field)
	}
	return l, nil
}

// quotedNames lists the first few names of a header line.
func quotedNames(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i == 20 {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(name))
	}
	return b.String()
}

// splitRow takes a header line apart.
func splitRow(line []byte, comma byte) []string {
	var names []string
	var e Entry
	for at := 0; at <= len(line); {
		text, next, err := e.field(line, at, comma)
		if err != 0 {
			break
		}
		names = append(names, string(text))
		at = next
	}
	return names
}

// jsonLayout is the layout of JSON lines.
func jsonLayout(columns []Column) *layout {
	l := &layout{shift: anyUnit}
	for _, c := range columns {
		l.keys = append(l.keys, jsonKey{name: c.Name, slot: slotOf(c.Field)})
		if strings.Contains(c.Name, ".") {
			l.keys = nest(l.keys, strings.Split(c.Name, "."), slotOf(c.Field))
		}
	}
	return l
}

// nest adds a key of nested objects.
func nest(keys []jsonKey, path []string, s slot) []jsonKey {
	at := slices.IndexFunc(keys, func(k jsonKey) bool { return k.name == path[0] })
	if at < 0 {
		keys = append(keys, jsonKey{name: path[0]})
		at = len(keys) - 1
	}
	if len(path) == 1 {
		keys[at].slot = s
	} else {
		keys[at].in = nest(keys[at].in, path[1:], s)
	}
	return keys
}

// columns puts a row's columns into their slots. Columns that are missing stay absent.
func (e *Entry) columns(line []byte) why {
	at := 0
	for _, s := range e.layout.slots {
		if at > len(line) {
			return 0
		}
		text, next, err := e.field(line, at, e.layout.comma)
		if err != 0 {
			return err
		}
		if s != noSlot {
			e.values[s] = value{text: text}
		}
		at = next
	}
	return 0
}

// field reads the column that begins at index at, and returns where the next one begins: beyond the
// end of the line if there is none. A column in quotes may hold the separator, and a quote as two.
// Values separated by tabs are never quoted.
func (e *Entry) field(line []byte, at int, comma byte) (text []byte, next int, err why) {
	rest := line[at:]
	if comma != '\t' && len(rest) > 0 && rest[0] == '"' {
		return e.quotedField(line, at+1, comma)
	}
	end := bytes.IndexByte(rest, comma)
	if end < 0 {
		return rest, len(line) + 1, 0
	}
	return rest[:end], at + end + 1, 0
}

// quotedField reads a column from behind its opening quote.
func (e *Entry) quotedField(line []byte, at int, comma byte) (text []byte, next int, err why) {
	doubled := false
	for i := at; i < len(line); i++ {
		switch {
		case line[i] != '"':
		case i+1 < len(line) && line[i+1] == '"':
			doubled = true
			i++
		case i+1 == len(line) || line[i+1] == comma:
			if text = line[at:i]; doubled {
				text = e.undouble(text)
			}
			return text, i + 2, 0
		default:
			return nil, 0, errCSVQuote
		}
	}
	return nil, 0, errCSVQuote
}

// undouble makes one quote of two.
func (e *Entry) undouble(b []byte) []byte {
	start := len(e.scratch)
	for i := 0; i < len(b); i++ {
		e.scratch = append(e.scratch, b[i])
		if b[i] == '"' {
			i++
		}
	}
	return e.scratch[start:len(e.scratch):len(e.scratch)]
}

// row finishes a line whose columns were named by the user.
func (e *Entry) row() why {
	if err := e.instant(e.text(timeSlot), e.layout.shift); err != 0 {
		return err
	}
	if err := e.cost(); err != 0 {
		return err
	}
	return e.take()
}

// cost reads the cost where the layout has a column for it.
func (e *Entry) cost() why {
	if !e.layout.costs {
		return 0
	}
	n, ok := whole(e.text(costSlot))
	if !ok || n < 1 || n > algorithms.MaxUnits {
		return errCost
	}
	e.Cost = n
	return 0
}
