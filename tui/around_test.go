package tui

import (
	"bytes"
	"embed"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

//go:embed testdata/*.scenario.yaml
var scenariosAround embed.FS // wherever a test writes its files

// surroundings are the scenarios in testdata that have a system around their limiters.
func surroundings() []string { return []string{"shop", "queue", "servers"} }

// loadAround reads one of them.
func loadAround(t testing.TB, name string) *scenarios.Loaded {
	t.Helper()
	text, err := scenariosAround.ReadFile("testdata/" + name + ".scenario.yaml")
	if err != nil {
		t.Fatal(err)
	}
	l, err := scenarios.Load("-", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// openAround is the program on one of them.
func openAround(t testing.TB, opts Options, name string) Model {
	t.Helper()
	m, err := NewScenario(opts, loadAround(t, name), scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// around is the program on one of them, with its run done.
func around(t testing.TB, name string) Model {
	t.Helper()
	return opened(t, openAround(t, Options{Style: plainStyle()}, name), 120, 40)
}

// toSending goes to the first refused call that is so many a sending of its request.
func toSending(t testing.TB, m Model, attempt uint32) Model {
	t.Helper()
	for seq, a := range m.scene.own(m.selected).Attempt {
		if a == attempt && refuses(m.scene.verdict(m.selected, seq)) {
			m = m.to(m.calls().on(seq))
			return send(m, nil)
		}
	}
	t.Fatalf("nothing is refused when sent %d times", attempt)
	return m
}

// What is shown of limiters with a system around them.
func TestViewsAround(t *testing.T) {
	for _, state := range []struct{ name, scenario, keys string }{
		{"shop-denial", "shop", "n"},
		{"shop-admitted", "shop", "n right right right right right z"},
		{"shop-answer", "shop", "n tab"},
		{"shop-measures", "shop", "end tab tab"},
		{"shop-editor", "shop", "n e right right"},
		{"shop-changes", "shop", "n e right right esc tab tab tab"},
		{"shop-try", "shop", "n t"},
		{"shop-leaky", "shop", "j j n + +"},
		{"queue-waits", "queue", "n left"},
		{"queue-apart", "queue", "j j n"},
		{"servers-cheap", "servers", "n"},
	} {
		for _, w := range windows()[:2] {
			t.Run(state.name+"-"+w.name, func(t *testing.T) {
				m := press(opened(t, openAround(t, Options{Style: plainStyle()}, state.scenario), w.width, w.height), state.keys)
				if !fits(m.View(), w.width, w.height) {
					t.Errorf("does not fit:\n%s", m.View())
				}
				golden(t, "around-"+state.name+"-"+w.name, m.View())
			})
		}
	}
}

// At every size, in every colour and in ASCII the same is said.
func TestViewsAroundInColour(t *testing.T) {
	for _, w := range append(windows(), window{"150x50", 150, 50}) {
		plain := press(opened(t, openAround(t, Options{Style: plainStyle()}, "shop"), w.width, w.height), "n right")
		for _, o := range []draw.Options{
			{Profile: termenv.TrueColor, Dark: true}, {Profile: termenv.TrueColor}, {Profile: termenv.ANSI}, {Profile: termenv.Ascii, ASCII: true},
		} {
			m := press(opened(t, openAround(t, Options{Style: draw.NewStyle(o)}, "shop"), w.width, w.height), "n right")
			if !fits(m.View(), w.width, w.height) {
				t.Errorf("%s: does not fit", w.name)
			}
			if !o.ASCII && ansi.Strip(m.View()) != plain.View() {
				t.Errorf("%s: says something else in colour:\n%s", w.name, ansi.Strip(m.View()))
			}
			if o.ASCII && strings.IndexFunc(m.View(), func(r rune) bool { return r > 126 }) >= 0 {
				t.Errorf("%s: not in ASCII:\n%s", w.name, m.View())
			}
		}
	}
}

// A request that is sent three times: which sending the playhead is on, which limit refused, what the limits
// held, the answer, when its client came again, and how it ended.
func TestTheStoryOfACall(t *testing.T) {
	m := toSending(t, around(t, "shop"), 2)
	shows(t, m, "token-bucket denies request 9, sending 2", "limits: main 2/s, everyone 20/m", "HTTP 429")
	m = send(m, tea.WindowSizeMsg{Width: 120, Height: 60})
	m = toSending(t, m, 3)
	shows(t, m, "of /search", "sending 3", "▸", "sent again, for the 3rd time", "for client ann: 0 of 2 left, needs 2, refuses until", "given up", "Retry-After: ")
	if st := m.story(); st == nil || m.sending(st).Attempt != 3 || st.Seq != m.scene.own(0).Seq[m.head.seq] {
		t.Errorf("the story of another call: %+v", st)
	}
}

// Each limiter has calls of its own: steps follow those of the selected one, and the playhead stays at its
// instant when another is selected.
func TestStepsFollowTheSelectedLimiter(t *testing.T) {
	for _, name := range surroundings() {
		opened := around(t, name)
		rapid.Check(t, func(rt *rapid.T) {
			m := opened
			for range rapid.IntRange(1, 8).Draw(rt, "moves") {
				m.selected = rapid.IntRange(0, len(m.off)-1).Draw(rt, "selected")
				c := m.calls()
				m.head = c.on(rapid.IntRange(-1, c.len()).Draw(rt, "seq"))
				if next := m.to(c.on(m.head.seq + 1)); m.head.seq+1 < c.len() && next.head.at != min(c.at[m.head.seq+1], c.duration) {
					rt.Fatalf("after %+v comes %+v", m.head, next.head)
				}
				for other := range m.off {
					h := m.headOf(other)
					own := m.scene.calls(other)
					if h.at != m.head.at || h.seq >= own.len() || h.seq >= 0 && own.at[h.seq] > h.at && h.at < own.duration {
						rt.Fatalf("%+v of %d is %+v of %d", m.head, m.selected, h, other)
					}
					if h.seq+1 < own.len() && own.at[h.seq+1] < h.at {
						rt.Fatalf("%+v of %d leaves out call %d at %d of %d", m.head, m.selected, h.seq+1, own.at[h.seq+1], other)
					}
				}
			}
		})
	}
}

// At the end of the run the counters are what was measured; and whatever part of the run is on screen, the
// columns together are all that lies in it.
func TestCountersAround(t *testing.T) {
	for _, name := range surroundings() {
		m := press(around(t, name), "end")
		for i, r := range m.scene.results {
			want := sim.Tally{Admitted: r.Summary.Admitted, Delayed: r.Summary.Delayed, Denied: r.Summary.Denied, Degraded: r.Summary.System.Degraded}
			if got := m.scene.tally(i, m.headOf(i)); got != want {
				t.Errorf("%s, %s: %+v at the end, want %+v", name, r.Name, got, want)
			}
			again := int64(0)
			for _, attempt := range m.scene.own(i).Attempt {
				if attempt > 1 {
					again++
				}
			}
			if got := m.resent(i); got != again {
				t.Errorf("%s, %s: %d sent again, want %d", name, r.Name, got, again)
			}
		}
		if got := m.scene.wanted(m.selected, m.head); got != m.scene.total {
			t.Errorf("%s: %d requests at the end, want %d", name, got, m.scene.total)
		}
		rapid.Check(t, func(rt *rapid.T) {
			from := rapid.Int64Range(0, int64(m.scene.plan.Duration)-1).Draw(rt, "from")
			p := port{sim.Time(from), sim.Time(rapid.Int64Range(1, int64(m.scene.plan.Duration)-from).Draw(rt, "span"))}
			n := rapid.IntRange(1, 200).Draw(rt, "columns")
			for i, r := range m.scene.counts(p, n, m.shown()) {
				c := m.scene.calls(i)
				calls := int64(c.index(p.from+p.span) - c.index(p.from))
				if got := sum(r.Grid.Admitted) + sum(r.Grid.Delayed) + sum(r.Grid.Denied) + sum(r.Grid.System.Degraded); got != calls {
					rt.Fatalf("%s: %d calls in columns, %d in all", r.Name, got, calls)
				}
				if got := sum(r.Grid.System.Wanted); got != int64(m.scene.steps.Index(p.from+p.span)-m.scene.steps.Index(p.from)) {
					rt.Fatalf("%s: %d requests in columns", r.Name, got)
				}
				if whole := m.scene.grid(i).System; p.from == 0 && p.span == m.scene.plan.Duration && sum(r.Grid.System.Succeeded) != sum(whole.Succeeded) {
					rt.Fatalf("%s: not all that succeeded", r.Name)
				}
			}
		})
	}
}

func sum(counts []int64) int64 {
	n := int64(0)
	for _, c := range counts {
		n += c
	}
	return n
}

// Another client's levels are recorded by running once more, which changes nothing else.
func TestFollowingAClientAround(t *testing.T) {
	m := press(around(t, "shop"), "right")
	before := m.scene
	if m = press(m, "c"); m.scene.results[0].Grid.LevelKey != "ann" || m.scene.client == before.client {
		t.Fatalf("levels of %q", m.scene.results[0].Grid.LevelKey)
	}
	for i, r := range m.scene.results {
		if !reflect.DeepEqual(r.Summary, before.results[i].Summary) {
			t.Errorf("%s measures something else", r.Name)
		}
	}
}

// A higher limit lets more requests pass, which are found one after the other; what would admit one call is
// not looked for, and why is said.
func TestComparingAround(t *testing.T) {
	m := press(around(t, "shop"), "n t")
	shows(t, m, "No single change is sure to admit a call here")
	m = press(m, "e enter ctrl+u 4 / s enter esc")
	f, ok := m.flipsOf(m.selected)
	if !ok || f.passes == 0 {
		t.Fatalf("%+v after raising the limit", f)
	}
	seen := map[int64]bool{}
	for m = press(m, "g f"); m.note == ""; m = press(m, "f") {
		request := m.scene.own(m.selected).Seq[m.head.seq]
		if m.scene.passing(0)[request] == m.base.passing(0)[request] {
			t.Fatalf("request %d has not changed", request)
		}
		if seen[request] {
			t.Fatalf("request %d is gone to twice", request)
		}
		seen[request] = true
	}
	if int64(len(seen)) != f.passes+f.refused {
		t.Errorf("%d were gone to, of %+v", len(seen), f)
	}
}

// A click on any line of a limiter selects it, the small lanes included.
func TestClicksOnSmallLanes(t *testing.T) {
	m := opened(t, openAround(t, Options{Style: plainStyle(), Mouse: true}, "shop"), 120, 40)
	lines := strings.Split(m.View(), "\n")
	for y, line := range lines[:m.drawn.layout.above+axisLines+m.drawn.layout.traffic+m.drawn.layout.boardLines()] {
		at := m.laneAt(y)
		for i, l := range m.scene.plan.Limiters {
			if strings.Contains(line, " "+l.Name+" ") && at != i {
				t.Errorf("line %d is of lane %d: %q", y, at, line)
			}
		}
		if strings.HasPrefix(line, " goodput") && at != m.selected {
			t.Errorf("line %d is of lane %d: %q", y, at, line)
		}
	}
}

// What is saved after an edit is the whole scenario: only what was edited is different.
func TestSavingAround(t *testing.T) {
	origin, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, file := range map[string]string{
		"shop": "testdata/shop.scenario.yaml", "queue": "testdata/queue.scenario.yaml", "servers": "testdata/servers.scenario.yaml",
		"around": "../scenarios/testdata/around.golden", "shared": "../scenarios/testdata/shared.golden", // every key there is
	} {
		text, err := os.ReadFile(filepath.Join(origin, file))
		if err != nil {
			t.Fatal(err)
		}
		l, err := scenarios.Load("-", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		m, err := NewScenario(Options{Style: plainStyle()}, l, scenarios.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		m = press(opened(t, m, 80, 24), "e right esc s ctrl+u "+spell(name+".yaml")+" enter")
		back, err := scenarios.Load("./"+name+".yaml", nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, m.View())
		}
		want := cloned(l.Scenario)
		limit, _ := want.First()
		if limit.N == m.limitShown() {
			t.Errorf("%s: the limit has not changed", name)
		}
		limit.N = m.limitShown()
		want.Watch, want.Expect = "", nil
		if !same(back.Scenario, want) {
			t.Errorf("%s: saved\n%s\nwant\n%s", name, marshal(t, back.Scenario), marshal(t, want))
		}
	}
}

// Where the limit of a tier stands in for a main one, that is what is edited, and saved.
func TestEditingTheLimitOfATier(t *testing.T) {
	const file = `version: 1
duration: 5s
tiers:
  free: {limit: 2/s}
traffic:
  - {client: ann, tier: free, phases: [{rate: 10/s}]}
`
	l, err := scenarios.Load("-", strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewScenario(Options{Style: plainStyle()}, l, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	m = press(opened(t, m, 120, 40), "e right right right")
	shows(t, m, "‹ 5/s ›")
	if got := m.setup.scenario.Tiers[0].Limit.N; got != 5 || m.setup.scenario.Limit.N != 0 || l.Scenario.Tiers[0].Limit.N != 2 {
		t.Errorf("the tier's limit is %d, the main one %d, and what was read %d", got, m.setup.scenario.Limit.N, l.Scenario.Tiers[0].Limit.N)
	}
}

// limitShown is the limit on screen.
func (m *Model) limitShown() int64 {
	limit, _ := m.draft().First()
	return limit.N
}

func marshal(t *testing.T, s *scenarios.Scenario) string {
	t.Helper()
	text, err := scenarios.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// spell is the keys that type a word.
func spell(word string) string { return strings.Join(strings.Split(word, ""), " ") }

// Saved into another folder, a scenario still finds its traces and logs.
func TestSavingElsewhere(t *testing.T) {
	s := &scenarios.Scenario{Traffic: []scenarios.Source{
		{Requests: scenarios.Requests{Trace: &scenarios.TraceFile{File: "data/trace.csv"}}},
		{Replay: &scenarios.Replay{File: scenarios.Texts{"a.log", "../b.log", "/c.log", "-"}}},
	}}
	from := &setup{folder: filepath.FromSlash("/in/here"), original: &scenarios.Loaded{Scenario: s}}
	out := forFile(s, from, filepath.FromSlash("/in/there/x.yaml"))
	if got := out.Traffic[0].Requests.Trace.File; got != "../here/data/trace.csv" {
		t.Errorf("trace %s", got)
	}
	if got := out.Traffic[1].Replay.File; !slices.Equal(got, scenarios.Texts{"../here/a.log", "../b.log", "/c.log", "-"}) {
		t.Errorf("logs %v", got)
	}
	if s.Traffic[1].Replay.File[0] != "a.log" || s.Traffic[0].Requests.Trace.File != "data/trace.csv" {
		t.Error("what is on screen has changed")
	}
}

func TestPartsAreLeftOutWhole(t *testing.T) {
	m := around(t, "shop")
	for _, tc := range []struct {
		text  string
		width int
		want  string
	}{
		{"2 workers, queue 5", 18, "2 workers, queue 5"},
		{"2 workers, queue 5", 17, "2 workers …"},
		{"2 workers · store 1ms, fails open", 24, "2 workers · store 1ms …"},
		{"2 workers · store 1ms, fails open", 22, "2 workers …"},
		{"workers", 5, "work…"},
	} {
		if got := m.wholeParts(tc.text, tc.width); got != tc.want {
			t.Errorf("%q in %d cells: %q, want %q", tc.text, tc.width, got, tc.want)
		}
	}
}

// A limit on what is in flight is no rate, of which the peak could be a multiple.
func TestNoPeakOfWhatIsInFlight(t *testing.T) {
	l, err := scenarios.Load("retry-storm", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewScenario(Options{Style: plainStyle()}, l, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	m = opened(t, m, 200, 60)
	for limiter, want := range []string{"4.71× ✗", "4.71× ✗", "–"} {
		if got := strings.TrimSpace(m.peak(limiter, 10)); got != want {
			t.Errorf("%s: peak %q, want %q", m.scene.plan.Limiters[limiter].Name, got, want)
		}
	}
}

// How a request ended stands in full where one of the two lines above its story has room for it.
func TestHowItEndedIsNotCut(t *testing.T) {
	m := opened(t, openAround(t, Options{Style: plainStyle()}, "shop"), 80, 24)
	m = toSending(t, m, 2)
	st := m.story()
	lines := m.storyHead(st, 80, m.drawn.layout.text)
	if !strings.Contains(strings.Join(lines, "\n"), m.style.Ended(st)) {
		t.Errorf("%q without %q", lines, m.style.Ended(st))
	}
}

// Up to where is measured stands in full beside the table, however short the limiters' names are, and so
// does that nobody went over the limit.
func TestUpToWhereIsMeasured(t *testing.T) {
	l, err := scenarios.Load("cache-restart", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewScenario(Options{Style: plainStyle()}, l, scenarios.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	view := press(opened(t, m, 200, 60), "n").View()
	for _, want := range []string{"if over at 20s ", "most bound", "0     0 ✓"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
}

func TestTitlesAreNotCut(t *testing.T) {
	const width = 31 // beside the list in the smallest window
	m := opened(t, New(Options{Style: plainStyle()}), minWidth, minHeight)
	for _, it := range (&picker{}).matching() {
		for _, line := range m.aboutItem(it, width, minHeight) {
			if cells(line) > width {
				t.Errorf("%s: %q is wider than %d", it.title, line, width)
			}
		}
	}
}
