package accesslog

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestClientSpellings(t *testing.T) {
	for _, test := range []struct{ raw, want, cut24, cut64 string }{
		{"192.0.2.7", "192.0.2.7", "192.0.2.0/24", "192.0.2.7"},
		{"192.0.2.7:443", "192.0.2.7", "192.0.2.0/24", "192.0.2.7"},
		{"192.0.2.7, 10.0.0.1", "192.0.2.7", "192.0.2.0/24", "192.0.2.7"},
		{"::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24", "192.0.2.7"},
		{"::ffff:c000:207", "192.0.2.7", "192.0.2.0/24", "192.0.2.7"},
		{"[::ffff:192.0.2.7]:80", "192.0.2.7", "192.0.2.0/24", "192.0.2.7"},
		{"2001:DB8:0:0:0:0:0:1", "2001:db8::1", "2001:db8::1", "2001:db8::/64"},
		{"2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1", "2001:db8::1", "2001:db8::/64"},
		{"[2001:db8::1]", "2001:db8::1", "2001:db8::1", "2001:db8::/64"},
		{"[2001:db8::1]:443", "2001:db8::1", "2001:db8::1", "2001:db8::/64"},
		{"fe80::1%eth0", "fe80::1%eth0", "fe80::1%eth0", "fe80::/64"},
		{`"2001:db8::1, 10.0.0.1`, "2001:db8::1", "2001:db8::1", "2001:db8::/64"},
		{"host.example.org", "host.example.org", "host.example.org", "host.example.org"},
		{"host.example.org:80", "host.example.org", "host.example.org", "host.example.org"},
		{"010.0.0.1", "010.0.0.1", "010.0.0.1", "010.0.0.1"},
		{"1.2.3.4.5", "1.2.3.4.5", "1.2.3.4.5", "1.2.3.4.5"},
		{"256.0.0.1", "256.0.0.1", "256.0.0.1", "256.0.0.1"},
		{"-", "", "", ""},
		{"", "", "", ""},
		{" , 10.0.0.1", "", "", ""},
		{"[", "[", "[", "["},
	} {
		for bits, want := range map[int]string{0: test.want, 24: test.cut24, 64: test.cut64} {
			if got := string(appendClient(nil, []byte(test.raw), bits)); got != want {
				t.Errorf("%q cut to %d: %q, want %q", test.raw, bits, got, want)
			}
		}
	}
}

// TestEverySpelling: any spelling of any address comes to what netip writes.
func TestEverySpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var addr netip.Addr
		if rapid.Bool().Draw(t, "v4") {
			addr = netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "addr")))
		} else {
			addr = netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 1, 255}), 16, 16).Draw(t, "addr")))
		}
		mapped := netip.AddrFrom16(addr.As16())
		for _, text := range []string{
			addr.String(), strings.ToUpper(addr.String()), addr.StringExpanded(), mapped.String(), mapped.StringExpanded(),
			netip.AddrPortFrom(addr, 80).String(), netip.AddrPortFrom(mapped, 80).String(), addr.String() + ", x",
		} {
			if got := string(appendClient(nil, []byte(text), 0)); got != addr.Unmap().String() {
				t.Fatalf("%q: %q, want %q", text, got, addr.Unmap())
			}
		}
	})
}

func TestKeys(t *testing.T) {
	e := Entry{Client: []byte("[2001:db8::7]:1"), User: []byte(`a b\c`), Path: []byte("/x y")}
	for _, test := range []struct{ key, want string }{
		{"client", "2001:db8::7"},
		{"client/24", "2001:db8::7"},
		{"client/64", "2001:db8::/64"},
		{"client/48", "2001:db8::/48"},
		{"path", "/x y"},
		{"user", `a b\c`},
		{"all", "all"},
		{"client+path", "2001:db8::7 /x y"},
		{"user+path", `a\sb\\c /x y`},
		{"client/64+user+path", `2001:db8::/64 a\sb\\c /x y`},
	} {
		k, err := ParseKey(test.key)
		if err != nil || k.String() != test.key {
			t.Errorf("%s: %v, %v", test.key, k, err)
		}
		if got := string(k.append(nil, &e)); got != test.want {
			t.Errorf("%s: %q, want %q", test.key, got, test.want)
		}
	}
	for _, bad := range []string{"", "ip", "client/", "client/0", "client/129", "client+", "client/2x"} {
		if k, err := ParseKey(bad); err == nil {
			t.Errorf("%q is taken for %v", bad, k)
		}
	}
	if got := (Key{}).String(); got != "client" {
		t.Errorf("no key is %q", got)
	}
}

