package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/b6db88e4/ratesim/algorithms"
)

// mistakes are files with something wrong. What is said about them stands in a golden file, which
// has been read by a person.
func mistakes() []struct{ story, text string } {
	traffic := "traffic:\n  - client: a\n    phases: [{burst: 1}]\n"
	head := "version: 1\nlimit: 10/s\n"
	return []struct{ story, text string }{
		{"a bare number for a rate", "version: 1\nlimit: 100\n" + traffic},
		{"many mistakes, all reported", "version: 2\nlimt: 100/m\nburst: 0\nduration: 10\nseed: -1\nkey: path\ntraffic:\n  - client: a\n    phases:\n      - {rate: 8, for: 30s}\n      - {brust: 5}\n    costs: 3\n"},
		{"keys twice", head + "limit: 5/s\n" + traffic},
		{"an unknown algorithm", head + "limiters:\n  - {algorithm: tokenbucket}\n" + traffic},
		{"an option of another algorithm", head + "limiters:\n  - {algorithm: token-bucket, slots: 3}\n" + traffic},
		{"options out of range", head + "limiters:\n  - {algorithm: sliding-buckets, slots: 0}\n  - {algorithm: fixed-window, anchor: last, count_denied: yes}\n" + traffic},
		{"two limiters of one name", head + "limiters:\n  - {algorithm: gcra}\n  - {algorithm: gcra, burst: 3}\n" + traffic},
		{"a policy that cannot be built", "version: 1\nlimit: 10/30ns\nlimiters:\n  - {algorithm: sliding-buckets, slots: 60}\n  - {algorithm: token-bucket, burst: 3, initial: 4}\n" + traffic},
		{"no limit at all", "version: 1\n" + traffic},
		{"a limiter without limit", "version: 1\nlimiters: [{algorithm: gcra}, {algorithm: fixed-window, limit: 3/s}]\n" + traffic},
		{"no traffic", head},
		{"empty lists", head + "traffic: []\nlimiters: []\n"},
		{"a source without anything", head + "traffic:\n  - client: a\n"},
		{"a phase without anything", head + "traffic:\n  - phases: [{for: 3s}]\n"},
		{"keys that do not go together", head + "duration: 1h\ntraffic:\n  - {client: a, clients: {count: 3}, phases: [{rate: 1/s, burst: 3, over: 1s}, {pause: 1s, for: 2s}]}\n  - {clients: {count: 2}, requests: [{at: 0s}], phases: [{burst: 1}]}\n"},
		{"an end before a start", head + "traffic:\n  - phases: [{at: 5s, rate: 1/s, for: 10s}, {at: 6s, burst: 1}]\n"},
		{"phases outside the run", head + "duration: 1m\ntraffic:\n  - phases: [{at: 1m, burst: 1}]\n  - phases: [{rate: 1/s, for: 61s}]\n  - requests: [{at: 0s}, {at: 2m}]\n"},
		{"no end in sight", head + "traffic:\n  - phases: [{rate: 1/s}]\n  - phases: [{rate: 1/s}, {burst: 1}]\n"},
		{"instants out of order", head + "traffic:\n  - requests: [{at: 2s}, {at: 1s}]\n"},
		{"a wave deeper than the rate", head + "traffic:\n  - phases: [{rate: 5/s, for: 1m, sine: {amplitude: 301/m, period: 1s}}]\n"},
		{"a wave deeper than the end of a ramp", head + "traffic:\n  - phases: [{rate: 5/s, to: 4/s, for: 1m, sine: {amplitude: 5/s, period: 1s}}]\n"},
		{"a rate of zero", head + "traffic:\n  - phases: [{rate: 0/s, for: 1m}]\n"},
		{"an absurd number of requests", head + "traffic:\n  - phases: [{rate: 1000000000000/ms, for: 300d}]\n"},
		{"too many clients", head + "traffic:\n  - {clients: {count: 6000000, prefix: a-}, phases: [{burst: 1}]}\n  - {clients: {count: 6000000, prefix: b-}, phases: [{burst: 1}]}\n"},
		{"clients that overlap", head + "traffic:\n  - {clients: {count: 20, prefix: a}, phases: [{burst: 1}]}\n  - {clients: {count: 5, prefix: a1}, phases: [{burst: 1}]}\n"},
		{"processes", head + "duration: 1m\ntraffic:\n  - {arrivals: posson, phases: [{rate: 1/s}]}\n  - {arrivals: {bursty: {active: 1s, idle: 1s, pareto: 1}}, phases: [{rate: 1/s}]}\n  - {arrivals: {mmpp: {rates: [1/s, 2/s], stay: [1s]}}, phases: [{rate: 1/s}]}\n  - {arrivals: {mmpp: {rates: [0/s], stay: [1s]}, bursty: {active: 1s, idle: 2s}}}\n  - {clients: {count: 2, share: {zipf: 0}}, phases: [{burst: 1}]}\n  - {clients: {count: 2, share: uneven}, phases: [{burst: 1}]}\n"},
		{"expectations", head + traffic + "expect:\n  grca: {admitted: 1}\n  gcra: {admited: 1, denied: 1.5, peak: -1, delay_max_ns: soon, fairness: \"5..3\"}\n"},
		{"a comparison without quotes", head + traffic + "expect:\n  gcra: {admitted: >= 3}\n"},
		{"a missing trace", head + "traffic:\n  - requests: {file: none.csv, time: t}\n"},
		{"a trace without columns", head + "traffic:\n  - requests: {file: .}\n"},
		{"no value", head + "name:\nlesson: null\n" + traffic},
		{"a list for a map", "- version: 1\n"},
		{"a text for a map", "hello\n"},
		{"a map for a list", head + "traffic: {client: a}\n"},
		{"a map for a text", head + "name: {a: b}\n" + traffic},
		{"empty", "\n# nothing\n\n"},
		{"two documents", head + traffic + "---\nversion: 1\n"},
		{"tabs", "version: 1\ntraffic:\n\t- client: a\n"},
		{"an open bracket", head + "traffic: [{client: a\n"},
		{"an open quote", head + "name: \"abc\n" + traffic},
		{"colons", head + "watch: a: b\n" + traffic},
		{"anchors and the like", head + "name: &a x\nlesson: *a\nwatch: !!str x\n" + traffic},
		{"deep nesting", strings.Repeat("[", 100)},
		{"a map of too many keys", head + manyKeys() + traffic},
		{"too many blank lines", head + "lesson: |\n  x\n" + strings.Repeat("\n", 101) + traffic},
		{"too many tabs", head + "name: \"" + strings.Repeat("\t", 1001) + "\"\n" + traffic},
		{"a name without end", head + "name: " + strings.Repeat("x", 201) + "\n" + traffic},
		{"spaces behind the mistake", head + "burst: é0   \n" + traffic},
		{"NUL", "version: 1\x00\n"},
		{"not UTF-8", "version: 1\nname: caf\xe9\n"},
		{"UTF-16", "\xff\xfev\x00"},
		{"a control character behind an escape", head + "\"\\e[31mlimits\": 1\n" + traffic},
		{"right to left", head + "name: \"\u202eabc\"\nkey: \u202eabc\n" + traffic},
		{"wide characters before the mistake", head + "traffic:\n  - {client: 名前é, phases: [{burst: 0}]}\n"},
		{"a long line", head + "traffic:\n  - {client: " + strings.Repeat("x", 150) + ", phases: [{burst: none, over: " + strings.Repeat("9", 200) + "s}, {burst: 3}]}\n"},
		{"more mistakes than anyone reads", head + "traffic:\n  - requests:\n" + strings.Repeat("    - {at: 1}\n", 25)},
		{"CRLF, a byte order mark, and a mistake", "\uFEFFversion: 1\r\nlimit: 10\r\n" + strings.ReplaceAll(traffic, "\n", "\r\n")},
	}
}

