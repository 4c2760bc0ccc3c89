package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

func mustLoad(t testing.TB, text string) *Loaded {
	t.Helper()
	l, err := load([]byte(text), "x.yaml", ".")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const listed = `version: 1
limit: 10/s
burst: 4
limiters:
  - {algorithm: gcra, limit: 3/s}
  - {name: small, algorithm: token-bucket, burst: 2, initial: 1}
  - {name: large, algorithm: token-bucket, burst: 9}
  - {algorithm: sliding-buckets, slots: 4}
traffic: [{client: a, phases: [{burst: 1}]}]
`

// policies says which limiters a plan has, and what they enforce.
func policies(p *sim.Plan) string {
	var out []string
	for _, l := range p.Limiters {
		text := fmt.Sprintf("%s %s %d", l.Name, FormatRate(l.Policy.Limit), l.Policy.Burst)
		for _, o := range l.Spec.Options {
			if v, ok := l.Policy.Options[o.Name]; ok {
				text += " " + o.Name + "=" + v
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestPlanLimiters(t *testing.T) {
	limit, burst := algorithms.Limit{N: 7, Per: time.Minute}, int64(5)
	for _, c := range []struct {
		story string
		over  Overrides
		want  string
	}{
		{"as listed; what is left out comes from the top", Overrides{},
			"gcra 3/s 4; small 10/s 2 initial=1; large 10/s 9; sliding-buckets 10/s 4 slots=4"},
		{"a limit and a burst for all", Overrides{Limit: &limit, Burst: &burst},
			"gcra 7/m 5; small 7/m 5 initial=1; large 7/m 5; sliding-buckets 7/m 5 slots=4"},
		{"some, in the order asked for, each once", Overrides{Algorithms: []string{"large", "gcra", "large"}}, "large 10/s 9; gcra 3/s 4"},
		{"an algorithm stands for all its entries", Overrides{Algorithms: []string{"token-bucket"}}, "small 10/s 2 initial=1; large 10/s 9"},
		{"one that is not listed comes under the policy of the top", Overrides{Algorithms: []string{"fixed-window"}}, "fixed-window 10/s 4"},
		{"an option for all that have it", Overrides{Set: []string{"slots=5", "initial=0"}},
			"gcra 3/s 4; small 10/s 2 initial=0; large 10/s 9 initial=0; sliding-buckets 10/s 4 slots=5"},
	} {
		plan, err := mustLoad(t, listed).Plan(c.over)
		if err != nil {
			t.Errorf("%s: %v", c.story, err)
			continue
		}
		if got := policies(plan); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.story, got, c.want)
		}
	}
}

func TestPlanMistakes(t *testing.T) {
	zero, long, huge := time.Duration(0), 3000*day, int64(1e15)
	for _, c := range []struct {
		story, text string
		over        Overrides
		want        string
	}{
		{"an unknown algorithm", listed, Overrides{Algorithms: []string{"smal"}}, `unknown algorithm "smal" (did you mean "small"?); there are gcra, small, large`},
		{"one without a limit", "version: 1\nlimiters: [{algorithm: gcra, limit: 1/s}]\ntraffic: [{phases: [{burst: 1}]}]", Overrides{Algorithms: []string{"leaky-meter"}},
			"leaky-meter is not among the scenario's limiters, and there is no limit for it; give one with --limit"},
		{"an option that nobody has", listed, Overrides{Set: []string{"slot=3"}}, `--set: unknown option "slot" (did you mean "slots"?); the limiters that are run have`},
		{"an option without a value", listed, Overrides{Set: []string{"slots"}}, `--set "slots": must be OPTION=VALUE`},
		{"a bad value", listed, Overrides{Set: []string{"slots=none"}}, `--set "slots=none": slots must be 1 to 10000`},
		{"no options at all", minimal, Overrides{Algorithms: []string{"gcra"}, Set: []string{"slots=3"}}, "none of the limiters that are run has options"},
		{"a burst out of range", minimal, Overrides{Burst: &huge}, "burst"},
		{"an initial above the burst", listed, Overrides{Set: []string{"initial=3"}}, "small: initial"},
		{"no duration", minimal, Overrides{Duration: &zero}, "must be longer than zero"},
		{"too many requests", "version: 1\nlimit: 1/s\nduration: 1s\ntraffic: [{phases: [{rate: 1000/s}]}]", Overrides{Duration: &long}, "the traffic comes to about 259,000,000,000 requests"},
	} {
		l, err := load([]byte(c.text), "x.yaml", ".")
		if err == nil {
			_, err = l.Plan(c.over)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.story, err, c.want)
		}
	}
}

func TestPlanTraffic(t *testing.T) {
	long := 4 * time.Second
	for _, c := range []struct {
		story, text string
		over        Overrides
		end         time.Duration
		want        string
	}{
		{"phases one after the other", "traffic: [{client: a, phases: [{burst: 2}, {pause: 1s}, {rate: 2/s, for: 1s}, {at: 3s, burst: 2, over: 1s}]}]", Overrides{},
			4 * time.Second, "0s a 1, 0s a 1, 1s a 1, 1.5s a 1, 3s a 1, 3.5s a 1"},
		{"a run without a duration lasts beyond its last request", "traffic: [{client: a, requests: [{at: 1s}]}, {client: b, phases: [{at: 2s, burst: 1}]}]", Overrides{},
			2*time.Second + 1, "1s a 1, 2s b 1"},
		{"ties go by the order of the sources", "traffic: [{client: b, phases: [{burst: 1}]}, {client: a, requests: [{at: 0s, cost: 3}]}, {requests: [{at: 0s}], cost: 2}]", Overrides{},
			1, "0s b 1, 0s a 3, 0s  2"},
		{"clients take turns", "traffic: [{clients: {count: 2, prefix: c}, phases: [{burst: 3}]}, {client: c2, phases: [{burst: 1}]}]", Overrides{},
			1, "0s c1 1, 0s c2 1, 0s c1 1, 0s c2 1"},
		{"an open phase lasts as long as the run", "duration: 2s\ntraffic: [{client: a, phases: [{rate: 1/s}]}]", Overrides{},
			2 * time.Second, "0s a 1, 1s a 1"},
		{"also when that is overridden", "duration: 2s\ntraffic: [{client: a, phases: [{rate: 1/s}]}]", Overrides{Duration: &long},
			4 * time.Second, "0s a 1, 1s a 1, 2s a 1, 3s a 1"},
		{"a ramp from nothing", "traffic: [{client: a, phases: [{rate: 0/s, to: 4/s, for: 1s}]}]", Overrides{},
			time.Second, "0s a 1, 707.106782ms a 1"},
	} {
		l := mustLoad(t, "version: 1\nlimit: 1/s\n"+c.text)
		plan, err := l.Plan(c.over)
		if err != nil {
			t.Errorf("%s: %v", c.story, err)
			continue
		}
		if got := strings.Join(shown(t, l, c.over), ", "); got != c.want || time.Duration(plan.Duration) != c.end {
			t.Errorf("%s:\ngot  %s until %s\nwant %s until %s", c.story, got, formatNanos(int64(plan.Duration)), c.want, FormatDuration(c.end))
		}
	}
}

// Another source, even one that comes first, leaves the draws of the others alone; two sources of one
// client draw differently; another seed draws otherwise.
func TestSourcesDrawOnTheirOwn(t *testing.T) {
	of := func(client, traffic string, over Overrides) []string {
		var out []string
		for _, r := range shown(t, mustLoad(t, "version: 1\nlimit: 1/s\nduration: 10s\ntraffic:\n"+traffic), over) {
			if strings.Contains(r, " "+client+" ") {
				out = append(out, r)
			}
		}
		return out
	}
	a := "  - {client: a, arrivals: poisson, phases: [{rate: 5/s}]}\n"
	b := "  - {client: b, arrivals: poisson, phases: [{rate: 5/s}]}\n"
	seed := uint64(2)
	alone := of("a", a, Overrides{})
	if !slices.Equal(alone, of("a", b+a, Overrides{})) {
		t.Error("b changed a")
	}
	if slices.Equal(alone, of("a", a, Overrides{Seed: &seed})) {
		t.Error("the seed changed nothing")
	}
	if both := of("a", a+a, Overrides{}); len(both) == 2*len(alone) && both[0][:5] == both[1][:5] {
		t.Error("two sources of one client draw the same")
	}
}

// Plans may be made at the same time; each sees its own overrides.
func TestPlansAtTheSameTime(t *testing.T) {
	l := mustLoad(t, listed)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			burst := int64(i + 1)
			plan, err := l.Plan(Overrides{Burst: &burst})
			if err != nil || plan.Limiters[0].Policy.Burst != burst {
				t.Error(err)
			}
			if r, ok := plan.Open().Next(); !ok || plan.Clients.Name(r.Client) != "a" {
				t.Error("not a")
			}
		})
	}
	group.Wait()
}

