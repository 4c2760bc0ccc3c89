package scenarios

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/sim"
)

// loadTrace loads a scenario that reads a trace with these keys and this content.
func loadTrace(t testing.TB, top, keys, csv string) (*Loaded, error) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "trace.csv"), []byte(csv), 0o644); err != nil {
		t.Fatal(err)
	}
	text := "version: 1\nlimit: 1/s\n" + top + "traffic:\n  - requests: {file: trace.csv, " + keys + "}\n"
	return load([]byte(text), "x.yaml", folder)
}

// shown is the requests of a run as "at client cost".
func shown(t testing.TB, l *Loaded, over Overrides) []string {
	t.Helper()
	plan, err := l.Plan(over)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	source := plan.Open()
	for r, ok := source.Next(); ok; r, ok = source.Next() {
		out = append(out, fmt.Sprintf("%s %s %d", formatNanos(int64(r.At)), plan.Clients.Name(r.Client), r.Cost))
	}
	return out
}

func TestTrace(t *testing.T) {
	for _, c := range []struct {
		story, top, keys, csv string
		want                  []string
		notes                 string // all of them must be in the notes, separated by |
	}{
		{story: "instants of 100 ns, CRLF, no client",
			keys: "time: TIMESTAMP, cost: Tokens",
			csv:  "TIMESTAMP,Tokens\r\n2023-11-16 18:17:03.9799600,4808\r\n2023-11-16 18:17:04.0319600,3180\r\n",
			want: []string{"0s  4808", "52ms  3180"}},
		{story: "RFC 3339 with zones, a byte order mark, more digits than nanoseconds",
			keys: "time: at, client: who",
			csv:  "\uFEFFwho,at\na,2024-01-01T00:00:00.0000000019Z\nb,2024-01-01T01:00:00.000000003+01:00\n",
			want: []string{"0s a 1", "2ns b 1"}},
		{story: "rows out of order, sorted stably; quotes; blank lines",
			keys: "time: t, client: c, unit: ms",
			csv:  "t,c\n\n20,late\n10,\"first, of two\"\n10,\"say \"\"hi\"\"\"\n\n0.000001,early\n",
			want: []string{"0s early 1", "9.999999ms first, of two 1", `9.999999ms say "hi" 1`, "19.999999ms late 1"}},
		{story: "malformed rows are left out and described",
			keys:  "time: t, cost: n, unit: s",
			csv:   "t,n\n0,1\nsoon,1\n1,0\n1,1.5\n2,5.0\n3\n4,1e3\n",
			want:  []string{"0s  1", "2s  5"},
			notes: `5 rows are malformed|line 3: time "soon"|line 4: cost "0" is not a whole number from 1|line 5: cost "1.5"|; …`},
		{story: "an open quote loses one line",
			keys:  "time: t, client: c, unit: s",
			csv:   "t,c\n0,a\n1,\"b\n2,c\n3,d\n",
			want:  []string{"0s a 1", "2s c 1", "3s d 1"},
			notes: "1 row is malformed|line 3: has a quote that is never closed"},
		{story: "a quoted field of two lines",
			keys:  "time: t, client: c, unit: s",
			csv:   "t,c\n0,\"a\nb\"\n1,c\n2,x,y\nz,d\n",
			want:  []string{"0s a\nb 1", "1s c 1", "2s x 1"},
			notes: `line 6: time "z"`},
		{story: "rows beyond the run are left out and counted",
			top: "duration: 2s\n", keys: "time: t, unit: s", csv: "t\n0\n1.999999999\n2\n3\n",
			want:  []string{"0s  1", "1.999999999s  1"},
			notes: "2 rows are beyond the end of the run at 2s"},
		{story: "a start that is not the first row's is pointed out",
			top: "start: 2024-01-01\n", keys: "time: t", csv: "t\n2024-01-01T00:00:30Z\n",
			want:  []string{"0s  1"},
			notes: "t = 0 is its first row, of 2024-01-01T00:00:30Z, and stands for the scenario's start, 2024-01-01T00:00:00Z"},
		{story: "a leap day, a leap second, a date alone",
			keys: "time: t", csv: "t\n2024-02-29\n2024-02-29 23:59:60\n2024-03-01\n",
			want: []string{"0s  1", "1d  1", "1d  1"}},
	} {
		t.Run(c.story, func(t *testing.T) {
			l, err := loadTrace(t, c.top, c.keys, c.csv)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(t, l, Overrides{}); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			notes := strings.Join(l.Notes, "\n")
			for part := range strings.SplitSeq(c.notes, "|") {
				if !strings.Contains(notes, part) || c.notes == "" && notes != "" {
					t.Errorf("notes %q, want %q in them", notes, part)
				}
			}
		})
	}
}