// TestKeysDiffer: requests with different users or paths have different keys.
func TestKeysDiffer(t *testing.T) {
	k, _ := ParseKey("user+path")
	text := rapid.StringOfN(rapid.SampledFrom([]rune(` \sa`)), 0, 4, -1)
	rapid.Check(t, func(t *rapid.T) {
		a := Entry{User: []byte(text.Draw(t, "user")), Path: []byte(text.Draw(t, "path"))}
		b := Entry{User: []byte(text.Draw(t, "user")), Path: []byte(text.Draw(t, "path"))}
		same := string(a.User) == string(b.User) && string(a.Path) == string(b.Path)
		if one, two := string(k.append(nil, &a)), string(k.append(nil, &b)); (one == two) != same {
			t.Fatalf("%q %q and %q %q: keys %q and %q", a.User, a.Path, b.User, b.Path, one, two)
		}
	})
}

func TestFilters(t *testing.T) {
	e := Entry{Client: []byte("192.0.2.7:80"), Method: []byte("GET"), Path: []byte("/api/v1/items"), Status: 404}
	for _, test := range []struct {
		where string
		takes bool
	}{
		{"", true},
		{"path=/api/*", true},
		{"path=/api", false},
		{"path=*items", true},
		{"path=/api/v?/items", true},
		{"path=/x path=/api/*", true},
		{"method=get", true},
		{"method=POST", false},
		{"status=404", true},
		{"status=4xx", true},
		{"status=40X", true},
		{"status=5xx", false},
		{"status=5xx status=404", true},
		{"client=192.0.2.0/24", true},
		{"client=192.0.2.7", true},
		{"client=::ffff:192.0.2.7", false},
		{"client=2001:db8::/32", false},
		{"path=/api/* status=200", false},
	} {
		var f Filter
		for condition := range strings.FieldsSeq(test.where) {
			if err := f.Where(condition); err != nil {
				t.Error(err)
			}
		}
		if got := f.takes(&e, 0); got != test.takes {
			t.Errorf("%q takes it: %v", test.where, got)
		}
	}
	for _, bad := range []string{"", "path", "path=", "host=x", "status=4", "status=4x4", "status=xxx", "status=0xx", "status=40xx", "client=10.0.0.0/33", "client=host"} {
		var f Filter
		if err := f.Where(bad); err == nil {
			t.Errorf("%q is a condition", bad)
		}
	}
	since, until := int64(5), int64(7)
	f := Filter{Since: &since, Until: &until}
	for at, want := range map[int64]bool{4: false, 5: true, 6: true, 7: false} {
		if f.takes(&e, at) != want {
			t.Errorf("[5, 7) takes %d: %v", at, !want)
		}
	}
}

func TestParseInstant(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"2025-05-17", "2025-05-17T00:00:00Z"},
		{"2025-05-17T10:05", "2025-05-17T10:05:00Z"},
		{"2025-05-17 10:05:03", "2025-05-17T10:05:03Z"},
		{"2025-05-17T10:05+02:00", "2025-05-17T08:05:00Z"},
		{"2025-05-17T10:05:03.25+0200", "2025-05-17T08:05:03.25Z"},
		{"2025-05-17T10:05:03Z", "2025-05-17T10:05:03Z"},
	} {
		ns, err := ParseInstant(test.text)
		if got := time.Unix(0, ns).UTC().Format(time.RFC3339Nano); err != nil || got != test.want {
			t.Errorf("%s: %s, %v", test.text, got, err)
		}
	}
	for _, bad := range []string{"", "yesterday", "2025-13-01", "2025-02-29", "10:05", "2025-05-17T25:00", "1969-01-01", "2025-05-17T10:05:03+2"} {
		if _, err := ParseInstant(bad); err == nil {
			t.Errorf("%q is an instant", bad)
		}
	}
}

