package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// randomPlan is a small run of anything, with names of anything.
func randomPlan(t *rapid.T, tb testing.TB) *sim.Plan {
	names := rapid.SliceOfNDistinct(rapid.String(), 1, 3, rapid.ID[string]).Draw(t, "names")
	duration := rapid.SampledFrom([]time.Duration{1, 3, 100, time.Microsecond, time.Second, time.Minute, 24 * time.Hour, algorithms.MaxPeriod}).Draw(t, "duration")
	var requests []traffic.Request
	now := sim.Time(0)
	for range rapid.IntRange(0, 60).Draw(t, "requests") {
		now += sim.Time(rapid.Int64Range(0, int64(duration)/20).Draw(t, "wait"))
		requests = append(requests, traffic.Request{At: now, Cost: rapid.Int64Range(1, 4).Draw(t, "cost"), Client: uint32(rapid.IntRange(0, len(names)-1).Draw(t, "client"))})
	}
	policy := algorithms.Policy{
		Limit: algorithms.Limit{N: rapid.Int64Range(1, 20).Draw(t, "n"), Per: max(time.Duration(rapid.Int64Range(1, int64(duration)).Draw(t, "per")), 61)},
		Burst: rapid.Int64Range(0, 9).Draw(t, "burst"),
	}
	plan := planOf(tb, requests, duration, policy, names...)
	plan.Shared = rapid.Bool().Draw(t, "shared")
	return plan
}

// capped is the program on a run of which only the first requests are kept one by one.
func capped(t *rapid.T, opts Options, plan *sim.Plan) Model {
	run := sim.New(plan, sim.Options{Buckets: 500, Workers: 1, Steps: rapid.IntRange(1, 20).Draw(t, "kept")})
	run.Finish()
	s := &scene{plan: plan, steps: run.Steps(), reached: plan.Duration, total: run.Requests(), done: true, results: run.Results()}
	m := NewRun(opts, "capped", plan)
	return send(m, snapshotMsg{run: m.run.number, scene: s.following(0)})
}

// Beyond what is kept one by one, the counts come from the grid of the run: by its end they are all
// there, and the screen says that they are counts.
func TestBeyondWhatIsKept(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := capped(rt, Options{Style: plainStyle()}, randomPlan(rt, t))
		m = press(send(m, tea.WindowSizeMsg{Width: 120, Height: 40}), "end")
		for i, r := range m.scene.results {
			if got := m.scene.tally(i, m.head); got != (sim.Tally{Admitted: r.Summary.Admitted, Delayed: r.Summary.Delayed, Denied: r.Summary.Denied}) {
				rt.Fatalf("%s: %+v at the end, want %+v", r.Name, got, r.Summary)
			}
		}
		if said := strings.Contains(m.View(), "requests are kept one by one"); said == m.scene.whole(0) {
			rt.Fatalf("says so: %v, kept whole: %v", said, m.scene.whole(0))
		}
	})
}

// randomModel is the program on a small run of anything, on a built-in scenario, or with the picker
// open.
func randomModel(rt *rapid.T, t testing.TB) Model {
	opts := Options{Style: plainStyle(), Mouse: true}
	all := scenarios.Builtins()
	switch at := rapid.IntRange(-len(all), len(all)+6).Draw(rt, "scenario"); {
	case at > len(all)+3:
		return capped(rt, opts, openAround(t, opts, surroundings()[at-len(all)-4]).setup.plan)
	case at > len(all):
		return openAround(t, opts, surroundings()[at-len(all)-1])
	case at < 0 && at%2 == 0:
		return capped(rt, opts, randomPlan(rt, t))
	case at < 0:
		return NewRun(opts, rapid.String().Draw(rt, "title"), randomPlan(rt, t))
	case at == len(all):
		return New(opts)
	default:
		return openScenario(t, opts, all[at].Name, scenarios.Overrides{})
	}
}

// openScenario is the program on a built-in scenario.
func openScenario(t testing.TB, opts Options, name string, over scenarios.Overrides) Model {
	t.Helper()
	l, err := scenarios.Load(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewScenario(opts, l, over)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Whatever keys are pressed, whatever the window's size, the view fits the window exactly, and
// nothing panics.
func TestViewFits(t *testing.T) {
	keys := []string{
		"space", "right", "left", "l", "h", "L", "H", "shift+right", "shift+left", "n", "N", "d", "D", "w", "W", "home", "end", "g", "G",
		"+", "-", "z", "0", "[", "]", "up", "down", "j", "k", "x", "X", "c", "tab", "b", "B", "f", "F", "?", "e", "enter", "esc", "o", "s", "y",
		"1", "2", "7", "<", ">", "backspace", "/", "a", "q", "ctrl+u", "u", "m", "r", "i",
	}
	t.Chdir(t.TempDir()) // some of the keys save files
	rapid.Check(t, func(rt *rapid.T) {
		m := randomModel(rt, t)
		width, height := 80, 24
		if m = send(m, tea.WindowSizeMsg{Width: width, Height: height}); m.scene == nil {
			m = settle(m, m.Init())
		}
		for range rapid.IntRange(1, 14).Draw(rt, "events") {
			switch rapid.IntRange(0, 9).Draw(rt, "event") {
			case 0:
				width, height = rapid.IntRange(1, 260).Draw(rt, "width"), rapid.IntRange(1, 90).Draw(rt, "height")
				m = send(m, tea.WindowSizeMsg{Width: width, Height: height})
			case 1:
				m = send(m, tea.MouseMsg{
					X: rapid.IntRange(0, width).Draw(rt, "x"), Y: rapid.IntRange(0, height).Draw(rt, "y"),
					Action: rapid.SampledFrom([]tea.MouseAction{tea.MouseActionPress, tea.MouseActionMotion, tea.MouseActionRelease}).Draw(rt, "action"),
					Button: tea.MouseButton(rapid.IntRange(0, 7).Draw(rt, "button")),
				})
			case 2:
				m = send(m, tickMsg{m.play.turn, time.Unix(rapid.Int64Range(0, 100).Draw(rt, "now"), 0)})
			default:
				m = press(m, rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			if view := m.View(); !fits(view, width, height) {
				rt.Fatalf("does not fit %d by %d:\n%s", width, height, view)
			}
			if m.scene != nil && (m.head.at < 0 || m.head.at > m.scene.plan.Duration || m.head.seq >= m.calls().len() ||
				m.port.from < 0 || m.port.span < 1 || m.port.from+m.port.span > m.scene.plan.Duration) {
				rt.Fatalf("playhead %+v, view %+v", m.head, m.port)
			}
		}
	})
}
