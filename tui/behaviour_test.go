package tui

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// scenario is the program on a built-in scenario, with its run done.
func scenario(t testing.TB, name string) Model {
	return opened(t, openScenario(t, Options{Style: plainStyle()}, name, scenarios.Overrides{}), 120, 40)
}

// shows reports an error unless all texts are on screen.
func shows(t *testing.T, m Model, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(m.View(), text) {
			t.Errorf("no %q in\n%s", text, m.View())
		}
	}
}

// The story of the boundary: step to the first denial, read why, raise the burst until it passes,
// compare with before, and take it all back.
func TestRaisingTheBurst(t *testing.T) {
	m := press(scenario(t, "boundary"), "n")
	shows(t, m, "token-bucket denies request 100", "under a burst of 101 instead of 100", "HTTP 429")
	m = press(m, "e down right")
	shows(t, m, "token-bucket admits request 100", "‹ 110 ›", "baseline 100/m · burst 100", "HTTP 200")
	if change := m.compared.flips[0]; change != (flips{passes: 10, known: true}) {
		t.Errorf("compared with the baseline: %+v, want 10 more pass", change)
	}
	m = press(m, "2 0 0 enter")
	shows(t, m, "‹ 200 ›")
	if got := m.scene.results[0].Summary.Denied; got != 0 {
		t.Errorf("%d denied with a burst of 200", got)
	}
	m = press(m, "u esc")
	if got := m.scene.results[0].Summary.Denied; got != 100 {
		t.Errorf("%d denied after taking it back, want 100", got)
	}
}

// The smallest change that admits a request does, and one key makes it.
func TestTrying(t *testing.T) {
	m := press(scenario(t, "boundary"), "j j j j j n")
	shows(t, m, "sliding-log denies request 100")
	shows(t, press(m, "t"), "sliding-log admits request 100", "limit 101/m")
}

// A mistake is said where it is made, and changes nothing.
func TestMistakesInTheEditor(t *testing.T) {
	for _, c := range []struct{ keys, says string }{
		{"e enter ctrl+u 1 0 0 enter", `limit: `},
		{"e enter ctrl+u n o enter", `limit: `},
		{"e down enter ctrl+u 0 enter", `burst: "0": must be a whole number from 1`},
		{"e down down enter ctrl+u x enter", `refill: "x": must be continuous or interval`},
		{"e down down down down down enter ctrl+u 1 s enter", `outside`},
	} {
		m := press(scenario(t, "boundary"), c.keys)
		if c.says == "outside" {
			if m.editor.mistake == "" {
				t.Errorf("after %s: no mistake", c.keys)
			}
			continue
		}
		if !strings.Contains(m.editor.mistake, c.says) || !strings.Contains(m.View(), "burst 100") {
			t.Errorf("after %s: %q, want %q", c.keys, m.editor.mistake, c.says)
		}
	}
}

// While a changed run is under way the old picture stays; a newer change cancels it.
func TestNewerChangesCancelOlder(t *testing.T) {
	m := press(scenario(t, "boundary"), "e down")
	before := m.scene
	one, first := m.Update(keyOf("right"))
	two, second := one.Update(keyOf("right"))
	late := settle(two.(Model), first)
	if late.scene != before || !late.run.running {
		t.Fatal("the older change has been shown")
	}
	m = settle(late, second)
	if got := m.scene.plan.Limiters[0].Policy.Capacity(); got != 120 || m.run.running {
		t.Errorf("burst %d, want both changes: 120", got)
	}
}

// A picture of a run that is no longer wanted is not shown.
func TestStalePicturesAreNotShown(t *testing.T) {
	m := press(scenario(t, "boundary"), "e down")
	next, rebuild := m.Update(keyOf("right"))
	next, simulate := next.Update(rebuild())
	stale := simulate()
	newer, _ := next.Update(keyOf("right"))
	if shown := send(newer.(Model), stale); shown.scene != m.scene {
		t.Error("a stale picture is shown")
	}
}

