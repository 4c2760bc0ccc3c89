package sim

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

func TestBodiesSayWhatHappenedAndWhenToComeBack(t *testing.T) {
	const problem = `{"type":"https://iana.org/assignments/http-problem-types#quota-exceeded","title":"Too Many Requests","status":429,"detail":`
	for _, c := range []struct {
		story string
		r     Response
		want  string
	}{
		{"went ahead", Response{Status: 200, Limit: 5, Cost: 1}, `{"status":200}`},
		{"denied", Response{Status: 429, RetryAfter: 3, Limit: 5, Cost: 1},
			problem + `"No room for 1 unit: 0 of 5 left. Come back in 3 seconds.","retry_after":3}`},
		{"too dear for now", Response{Status: 429, RetryAfter: 1, Limit: 5, Remaining: 2, Cost: 3},
			problem + `"No room for 3 units: 2 of 5 left. Come back in 1 second.","retry_after":1}`},
		{"too dear for ever", Response{Status: 429, Limit: 5, Remaining: 5, Cost: 6, Never: true},
			problem + `"No room for 6 units: 5 of 5 left. A request of this cost never fits."}`},
		{"nobody knows", Response{Status: 429, Limit: 5, Cost: 1},
			problem + `"No room for 1 unit: 0 of 5 left. When there is room again is not known."}`},
		{"one of several limits", Response{Status: 429, RetryAfter: 60, Limit: 5, Cost: 1, Refused: "\x1b[2J\u202e\"all\" 🚀"},
			problem + `"No room for 1 unit. Come back in 60 seconds.","retry_after":60,"limit":"\u001b[2J\u202e\"all\" \ud83d\ude80"}`},
		{"a server that does not tell what is left", Response{Status: 429, RetryAfter: 2, Cost: 1},
			problem + `"No room for 1 unit. Come back in 2 seconds.","retry_after":2}`},
		{"the store fails", Response{Status: 429, Cost: 1, Unasked: true},
			problem + `"The store of the limit does not answer. When it does again is not known."}`},
		{"a cheap answer", Response{Status: 200, RetryAfter: 2, Limit: 5, Cost: 1, Degraded: true},
			`{"status":200,"degraded":true,"detail":"No room for 1 unit: 0 of 5 left; this is a cheap answer instead. A full one can be had in 2 seconds.","retry_after":2}`},
	} {
		got := c.r.Body()
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.story, got, c.want)
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%s: not JSON: %s", c.story, got)
		}
	}
}

func TestAnyBodyIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		r := Response{Status: 429, Cost: 1, Refused: name}
		var body struct{ Limit string }
		if err := json.Unmarshal(r.AppendBody(nil), &body); err != nil || body.Limit != string([]rune(name)) {
			t.Fatalf("%s: %v, limit %q, want %q", r.Body(), err, body.Limit, name)
		}
	})
}

func TestResetAsUnixTimeIsNeverEarly(t *testing.T) {
	for _, c := range []struct {
		story string
		start int64
		at    Time
		want  int64
	}{
		{"from the epoch", 0, 5e9, 5},
		{"within a second", 0, 5e9 + 1, 6},
		{"a start within a second", 1_700_000_000_500_000_000, 500_000_000, 1_700_000_001},
		{"both make one more second", 1_700_000_000_500_000_000, 500_000_001, 1_700_000_002},
		{"before 1970", -500_000_000, 250_000_000, 0},
		{"before 1970, whole", -2_000_000_000, 1e9, -1},
		{"the latest there is", 1 << 62, algorithms.Never - 1, 13835058056},
		{"never", 0, algorithms.Never, Unknown},
	} {
		if got := unix(c.at, c.start); got != c.want {
			t.Errorf("%s: %d, want %d", c.story, got, c.want)
		}
	}
}

func TestFieldsInBothForms(t *testing.T) {
	plan := planOf(t, at(7, 0), 10e9, algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}, Burst: 5, Start: 1_700_000_000e9})
	e, err := Explain(plan, 0, 5)
	if err != nil {
		t.Fatal(err)
	}
	want := []Header{{"Content-Type", "application/problem+json"}, {"Retry-After", "1"}, {"X-RateLimit-Limit", "5"}, {"X-RateLimit-Remaining", "0"},
		{"X-RateLimit-Reset", "1700000005"}, {"RateLimit-Policy", `"default";q=5;w=5`}, {"RateLimit", `"default";r=0;t=1`}}
	if got := e.Response.Fields(ResetEpoch); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if delta := e.Response.Fields(ResetDelta); delta[4] != (Header{"X-RateLimit-Reset", "5"}) || !slices.Equal(delta[1:], e.Response.Headers()) {
		t.Errorf("got %v", delta)
	}
}

