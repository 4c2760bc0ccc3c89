package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// lineAt is a combined line of a client so many seconds after 08:00:00.
func lineAt(client string, sec int) string {
	at := time.Date(2025, 5, 17, 8, 0, 0, 0, time.UTC).Add(time.Duration(sec) * time.Second)
	return fmt.Sprintf("%s - - [%s] \"GET /a HTTP/1.1\" 200 1 \"-\" \"curl\"\n", client, at.Format("02/Jan/2006:15:04:05 -0700"))
}

// inWords is what a log gives, as client@seconds.
func inWords(t testing.TB, opts Options, inputs ...Input) (string, *Report) {
	t.Helper()
	log, err := Open(inputs, opts)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	var report *Report
	err = log.Run(func(s *Stream) error {
		words = nil
		for {
			r, ok := s.Next()
			if !ok {
				break
			}
			words = append(words, fmt.Sprintf("%s@%v", s.Clients().Name(r.Client), time.Duration(r.At).Seconds()))
		}
		report = s.Report()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Lines != report.Requests+report.Malformed+report.Filtered {
		t.Errorf("the sum of lines does not hold: %+v", report)
	}
	return strings.Join(words, " "), report
}

func TestOrder(t *testing.T) {
	sorted := lineAt("a", 0) + lineAt("b", 0) + lineAt("c", 5)
	for _, test := range []struct {
		story, log, want string
		opts             Options
		outOfOrder       int64
		steps            int64
		sorted           bool
	}{
		{story: "in order", log: sorted, want: "a@0 b@0 c@5"},
		{story: "equal instants stay as they came", log: lineAt("b", 1) + lineAt("a", 0) + lineAt("c", 1) + lineAt("d", 0),
			want: "a@0 d@0 b@1 c@1", outOfOrder: 2},
		{story: "late within the window", log: lineAt("b", 120) + lineAt("a", 0), want: "a@0 b@120", outOfOrder: 1},
		{story: "later: the file is read again and sorted", log: lineAt("b", 121) + lineAt("a", 0), want: "a@0 b@121", outOfOrder: 1, sorted: true},
		{story: "an hour back and on from there: the clock was set", sorted: true, outOfOrder: 3, steps: 1,
			log: lineAt("a", 3600) + lineAt("b", 3601) + lineAt("c", 0) + lineAt("d", 1) + lineAt("e", 2), want: "c@0 d@1 e@2 a@3600 b@3601"},
		{story: "two lines that came late, one by one", sorted: true, outOfOrder: 2,
			log: lineAt("a", 3600) + lineAt("b", 0) + lineAt("c", 3601) + lineAt("d", 1) + lineAt("e", 3602), want: "b@0 d@1 a@3600 c@3601 e@3602"},
		{story: "one that came late, and then the clock was set", sorted: true, outOfOrder: 3, steps: 1,
			log: lineAt("a", 3600) + lineAt("b", 0) + lineAt("c", 3601) + lineAt("d", 1) + lineAt("e", 2), want: "b@0 d@1 e@2 a@3600 c@3601"},
		{story: "a wider window", log: lineAt("b", 300) + lineAt("a", 0), opts: Options{Reorder: time.Hour}, want: "a@0 b@300", outOfOrder: 1},
		{story: "three in a second, spread", log: lineAt("a", 0) + lineAt("b", 0) + lineAt("c", 0) + lineAt("a", 7) + lineAt("b", 7),
			opts: Options{Spread: true}, want: "a@0 b@0.333333333 c@0.666666666 a@7 b@7.5"},
	} {
		t.Run(test.story, func(t *testing.T) {
			got, report := inWords(t, test.opts, Bytes("log", []byte(test.log)))
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if report.OutOfOrder != test.outOfOrder || report.Steps != test.steps || report.Sorted != test.sorted {
				t.Errorf("%d out of order, %d steps, sorted %v", report.OutOfOrder, report.Steps, report.Sorted)
			}
		})
	}
}

// TestLateInPipe: a pipe cannot be read again, and the error says what to do.
func TestLateInPipe(t *testing.T) {
	full := strings.Repeat(lineAt("b", 10), 20_000) + lineAt("a", 9)
	for _, test := range []struct {
		name, log string
		options   Options
		want      string
	}{
		{"the window is too short", lineAt("b", 500) + lineAt("a", 0), Options{},
			"-:2: is 8m20s behind a line before it, more than the reorder window holds; - cannot be read twice: raise --reorder above 8m20s, or read from a file"},
		{"the window is too full", full, Options{Held: 5000},
			"-:20001: is 1s behind a line before it, which the reorder window would reach, but it holds no more than 5000 requests; - cannot be read twice: read from a file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			log, err := Open([]Input{Pipe("-", strings.NewReader(test.log))}, test.options)
			if err != nil {
				t.Fatal(err)
			}
			err = log.Run(func(s *Stream) error {
				for _, ok := s.Next(); ok; _, ok = s.Next() {
				}
				return nil
			})
			if err == nil || err.Error() != test.want {
				t.Errorf("%v, want %s", err, test.want)
			}
			if _, err := log.Stream(); err == nil {
				t.Error("the pipe was read twice")
			}
		})
	}
}

// TestHeld: a window that is full lets the earliest go, and what comes before them later is late.
func TestHeld(t *testing.T) {
	var log strings.Builder
	for range 20_000 {
		log.WriteString(lineAt("a", 10))
	}
	_, report := inWords(t, Options{Held: 5000}, Bytes("log", []byte(log.String()+lineAt("b", 10))))
	if report.Sorted {
		t.Error("equal instants were late")
	}
	_, report = inWords(t, Options{Held: 5000}, Bytes("log", []byte(log.String()+lineAt("b", 9))))
	if !report.Sorted || report.Requests != 20_001 {
		t.Errorf("sorted %v, %d requests", report.Sorted, report.Requests)
	}
}

func TestText(t *testing.T) {
	good := lineAt("a", 0)
	utf16 := "\xff\xfea\x00"
	for _, test := range []struct {
		story, log, want string
		malformed        int64
		unended          bool
	}{
		{"a line", good, "a@0", 0, false},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n"), "a@0", 0, false},
		{"a byte order mark", "\xef\xbb\xbf" + good, "a@0", 0, false},
		{"no line end", strings.TrimSuffix(good, "\n"), "a@0", 0, true},
		{"a last line that was cut", good + good[:30], "a@0", 1, true},
		{"blank lines", good + "\n\r\n" + lineAt("b", 1), "a@0 b@1", 2, false},
		{"NUL bytes where the log was cut while written", good + strings.Repeat("\x00", 100) + lineAt("b", 1), "a@0", 1, false},
		{"bytes that are not UTF-8", good + strings.Replace(lineAt("b", 1), "/a", "/\xff\xfe", 1), "a@0 b@1", 0, false},
		{"a megabyte of path", good + strings.Replace(lineAt("b", 1), "/a", "/"+strings.Repeat("x", 1<<20-200), 1), "a@0 b@1", 0, false},
		{"a line that is too long", good + strings.Replace(lineAt("b", 1), "/a", "/"+strings.Repeat("x", 3<<20), 1) + lineAt("c", 2), "a@0 c@2", 1, false},
		{"too long by a little", good + strings.Replace(lineAt("b", 1), "/a", "/"+strings.Repeat("x", 1<<20), 1) + lineAt("c", 2), "a@0 c@2", 1, false},
		{"too long, and nothing after it", good + strings.Repeat("x", 5<<20), "a@0", 1, true},
		{"nothing", "", "", 0, false},
		{"only blank lines", "\n\n", "", 2, false},
	} {
		t.Run(test.story, func(t *testing.T) {
			got, report := inWords(t, Options{}, Bytes("log", []byte(test.log)))
			if got != test.want || report.Malformed != test.malformed || report.Files[0].Unended != test.unended {
				t.Errorf("got %s, %d malformed, unended %v; want %s, %d, %v", got, report.Malformed, report.Files[0].Unended, test.want, test.malformed, test.unended)
			}
			if report.Files[0].Empty != (test.log == "") {
				t.Errorf("empty: %v", report.Files[0].Empty)
			}
		})
	}
	if _, err := Open([]Input{Bytes("log", []byte(utf16))}, Options{}); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("UTF-16: %v", err)
	}
}