// Switching off, following another client, and going to edges.
func TestChoosing(t *testing.T) {
	m := press(scenario(t, "boundary"), "x")
	if names := m.shown(); len(names) != len(algorithms.Defaults())-1 || m.selected != 1 {
		t.Errorf("shown %v, selected %d", names, m.selected)
	}
	if m = press(m, "X"); len(m.shown()) != len(algorithms.Defaults()) {
		t.Error("not all on again")
	}
	m = press(m, "j j j w")
	if m.head.at != sim.Time(time.Minute) || m.head.seq != 99 {
		t.Errorf("the next edge of fixed-window is at %+v", m.head)
	}
	if m = press(press(m, "right"), "W"); m.head.at != sim.Time(time.Minute) {
		t.Errorf("the edge before is at %+v", m.head)
	}
	m = press(scenario(t, "weighted-counter"), "right")
	if m.scene.client == m.scene.steps.Client[0] {
		t.Fatal("the first request is of the client that is shown")
	}
	if m = press(m, "c"); m.scene.client != m.scene.steps.Client[0] {
		t.Error("does not follow the client")
	}
}

// Playing moves the playhead by the time that passes times the speed, and stops at the end.
func TestPlaying(t *testing.T) {
	m := press(scenario(t, "burst"), "space")
	began := time.Unix(1000, 0)
	for i := range 31 {
		m = send(m, tickMsg{m.play.turn, began.Add(time.Duration(i) * 100 * time.Millisecond)})
	}
	if want := sim.Time(3*time.Second + frame); m.play.speed != 0 || m.head.at != want || m.head.seq != 12 {
		t.Errorf("after 3 s at 1×: %+v, want %d and all 13 requests", m.head, want)
	}
	if stale := send(m, tickMsg{m.play.turn - 1, began.Add(time.Hour)}); stale.head != m.head {
		t.Error("a tick of an earlier turn moves the playhead")
	}
	m = press(m, "> > >")
	for i := range 20 {
		m = send(m, tickMsg{m.play.turn, began.Add(time.Duration(4+i) * time.Second)})
	}
	if m.play.playing || m.head.at != m.scene.plan.Duration {
		t.Errorf("does not stop at the end: %+v", m.head)
	}
}

// Every lesson has exactly one right choice, does not show it before it is asked for, and leads to
// the next.
func TestLessons(t *testing.T) {
	for i, l := range lessons() {
		t.Run(l.scenario, func(t *testing.T) {
			m := opened(t, New(Options{Style: plainStyle()}), 80, 24)
			m = press(m, strings.Repeat("down ", i)+"enter")
			shows(t, m, l.title, "1 ›")
			right := slices.Index(l.choices, m.lessonAnswer())
			if right < 0 {
				t.Fatalf("the run says %d, the choices are %d", m.lessonAnswer(), l.choices)
			}
			for _, limiter := range m.shown() {
				if now := m.scene.tally(limiter, m.head); now != (sim.Tally{}) {
					t.Errorf("shows %+v before it has played", now)
				}
			}
			if again := press(m, "right n end e space"); again.head != m.head || again.play.playing {
				t.Error("a key gets around the question")
			}
			wrong := press(press(m, string(rune('1'+(right+1)%len(l.choices)))), "enter")
			shows(t, wrong, "You said")
			m = press(press(m, string(rune('1'+right))), "enter")
			shows(t, m, "as you said")
			if i+1 < len(lessons()) {
				shows(t, press(m, "enter"), lessons()[i+1].title)
			}
			if free := press(m, "esc"); free.hides() || free.lesson.stage != noLesson {
				t.Error("does not leave")
			}
		})
	}
}

