package scenarios

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Every file is in the list, and every one of the list is a file that says what it teaches.
func TestBuiltins(t *testing.T) {
	paths, err := fs.Glob(files, "*.yaml")
	if err != nil || len(paths) != len(builtinNames()) {
		t.Fatalf("%d files and %d names: %v", len(paths), len(builtinNames()), err)
	}
	for _, b := range Builtins() {
		l, err := Load(b.Name, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		s := l.Scenario
		if !strings.HasPrefix(string(b.Source), "# yaml-language-server: $schema=./ratesim.schema.json\n") {
			t.Errorf("%s does not name its schema", b.Name)
		}
		if b.Title != s.Name || b.Watch != s.Watch || s.Name == "" || s.Watch == "" {
			t.Errorf("%s: listed as %q, %q, but it reads %q, %q", b.Name, b.Title, b.Watch, s.Name, s.Watch)
		}
		if len(s.Expect) == 0 || strings.Count(s.Lesson, "\n") < 1 || l.Name != b.Name || l.Path != "" || len(l.Notes) > 0 {
			t.Errorf("%s: expect %v, lesson %q, notes %q", b.Name, s.Expect, s.Lesson, l.Notes)
		}
	}
}

// What a built-in scenario says is what happens.
func TestBuiltinsComeTrue(t *testing.T) {
	for _, name := range builtinNames() {
		for _, v := range Judge(resultsOf(t, name, Overrides{})) {
			if !v.Met {
				t.Errorf("%s: %s", name, v)
			}
		}
	}
}

// What is expected does not hang on the seed.
func TestBuiltinsUnderOtherSeeds(t *testing.T) {
	for _, name := range builtinNames() {
		for seed := range uint64(5) {
			for _, v := range Judge(resultsOf(t, name, Overrides{Seed: &seed})) {
				if !v.Met {
					t.Errorf("%s with seed %d: %s", name, seed, v)
				}
			}
		}
	}
}

// The bound of each scheme is no idle threat: where the built-in scenarios show it, at least nine
// tenths of it are reached, and never more than all of it.
func TestBuiltinsReachBounds(t *testing.T) {
	shown, widest := map[string]bool{}, map[string]int64{}
	for _, name := range builtinNames() {
		_, results := resultsOf(t, name, Overrides{})
		for _, r := range results {
			s := &r.Summary.System
			if r.Scheme == "" || s.OverBound < 0 {
				continue
			}
			if s.OverAdmitted > s.OverBound || 10*s.OverAdmitted < 9*s.OverBound {
				t.Errorf("%s, %s: %d units beyond the limit, at most %d can be", name, r.Name, s.OverAdmitted, s.OverBound)
			}
			shown[r.Scheme] = true
			widest[r.Scheme] = max(widest[r.Scheme], s.OverBound)
		}
	}
	for _, info := range servers.Schemes() {
		if exact := info.Scheme == servers.SplitDown; !shown[info.Name] || (widest[info.Name] == 0) != exact {
			t.Errorf("%s: shown %v, with a bound of up to %d", info.Name, shown[info.Name], widest[info.Name])
		}
	}
}

// resultsOf runs a built-in scenario.
func resultsOf(t *testing.T, name string, over Overrides) ([]Expectation, []*sim.Result) {
	t.Helper()
	l, err := Load(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := l.Plan(over)
	if err != nil {
		t.Fatal(err)
	}
	run := sim.New(plan, sim.Options{Buckets: 1, Workers: 1})
	for run.Step() {
	}
	return l.Scenario.Expect, run.Results()
}

// The README lists every built-in scenario.
func TestReadmeListsBuiltins(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "## The built-in scenarios")
	list, _, _ = strings.Cut(list, "\n## ")
	for _, name := range builtinNames() {
		if !strings.Contains(list, "`"+name+"`") {
			t.Errorf("the README does not list %s", name)
		}
	}
}
