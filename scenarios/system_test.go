package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// systemMistakes are files whose system is wrong.
func systemMistakes() []struct{ story, text string } {
	head := "version: 1\nduration: 1m\nlimit: 10/s\n"
	source := func(keys string) string {
		return "traffic:\n  - {client: a, phases: [{burst: 1}]" + keys + "}\n"
	}
	traffic := source("")
	service := "service: {workers: 1, time: 1s}\n"
	return []struct{ story, text string }{
		{"keys", head + "key: client+path\nlimits:\n  - {limit: 1/s, key: user+user}\n  - {limit: 1/s, key: all+client}\n" + traffic},
		{"limits that are none", head + "limits:\n  - {key: all}\n  - {limit: 1/s, algorithm: gcar}\n  - {limit: 1/s, slots: 3}\n  - {limit: 1/s, algorithm: gcra, slots: 3}\n" + traffic},
		{"limits that cannot be built", head + "limits:\n  - {limit: 1/30ns, algorithm: sliding-buckets, slots: 60}\n  - {name: ten, limit: 10/s, algorithm: token-bucket, initial: 11}\n" + traffic},
		{"an option of a limiter that a further limit does not allow", head + "limits: [{limit: 2/s}]\nlimiters:\n  - {algorithm: token-bucket, initial: 5}\n" + traffic},
		{"two limits of one name", head + "limits:\n  - {limit: 1/s}\n  - {limit: 1/s, tier: free}\ntiers: {free: {}}\n" + source(", tier: free")},
		{"in flight", head + "limits:\n  - {limit: 1/s, in_flight: 3}\n  - {algorithm: concurrency, limit: 3/s}\nlimiters:\n  - {algorithm: gcra, in_flight: 3}\n  - {algorithm: adaptive, burst: 3}\n" + traffic},
		{"in flight without a service", head + "limiters: [{algorithm: concurrency, in_flight: 3}]\n" + traffic},
		{"in flight on several servers", head + service + "servers: {count: 2}\nlimiters: [{algorithm: concurrency}]\n" + traffic},
		{"in flight and a further limit by rate", head + service + "limits: [{limit: 1/s, key: all}]\ntiers: {free: {limit: 1/s}}\nlimiters: [{algorithm: concurrency}]\n" + traffic},
		{"a first limit that the limiters cannot take", "version: 1\nlimits: [{limit: 1/s, algorithm: gcra}]\n" + traffic},
		{"limits but no main one, and none of its own", "version: 1\nlimits: [{limit: 1/s}]\nlimiters: [{algorithm: gcra}, {algorithm: fixed-window, limit: 3/s}]\n" + traffic},
		{"tiers", head + "tiers:\n  free: {burst: 3}\n  premium: {limit: 3}\n" + source(", tier: fre")},
		{"no tiers", head + source(", tier: free")},
		{"tiers that nobody has", head + "tiers: {free: {}, premium: {}}\nlimits: [{limit: 1/s, tier: premum}]\n" + source(", tier: pre")},
		{"endpoints", head + "endpoints:\n  /search: {cost: 0}\n  /report: {burst: 3}\n  \"\": {}\n" + traffic},
		{"endpoints that are not described", head + "endpoints: {/search: {cost: 2}}\nlimits: [{limit: 1/s, endpoint: /serch}]\n" + source(", endpoint: /searhc")},
		{"endpoints with weights", head + "traffic:\n  - {client: a, phases: [{burst: 1}], endpoint: /a, endpoints: {/a: 1, /b: 0}}\n  - {client: b, phases: [{burst: 1}], endpoints: {}}\n"},
		{"two costs", head + "endpoints: {/a: {cost: 2}}\ntraffic: [{client: a, requests: [{at: 0s, cost: 3}], endpoint: /a}]\n"},
		{"what a refusal does", head + "on_limit: que\non_partial_deny: forget\n" + traffic},
		{"a queue of none", head + "on_limit: {queue: 0, of: 3}\n" + traffic},
		{"a service", head + "service: {workers: 0, queue: -1, timeout: 0s}\n" + traffic},
		{"times of a service", head + "service: {workers: 1, time: {exponential: 1s, log-normal: {median: 1s, sigma: 6}}}\n" + traffic},
		{"a time that is none", head + "service: {workers: 1, time: {}}\n" + traffic},
		{"a list for a time", head + "service: {workers: 1, time: [1s]}\n" + traffic},
		{"changes", head + "changes:\n  - {at: 30s, limit: 5/s}\n  - {at: 30s, burst: 3}\n  - {at: 40s}\n  - {at: 1m, limit: 3/s}\n" + traffic},
		{"a window that changes its period", head + "changes: [{at: 30s, limit: 5/m}]\n" + traffic},
		{"a change with nothing to change", "version: 1\nlimits: [{limit: 3/s}]\nchanges: [{at: 1s, limit: 2/s}]\n" + traffic},
		{"load without a service", head + "load: {every: 1s, above: 5, limit: 3/s}\n" + traffic},
		{"load that never comes", head + "service: {workers: 1, time: 1s, queue: 4}\nload: {every: 1s, above: 5, below: 6, limit: 3/m}\n" + traffic},
		{"servers and what does not go with them", head + service + "servers: {count: 2}\nlimits: [{limit: 1/s}]\ntiers: {free: {limit: 1/s}}\nendpoints: {/a: {limit: 1/s}}\non_limit: queue\nchanges: [{at: 1s, limit: 3/s}]\nload: {every: 1s, above: 5, limit: 3/s}\n" + source(", retry: pace, tier: free, endpoint: /a")},
		{"servers", head + "servers: {count: 65, routing: any, scheme: shared, store: mongo, fail: maybe}\n" + traffic},
		{"servers with what matters to others", head + "servers: {count: 2, scheme: split-up, store: redis, fail: open, outages: [{at: 1s, for: 1s}], restarts: [{at: 1s}], sync: 1s, peers: 1ms, moves: [{at: 1s, leaves: 1}]}\n" + traffic},
		{"a scheme that does not take the algorithm", head + "servers: {count: 2}\nlimiters: [{algorithm: gcra, scheme: async}]\n" + traffic},
		{"a scheme that does not take an option", head + "servers: {count: 2, scheme: async}\nlimiters: [{algorithm: fixed-window, anchor: first}]\n" + traffic},
		{"an outage beyond all runs", "version: 1\nlimit: 1/s\nservers: {count: 2, outages: [{at: 3000d, for: 3000d}]}\n" + traffic},
		{"a scheme without servers", head + "limiters: [{algorithm: gcra, scheme: async}]\n" + traffic},
		{"a limiter that is otherwise where nothing is", head + "limiters: [{algorithm: gcra, load: none, fail: open, store: redis}]\n" + traffic},
		{"a limiter that is otherwise than it can be", head + "limiters: [{algorithm: gcra, key: path, load: 10/s, fail: maybe, on_partial_deny: both, on_limit: wait, retry: expo, store: mongo}]\n" + traffic},
		{"a limiter of servers that is otherwise", head + "servers: {count: 2}\nlimiters: [{algorithm: gcra, scheme: split-up, fail: open, store: {preset: redis, timeout: 1s}, on_limit: queue, retry: pace}]\n" + traffic},
		{"two limiters of one scheme", head + "servers: {count: 2}\nlimiters:\n  - {algorithm: gcra, scheme: owner}\n  - {algorithm: fixed-window, scheme: owner}\n" + traffic},
		{"events of a store outside the run", head + "servers: {count: 2, outages: [{at: 1m, for: 1s}], restarts: [{at: 2m}]}\n" + traffic},
		{"moves of nobody", head + "servers: {count: 2, scheme: owner, moves: [{at: 1s, leaves: 1, joins: 2}]}\n" + traffic},
		{"moves of a server that there is not", head + "servers: {count: 2, scheme: owner, moves: [{at: 1s, leaves: 3}]}\n" + traffic},
		{"moves out of order", head + "servers: {count: 2, scheme: owner, moves: [{at: 2s, leaves: 1}, {at: 1s, joins: 1}]}\n" + traffic},
		{"a server that leaves twice", head + "servers: {count: 2, scheme: owner, moves: [{at: 1s, leaves: 1}, {at: 2s, leaves: 1}]}\n" + traffic},
		{"all servers leave", head + "servers: {count: 2, scheme: owner, moves: [{at: 1s, leaves: 1}, {at: 2s, leaves: 2}]}\n" + traffic},
		{"retries", head + "traffic:\n  - {client: a, phases: [{burst: 1}], retry: expo}\n  - {client: b, phases: [{burst: 1}], retry: [fixed]}\n  - {client: c, phases: [{burst: 1}], retry: {first: 1s}}\n"},
		{"retries with keys of others", head + "traffic:\n  - {client: a, phases: [{burst: 1}], retry: {wait: fixed, jitter: full, spread: 1s}}\n  - {client: b, phases: [{burst: 1}], retry: {wait: none, attempts: 3}}\n"},
		{"waits that shrink", head + source(", retry: {wait: exponential, first: 2s, most: 1s}")},
		{"a client that is two", head + "tiers: {free: {}, premium: {}}\ntraffic:\n  - {client: a, phases: [{burst: 1}], tier: free}\n  - {client: a, phases: [{burst: 1}], tier: premium}\n  - {client: a, phases: [{burst: 1}], tier: free, user: u}\n  - {client: a, phases: [{burst: 1}], tier: free, abusive: true}\n  - {client: a, phases: [{burst: 1}], tier: free, retry: pace}\n"},
		{"a group that is two", head + "traffic:\n  - {clients: {count: 3, prefix: c}, phases: [{burst: 1}], ip: 10.0.0.1}\n  - {client: c2, phases: [{burst: 1}]}\n  - {clients: {count: 4, prefix: c}, phases: [{burst: 1}], abusive: true, address: 10.0.0.1}\n"},
		{"neither true nor false", head + source(", abusive: maybe")},
		{"a measure of a system that there is not", "version: 1\nlimit: 1/s\n" + traffic + "expect:\n  gcra: {calls: 1, admitted: 1}\n"},
		{"looks without end", "version: 1\nduration: 365d\nlimit: 10/s\n" + service + "load: {every: 1ns, above: 5, limit: 3/s}\n" + traffic},
		{"retries without end", head + "traffic:\n  - {client: a, phases: [{rate: 1000/s}], retry: {wait: at-once, attempts: 1000000}}\n" +
			"  - {client: b, phases: [{rate: 1000/s}], retry: {wait: fixed, first: 1us, attempts: 1000000, give_up: 1s}}\n" +
			"  - {client: c, phases: [{rate: 1000/s}], retry: {wait: fixed, first: 1ms, attempts: 1000000}}\n"},
		{"retries without end around one limiter", head + "limiters: [{algorithm: gcra, retry: {wait: exponential, first: 1ns, most: 1ns, attempts: 1000000}}]\ntraffic:\n" +
			"  - {client: a, phases: [{rate: 1000/s}], retry: fixed}\n"},
		{"too many events of servers", head + "servers: {count: 2, outages: [" + strings.Repeat("{at: 1s, for: 1s}, ", 1001) + "]}\n" + traffic},
		{"too many limits", head + "limits:\n" + strings.Repeat("  - {limit: 1/s}\n", 21) + traffic},
	}
}