// What is saved is what is on screen; nothing is overwritten without asking.
func TestSaving(t *testing.T) {
	t.Chdir(t.TempDir())
	m := press(scenario(t, "boundary"), "e down 2 0 0 enter esc x s enter")
	shows(t, m, "saved to boundary.yaml")
	l, err := scenarios.Load("boundary.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Scenario; s.Burst != 200 || len(s.Limiters) != len(algorithms.Defaults())-1 || s.Expect != nil || s.Watch != "" || s.Lesson == "" {
		t.Errorf("saved %+v", s)
	}
	before, _ := os.ReadFile("boundary.yaml")
	m = press(m, "X s enter")
	shows(t, m, "boundary.yaml exists. Overwrite it?")
	m = press(m, "n")
	if after, _ := os.ReadFile("boundary.yaml"); string(after) != string(before) {
		t.Error("overwritten after a no")
	}
	m = press(m, "s enter y")
	if after, _ := os.ReadFile("boundary.yaml"); string(after) == string(before) {
		t.Error("not overwritten after a yes")
	}
	if files, _ := os.ReadDir("."); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
	shows(t, press(m, "s ctrl+u / n o w h e r e / x enter"), "not saved")
}

// The command line says what is on screen, and says so when it cannot.
func TestCommandLines(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ name, scenario, keys, want string }{
		{"as it is", "boundary", "", "ratesim run boundary"},
		{"burst", "boundary", "e down right", "ratesim run boundary --burst 110"},
		{"limit", "boundary", "e enter ctrl+u 5 0 / m enter", "ratesim run boundary --limit 50/m"},
		{"some off", "boundary", "j" + strings.Repeat(" x", len(algorithms.Defaults())-2), "ratesim run boundary -a token-bucket,unlimited"},
		{"seed", "poisson", "e down down down down right", "ratesim run poisson --seed 2"},
		{"an option that one limiter has", "boundary", "e down down right", "ratesim run boundary --set refill=interval"},
		{"an option that others have too", "boundary", "j j j j e down down right", ""},
		{"traffic", "boundary", "e up right", ""},
		{"saved", "boundary", "e up right esc s enter", "ratesim run boundary.yaml"},
		{"listed limiters", "burst-parameter", "x", "ratesim run burst-parameter -a burst-20,burst-60"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := press(scenario(t, c.scenario), c.keys)
			if got, ok := m.commandLine(); got != c.want || ok != (c.want != "") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Whatever overrides a scenario is opened with, writing them into it gives the same run.
func TestOverridesBecomePartOfTheScenario(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l, err := scenarios.Load(rapid.SampledFrom(scenarios.Builtins()).Draw(rt, "scenario").Name, nil)
		if err != nil {
			rt.Fatal(err)
		}
		s, err := newSetup(l, randomOverrides(rt))
		if err != nil {
			return // an option that none of the limiters has
		}
		again, err := s.changed(s.scenario)
		if err != nil {
			rt.Fatal(err)
		}
		m := Model{scene: &scene{plan: s.plan}, off: make([]bool, len(s.plan.Limiters))}
		if !m.reproduces(again.plan) {
			rt.Fatalf("%+v becomes %+v", s.plan.Limiters, again.plan.Limiters)
		}
		for a, b := s.plan.Open(), again.plan.Open(); ; {
			x, more := a.Next()
			if y, _ := b.Next(); x != y {
				rt.Fatalf("request %+v becomes %+v", x, y)
			}
			if !more || x.At > s.plan.Duration {
				return
			}
		}
	})
}

func randomOverrides(t *rapid.T) scenarios.Overrides {
	var over scenarios.Overrides
	if rapid.Bool().Draw(t, "limit") {
		over.Limit = &algorithms.Limit{N: rapid.Int64Range(1, 50).Draw(t, "n"), Per: time.Second * time.Duration(rapid.IntRange(1, 60).Draw(t, "per"))}
	}
	if rapid.Bool().Draw(t, "burst") {
		burst := rapid.Int64Range(1, 50).Draw(t, "b")
		over.Burst = &burst
	}
	if rapid.Bool().Draw(t, "seed") {
		seed := rapid.Uint64().Draw(t, "s")
		over.Seed = &seed
	}
	over.Algorithms = rapid.SampledFrom([][]string{nil, {"gcra"}, {"token-bucket", "fixed-window"}, {"unlimited", "sliding-log"}}).Draw(t, "algorithms")
	over.Set = rapid.SampledFrom([][]string{nil, {"slots=7"}, {"count_denied=true"}, {"refill=interval"}}).Draw(t, "set")
	return over
}