func TestFaultsSaid(t *testing.T) {
	log := lineAt("a", 0) + "x\n" + lineAt("b", 1) + "\n" + strings.Repeat("y\n", 20)
	_, report := inWords(t, Options{}, Bytes("one", []byte(lineAt("a", 0))), Bytes("two", []byte(log)))
	if len(report.Faults) != 10 || report.Faults[0].String() != "two:2: client: missing" || report.Faults[1].String() != "two:4: empty line" {
		t.Errorf("%v", report.Faults)
	}
	if want := []Reason{{"client: missing", 21}, {"empty line", 1}}; !slices.Equal(report.Reasons, want) {
		t.Errorf("%v, want %v", report.Reasons, want)
	}
	strict, err := Open([]Input{Bytes("two", []byte(log))}, Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	err = strict.Run(func(s *Stream) error {
		for _, ok := s.Next(); ok; _, ok = s.Next() {
		}
		return nil
	})
	var bad *MalformedError
	if !errors.As(err, &bad) || err.Error() != "two:2: client: missing" {
		t.Errorf("strict: %v", err)
	}
}

// TestCompressed: what a file is, its first bytes tell, not its name; and several files are one log.
func TestCompressed(t *testing.T) {
	dir := t.TempDir()
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	io.WriteString(z, lineAt("a", 0)+lineAt("b", 1))
	z.Close()
	s, _ := zstd.NewWriter(&zst)
	io.WriteString(s, lineAt("c", 2)+lineAt("d", 3))
	s.Close()
	var inputs []Input
	for name, data := range map[string][]byte{"1.log": gz.Bytes(), "2.gz": zst.Bytes(), "3.zst": []byte(lineAt("e", 4))} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"1.log", "2.gz", "3.zst"} {
		in, err := File(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, in)
	}
	got, report := inWords(t, Options{}, inputs...)
	if want := "a@0 b@1 c@2 d@3 e@4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for i, want := range []string{"gzip", "zstd", ""} {
		if report.Files[i].Compression != want {
			t.Errorf("file %d: compression %q, want %q", i, report.Files[i].Compression, want)
		}
	}
}

