package scenarios

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// drawText is any text that a file can hold: letters, quotes, colons, controls, other scripts.
func drawText(t *rapid.T, label string, most int) string {
	return rapid.OneOf(
		rapid.StringOfN(rapid.RuneFrom([]rune("ab c:#-'\"\\{}[],&*!|>%@`~?\n\t0")), 0, most, -1),
		rapid.StringN(0, most, -1),
		rapid.SampledFrom([]string{"null", "true", "no", "1.0", "0x1F", "1e3", "2024-02-29", "~", "a: b", "- a", "\x1b[31m", "\u202e", "é名", "a\n\nb", "a\n b", "\ufeff"}),
	).Draw(t, label)
}

func drawLength(t *rapid.T, label string, longest time.Duration) time.Duration {
	return time.Duration(rapid.Int64Range(1, int64(longest)).Draw(t, label))
}

func drawRate(t *rapid.T, label string) algorithms.Limit {
	return algorithms.Limit{N: rapid.Int64Range(1, 100).Draw(t, label), Per: drawLength(t, label+" per", time.Hour) + time.Second}
}

// drawScenario is any scenario that is in order.
func drawScenario(t *rapid.T) *Scenario {
	s := &Scenario{
		Version: 1, Duration: time.Hour, Limit: drawRate(t, "limit"),
		Name: drawText(t, "name", 50), Lesson: drawText(t, "lesson", 300), Watch: drawText(t, "watch", 50),
		Burst: rapid.Int64Range(0, 1000).Draw(t, "burst"),
		Key:   rapid.SampledFrom([]Key{"", "client", "all"}).Draw(t, "key"),
	}
	if rapid.Bool().Draw(t, "seeded") {
		seed := rapid.Uint64().Draw(t, "seed")
		s.Seed = &seed
	}
	if rapid.Bool().Draw(t, "started") {
		start := time.Unix(0, rapid.Int64Range(0, lastStart).Draw(t, "start")).UTC()
		s.Start = &start
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "limiters") {
		s.Limiters = append(s.Limiters, drawLimiter(t, i))
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "sources") {
		s.Traffic = append(s.Traffic, drawSource(t, i))
	}
	if rapid.Bool().Draw(t, "system") {
		drawSystem(t, s)
	}
	for _, c := range s.candidates() {
		if rapid.Bool().Draw(t, "expect") {
			s.Expect = append(s.Expect, Expectation{c.name, drawMeasures(t, s.hasSystem())})
		}
	}
	return s
}

func drawLimiter(t *rapid.T, i int) Limiter {
	spec := rapid.SampledFrom(algorithms.Defaults()).Draw(t, "algorithm")
	l := Limiter{Name: fmt.Sprint(i) + strings.TrimRight(drawText(t, "limiter", 10), "\n"), Algorithm: spec.Name}
	if rapid.Bool().Draw(t, "own limit") {
		l.Limit, l.Burst = drawRate(t, "limit"), rapid.Int64Range(0, 50).Draw(t, "burst")
	}
	for _, o := range spec.Options {
		value := ""
		switch {
		case o.Kind == algorithms.Bool:
			value = rapid.SampledFrom([]string{"", "true", "false"}).Draw(t, o.Name)
		case o.Kind == algorithms.Choice:
			value = rapid.SampledFrom(append([]string{""}, o.Choices...)).Draw(t, o.Name)
		case o.Name == "slots":
			value = rapid.SampledFrom([]string{"", "1", "10000"}).Draw(t, o.Name)
		case rapid.Bool().Draw(t, o.Name):
			value = fmt.Sprint(o.Min)
		}
		if value != "" {
			if l.Options == nil {
				l.Options = map[string]string{}
			}
			l.Options[o.Name] = value
		}
	}
	return l
}

func drawSource(t *rapid.T, i int) Source {
	s := Source{Cost: rapid.Int64Range(0, 5).Draw(t, "cost")}
	if rapid.Bool().Draw(t, "named") {
		s.Name = fmt.Sprint("source ", i, drawText(t, "source", 10))
	}
	if rapid.Bool().Draw(t, "one by one") {
		s.Client = drawText(t, "client", 20)
		at := time.Duration(0)
		for range rapid.IntRange(1, 20).Draw(t, "requests") {
			at += time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "gap"))
			s.Requests.Instants = append(s.Requests.Instants, Instant{at, rapid.Int64Range(0, 9).Draw(t, "cost")})
		}
		return s
	}
	if rapid.Bool().Draw(t, "many") {
		s.Clients = &Clients{Count: rapid.Int64Range(1, 1000).Draw(t, "count"), Prefix: fmt.Sprintf("c%d-", i)}
		s.Clients.Share.Zipf = Milli(rapid.Int64Range(0, 10_000).Draw(t, "zipf"))
	}
	s.Arrivals = rapid.SampledFrom([]Arrivals{
		{}, {Poisson: true},
		{Bursty: &Bursty{Active: time.Minute, Idle: 90 * time.Second, Pareto: 1501}},
		{Bursty: &Bursty{Active: time.Second, Idle: 1}},
	}).Draw(t, "arrivals")
	s.Phases = drawPhases(t)
	return s
}