// At every zoom, every column in which the selected limiter denied something says so.
func TestNoDenialDisappears(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := opened(t, NewRun(Options{Style: plainStyle()}, "any", randomPlan(rt, t)), rapid.IntRange(80, 200).Draw(rt, "width"), rapid.IntRange(24, 60).Draw(rt, "height"))
		for range rapid.IntRange(0, 6).Draw(rt, "moves") {
			m = press(m, rapid.SampledFrom([]string{"+", "+", "-", "]", "[", "n", "j", "right", "z", "L"}).Draw(rt, "key"))
		}
		l := m.drawn.layout
		denied := make([]bool, l.lane)
		for seq, v := range m.scene.steps.Lanes[m.selected].Verdicts {
			if col := m.port.column(m.scene.steps.At[seq], l.lane); v == algorithms.Deny && col >= 0 && col < l.lane {
				denied[col] = true
			}
		}
		lane := m.drawn.board.Lane(m.selected, m.playhead(l.lane), m.filling(l.lane))
		marks := []rune(lane[len(lane)-1])
		for col := range denied {
			if marked := strings.ContainsRune("×╳ø▚", marks[col]); marked != denied[col] && m.port.span >= sim.Time(l.lane) {
				rt.Fatalf("column %d: denied %v, drawn %q", col, denied[col], marks[col])
			}
		}
	})
}

// A model is a value: what becomes of a copy does not change it.
func TestModelIsAValue(t *testing.T) {
	m := press(scenario(t, "boundary"), "n z e down")
	before, keys := m.View(), "right right x b tab esc j w + u home end n"
	first := press(m, keys).View()
	if m.redraw().View() != before {
		t.Error("what became of a copy has changed the model")
	}
	if second := press(m, keys).View(); second != first {
		t.Errorf("the same keys lead elsewhere:\n%s\n%s", first, second)
	}
}

// Every key is on the page of all keys, in full in the smallest window, under its own name or beside
// its counterpart's; and the page leads back to where it was opened.
func TestEveryKeyIsSaid(t *testing.T) {
	small := func(m Model, keys string) Model {
		return press(send(m, tea.WindowSizeMsg{Width: minWidth, Height: minHeight}), keys)
	}
	picking := opened(t, New(Options{Style: plainStyle()}), minWidth, minHeight)
	predicting := press(picking, "enter")
	for name, m := range map[string]Model{
		"watching": small(scenario(t, "boundary"), ""), "editing": small(scenario(t, "boundary"), "e"),
		"picking": picking, "predicting": predicting, "revealed": press(send(predicting, keyOf("2")), "enter"),
	} {
		page := press(m, "?")
		before := ""
		for _, a := range slices.Concat(flat(page.groups())...) {
			h := a.Help()
			if h.Key == "" && !strings.Contains(before, counterpart(a.Keys()[0])) && a.hint == "" && h.Desc != "your prediction" && a.Keys()[0] != "ctrl+c" {
				t.Errorf("%s: nothing says what %q does", name, a.Keys())
			}
			if h.Key != "" {
				before = h.Key
				shows(t, page, "  "+plainStyle().Fit(h.Key, 8)+h.Desc)
			}
		}
		if back := press(page, "space"); back.View() != m.View() {
			t.Errorf("%s: the page of all keys leads to\n%s", name, back.View())
		}
	}
}

func flat(groups []group) (out [][]action) {
	for _, g := range groups {
		out = append(out, g.actions)
	}
	return out
}