func TestTraceMistakes(t *testing.T) {
	for _, c := range []struct{ story, keys, csv, want string }{
		{"empty", "time: t", "", "is empty"},
		{"only a header", "time: t", "t\n", "has a header but no rows"},
		{"a column that is not there", "time: tme", "time,client\n1,a\n", `time "tme": the file has no such column (did you mean "time"?); its header has time, client`},
		{"a column twice", "time: t", "t,a, t\n2024-01-01,a,2024-01-02\n", `time "t": the file has more than one column of that name`},
		{"a header without end", "time: t", strings.Repeat("t", maxLine+1) + "\n1\n", "line 1 is longer than 65536 bytes; is this a text file?"},
		{"semicolons", "time: t", "t;c\n", "(columns must be separated by commas)"},
		{"a number without unit", "time: t", "t\n5\n", `every row is malformed (line 2: time "5" is a bare number; say what it counts, such as unit: ms)`},
		{"a wrong unit", "time: t, unit: s", "t\n0\n700000000\n", "the rows cover more than 3660d; is it another unit?"},
		{"centuries", "time: t", "t\n1901-01-01\n2024-01-01\n", "goes from 1901-01-01T00:00:00Z to 2024-01-01T00:00:00Z, longer than 3660d"},
		{"control characters", "time: t", "t\n\x1b[31m\n", `\x1b[31m`},
		{"a unit far too large", "time: t, unit: s", "t\n1700000000000\n", "every row is malformed (line 2: time \"1700000000000\" is out of range)"},
	} {
		if _, err := loadTrace(t, "", c.keys, c.csv); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.story, err, c.want)
		}
	}
	for _, twice := range []string{"client: a, requests: {client: c, ", "cost: 3, requests: {cost: n, "} {
		_, err := load([]byte("version: 1\nlimit: 1/s\ntraffic:\n  - {"+twice+"file: x.csv, time: t}}\n"), "x.yaml", ".")
		if err == nil || !strings.Contains(err.Error(), "already; leave one of the two out") {
			t.Errorf("%s: %v", twice, err)
		}
	}
	if _, err := load([]byte("version: 1\nlimit: 1/s\ntraffic:\n  - requests: {file: ., time: t}\n"), "x.yaml", "."); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
}

// The order of the rows does not matter, apart from those of one instant, and the earliest is 0.
func TestTraceOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ticks := rapid.SliceOfN(rapid.Int64Range(-50, 50), 1, 200).Draw(t, "ticks")
		var b strings.Builder
		b.WriteString("t,n\n")
		for i, tick := range ticks {
			fmt.Fprintf(&b, "%d,%d\n", tick, i+1)
		}
		r := &traceReader{csv: newCSV(strings.NewReader(b.String())), file: &TraceFile{File: "f", Time: "t", Cost: "n", Unit: "ns"}, names: newClientNames()}
		if problem := r.read(); problem != nil {
			t.Fatal(problem.message)
		}
		rows := r.settle()
		first := slices.Min(ticks)
		if len(rows) != len(ticks) || rows[0].At != 0 {
			t.Fatalf("%d rows of %d, the first at %d", len(rows), len(ticks), rows[0].At)
		}
		for i, row := range rows {
			if int64(row.At) != ticks[row.Cost-1]-first {
				t.Fatalf("row %d at %d", row.Cost, row.At)
			}
			if i > 0 && (rows[i-1].At > row.At || rows[i-1].At == row.At && rows[i-1].Cost > row.Cost) {
				t.Fatalf("row %d comes after row %d", row.Cost, rows[i-1].Cost)
			}
		}
	})
}