// readThrough reads a log to its end and returns what went wrong.
func readThrough(in Input, opts Options) error {
	log, err := Open([]Input{in}, opts)
	if err != nil {
		return err
	}
	defer log.Close()
	return log.Run(func(s *Stream) error {
		for _, ok := s.Next(); ok; _, ok = s.Next() {
		}
		return nil
	})
}

// TestCutShort: a compressed file that was cut says so wherever it was cut, and up to which line it
// can be read; one that is damaged says that.
func TestCutShort(t *testing.T) {
	var text strings.Builder
	for i := range 40_000 {
		text.WriteString(lineAt(fmt.Sprintf("client-%d", i*i%7919), i/50))
	}
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	io.WriteString(z, text.String())
	z.Close()
	s, _ := zstd.NewWriter(&zst)
	io.WriteString(s, text.String())
	s.Close()
	for name, whole := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zst.Bytes()} {
		want := "the file ends in the middle of its compressed data (" + name + "); it was not written or copied to its end"
		for _, cut := range []int{6, 40, len(whole) / 2, len(whole) - 9, len(whole) - 1} {
			for _, in := range []Input{Bytes("cut.log", whole[:cut]), Pipe("cut.log", bytes.NewReader(whole[:cut]))} {
				err := readThrough(in, Options{})
				if err == nil || !strings.HasSuffix(err.Error(), ": "+want) || !strings.HasPrefix(err.Error(), "cut.log:") {
					t.Errorf("%s cut at %d of %d: %v", name, cut, len(whole), err)
				}
			}
		}
		damaged := bytes.Clone(whole)
		damaged[len(damaged)-3] ^= 0x55
		if err := readThrough(Bytes("x", damaged), Options{}); err == nil || !strings.Contains(err.Error(), "the compressed data ("+name+") is damaged: ") {
			t.Errorf("damaged %s: %v", name, err)
		}
	}
	var part bytes.Buffer
	z = gzip.NewWriter(&part)
	io.WriteString(z, lineAt("a", 0)[:20])
	z.Flush()
	if err := readThrough(Bytes("cut.log", part.Bytes()), Options{}); err == nil || !strings.Contains(err.Error(), "in the middle of its compressed data") {
		t.Errorf("part of the first line: %v", err)
	}
	if err := readThrough(Bytes("cut.log", gz.Bytes()[:gz.Len()-1]), Options{}); !strings.HasPrefix(err.Error(), "cut.log:40000: ") || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("all lines are there: %v", err)
	}
}