// counterpart is how a key is written beside the one that does the opposite.
func counterpart(key string) string {
	signs := map[string]string{"left": "←", "shift+left": "←", "down": "↓", "up": "↑", "-": "−", "home": "g", "end": "G"}
	if sign, ok := signs[key]; ok {
		return sign
	}
	return key
}

// What stands beside the HTTP answer is wrapped at the answer, not cut by it.
func TestWhatIsAskedIsNotCut(t *testing.T) {
	plan := planOf(t, burst(59900*time.Millisecond, 3), 2*time.Minute, algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Minute}}, "someone_with_a_name_of_some_length")
	m := press(opened(t, NewRun(Options{Style: plainStyle()}, "any", plan), 100, 30), "right")
	var left []string
	for _, line := range m.why(100, 12) {
		left = append(left, strings.Fields(ansi.Truncate(line, 55, ""))...)
	}
	if text := strings.Join(left, " "); !strings.Contains(text, "someone_with_a_name_of_some_length asks for 1 unit.") {
		t.Errorf("cut: %s", text)
	}
}

// A table of measures is not begun where only its headings have room.
func TestWholeTables(t *testing.T) {
	lines := []string{"measure", "a 1", "b 2", "", "other", "a 3", "b 4"}
	for height, want := range []int{0, 1, 2, 3, 3, 3, 3, 7, 7} {
		if got := wholeTables(lines, height); len(got) != want {
			t.Errorf("in %d lines: %q, want the first %d", height, got, want)
		}
	}
}

// A filter that leaves nothing is not a dead end, nor one that was left by going back.
func TestLeavingAFilter(t *testing.T) {
	m := press(opened(t, New(Options{Style: plainStyle()}), 80, 24), "/ z z z enter")
	shows(t, m, "esc shows everything")
	shows(t, press(m, "esc"), "The window boundary")
	m = press(scenario(t, "boundary"), "o / t h u n d e r enter o")
	shows(t, m, "/ thunder", "esc all")
	m = press(m, "esc")
	shows(t, m, "The window boundary", "esc back")
	shows(t, press(m, "esc"), "A herd at the minute's start", "paused")
}

// Ctrl+z hands the terminal back for a while, whatever is going on.
func TestSuspending(t *testing.T) {
	for _, keys := range []string{"", "e", "e enter", "s", "?", "o", "o /"} {
		m := press(scenario(t, "boundary"), keys)
		if _, cmd := m.Update(tea.KeyMsg{Type: tea.KeyCtrlZ}); cmd == nil || cmd() != tea.Suspend() {
			t.Errorf("after %q: ctrl+z does not suspend", keys)
		}
	}
}

// Characters that the terminal hands over together are keys one after the other; what is pasted is
// text where text is typed, and nothing elsewhere.
func TestKeysReadTogether(t *testing.T) {
	together := func(text string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)} }
	m := send(scenario(t, "boundary"), together("lllll"))
	if m.head.seq != 4 {
		t.Errorf("after five steps at once: on request %d, want 4", m.head.seq)
	}
	m = press(send(m, together("nt")), "n")
	shows(t, m, "burst 101", "token-bucket denies request 101") // t tries what n has just explained
	m = press(send(m, together("ejj"), together("kj"), together("k"), together("150")), "enter esc")
	shows(t, m, "burst 150")
	pasted := together("qqq")
	pasted.Paste = true
	if _, cmd := m.Update(pasted); cmd != nil {
		t.Error("what is pasted is taken for keys")
	}
	pasted.Runes = []rune("120/m")
	m = press(send(press(m, "e up enter ctrl+u"), pasted), "enter")
	shows(t, m, "limit 120/m")
	if _, cmd := press(m, "enter").Update(keyOf("ctrl+c")); cmd == nil || cmd() != tea.Interrupt() {
		t.Error("ctrl+c does not interrupt while something is typed")
	}
}