// A real trace of 8,819 requests, whose totals were counted independently. It is no part of this
// project; the test is skipped where it is not at hand.
func TestRealTrace(t *testing.T) {
	const path = "../../shared/traces/azure_llm_2023_code.csv"
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip(path, "is not here")
	}
	l, err := load([]byte("version: 1\nlimit: 100/m\ntraffic:\n  - requests: {file: "+path+", time: TIMESTAMP}\n"), "x.yaml", ".")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := l.Plan(Overrides{Algorithms: []string{"fixed-window"}})
	if err != nil {
		t.Fatal(err)
	}
	run := sim.New(plan, sim.Options{Buckets: 1, Workers: 1})
	for run.Step() {
	}
	if s := run.Results()[0].Summary; s.Offered != 8819 || s.Denied != 5054 {
		t.Errorf("%d offered, %d denied; want 8819 and 5054", s.Offered, s.Denied)
	}
}

// Instants are read as package time reads them, where that can.
func TestParseStamp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(-8_000_000_000_000_000_000, 9_000_000_000_000_000_000).Draw(t, "ns")
		text := formatStamp(ns)
		if got, reason := parseStamp(text); reason != "" || got != ns {
			t.Fatalf("%s read as %d (%s), want %d", text, got, reason, ns)
		}
	})
	for text, want := range map[string]int64{
		"1970-01-01":                     0,
		"1970-01-01T00:00:01":            1e9,
		"1970-01-01 00:00:01,5":          1.5e9,
		"1970-01-01T00:01Z":              60e9,
		"1970-01-01T01:00:00+01:00":      0,
		"1970-01-01T00:00:00-0130":       5400e9,
		"1970-01-01 00:00:00 UTC":        0,
		"1970-01-01T00:00:00.1234567899": 123456789,
		"1969-12-31T23:59:59.5Z":         -5e8,
		"2000-02-29T00:00:00Z":           951782400e9,
	} {
		if got, reason := parseStamp(text); reason != "" || got != want {
			t.Errorf("%s read as %d (%s), want %d", text, got, reason, want)
		}
	}
	for _, text := range []string{"", "2024", "2024-13-01", "2023-02-29", "1900-02-29", "2024-01-01X00:00:00", "2024-01-01T24:00:00Z",
		"2024-01-01T00:00:00.", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+25:00", "2024-01-01T00:00:00+1", "24-01-01", "2024/01/01", "9999-01-01", "1699-12-31", "2262-01-01"} {
		if ns, reason := parseStamp(text); reason == "" {
			t.Errorf("%q read as %d", text, ns)
		}
	}
	if _, reason := parseStamp("9999-12-31T23:59:59Z"); !strings.Contains(reason, "out of range") {
		t.Errorf("an instant far off: %q", reason)
	}
}

func FuzzTrace(f *testing.F) {
	f.Add("t,c,n\n0,a,1\n1,\"b,\n\",2\n", true)
	f.Add("t\n2024-02-29 12:00:00.123\n", false)
	f.Add("c,t\n\"\"\"\",2024-02-29T12:00:00+01:00\r\n", false)
	f.Fuzz(func(t *testing.T, text string, ticks bool) {
		file := &TraceFile{File: "f", Time: "t"}
		if ticks {
			file.Unit, file.Client, file.Cost = "s", "c", "n"
		}
		r := &traceReader{csv: newCSV(strings.NewReader(text)), file: file, names: newClientNames(), cost: 1}
		if r.read() != nil {
			return
		}
		last := sim.Time(0)
		for _, row := range r.settle() {
			if row.At < last || row.Cost < 1 || int(row.Client) >= max(1, r.names.Len()) {
				t.Fatalf("%q: %+v behind %d", text, row, last)
			}
			last = row.At
		}
		if len(r.rows)+r.malformed > strings.Count(text, "\n")+strings.Count(text, "\r")+1 {
			t.Fatalf("%q: %d rows and %d malformed", text, len(r.rows), r.malformed)
		}
	})
}