// TestCalendar compares every stamp with package time.
func TestCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(0, maxTime-2*day).Draw(t, "ns") + day
		zone := time.FixedZone("", rapid.IntRange(-23*60, 23*60).Draw(t, "zone")*60)
		at := time.Unix(0, ns).In(zone)
		e := Entry{}
		for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02 15:04:05.000000000 -0700", "02/Jan/2006:15:04:05.999999999 -0700"} {
			text := at.Format(layout)
			if err := e.instant([]byte(text), anyUnit); err != 0 || e.Time != ns || e.Zoneless {
				t.Fatalf("%s: %d, want %d, %v", text, e.Time, ns, why(err))
			}
		}
		var c clock
		for range 2 {
			got, err := c.zoned([]byte(at.Format("02/Jan/2006:15:04:05 -0700")))
			if want := at.Truncate(time.Second).UnixNano(); err != 0 || got != want {
				t.Fatalf("%s: %d, want %d", at, got, want)
			}
			at = at.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "later")) * time.Second)
		}
	})
}

// TestDecimal compares with rational arithmetic.
func TestDecimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{1,12}(\.[0-9]{0,8})?([eE][+-]?[0-9])?`).Draw(t, "text")
		shift := rapid.SampledFrom([]int{0, 3, 6, 9}).Draw(t, "shift")
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			t.Skip()
		}
		want.Mul(want, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(shift)), nil)))
		whole := new(big.Int).Quo(want.Num(), want.Denom())
		got, ok := decimal([]byte(text), shift)
		if ok != whole.IsInt64() || ok && got != whole.Int64() {
			t.Fatalf("%s with %d: %d, %v; want %s", text, shift, got, ok, whole)
		}
	})
	for _, bad := range []string{"", "-", ".", ".5", "1e", "1x", "1e1000", "1.2.3", "--1", "99999999999999999999"} {
		if n, ok := decimal([]byte(bad), 0); ok {
			t.Errorf("%q is %d", bad, n)
		}
	}
}

func TestGlob(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]rune("ab*?"))
		pattern := rapid.StringOfN(letters, 0, 8, -1).Draw(t, "pattern")
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 0, 8, -1).Draw(t, "text")
		if got, want := glob(pattern, []byte(text)), globPlainly(pattern, text); got != want {
			t.Fatalf("%q matches %q: %v", pattern, text, got)
		}
	})
}

func globPlainly(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case pattern[0] == '*':
		return globPlainly(pattern[1:], text) || text != "" && globPlainly(pattern, text[1:])
	}
	return text != "" && (pattern[0] == '?' || pattern[0] == text[0]) && globPlainly(pattern[1:], text[1:])
}

func TestCosts(t *testing.T) {
	search, err := ParsePathCost("/search=5")
	if err != nil || search != (PathCost{"/search", 5}) {
		t.Error(search, err)
	}
	costs := []PathCost{search, {"/a=b*", 2}, {"/*", 3}}
	for path, want := range map[string]int64{"/search": 5, "/a=bc": 2, "/x": 3, "": 7} {
		if got := costOf(costs, &Entry{Path: []byte(path), Cost: 7}); got != want {
			t.Errorf("%s costs %d, want %d", path, got, want)
		}
	}
	for _, bad := range []string{"", "5", "=5", "/a=", "/a=0", "/a=x", "/a=1000000000001"} {
		if c, err := ParsePathCost(bad); err == nil {
			t.Errorf("%q is %v", bad, c)
		}
	}
}

func TestColumns(t *testing.T) {
	for _, test := range []struct{ story, columns, log, want, unit string }{
		{"CSV, seconds", "time=ts,client=user,cost=tokens", "user,ts,tokens\nann,100,3\n\"bob, jr\",101.5,4\n", "ann@0/3 bob@1.5/4", "seconds"},
		{"CSV, a first row, by number", "time=2,client=1", "192.0.2.7:80,1747469103250\nbob,1747469104250\n", "192.0.2.7@0/1 bob@1/1", "milliseconds"},
		{"TSV", "time=t,client=c", "c\tt\nann\t2025-05-17T10:05:03Z\n\"b\"\t2025-05-17 10:05:04\n", "ann@0/1 b@1/1", ""},
		{"JSON lines", "time=ts,client=req.ip,cost=n", `{"ts":1747469103000000,"req":{"ip":["::1","x"]},"n":2}` + "\n" + `{"ts":1747469104000000,"req":{"ip":"::0:1"},"n":3}`, "::1@0/2 ::1@1/3", "microseconds"},
		{"a key with a point", "time=ts,client=req.ip", `{"ts":1747469103000000000,"req.ip":"a"}`, "a@0/1", "nanoseconds"},
		{"malformed rows", "time=ts,cost=n", "ts,n\n5,1\nx,1\n6,0\n7\n8,1.5\n\n9,2\n", "@0/1 @4/2", "seconds"},
		{"a status to filter by", "time=ts,status=s", "ts,s\n5,200\n6,404\n7,x\n", "@0/1 @1/1", "seconds"},
	} {
		t.Run(test.story, func(t *testing.T) {
			columns, err := ParseColumns(test.columns)
			if err != nil {
				t.Fatal(err)
			}
			report, got := readAll(t, []Input{Bytes("log", []byte(test.log))}, Options{Columns: columns})
			log, _ := Open([]Input{Bytes("log", []byte(test.log))}, Options{Columns: columns})
			s, _ := log.Stream()
			var words []string
			for range got {
				r, _ := s.Next()
				words = append(words, fmt.Sprintf("%s@%v/%d", s.Clients().Name(r.Client), time.Duration(r.At).Seconds(), r.Cost))
			}
			s.Close()
			if got := strings.Join(words, " "); got != test.want || report.Files[0].Unit != test.unit {
				t.Errorf("got %s in %q, want %s in %q (%v)", got, report.Files[0].Unit, test.want, test.unit, report.Faults)
			}
		})
	}
	for _, bad := range []string{"", "time", "client=a", "time=a,time=b", "time=a,client=a", "time=a,colour=b", "time=,client=b"} {
		if c, err := ParseColumns(bad); err == nil {
			t.Errorf("%q gives %v", bad, c)
		}
	}
	_, err := Open([]Input{Bytes("log", []byte("a,b\n1,2\n"))}, Options{Columns: []Column{{"time", "c"}}})
	if want := `log: column "c": the first line has no such column, but "a", "b"`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	report, _ := readAll(t, []Input{Bytes("log", []byte("t\n5\n1700000000\n"))}, Options{Columns: []Column{{"time", "t"}}, Unit: time.Millisecond})
	if report.Files[0].Unit != "milliseconds" || report.Last != 1_700_000_000_000_000 || report.Tick != time.Millisecond {
		t.Errorf("%+v", report)
	}
	_, err = Open([]Input{Bytes("log", []byte("t\n5\n"))}, Options{Columns: []Column{{"time", "t"}}, Unit: time.Minute})
	if want := `log: unit of time "1m0s": must be 1s, 1ms, 1µs or 1ns`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = Open([]Input{Bytes("log", []byte("a,b\n1,2\n"))}, Options{Format: "csv"})
	if err == nil || !strings.Contains(err.Error(), "needs its columns named") {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	n := NewNames()
	ids := map[string]uint32{}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.RuneFrom([]rune("ab\x00")), 0, 20, -1).Draw(t, "name")
		id := n.id(hash([]byte(name)), []byte(name))
		if want, ok := ids[name]; ok && id != want || !ok && int(id) != len(ids) {
			t.Fatalf("%q has id %d after %d names", name, id, len(ids))
		}
		ids[name] = id
		if found, ok := n.Lookup(name); !ok || found != id || n.Name(id) != name {
			t.Fatalf("%q is found as %d, %v", name, found, ok)
		}
	})
	for i := range uint32(100_000) {
		name := appendAddress(nil, i)
		if id := n.id(hash(name), name); n.Name(id) != string(name) {
			t.Fatalf("%s is %s", name, n.Name(id))
		}
	}
	if _, ok := n.Lookup("nobody"); ok {
		t.Error("nobody is found")
	}
	// Beyond the names' own bytes: a place in the table and an end.
	if beyond := 8*len(n.slots) + 4*len(n.ends); beyond > 40*n.Len() {
		t.Errorf("%d bytes for %d names", beyond, n.Len())
	}
}

// Fetching reads whatever names there are, known or not, the empty one that came last among them, and
// changes none.
func TestNamesFetch(t *testing.T) {
	n := NewNames()
	var lines []parsedLine
	for i := range uint32(2 * manyNames) {
		name := appendAddress(nil, i)
		lines = append(lines, parsedLine{keyHash: hash(name)})
		if i < manyNames {
			n.id(hash(name), name)
		}
	}
	free := uint32(0) // a hash whose place is free, so that the empty name is found where it is looked for first
	for n.slots[free] != 0 {
		free++
	}
	n.id(free, nil)
	lines = append(lines, parsedLine{keyHash: free})
	slots, text := slices.Clone(n.slots), slices.Clone(n.text)
	for len(lines) > 0 {
		some := min(fetched, len(lines))
		n.fetch(lines[len(lines)-some:])
		lines = lines[:len(lines)-some]
	}
	if !slices.Equal(n.slots, slots) || !slices.Equal(n.text, text) || n.Len() != manyNames+1 {
		t.Error("fetching changed names")
	}
}

// TestJSON: an object is taken if and only if encoding/json takes it, and strings come out alike.
func TestJSON(t *testing.T) {
	keys := []jsonKey{{name: "a", slot: timeSlot}, {name: "o", in: []jsonKey{{name: "b", slot: pathSlot}}}}
	for _, test := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a":"x\u00e9\n\ud83d\ude00\ud83d"}`, `{"a":-0.5e+10,"o":{"b":"c","d":[{},[],[1,2],null]}}`,
		`{"a":["x",{"b":1}]}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":+1}`, `{"a":-}`, `{"a":tru}`, `{"a":nul}`, `{"a"}`, `{"a":}`,
		`{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{"a":[1,]}`, `{"a":[}`, `{a:1}`, `{"a":"\x"}`, `{"a":"\u12"}`, "{\"a\":\"\t\"}", `{"a":"x`, `{"a":1}}`, `{"a":1}x`,
		`[]`, ``, `1`, `"x"`, `{"\u0061":1}`, `{"a":"12345678\"12345678\\"}`, "{\"12345\x01678\":1}", `{"a":true,"b":false,"c":null}`,
	} {
		var e Entry
		err := e.scanJSON([]byte(test), keys)
		if object := strings.HasPrefix(strings.TrimSpace(test), "{"); (err == nil) != (json.Valid([]byte(test)) && object) {
			t.Errorf("%q: %v", test, err)
		}
	}
	deep := strings.Repeat(`{"x":[`, maxDepth/2) + "1" + strings.Repeat(`]}`, maxDepth/2)
	var e Entry
	if err := e.scanJSON([]byte(deep), keys); err != nil {
		t.Errorf("%d levels: %v", maxDepth, err)
	}
	if err := e.scanJSON([]byte(`{"y":`+deep+`}`), keys); err != errJSONDepth {
		t.Errorf("%d levels: %v", maxDepth+1, err)
	}
}