func drawPhases(t *rapid.T) []Phase {
	var phases []Phase
	end := time.Duration(0)
	for range rapid.IntRange(1, 6).Draw(t, "phases") {
		var p Phase
		length := drawLength(t, "length", 5*time.Minute)
		if rapid.Bool().Draw(t, "at") {
			at := end + time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "at"))
			p.At, end = &at, at
		}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			p.Pause = length
		case 1:
			p.Burst, p.Over = rapid.Int64Range(1, 100).Draw(t, "requests"), length
		case 2:
			p.Rate, p.To, p.For = drawRate(t, "rate"), algorithms.Limit{Per: time.Second}, length
		default:
			p.Rate, p.For = drawRate(t, "rate"), length
			p.Sine = &Sine{Amplitude: p.Rate, Period: length}
		}
		end += length
		phases = append(phases, p)
	}
	return phases
}

func drawMeasures(t *rapid.T, system bool) []Expected {
	var out []Expected
	for _, m := range Measures() {
		if m.System && !system || !rapid.Bool().Draw(t, m.Name) {
			continue
		}
		number := func() Decimal {
			text := fmt.Sprint(rapid.Int64Range(0, 1_000_000_000_000).Draw(t, "number"))
			if m.Kind == Ratio {
				text += fmt.Sprintf(".%03d", rapid.IntRange(0, 999).Draw(t, "fraction"))
			}
			d, _ := parseDecimal(text)
			return d
		}
		w := Want{Op: rapid.SampledFrom([]string{"=", "<", "<=", ">", ">=", ".."}).Draw(t, "op"), Low: number()}
		if w.Op == ".." {
			if w.High = number(); w.High.cmp(w.Low) < 0 {
				w.Low, w.High = w.High, w.Low
			}
		}
		out = append(out, Expected{m.Name, w})
	}
	return out
}

// What is written is read back equal, whatever texts are in it.
func TestMarshalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		data, err := Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		l, err := load(data, "x.yaml", ".")
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if !reflect.DeepEqual(l.Scenario, s) {
			t.Fatalf("read back\n%+v\nof\n%+v\nwritten as\n%s", l.Scenario, s, data)
		}
		again, _ := Marshal(l.Scenario)
		if string(again) != string(data) {
			t.Fatalf("written again\n%s\nnot\n%s", again, data)
		}
	})
}

// A file with every key looks like one that a person has written.
func TestMarshalLooks(t *testing.T) {
	for name, text := range complete() {
		data, err := Marshal(mustLoad(t, text).Scenario)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, string(data))
	}
}

// Built-in scenarios stay the same when they are written and read.
func TestBuiltinsRoundTrip(t *testing.T) {
	for _, b := range Builtins() {
		l, err := Load(b.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := FromScenario(l.Scenario, b.Name, ".")
		if err != nil || !reflect.DeepEqual(again.Scenario, l.Scenario) {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
}

func FuzzScenario(f *testing.F) {
	for _, text := range complete() {
		f.Add([]byte(text))
	}
	f.Add([]byte(minimal))
	for _, b := range Builtins() {
		f.Add(b.Source)
	}
	for _, m := range append(mistakes(), systemMistakes()...) {
		if len(m.text) < 2000 {
			f.Add([]byte(m.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := load(data, "x.yaml", "testdata/nowhere")
		if err != nil {
			for _, r := range err.Error() {
				if r != '\n' && (r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e) {
					t.Fatalf("%U in an error: %q", r, err)
				}
			}
			return
		}
		written, err := Marshal(l.Scenario)
		if err != nil {
			t.Fatal(err)
		}
		again, err := load(written, "x.yaml", "testdata/nowhere")
		if err != nil {
			t.Fatalf("%q\nis written\n%s\nwhich is refused: %v", data, written, err)
		}
		if !reflect.DeepEqual(again.Scenario, l.Scenario) {
			t.Fatalf("%q\nis written\n%s\nwhich reads otherwise", data, written)
		}
		if _, err := l.Plan(Overrides{}); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
	})
}