// The reader agrees with one that knows nothing but commas on files without quotes.
func TestCSVPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.StringMatching(`[a-z ]{1,5}`), 1, 4), 1, 20).Draw(t, "rows")
		var b strings.Builder
		for _, row := range rows {
			b.WriteString(strings.Join(row, ",") + rapid.SampledFrom([]string{"\n", "\r\n", "\n\n"}).Draw(t, "end"))
		}
		c := newCSV(strings.NewReader(b.String()))
		for _, row := range rows {
			got, err := c.next()
			if err != nil || !reflect.DeepEqual(got, row) {
				t.Fatalf("%q (%v), want %q", got, err, row)
			}
		}
		if _, err := c.next(); err != io.EOF {
			t.Fatal(err)
		}
	})
}

// A line without end costs a message, not memory.
func TestCSVLongLine(t *testing.T) {
	long := strings.Repeat("x", 3*maxLine)
	c := newCSV(strings.NewReader("a\n" + long + "\nb\n\"" + strings.Repeat("y\n", 50) + "c\n"))
	var got []string
	for {
		fields, err := c.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			got = append(got, fmt.Sprintf("%d: %v", c.line, cut(err.Error(), 20)))
			continue
		}
		got = append(got, fmt.Sprintf("%d: %s", c.line, fields[0]))
	}
	want := []string{"1: a", "2: is longer than 6553…", "3: b", "4: has a quote that is…", "5: y"}
	if len(got) != 54 || !slices.Equal(got[:5], want) || got[53] != "54: c" {
		t.Errorf("%d rows: %q … %q, want %q", len(got), got[:5], got[len(got)-1], want)
	}
}

// endless is a line that never ends, as devices have, behind a beginning.
type endless struct{ io.Reader }

func (endless) fill(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func (e endless) Read(p []byte) (int, error) {
	if n, _ := e.Reader.Read(p); n > 0 {
		return n, nil
	}
	return e.fill(p)
}

// A line that never ends is given up, at once where it is the header.
func TestCSVEndlessLine(t *testing.T) {
	for _, c := range []struct{ start, want string }{
		{"", "line 1 is longer than 65536 bytes; is this a text file?"},
		{"t\n", "line 2 is longer than 65536 bytes; is this a text file?"},
		{"t\n\"", "line 2 is longer than 65536 bytes; is this a text file?"},
	} {
		r := &traceReader{csv: newCSV(endless{strings.NewReader(c.start)}), file: &TraceFile{File: "f", Time: strings.TrimRight(c.start, "\n\"")}, names: newClientNames()}
		if problem := r.read(); problem == nil || !strings.Contains(problem.message, c.want) {
			t.Errorf("%q: %v, want %q", c.start, problem, c.want)
		}
	}
}

func BenchmarkTrace(b *testing.B) {
	var text strings.Builder
	text.WriteString("t,c,n\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "2023-11-16 18:17:%02d.%07d,client-%d,%d\n", i/2000, i, i%1000, i%5+1)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r := &traceReader{csv: newCSV(strings.NewReader(text.String())), file: &TraceFile{Time: "t", Client: "c", Cost: "n"}, names: newClientNames()}
		if problem := r.read(); problem != nil || len(r.rows) != 100_000 {
			b.Fatal(problem, r.malformed)
		}
		r.settle()
	}
}