// TestJSONStrings: what encoding/json writes is read back.
func TestJSONStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		line, err := json.Marshal(map[string]any{"a": want, "other": map[string]any{"a": want, "n": []int{1}}})
		if err != nil {
			t.Skip()
		}
		var e Entry
		if err := e.scanJSON(line, []jsonKey{{name: "a", slot: pathSlot}}); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if got := e.text(pathSlot); string(got) != want && want != "-" {
			t.Fatalf("%s gives %q, want %q", line, got, want)
		}
	})
}

func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in []record
		at := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			at += rapid.SampledFrom([]int64{0, 0, 0, 1000, 3000}).Draw(t, "gap")
			in = append(in, record{at: at})
		}
		var whole, pieces spread
		want := slices.Clone(whole.take(in, 1000, true))
		var got []record
		for rest := in; len(rest) > 0; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "piece")
			got = append(got, pieces.take(rest[:n], 1000, false)...)
			if rest = rest[n:]; n == 0 {
				break
			}
			in = rest
		}
		if len(got) > len(want) {
			t.Fatalf("%d of %d came out", len(got), len(want))
		}
		for i, r := range got {
			if r != want[i] {
				t.Fatalf("request %d at %d in pieces, at %d at once", i, r.at, want[i].at)
			}
		}
		if !slices.IsSortedFunc(want, func(a, b record) int { return int(a.at - b.at) }) {
			t.Fatalf("%v", want)
		}
	})
}