// TestLongFirstLine: however long the first line is, the format is that of the others.
func TestLongFirstLine(t *testing.T) {
	for _, size := range []int{chunkSize - 100, chunkSize + 100, longestLine - 200, longestLine + 1, 5 << 20} {
		first := strings.Replace(lineAt("a", 0), "/a", "/"+strings.Repeat("x", size), 1)
		long := 0
		if len(first) > longestLine {
			long = 1
		}
		log := first + lineAt("b", 1) + lineAt("c", 2)
		for _, in := range []Input{Bytes("log", []byte(log)), Pipe("log", strings.NewReader(log))} {
			_, report := inWords(t, Options{}, in)
			if report.Files[0].Format != "combined" || report.Malformed != int64(long) || report.Requests != int64(3-long) {
				t.Errorf("%d bytes: %+v", size, report)
			}
		}
	}
	if err := readThrough(Bytes("log", bytes.Repeat([]byte("x"), 40<<20)), Options{}); err == nil || len(err.Error()) > 1000 {
		t.Errorf("one line of 40 MiB: %v", err)
	}
}

// TestFarStamps: instants that no log can have are named as what is wrong.
func TestFarStamps(t *testing.T) {
	for _, year := range []string{"1812", "2999", "0001"} {
		err := readThrough(Bytes("log", []byte(strings.Replace(lineAt("a", 0), "2025", year, 1))), Options{})
		want := "log: time: outside 1970 to 2261, in most of the first lines: the first is \"a - - [17/May/" + year
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", year, err)
		}
	}
	if _, report := inWords(t, Options{}, Bytes("log", []byte(lineAt("a", 0)+strings.Replace(lineAt("a", 0), "2025", "2999", 1)))); report.Malformed != 1 {
		t.Errorf("one of two: %+v", report)
	}
}

func TestReadingFails(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(lineAt("a", 0)), iotest.ErrReader(errors.New("disk on fire")))
	log, err := Open([]Input{Pipe("-", broken)}, Options{})
	if err == nil {
		err = log.Run(func(s *Stream) error {
			for _, ok := s.Next(); ok; _, ok = s.Next() {
			}
			return nil
		})
	}
	if err == nil || err.Error() != "-:1: disk on fire" {
		t.Errorf("%v", err)
	}
	if _, err := File(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := File(t.TempDir()); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("%v", err)
	}
}

// TestStopEarly: a stream that is closed before its end leaves nobody waiting.
func TestStopEarly(t *testing.T) {
	data := bytes.Repeat([]byte(lineAt("a", 0)), 20_000)
	for range 8 {
		log, err := Open([]Input{Bytes("log", data)}, Options{Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		s, err := log.Stream()
		if err != nil {
			t.Fatal(err)
		}
		s.Next()
		s.Close()
		s.Close()
	}
}

// TestHeadersInTheMiddle: a W3C log may name other columns half way, in another chunk or in the
// same one.
func TestHeadersInTheMiddle(t *testing.T) {
	var log strings.Builder
	want := 0
	for i := range 3000 {
		if i%7 == 0 {
			log.WriteString("#Version: 1.0\r\n#Fields: date time c-ip sc-status\r\n")
		}
		fmt.Fprintf(&log, "2025-05-17 08:05:03 192.0.2.1 200\r\n")
		if i%1000 == 0 {
			log.WriteString("#Fields: time date sc-status s-ip c-ip\n")
			for range 5000 {
				log.WriteString("08:05:03 2025-05-17 429 - 192.0.2.1\n")
				want++
			}
			log.WriteString("#Fields: date time c-ip sc-status\n")
		}
	}
	_, report := inWords(t, Options{}, Bytes("log", []byte(log.String())))
	if report.Refused429 != int64(want) || report.Clients != 1 || report.Malformed != 0 || report.Requests != 18_000 {
		t.Errorf("%+v", report)
	}
}

// TestAgainstPlainSort compares the stream with a stable sort of everything, for any order of
// lines, any window, and either way of sorting.
func TestAgainstPlainSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "lines")
		spread := rapid.SampledFrom([]int{1, 5, 50, 100_000}).Draw(t, "spread")
		var in []record
		for i := range n {
			at := int64(i + rapid.IntRange(0, spread).Draw(t, "at"))
			in = append(in, record{at: at * rapid.SampledFrom([]int64{1, second}).Draw(t, "unit"), client: uint32(i)})
		}
		want := slices.Clone(in)
		slices.SortStableFunc(want, func(a, b record) int { return int(min(max(a.at-b.at, -1), 1)) })
		sorters := []sorter{
			&window{reorder: 1 << 60, held: 1 << 20, floor: -1},
			&window{reorder: 1 << 60, held: 1, floor: -1},
			&fullSort{},
		}
		for i, s := range sorters {
			var got []record
			late := false
			for _, r := range in {
				late = late || s.add(r) > 0
				got = append(got, s.take(false)...)
			}
			for out := s.take(true); len(out) > 0; out = s.take(true) {
				got = append(got, out...)
			}
			if !late && !slices.Equal(got, want) {
				t.Fatalf("sorter %d: %v, want %v", i, got, want)
			}
			if late && i != 1 {
				t.Fatalf("sorter %d: late", i)
			}
		}
	})
}