func TestSystemMistakes(t *testing.T) {
	var b strings.Builder
	for _, m := range systemMistakes() {
		_, err := load([]byte(m.text), "x.yaml", "testdata")
		if err == nil {
			t.Errorf("%s: no error", m.story)
			continue
		}
		b.WriteString("== " + m.story + "\n" + err.Error() + "\n\n")
	}
	golden(t, "systemmistakes.golden", b.String())
}

func mustPlan(t testing.TB, text string, over Overrides) *sim.Plan {
	t.Helper()
	plan, err := mustLoad(t, text).Plan(over)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// A scenario has a system exactly if it says something about one.
func TestSystemOnlyWhereAsked(t *testing.T) {
	for _, b := range []string{everything, listed, minimal} {
		if mustPlan(t, b, Overrides{}).System != nil {
			t.Errorf("a system around\n%s", b)
		}
	}
	for _, keys := range []string{
		"key: ip", "limits: [{limit: 1/m, key: all}]", "on_partial_deny: refund", "on_limit: reject", "tiers: {free: {}}",
		"endpoints: {/a: {}}", "service: {workers: 1, time: 1s}", "changes: [{at: 1s, limit: 2/s}]", "servers: {count: 1}",
	} {
		if mustPlan(t, minimal+keys, Overrides{}).System == nil {
			t.Errorf("no system with %s", keys)
		}
	}
	for _, keys := range []string{"user: u", "ip: x", "endpoint: /a", "endpoints: {/a: 1}", "abusive: true", "retry: none"} {
		text := "version: 1\nlimit: 1/s\ntraffic: [{phases: [{burst: 1}], " + keys + "}]"
		if mustPlan(t, text, Overrides{}).System == nil {
			t.Errorf("no system with %s", keys)
		}
	}
}

// enforced says what a limiter enforces under every rule, and what becomes of it.
func enforced(system *sim.System, l *sim.Limiter) string {
	var out []string
	for i, e := range l.Enforced {
		r := system.Rules[i]
		text := fmt.Sprintf("%s: %s %s %d", r.Name, e.Spec.Name, FormatRate(e.Policy.Limit), e.Policy.Burst)
		for _, c := range e.Changes {
			text += fmt.Sprintf(", at %s %s %d", formatNanos(int64(c.At)), FormatRate(c.Policy.Limit), c.Policy.Burst)
		}
		if e.Loaded != nil {
			text += fmt.Sprintf(", under load %s %d", FormatRate(e.Loaded.Policy.Limit), e.Loaded.Policy.Burst)
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

func TestPlanEnforced(t *testing.T) {
	limit, burst := algorithms.Limit{N: 7, Per: time.Minute}, int64(6)
	head := "version: 1\nlimit: 100/m\nburst: 20\n"
	tail := "\ntraffic: [{client: a, phases: [{burst: 1}]}]\n"
	gcra := "limiters: [{algorithm: gcra}]\n"
	for _, c := range []struct {
		story, text string
		over        Overrides
		want        string
	}{
		{"the main limit first, then the tiers', then the others", head + gcra + "tiers: {free: {limit: 10/m}, rest: {}}\nlimits: [{limit: 5/s, key: all}]\nendpoints: {/a: {limit: 1/s, burst: 2}}" + tail, Overrides{},
			"main: gcra 100/m 20\ntier free: gcra 10/m 0\nall 5/s: gcra 5/s 0\nendpoint /a: gcra 1/s 2"},
		{"a limit on the command line replaces the main one alone", head + gcra + "limits: [{limit: 5/s, key: all}]\nchanges: [{at: 1s, burst: 3}]" + tail, Overrides{Limit: &limit, Burst: &burst},
			"main: gcra 7/m 6, at 1s 7/m 3\nall 5/s: gcra 5/s 0"},
		{"where there is no main one, the first of limits is put to every limiter", "version: 1\nlimits: [{limit: 5/s, burst: 2, key: all}, {limit: 9/m}]\n" + gcra + tail, Overrides{},
			"all 5/s: gcra 5/s 2\nclient 9/m: gcra 9/m 0"},
		{"and it is the one that the command line replaces", "version: 1\nlimits: [{limit: 5/s, burst: 2, key: all}, {limit: 9/m}]\n" + gcra + tail, Overrides{Limit: &limit},
			"all 5/s: gcra 7/m 2\nclient 9/m: gcra 9/m 0"},
		{"each change leaves what it does not name as it was", head + gcra + "changes: [{at: 1s, limit: 50/m}, {at: 2s, burst: 5}, {at: 3s, limit: 10/s}]" + tail, Overrides{},
			"main: gcra 100/m 20, at 1s 50/m 20, at 2s 50/m 5, at 3s 10/s 5"},
		{"a limiter's own limit changes with the main one", head + "limiters: [{algorithm: fixed-window, limit: 9/m}]\nchanges: [{at: 1s, limit: 50/m}]" + tail, Overrides{},
			"main: fixed-window 9/m 20, at 1s 50/m 20"},
		{"a bucket that began with few tokens needs none to change", head + "limiters: [{algorithm: token-bucket, initial: 15}]\nchanges: [{at: 1s, burst: 5}]" + tail, Overrides{},
			"main: token-bucket 100/m 20, at 1s 100/m 5"},
		{"under load", head + gcra + "service: {workers: 1, time: 1s}\nload: {every: 1s, above: 9, limit: 10/m}" + tail, Overrides{},
			"main: gcra 100/m 20, under load 10/m 20"},
		{"what is in flight is as much as the service has workers, and no limit by rate touches it",
			head + "service: {workers: 3, time: 1s}\nlimiters: [{algorithm: concurrency}]\nchanges: [{at: 1s, limit: 1/m}]\nload: {every: 1s, above: 9, limit: 10/m}" + tail, Overrides{Limit: &limit, Burst: &burst},
			"main: concurrency 3/m 0"},
		{"or what it says", head + "service: {workers: 3, time: 1s}\nlimiters: [{algorithm: adaptive, in_flight: 5}]" + tail, Overrides{},
			"main: adaptive 5/m 0"},
		{"chosen on the command line it comes in beside", head + "service: {workers: 3, time: 1s}\n" + gcra + tail, Overrides{Algorithms: []string{"concurrency"}},
			"main: concurrency 3/m 0"},
		{"a limit with an algorithm of its own, and its options", head + gcra + "limits: [{name: slots, limit: 5/s, algorithm: sliding-buckets, slots: 5}]" + tail, Overrides{},
			"main: gcra 100/m 20\nslots: sliding-buckets 5/s 0"},
	} {
		plan := mustPlan(t, c.text, c.over)
		if got := enforced(plan.System, &plan.Limiters[0]); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.story, got, c.want)
		}
		first, x := plan.Limiters[0].Enforced[0], plan.Limiters[0]
		if first.Maker != x.Maker || first.Spec != x.Spec {
			t.Errorf("%s: what is enforced first is not the limiter's own", c.story)
		}
	}
}

// Overrides that a system does not allow are refused.
func TestSystemPlanMistakes(t *testing.T) {
	limit := algorithms.Limit{N: 7, Per: time.Hour}
	for _, c := range []struct {
		text string
		over Overrides
		want string
	}{
		{minimal, Overrides{Algorithms: []string{"adaptive"}}, "adaptive holds a request until its service ends, and the scenario has no service"},
		{minimal + "changes: [{at: 1s, limit: 2/s}]", Overrides{Algorithms: []string{"fixed-window"}, Limit: &limit}, "fixed-window cannot go from 7/h to 2/s"},
		{minimal + "servers: {count: 2, scheme: async}", Overrides{Algorithms: []string{"gcra"}}, "gcra"},
	} {
		_, err := mustLoad(t, c.text).Plan(c.over)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
}

// The tiers and endpoints for which a limit holds are those that the file says.
func TestRules(t *testing.T) {
	plan := mustPlan(t, around, Overrides{})
	s := plan.System
	if got := fmt.Sprintf("%q %q", s.Tiers, s.Endpoints); got != `["" "free" "premium" "internal"] ["" "/search" "/report" "/"]` {
		t.Error(got)
	}
	var got []string
	for _, r := range s.Rules {
		got = append(got, fmt.Sprintf("%s %+v %v %v", r.Name, r.Key, r.Tiers, r.Endpoints))
	}
	client := "{Client:true Address:false User:false Endpoint:true}"
	want := []string{
		"main " + client + " [true false false true] []",
		"tier free " + client + " [false true false false] []",
		"tier premium " + client + " [false false true false] []",
		"per second {Client:false Address:false User:false Endpoint:false} [] []",
		"user 50/m {Client:false Address:false User:true Endpoint:false} [false true false false] [false true false false]",
		"all concurrency {Client:false Address:false User:false Endpoint:false} [] []",
		"finds itself " + client + " [] []",
		"endpoint /search " + client + " [] [false true false false]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !s.KeepPartial || s.OnLimit != sim.Queue || s.Waiting != 50 || s.Service.Queue != 50 || s.Load.Above != 50 {
		t.Errorf("%+v", s)
	}
}

// Everyone is who the file says: of a kind, at an address, as a user.
func TestPeople(t *testing.T) {
	plan := mustPlan(t, `
limit: 1/s
tiers: {free: {}, paid: {}}
traffic:
  - {clients: {count: 3, prefix: c}, phases: [{burst: 1}], tier: free, ip: nat, abusive: true}
  - {client: lone, phases: [{burst: 1}], tier: paid, user: c2}
  - {client: bob, phases: [{burst: 1}], tier: paid, user: acme, retry: at-once}
  - {client: acme, phases: [{burst: 1}], tier: paid, ip: nat}
  - {client: c2, phases: [{burst: 1}], tier: free, ip: nat, abusive: true}
`, Overrides{})
	s := plan.System
	var got []string
	for id := range uint32(plan.Clients.Len()) {
		p := s.Profiles[s.ProfileOf[id]]
		got = append(got, fmt.Sprintf("%s: %s %s %v %d, at %s, %s", plan.Clients.Name(id), p.Name, s.Tiers[p.Tier], p.Abusive, p.Retry.Attempts,
			plan.Clients.Name(s.Addresses[id]), plan.Clients.Name(s.Users[id])))
	}
	want := []string{
		"c1: c free true 1, at c1, c1",
		"c2: c free true 1, at c1, c2",
		"c3: c free true 1, at c1, c3",
		"lone: lone paid false 1, at lone, c2",
		"bob: bob paid false 4, at bob, bob", // the user acme is called by the first client that is it
		"acme: acme paid false 1, at c1, bob",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Two clients have one user exactly if they are called the same, and its id is that of the first.
func TestShared(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	rapid.Check(t, func(t *rapid.T) {
		text, user := "limit: 1/s\ntraffic:\n", map[string]string{}
		for _, name := range names {
			user[name] = name
			said := rapid.SampledFrom(append([]string{"", "x"}, names...)).Draw(t, name)
			if said != "" {
				user[name] = said
			}
			text += fmt.Sprintf("  - {client: %s, phases: [{burst: 1}], user: %q, abusive: true}\n", name, said)
		}
		l, err := load([]byte(text), "x.yaml", ".")
		if err != nil {
			t.Fatal(err)
		}
		users := l.system.Users
		for i, name := range names {
			want := slices.IndexFunc(names, func(other string) bool { return user[other] == user[name] })
			got := uint32(i)
			if i < len(users) {
				got = users[i]
			}
			if got != uint32(want) {
				t.Fatalf("%s is user %d, want %d, of\n%s", name, got, want, text)
			}
		}
	})
}

// A trace has clients of its own, who are all what its source says.
func TestPeopleOfATrace(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "t.csv"), []byte("t,who\n0,x\n1,y\n2,x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	text := "limit: 1/s\ntraffic:\n  - {requests: {file: t.csv, time: t, unit: s, client: who}, abusive: true, endpoint: /a}\n  - {client: z, phases: [{burst: 1}]}\n"
	l, err := load([]byte(text), "x.yaml", folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"x": "t.csv", "y": "t.csv", "z": "z"} {
		id, _ := l.names.Lookup(name)
		p := l.system.Profiles[l.system.ProfileOf[id]]
		if p.Name != want || p.Abusive != (want == "t.csv") {
			t.Errorf("%s is %+v", name, p)
		}
	}
	if _, err := load([]byte(text+"  - {client: y, phases: [{burst: 1}]}\n"), "x.yaml", folder); err == nil || !strings.Contains(err.Error(), `the client "y" sends from the source on line 3 too`) {
		t.Errorf("a client in two sources: %v", err)
	}
}

// Requests ask for what their source says, at what that costs.
func TestEndpointsOfRequests(t *testing.T) {
	plan := mustPlan(t, `
limit: 1/s
endpoints: {/a: {cost: 7}, /b: {}}
traffic:
  - {client: one, phases: [{burst: 2}], cost: 3, endpoint: /b}
  - {client: two, requests: [{at: 0s}], endpoint: /a}
  - {client: three, phases: [{burst: 1000}], cost: 2, endpoints: {/a: 1, /b: 3}}
  - {client: four, phases: [{burst: 1}]}
`, Overrides{})
	counts := map[string]int{}
	for source := plan.Open(); ; {
		r, ok := source.Next()
		if !ok {
			break
		}
		counts[fmt.Sprintf("%s asks %q for %d", plan.Clients.Name(r.Client), plan.System.Endpoints[r.Endpoint], r.Cost)]++
	}
	drawn := counts[`three asks "/a" for 7`]
	if drawn < 200 || drawn > 300 || counts[`three asks "/b" for 2`] != 1000-drawn {
		t.Errorf("%v", counts)
	}
	if counts[`one asks "/b" for 3`] != 2 || counts[`two asks "/a" for 7`] != 1 || counts[`four asks "" for 1`] != 1 || len(counts) != 5 {
		t.Errorf("%v", counts)
	}
}

func TestRetryPolicies(t *testing.T) {
	second := sim.Time(time.Second)
	for text, want := range map[string]retry.Policy{
		"none":        {Attempts: 1},
		"at-once":     {Kind: retry.AtOnce, Attempts: 4},
		"fixed":       {Kind: retry.Fixed, Wait: second, Attempts: 4},
		"exponential": {Kind: retry.Exponential, Wait: second, Most: 30 * second, Jitter: retry.Full, Attempts: 4},
		"{wait: exponential, first: 1m, jitter: none, attempts: 9, give_up: 5m}": {Kind: retry.Exponential, Wait: 60 * second, Most: 60 * second, Attempts: 9, GiveUp: 300 * second},
		"{wait: exponential, most: 2s, jitter: decorrelated}":                    {Kind: retry.Exponential, Wait: second, Most: 2 * second, Jitter: retry.Decorrelated, Attempts: 4},
		"{wait: exponential, jitter: equal}":                                     {Kind: retry.Exponential, Wait: second, Most: 30 * second, Jitter: retry.Equal, Attempts: 4},
		"{wait: retry-after, spread: 5s}":                                        {Kind: retry.RetryAfter, Wait: second, Spread: 5 * second, Attempts: 4},
		"{wait: pace, first: 2s}":                                                {Kind: retry.Pace, Wait: 2 * second, Attempts: 4},
	} {
		plan := mustPlan(t, "limit: 1/s\ntraffic: [{phases: [{burst: 1}], retry: "+text+"}]", Overrides{})
		if got := plan.System.Profiles[0].Retry; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

func TestServersOfAPlan(t *testing.T) {
	seed := uint64(9)
	plan := mustPlan(t, shared, Overrides{Seed: &seed})
	var schemes []string
	for _, l := range plan.Limiters {
		schemes = append(schemes, l.Name+": "+l.Scheme.String())
	}
	if got := strings.Join(schemes, ", "); got != "fixed-window: central-racy, async: async, owner: owner, by split: split-up, closed: central-racy" {
		t.Error(got)
	}
	c := plan.System.Servers
	if c.Seed != 9 || plan.System.Seed != 9 || c.Count != 4 || c.Routing != servers.Hash || !c.FailOpen || c.Sync != 200e6 || c.Skew != 10e6 || c.Peer.Time != 1e6 {
		t.Errorf("%+v", c)
	}
	redis, _ := servers.FindPreset("redis")
	if latency := (random.Distribution{Kind: random.Exponential, Time: 3e6}); c.Store.Latency != latency || c.Store.Timeout != 50e6 {
		t.Errorf("%+v", c.Store)
	}
	if o := c.Store.Outages; len(o) != 1 || o[0] != (servers.Outage{From: 10e9, Until: 15e9}) {
		t.Errorf("%+v", o)
	}
	first, second := redis.Restart, redis.Restart
	first.At, first.Down, second.At = 30e9, 2e9, 50e9
	if r := c.Store.Restarts; len(r) != 2 || r[0] != first || r[1] != second {
		t.Errorf("%+v", r)
	}
	if m := c.Moves; len(m) != 2 || m[0] != (servers.Move{At: 20e9, Server: 2}) || m[1] != (servers.Move{At: 40e9, Server: 2, Joins: true}) {
		t.Errorf("%+v", m)
	}
}

// Without a list of limiters, servers are put to the algorithms that their scheme takes.
func TestServersDefaults(t *testing.T) {
	for scheme, want := range map[string]int{"async": 1, "owner": len(algorithms.Defaults())} {
		if got := len(mustPlan(t, minimal+"servers: {count: 2, scheme: "+scheme+"}", Overrides{}).Limiters); got != want {
			t.Errorf("%s: %d limiters, want %d", scheme, got, want)
		}
	}
}

// What servers.New takes and what is said here that it takes are the same.
func TestTakes(t *testing.T) {
	for _, info := range servers.Schemes() {
		for _, spec := range algorithms.Defaults() {
			policy := algorithms.Policy{Limit: algorithms.Limit{N: 10, Per: time.Second}}
			maker, err := spec.Build(policy)
			if err != nil {
				t.Fatal(err)
			}
			v := &Servers{Count: 2}
			_, err = servers.New(v.compile(), info.Scheme, servers.Limit{Spec: spec, Policy: policy, Maker: maker}, nil, nil)
			if (err == nil) != takes(info.Scheme, spec) {
				t.Errorf("%s, %s: %v", info.Name, spec.Name, err)
			}
		}
	}
}

// A policy for a log is limiters alone.
func TestPolicyWithoutSystem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.yaml")
	if err := os.WriteFile(path, []byte("limit: 1/s\nservice: {workers: 1, time: 1s}\ntiers: {free: {}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadPolicy(path); err == nil || !strings.Contains(err.Error(), "has tiers, service; a log is put to limiters alone") {
		t.Error(err)
	}
}

// The README's examples have every key between them, and work.
func TestReadmeExamples(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n((?:# yaml-language.*?)?version: 1\n.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d examples", len(blocks))
	}
	schema, all := compiledSchema(t), ""
	for _, b := range blocks {
		if err := schema.Validate(asJSON(t, b[1])); err != nil {
			t.Error(err)
		}
		mustPlan(t, b[1], Overrides{})
		all += b[1]
	}
	for _, key := range []string{
		"key", "limits", "tier", "endpoint", "in_flight", "on_partial_deny", "on_limit", "tiers", "endpoints", "cost", "service", "workers", "time", "queue", "timeout",
		"changes", "load", "user", "ip", "abusive", "retry", "spread", "servers", "routing", "scheme", "store", "preset", "latency", "fail", "skew", "outages", "restarts", "sync", "peers", "moves", "leaves", "joins",
	} {
		if !strings.Contains(all, key+":") {
			t.Errorf("no example has %s", key)
		}
	}
}

// A run that another duration makes too long is refused like one that the file makes so.
func TestAnotherDurationIsNotTooLongEither(t *testing.T) {
	l := mustLoad(t, "version: 1\nduration: 1s\nlimit: 10/s\nservice: {workers: 1, time: 1s}\nload: {every: 1us, above: 5, limit: 3/s}\n"+
		"traffic: [{client: a, phases: [{rate: 1/h}]}]\n")
	for _, c := range []struct {
		duration time.Duration
		want     string
	}{
		{1000 * time.Second, ""},
		{1001 * time.Second, "until 16m41s: load.every: every 1us until 16m41s is more than 1,000,000,000 looks at the queue, the most there can be"},
	} {
		got := ""
		if _, err := l.Plan(Overrides{Duration: &c.duration}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.duration, got, c.want)
		}
	}
}