func TestNothingIsToldThatNobodyKnows(t *testing.T) {
	spec, _ := algorithms.Lookup("concurrency")
	maker, err := spec.Build(limited(2, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	l, entry := maker.New(), &Limiter{Spec: spec, Policy: limited(2, time.Second)}
	d := l.Decide(0, 2)
	d = l.Decide(0, 1)
	r := respond(l, entry, 0, 1, d.Verdict)
	want := []Header{{"X-RateLimit-Limit", "2"}, {"X-RateLimit-Remaining", "0"}, {"RateLimit-Policy", `"default";q=2`}, {"RateLimit", `"default";r=0`}}
	if got := r.Headers(); r.Status != 429 || !slices.Equal(got, want) {
		t.Errorf("status %d, %v, want 429 and %v", r.Status, got, want)
	}
}

// answers keeps the answers to the calls of a run.
type answered struct{ steps []Step }

func (*answered) Asked(Step, algorithms.Limiter) {}
func (a *answered) Answered(s Step)              { a.steps = append(a.steps, s) }

func TestAnswersOfASystem(t *testing.T) {
	at0 := func(n int) []traffic.Request { return burst(n, 0) }
	for _, c := range []struct {
		story    string
		sys      System
		policies []algorithms.Policy
		last     Response // to the third of three requests at once
	}{
		{"the tightest of two limits, and which refused", System{Rules: []Rule{{Name: "main"}, {Name: "all"}}},
			[]algorithms.Policy{limited(5, time.Second), limited(2, time.Second)},
			Response{Status: 429, RetryAfter: 1, Limit: 2, Reset: 1, ResetAt: 1, Window: 1, More: 1, Cost: 1, Refused: "all"}},
		{"a cheap answer", System{OnLimit: Degrade}, []algorithms.Policy{limited(2, time.Minute)},
			Response{Status: 200, RetryAfter: 60, Limit: 2, Reset: 60, ResetAt: 60, Window: 60, More: 60, Cost: 1, Degraded: true}},
		{"one of several servers tells what it knows", System{Servers: &servers.Config{Count: 1, Peer: random.Distribution{}}},
			[]algorithms.Policy{limited(2, time.Minute)}, Response{Status: 429, RetryAfter: 60, Limit: 2, Reset: 60, ResetAt: 60, Window: 60, More: 60, Cost: 1}},
		{"nobody knows what is left in a store that is down", System{Servers: &servers.Config{Count: 1, Store: servers.Store{Outages: []servers.Outage{{Until: 1e9}}}}},
			[]algorithms.Policy{limited(2, time.Minute)}, Response{Status: 429, Cost: 1, Unasked: true}},
	} {
		plan := around(t, c.sys, at0(3), time.Second, c.policies, "fixed-window")
		plan.System.Profiles = []Profile{{Retry: retry.Policy{Attempts: 1}}}
		seen := &answered{}
		New(plan, Options{Buckets: 1, Observer: seen, Responses: true}).Finish()
		if len(seen.steps) != 3 || seen.steps[2].Response == nil || *seen.steps[2].Response != c.last {
			t.Errorf("%s: got %+v, want %+v", c.story, seen.steps[len(seen.steps)-1].Response, c.last)
		}
	}
}

func TestAnswersOfALimiterAlone(t *testing.T) {
	plan := planOf(t, at(7, 0), 10e9, perMinute(2))
	seen := &answered{}
	New(plan, Options{Buckets: 1, Observer: seen, Responses: true}).Finish()
	for _, s := range seen.steps {
		e, err := Explain(plan, s.Limiter, s.Seq)
		if err != nil {
			t.Fatal(err)
		}
		if s.Response == nil || *s.Response != e.Response {
			t.Fatalf("%s, request %d: %+v, explained as %+v", plan.Limiters[s.Limiter].Name, s.Seq, s.Response, e.Response)
		}
	}
}

func BenchmarkResponse(b *testing.B) {
	r := Response{Status: 429, RetryAfter: 3, Limit: 100, Remaining: 0, Reset: 60, Window: 60, More: 3, Cost: 1}
	var line []byte
	b.ReportAllocs()
	for range b.N {
		line = line[:0]
		r.EachField(ResetDelta, func(name string, value []byte) { line = append(append(line, name...), value...) })
		line = r.AppendBody(line)
	}
}

// Every scheme of several servers tells what the one that decided knows to be left.
func TestEverySchemeTellsWhatIsLeft(t *testing.T) {
	for _, info := range servers.Schemes() {
		config := &servers.Config{Count: 2, Sync: 1e6, Store: servers.Store{Latency: random.Distribution{Time: 1e6}}, Skew: 5e6}
		plan := around(t, System{Servers: config}, burst(12, time.Second), 2*time.Second, []algorithms.Policy{limited(8, time.Second)}, "fixed-window")
		plan.Limiters[0].Scheme = info.Scheme
		seen := &answered{}
		New(plan, Options{Buckets: 1, Observer: seen, Responses: true}).Finish()
		for _, s := range seen.steps {
			r := s.Response
			whole := r.Limit == 8 || r.Limit == 4 && (info.Scheme == servers.SplitUp || info.Scheme == servers.SplitDown)
			if !whole || r.Remaining < 0 || r.Remaining >= r.Limit || (r.Status == 429) != (s.Decision.Verdict == algorithms.Deny) || r.Status == 429 && r.Remaining > 0 {
				t.Errorf("%s: request %d: %+v, decided %v", info.Name, s.Seq, r, s.Decision)
			}
		}
	}
}