func TestLoadFinds(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "mine.yaml")
	if err := os.WriteFile(path, []byte(minimal), 0o644); err != nil {
		t.Fatal(err)
	}
	if l, err := Load(path, nil); err != nil || l.Name != path || l.Path != path {
		t.Errorf("a file: %v", err)
	}
	if l, err := Load("-", strings.NewReader(minimal)); err != nil || l.Name != "standard input" {
		t.Errorf("standard input: %v", err)
	}
	if l, err := Load("burst", nil); err != nil || l.Scenario.Name != "A burst, a rest, a burst" {
		t.Errorf("a built-in one: %v", err)
	}
	t.Chdir(folder)
	if err := os.WriteFile("burst", []byte(minimal), 0o644); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{"mine.yaml": "", "./burst": "", "burst": "A burst, a rest, a burst"} {
		if l, err := Load(arg, nil); err != nil || l.Scenario.Name != want {
			t.Errorf("%s: %v", arg, err)
		}
	}
	for arg, want := range map[string]string{
		"":                          "no scenario given",
		"brust":                     `no scenario "brust" (did you mean "burst"?); built in are burst, steady`,
		"burst.yaml":                "burst.yaml: no such file; the built-in one is called burst",
		"nowhere/x.yaml":            "no such file; ratesim list shows the built-in ones",
		folder:                      "is a folder",
		"a\x00b.yaml":               `a\x00b.yaml`,
		"\x1b[31m":                  `no scenario "\x1b[31m"`,
		strings.Repeat("x", 5000):   "name too long",
		"mine.yaml/":                "mine.yaml",
		filepath.Join(folder, "no"): "no such file",
	} {
		if _, err := Load(arg, nil); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 1000 {
			t.Errorf("%.50q: %v; want %q", arg, err, want)
		}
	}
}