// manyKeys are more keys than a map may have.
func manyKeys() string {
	var b strings.Builder
	for i := range maxKeys {
		fmt.Fprintf(&b, "key%d: x\n", i)
	}
	return b.String()
}

func TestMistakes(t *testing.T) {
	var b strings.Builder
	for _, m := range mistakes() {
		_, err := load([]byte(m.text), "x.yaml", "testdata")
		if err == nil {
			t.Errorf("%s: no error", m.story)
			continue
		}
		b.WriteString("== " + m.story + "\n" + err.Error() + "\n\n")
	}
	golden(t, "mistakes.golden", b.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed; run with -update and read the difference. Got:\n%s", path, got)
	}
}

// A file without a version is of the first.
func TestVersionLeftOut(t *testing.T) {
	l, err := load([]byte(strings.TrimPrefix(minimal, "version: 1\n")), "x.yaml", ".")
	if err != nil || l.Scenario.Version != 1 {
		t.Errorf("version %d: %v", l.Scenario.Version, err)
	}
}

func TestCompareRates(t *testing.T) {
	rate := func(text string) algorithms.Limit { l, _ := parseRate(text); return l }
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"60/m", "1/s", 0},
		{"61/m", "1/s", 1},
		{"59/m", "1/s", -1},
		{"0/s", "1/3660d", -1},
		{"1000000000000/ns", "999999999999/ns", 1},
		{"1000000000000/3660d", "999999999999/3660d", 1}, // beyond 64 bits, crosswise
		{"999999999999/3660d", "1000000000000/3660d", -1},
	} {
		if got := compareRates(rate(c.a), rate(c.b)); got != c.want {
			t.Errorf("%s against %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
