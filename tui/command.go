package tui

import (
	"encoding/base64"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// copyCommand shows the command line that prints what is on screen, and hands it to the terminal's
// clipboard. Nothing tells whether the terminal takes it.
func (m Model) copyCommand() (Model, tea.Cmd) {
	text, ok := m.commandLine()
	if !ok {
		m.panel = unsaid
		return m, nil
	}
	m.panel = text + "\n\nThis prints what is on screen; with -i it opens it. It is in the clipboard, if the terminal has one to offer."
	if m.opts.Output == nil {
		return m, nil
	}
	out := m.opts.Output
	return m, func() tea.Msg {
		fmt.Fprintf(out, "\x1b]52;c;%s\x07", base64.StdEncoding.EncodeToString([]byte(text)))
		return nil
	}
}

// unsaid is what is shown where flags do not reach.
const unsaid = "The flags of run cannot say all that is on screen. Save it with s; then y gives the command line for the file."

// commandLine is the command line that prints what is on screen, if there is one.
func (m *Model) commandLine() (text string, ok bool) {
	s := m.onScreen()
	if m.saved.scenario != nil && same(s, m.saved.scenario) {
		return "ratesim run " + quoted(m.saved.path), true
	}
	original := m.setup.original
	if original.Path == "" && slices.ContainsFunc(original.Scenario.Traffic, func(s scenarios.Source) bool { return s.Replay != nil }) {
		return "", false // logs that replay opened: no scenario has that name
	}
	if original.Path == "" && !slices.ContainsFunc(scenarios.Builtins(), func(b scenarios.Builtin) bool { return b.Name == original.Name }) {
		return "", false // from a pipe, which is gone
	}
	if !reflect.DeepEqual(original.Scenario.Traffic, s.Traffic) {
		return "", false
	}
	for _, over := range m.overrides(original.Scenario, s) {
		if plan, err := original.Plan(over); err == nil && m.reproduces(plan) {
			words := []string{"ratesim", "run", quoted(original.Name)}
			return strings.Join(append(words, flags(over)...), " "), true
		}
	}
	return "", false
}

// overrides are the flags that may lead from a scenario to what is on screen, fewer first.
func (m *Model) overrides(from, to *scenarios.Scenario) []scenarios.Overrides {
	over := scenarios.Overrides{Set: m.settings(from)}
	if m.someOff() || !slices.Equal(limiterNames(from), limiterNames(to)) {
		for _, i := range m.shown() {
			over.Algorithms = append(over.Algorithms, m.scene.plan.Limiters[i].Name)
		}
	}
	if seed := to.Seed; seed != nil && (from.Seed == nil && *seed != 1 || from.Seed != nil && *from.Seed != *seed) {
		over.Seed = seed
	}
	if to.Duration != from.Duration {
		over.Duration = &to.Duration
	}
	limit, burst := m.policies()
	out := []scenarios.Overrides{over, over, over, over}
	out[1].Burst = burst
	out[2].Limit = limit
	out[3].Limit, out[3].Burst = limit, burst
	return out
}

// policies are the limit of the first limiter and the burst of the first bucket, if there is one.
func (m *Model) policies() (limit *algorithms.Limit, burst *int64) {
	for _, i := range m.shown() {
		l := &m.scene.plan.Limiters[i]
		if limit == nil {
			limit = &l.Policy.Limit
		}
		if capacity := l.Policy.Capacity(); l.Spec.Bursts {
			return limit, &capacity
		}
	}
	return limit, nil
}

// limiterNames are the names in a scenario's list; all algorithms without one.
func limiterNames(s *scenarios.Scenario) []string {
	var names []string
	for _, l := range s.Listed() {
		names = append(names, l.Called())
	}
	return names
}

// settings are the options that are not as a scenario has them.
func (m *Model) settings(from *scenarios.Scenario) []string {
	var out []string
	seen := map[string]bool{}
	for _, i := range m.shown() {
		l := &m.scene.plan.Limiters[i]
		before := listed(from, l.Name).Options
		for _, o := range l.Spec.Options {
			now, ok := l.Policy.Options[o.Name]
			if !ok {
				now = o.Default
			}
			was, ok := before[o.Name]
			if !ok {
				was = o.Default
			}
			if now != was && !seen[o.Name] {
				seen[o.Name] = true
				out = append(out, o.Name+"="+now)
			}
		}
	}
	return out
}

// reproduces reports whether a plan has the limiters that are on screen, and the same length.
func (m *Model) reproduces(plan *sim.Plan) bool {
	shown := m.shown()
	if len(plan.Limiters) != len(shown) || plan.Duration != m.scene.plan.Duration || plan.Shared != m.scene.plan.Shared {
		return false
	}
	for i, limiter := range shown {
		a, b := &plan.Limiters[i], &m.scene.plan.Limiters[limiter]
		if a.Name != b.Name || a.Spec.Name != b.Spec.Name || a.Policy.Limit != b.Policy.Limit || a.Policy.Start != b.Policy.Start ||
			a.Spec.Capacity(a.Policy) != b.Spec.Capacity(b.Policy) || !maps.Equal(effective(a), effective(b)) ||
			a.Scheme != b.Scheme || !slices.EqualFunc(enforced(a), enforced(b), enforcesSame) {
			return false
		}
	}
	return true
}

// enforced is what a limiter enforces under every limit; one alone enforces its policy.
func enforced(l *sim.Limiter) []sim.Enforced {
	if l.Enforced == nil {
		return []sim.Enforced{{Spec: l.Spec, Policy: l.Policy}}
	}
	return l.Enforced
}

// enforcesSame reports whether two limiters enforce the same under one of several limits.
func enforcesSame(a, b sim.Enforced) bool {
	same := func(a, b sim.Changed) bool { return a.At == b.At && reflect.DeepEqual(a.Policy, b.Policy) }
	if (a.Loaded == nil) != (b.Loaded == nil) || a.Loaded != nil && !same(*a.Loaded, *b.Loaded) {
		return false
	}
	return a.Spec.Name == b.Spec.Name && a.Policy.Limit == b.Policy.Limit && a.Policy.Capacity() == b.Policy.Capacity() &&
		slices.EqualFunc(a.Changes, b.Changes, same)
}

// effective are all options of a limiter.
func effective(l *sim.Limiter) map[string]string {
	out := map[string]string{}
	for _, o := range l.Spec.Options {
		out[o.Name] = o.Default
	}
	maps.Copy(out, l.Policy.Options)
	return out
}

// flags writes overrides as the flags of run.
func flags(over scenarios.Overrides) []string {
	var out []string
	if len(over.Algorithms) > 0 {
		out = append(out, "-a", quoted(strings.Join(over.Algorithms, ",")))
	}
	if over.Limit != nil {
		out = append(out, "--limit", scenarios.FormatRate(*over.Limit))
	}
	if over.Burst != nil {
		out = append(out, "--burst", fmt.Sprint(*over.Burst))
	}
	for _, set := range over.Set {
		out = append(out, "--set", quoted(set))
	}
	if over.Seed != nil {
		out = append(out, "--seed", fmt.Sprint(*over.Seed))
	}
	if over.Duration != nil {
		out = append(out, "--duration", scenarios.FormatDuration(*over.Duration))
	}
	return out
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,=:+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