// TestBlocks sorts more than one block, with many equal instants across them.
func TestBlocks(t *testing.T) {
	var s fullSort
	var want []record
	x := uint64(1)
	for i := range 2*blockSize + 17 {
		x = x*6364136223846793005 + 1442695040888963407
		r := record{at: int64(x>>60) * second, client: uint32(i)}
		s.add(r)
		want = append(want, r)
	}
	slices.SortStableFunc(want, func(a, b record) int { return int(min(max(a.at-b.at, -1), 1)) })
	var got []record
	for out := s.take(true); len(out) > 0; out = s.take(true) {
		got = append(got, out...)
	}
	if !slices.Equal(got, want) {
		t.Error("not the stable order")
	}
}

// TestWindowStaysSmall: what the window holds depends on its length, not on how much goes through,
// and what comes out is in the plain stable order.
func TestWindowStaysSmall(t *testing.T) {
	const reorder, n = 5_000, 80_000
	w := window{reorder: reorder, held: DefaultHeld, floor: -1}
	var in, got []record
	x := uint64(1)
	for i := range n {
		x = x*6364136223846793005 + 1442695040888963407
		r := record{at: int64(i+reorder)/10*10 - int64(x>>40)%reorder, client: uint32(i)}
		in = append(in, r)
		if w.add(r) > 0 {
			t.Fatalf("request %d is late", i)
		}
		if i%1000 == 0 {
			got = append(got, w.take(false)...)
		}
	}
	got = append(got, w.take(true)...)
	slices.SortStableFunc(in, func(a, b record) int { return int(min(max(a.at-b.at, -1), 1)) })
	if !slices.Equal(got, in) {
		t.Error("not the stable order")
	}
	if room := cap(w.sorted) + cap(w.fresh) + cap(w.room); room > 8*reorder {
		t.Errorf("room for %d requests, with at most %d in the window", room, reorder)
	}
}

func TestProgress(t *testing.T) {
	data := []byte(lineAt("a", 0))
	log, err := Open([]Input{Bytes("one", data), Bytes("two", data)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = log.Run(func(s *Stream) error {
		for _, ok := s.Next(); ok; _, ok = s.Next() {
		}
		return nil
	})
	read, total := log.Progress()
	if err != nil || read != int64(2*len(data)) || total != read {
		t.Errorf("read %d of %d, %v", read, total, err)
	}
}

// TestWorkers: what comes out does not depend on how many parse.
func TestWorkers(t *testing.T) {
	data := synthetic(t, 15_000, 5000)
	copy(data[len(data)/2:], "not a line\n\n")
	var report string
	var first []record
	for _, workers := range []int{1, 2, 3, 8} {
		r, got := readAll(t, []Input{Bytes("log", data)}, Options{Workers: workers, Paths: true})
		if words := fmt.Sprintf("%+v", r); report == "" {
			report, first = words, got
		} else if words != report || !slices.Equal(got, first) {
			t.Errorf("%d workers differ: %s, want %s", workers, words, report)
		}
	}
}

func TestSynthetic(t *testing.T) {
	data := synthetic(t, 20_000, 300)
	if !bytes.Equal(data, synthetic(t, 20_000, 300)) {
		t.Error("the same description gives other bytes")
	}
	r, _ := readAll(t, []Input{Bytes("log", data)}, Options{})
	if r.Requests != 20_000 || r.Malformed != 0 || r.Clients > 300 || r.Clients < 295 || r.OutOfOrder != 0 {
		t.Errorf("%+v", r)
	}
	addresses := map[string]bool{}
	for c := range uint32(150_000) {
		addresses[string(appendAddress(nil, c))] = true
	}
	if len(addresses) != 150_000 {
		t.Errorf("150,000 clients have %d addresses", len(addresses))
	}
}
