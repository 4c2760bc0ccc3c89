package scenarios

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/b6db88e4/ratesim/sim"
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

// What is expected of random traffic is expected of any: it does not hang on the seed.
func TestRandomBuiltinsUnderOtherSeeds(t *testing.T) {
	for _, name := range []string{"poisson", "on-off", "uneven-clients"} {
		for seed := range uint64(5) {
			for _, v := range Judge(resultsOf(t, name, Overrides{Seed: &seed})) {
				if !v.Met {
					t.Errorf("%s with seed %d: %s", name, seed, v)
				}
			}
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