// NotesUnder counts the rows that an overridden duration leaves out.
func TestNotesUnder(t *testing.T) {
	l, err := loadTrace(t, "duration: 3s\n", "time: t, unit: s", "t\n0\n1\nx\n2\n3\n4\n")
	if err != nil {
		t.Fatal(err)
	}
	short := time.Second
	if got := strings.Join(l.Notes, "\n"); !strings.Contains(got, "2 rows are beyond the end of the run at 3s") {
		t.Error(got)
	}
	if got := l.NotesUnder(Overrides{Duration: &short}); len(got) != 2 || !strings.Contains(got[1], "4 rows are beyond the end of the run at 1s") {
		t.Error(got)
	}
}

// Names and ids of clients go both ways, whatever groups and single clients there are.
func TestClientNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := newClientNames()
		for range rapid.IntRange(0, 4).Draw(t, "groups") {
			n.grow(rapid.SampledFrom([]string{"a", "b-", "", "a-0"}).Draw(t, "prefix"), rapid.Int64Range(1, 120).Draw(t, "count"), "")
		}
		n.number()
		if _, ok := n.overlap(); ok {
			t.Fatal("no names overlap here")
		}
		for range rapid.IntRange(0, 20).Draw(t, "singles") {
			n.ID(rapid.SampledFrom([]string{"", "x", "a", "a1", "a01", "b-0", "b-7", "1", "99999999999", "é"}).Draw(t, "name"))
		}
		seen := map[string]bool{}
		for id := range uint32(n.Len()) {
			name := n.Name(id)
			if back, ok := n.Lookup(name); !ok || back != id || seen[name] || n.ID(name) != id {
				t.Fatalf("id %d is %q, which is id %d", id, name, back)
			}
			seen[name] = true
		}
		if _, ok := n.Lookup("nobody"); ok {
			t.Fatal("nobody is known")
		}
	})
}

// Two prefixes overlap exactly when some name is made from both.
func TestClientOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := newClientNames()
		names, twice := map[string]bool{}, false
		for _, prefix := range []string{"a", "a1", "a12", "a0"} {
			if !rapid.Bool().Draw(t, prefix) {
				continue
			}
			count := rapid.Int64Range(1, 130).Draw(t, "count")
			n.grow(prefix, count, "")
			for i := range count {
				name := fmt.Sprint(prefix, i+1)
				twice = twice || names[name]
				names[name] = true
			}
		}
		n.number()
		if _, ok := n.overlap(); ok != twice {
			t.Fatalf("overlap %v, want %v", ok, twice)
		}
	})
}
