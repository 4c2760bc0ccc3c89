package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// planOf puts requests to every algorithm.
func planOf(t testing.TB, requests []traffic.Request, duration time.Duration, policy algorithms.Policy, clients ...string) *sim.Plan {
	t.Helper()
	names := sim.NewNames()
	plan := &sim.Plan{Duration: sim.Time(duration), Clients: names, Open: func() traffic.Source { return traffic.Fixed(requests) }}
	for _, name := range clients {
		names.ID(name)
	}
	for _, spec := range algorithms.Defaults() {
		maker, err := spec.Build(policy)
		if err != nil {
			t.Fatal(err)
		}
		plan.Limiters = append(plan.Limiters, sim.Limiter{Name: spec.Name, Spec: spec, Policy: policy, Maker: maker})
	}
	return plan
}

// burst is n requests of one client at an instant.
func burst(at time.Duration, n int) []traffic.Request {
	out := make([]traffic.Request, n)
	for i := range out {
		out[i] = traffic.Request{At: sim.Time(at), Cost: 1}
	}
	return out
}

// boundary is twice a hundred requests around a minute's edge.
func boundary(t testing.TB) *sim.Plan {
	requests := append(burst(59900*time.Millisecond, 100), burst(60100*time.Millisecond, 100)...)
	return planOf(t, requests, 2*time.Minute, algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Minute}}, "mallory")
}

// plainStyle is a style without colour.
func plainStyle() *draw.Style { return draw.NewStyle(draw.Options{Profile: termenv.Ascii}) }

// opened is a model with its first run done, in a window.
func opened(t testing.TB, m Model, width, height int) Model {
	t.Helper()
	m = send(m, tea.WindowSizeMsg{Width: width, Height: height})
	return settle(m, m.Init())
}

// send hands messages to the model, and carries out the commands that follow.
func send(m Model, msgs ...tea.Msg) Model {
	for _, msg := range msgs {
		next, cmd := m.Update(msg)
		m = settle(next.(Model), cmd)
	}
	return m
}

// settle carries out commands and what follows from them, but for the passing of time.
func settle(m Model, cmd tea.Cmd) Model {
	if cmd == nil || m.play.playing {
		return m
	}
	switch msg := cmd().(type) {
	case nil:
		return m
	case tea.BatchMsg:
		for _, c := range msg {
			m = settle(m, c)
		}
		return m
	default:
		return send(m, msg)
	}
}

// press presses keys, separated by spaces.
func press(m Model, keys string) Model {
	for _, name := range strings.Fields(keys) {
		m = send(m, keyOf(name))
	}
	return m
}

// keyOf is the message of a key by its name.
func keyOf(name string) tea.KeyMsg {
	for kind, known := range map[tea.KeyType]string{
		tea.KeyRight: "right", tea.KeyLeft: "left", tea.KeyUp: "up", tea.KeyDown: "down", tea.KeyEnter: "enter", tea.KeyEsc: "esc",
		tea.KeyHome: "home", tea.KeyEnd: "end", tea.KeyTab: "tab", tea.KeyCtrlC: "ctrl+c", tea.KeyBackspace: "backspace",
		tea.KeyShiftRight: "shift+right", tea.KeyShiftLeft: "shift+left", tea.KeyShiftTab: "shift+tab", tea.KeyCtrlU: "ctrl+u",
	} {
		if known == name {
			return tea.KeyMsg{Type: kind}
		}
	}
	if name == "space" {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
