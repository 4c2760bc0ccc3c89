package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// fataler is a test, or a property's.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// around makes a plan of the algorithm under some limits with a system around it.
func around(t fataler, sys System, requests []traffic.Request, duration time.Duration, policies []algorithms.Policy, algorithm ...string) *Plan {
	t.Helper()
	names := NewNames()
	for _, r := range requests {
		for names.Len() <= int(r.Client) {
			names.ID("client-" + string(rune('a'+names.Len())))
		}
	}
	if len(sys.Profiles) == 0 {
		sys.Profiles = []Profile{{}}
	}
	if sys.Tiers == nil {
		sys.Tiers = []string{""}
	}
	if sys.Endpoints == nil {
		sys.Endpoints = []string{""}
	}
	for len(sys.Rules) < len(policies) {
		sys.Rules = append(sys.Rules, Rule{Key: Key{Client: true}})
	}
	plan := &Plan{Duration: Time(duration), Clients: names, Open: func() traffic.Source { return traffic.Fixed(requests) }, System: &sys}
	for _, name := range algorithm {
		spec, ok := algorithms.Lookup(name)
		if !ok {
			t.Fatalf("no algorithm %q", name)
		}
		l := Limiter{Name: name, Spec: spec}
		for _, p := range policies {
			maker, err := spec.Build(p)
			if err != nil {
				t.Fatal(err)
			}
			l.Enforced = append(l.Enforced, Enforced{Spec: spec, Policy: p, Maker: maker})
		}
		l.Policy, l.Maker = l.Enforced[0].Policy, l.Enforced[0].Maker
		plan.Limiters = append(plan.Limiters, l)
	}
	return plan
}

func limited(n int64, per time.Duration) algorithms.Policy {
	return algorithms.Policy{Limit: algorithms.Limit{N: n, Per: per}}
}

// burst is n requests of client 0 at one instant.
func burst(n int, at time.Duration) []traffic.Request {
	var out []traffic.Request
	for range n {
		out = append(out, traffic.Request{At: Time(at), Cost: 1})
	}
	return out
}

func TestRetriesFillTheNextWindow(t *testing.T) {
	sys := System{Profiles: []Profile{{Retry: retry.Policy{Kind: retry.RetryAfter, Attempts: 10}}}}
	plan := around(t, sys, burst(25, 0), 10*time.Second, []algorithms.Policy{limited(10, time.Second)}, "fixed-window")
	s := New(plan, Options{Buckets: 10, Workers: 1}).Finish()[0].Summary
	// 25 at 0: 10 pass; 15 come back at 1 s: 10 pass; 5 come back at 2 s.
	if s.System.Requests != 25 || s.System.Succeeded != 25 || s.System.Calls != 25+15+5 || s.Denied != 20 {
		t.Errorf("requests %d, succeeded %d, calls %d, denied %d", s.System.Requests, s.System.Succeeded, s.System.Calls, s.Denied)
	}
	if s.System.Success.Max != 2e9 {
		t.Errorf("the last succeeded after %d ns", s.System.Success.Max)
	}
}

func TestALimitThatRefusesChargesNoOther(t *testing.T) {
	for _, keep := range []bool{false, true} {
		sys := System{KeepPartial: keep, Rules: []Rule{{Key: Key{Client: true}}, {Key: Key{}}}}
		requests := append(burst(5, 0), burst(5, time.Second)...)
		// Per client 6 a minute, all together 3 a second: of the first five, three pass. What the
		// first limit charged for the other two is kept or not, and leaves it 1 or 3 for the second five.
		plan := around(t, sys, requests, 2*time.Second, []algorithms.Policy{limited(6, time.Minute), limited(3, time.Second)}, "sliding-log")
		r := New(plan, Options{Buckets: 10, Workers: 1}).Finish()[0]
		want, refused := int64(6), [2]int64{2, 2}
		if keep {
			want, refused = 4, [2]int64{4, 2}
		}
		if r.Summary.Admitted != want || r.Rules[0].Denied != refused[0] || r.Rules[1].Denied != refused[1] {
			t.Errorf("keep %v: admitted %d, refused %v", keep, r.Summary.Admitted, r.Rules)
		}
	}
}

func TestAServiceDrownsWithoutALimit(t *testing.T) {
	var requests []traffic.Request
	for i := range 3000 {
		requests = append(requests, traffic.Request{At: Time(i) * 10e6, Cost: 1})
	}
	sys := System{Service: &Service{Workers: 5, Time: random.Distribution{Time: 100e6}, Queue: -1, Timeout: 1e9}}
	plan := around(t, sys, requests, 30*time.Second, []algorithms.Policy{limited(45, time.Second)}, "unlimited", "token-bucket")
	results := New(plan, Options{Buckets: 30, Workers: 1}).Finish()
	// 100 a second come, 50 are served: without a limit nearly everyone waits more than a second.
	if bare, kept := results[0].Summary.System, results[1].Summary.System; bare.Succeeded > 200 || kept.Succeeded < 1300 || kept.TimedOut > 0 {
		t.Errorf("succeeded %d without and %d with a limit, of which %d late", bare.Succeeded, kept.Succeeded, kept.TimedOut)
	}
}

func TestADegradedRequestIsNotSentAgain(t *testing.T) {
	sys := System{OnLimit: Degrade, Profiles: []Profile{{Retry: retry.Policy{Kind: retry.AtOnce, Attempts: 9}}}}
	plan := around(t, sys, burst(10, 0), time.Second, []algorithms.Policy{limited(4, time.Second)}, "token-bucket")
	s := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Summary
	if s.Admitted != 4 || s.System.Degraded != 6 || s.Denied != 0 || s.System.Calls != 10 || s.System.Cheap != 6 {
		t.Errorf("%+v", s)
	}
}

func TestALineGoesAheadInOrderAsTheLimitAllows(t *testing.T) {
	sys := System{OnLimit: Queue, Waiting: 5}
	plan := around(t, sys, burst(10, 0), time.Second, []algorithms.Policy{limited(2, time.Second)}, "fixed-window")
	s := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Summary
	// 2 at once, 5 wait, 3 find the line full; 2 go at 1 s, 2 at 2 s, 1 at 3 s.
	if s.Admitted != 2 || s.Delayed != 5 || s.Denied != 3 || s.DelayMax != 3e9 || s.DelayP50 != 2e9 {
		t.Errorf("admitted %d, delayed %d, denied %d, delays to %d", s.Admitted, s.Delayed, s.Denied, s.DelayMax)
	}
}

func TestALimitFollowsItsSchedule(t *testing.T) {
	requests := append(append(burst(10, 0), burst(10, time.Second)...), burst(10, 2*time.Second)...)
	plan := around(t, System{}, requests, 3*time.Second, []algorithms.Policy{limited(8, time.Second)}, "fixed-window", "sliding-log")
	for i := range plan.Limiters {
		e := &plan.Limiters[i].Enforced[0]
		maker, err := e.Spec.Build(limited(3, time.Second))
		if err != nil {
			t.Fatal(err)
		}
		e.Changes = []Changed{{At: 1e9, Policy: limited(3, time.Second), Maker: maker}}
	}
	for _, r := range New(plan, Options{Buckets: 1, Workers: 1}).Finish() {
		if r.Summary.Admitted != 8+3+3 { // the change comes before the requests of its instant
			t.Errorf("%s admitted %d", r.Name, r.Summary.Admitted)
		}
	}
}

func TestALongQueueLowersTheLimit(t *testing.T) {
	var requests []traffic.Request
	for i := range 2000 {
		requests = append(requests, traffic.Request{At: Time(i) * 10e6, Cost: 1}) // 100 a second for 20 s
	}
	sys := System{
		Service: &Service{Workers: 1, Time: random.Distribution{Time: 20e6}, Queue: -1},
		Load:    &Load{Every: 1e9, Above: 40, Below: 5},
	}
	plan := around(t, sys, requests, 20*time.Second, []algorithms.Policy{limited(90, time.Second)}, "token-bucket")
	bare := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Summary
	e := &plan.Limiters[0].Enforced[0]
	maker, err := e.Spec.Build(limited(30, time.Second))
	if err != nil {
		t.Fatal(err)
	}
	e.Loaded = &Changed{Policy: limited(30, time.Second), Maker: maker}
	followed := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Summary
	if bare.System.QueueMax < 700 || followed.System.QueueMax > 200 || followed.System.Utilization < 0.95 {
		t.Errorf("the queue grew to %d, and to %d with a limit that follows it, the worker busy %.3f of the time",
			bare.System.QueueMax, followed.System.QueueMax, followed.System.Utilization)
	}
}

func TestAPacingClientIsSeldomRefused(t *testing.T) {
	var requests []traffic.Request
	for i := range 100 {
		requests = append(requests, traffic.Request{At: Time(i) * 100e6, Cost: 1}) // 10 a second for 10 s
	}
	for _, kind := range []retry.Kind{retry.Never, retry.Pace} {
		sys := System{Profiles: []Profile{{Retry: retry.Policy{Kind: kind, Attempts: 5}}}}
		plan := around(t, sys, requests, 30*time.Second, []algorithms.Policy{limited(5, time.Second)}, "token-bucket", "fixed-window", "sliding-log")
		for _, r := range New(plan, Options{Buckets: 1, Workers: 1}).Finish() {
			switch s := r.Summary; {
			case kind == retry.Never && s.Denied < 40:
				t.Errorf("%s: only %d are refused without pacing", r.Name, s.Denied)
			case kind == retry.Pace && (s.Denied > 5 || s.System.Succeeded < 85):
				t.Errorf("%s: %d are refused, %d succeed with pacing", r.Name, s.Denied, s.System.Succeeded)
			}
		}
	}
}

func TestAddressesAreShared(t *testing.T) {
	var requests []traffic.Request
	for client := range uint32(10) {
		requests = append(requests, traffic.Request{Cost: 1, Client: client}, traffic.Request{Cost: 1, Client: client})
	}
	sys := System{Addresses: []uint32{0, 0, 0, 0, 0}, Rules: []Rule{{Key: Key{Address: true}}}}
	plan := around(t, sys, requests, time.Second, []algorithms.Policy{limited(2, time.Second)}, "token-bucket")
	if s := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Summary; s.Admitted != 2+5*2 || s.System.Keys != 6 {
		t.Errorf("admitted %d of the five behind one address and the five others, under %d keys", s.Admitted, s.System.Keys)
	}
}

func TestTiersAreMeasuredAgainstTheirOwnLimits(t *testing.T) {
	requests := append(burst(20, 0), traffic.Request{At: 1, Cost: 1, Client: 1}, traffic.Request{At: 2, Cost: 1, Client: 2})
	sys := System{
		Tiers: []string{"", "free", "unlimited"}, Profiles: []Profile{{Tier: 1}, {}, {Tier: 2}}, ProfileOf: []uint16{0, 1, 2},
		Rules: []Rule{
			{Key: Key{Client: true}, Tiers: []bool{true, false, false}},
			{Key: Key{Client: true}, Tiers: []bool{false, true, false}},
		},
	}
	for _, onLimit := range []OnLimit{Reject, Queue, Degrade} {
		sys.OnLimit, sys.Waiting = onLimit, 1
		plan := around(t, sys, requests, time.Second, []algorithms.Policy{limited(100, time.Second), limited(5, time.Second)}, "sliding-log")
		r := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0]
		if s := r.Summary; s.Admitted != 5+1+1 || s.Peak != 5 || s.PeakRatio != 1 || r.Grid.High[0] != 5000 {
			t.Errorf("admitted %d, peak %d, %g times the limit, the level up to %d", s.Admitted, s.Peak, s.PeakRatio, r.Grid.High[0])
		}
	}
}

// TestDroppingIdleKeysChangesNothing runs many keys that come and go, with and without dropping.
func TestDroppingIdleKeysChangesNothing(t *testing.T) {
	var requests []traffic.Request
	for i := range 20_000 {
		requests = append(requests, traffic.Request{At: Time(i) * 1e6, Cost: 1, Client: uint32(i / 4)})
	}
	names := []string{"token-bucket", "gcra", "fixed-window", "sliding-log", "sliding-counter", "sliding-buckets", "leaky-bucket"}
	plan := around(t, System{}, requests, time.Minute, []algorithms.Policy{limited(2, 50*time.Millisecond)}, names...)
	run := New(plan, Options{Buckets: 1, Workers: 1})
	for _, l := range run.lanes { // as if no limiter could ever tell
		l.flow.gate.rules[0].keys.sweep = 1 << 30
	}
	kept := run.Finish()
	for i, r := range New(plan, Options{Buckets: 1, Workers: 1}).Finish() {
		if r.Summary.Admitted != kept[i].Summary.Admitted || r.Summary.Denied == 0 {
			t.Errorf("%s: admitted %d, and %d without dropping", r.Name, r.Summary.Admitted, kept[i].Summary.Admitted)
		}
		if r.Summary.System.Keys > 2*leastSwept || kept[i].Summary.System.Keys != 5000 {
			t.Errorf("%s: %d keys held, %d without dropping", r.Name, r.Summary.System.Keys, kept[i].Summary.System.Keys)
		}
	}
}

// TestEverythingIsAccountedFor draws systems at random and counts.
func TestEverythingIsAccountedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := randomSystem(t)
		w := &watcher{t: t, last: map[[2]int64]Step{}}
		run := New(plan, Options{Buckets: 20, Workers: 1, Steps: 1 << 16, Observer: w})
		w.run = run
		results := run.Finish()
		for i, r := range results {
			conserved(t, run.lanes[i], r)
		}
	})
}

// watcher looks at every decision: no limit holds more than it may, and nothing is sent again without
// a cause.
type watcher struct {
	t    *rapid.T
	run  *Run
	last map[[2]int64]Step // by limiter and request
}

func (w *watcher) Asked(Step, algorithms.Limiter) {}

func (w *watcher) Answered(s Step) {
	for _, rule := range w.run.lanes[s.Limiter].flow.gate.rules {
		if rule.enforced.Spec.Name != "concurrency" {
			continue
		}
		for place := range rule.keys.owners {
			if level := rule.keys.table.At(uint32(place)).(algorithms.Gauged).Level(s.Decided); level > algorithms.Milli(1000*rule.policy.Limit.N) {
				w.t.Fatalf("%d thousandths in flight of %d", level, rule.policy.Limit.N)
			}
		}
	}
	id := [2]int64{int64(s.Limiter), s.Seq}
	before, again := w.last[id]
	switch {
	case s.Decided < s.Request.At:
		w.t.Fatalf("request %d is decided before it is sent", s.Seq)
	case s.Attempt == 1 && again, s.Attempt > 1 && !again, again && s.Attempt != before.Attempt+1:
		w.t.Fatalf("request %d: sending %d comes after sending %d", s.Seq, s.Attempt, before.Attempt)
	case again && s.Request.At < before.Decided:
		w.t.Fatalf("request %d is sent again at %d, before it was refused at %d", s.Seq, s.Request.At, before.Decided)
	case again && w.run.plan.System.Service == nil && before.Decision.Verdict != algorithms.Deny:
		w.t.Fatalf("request %d is sent again though nothing failed", s.Seq)
	}
	w.last[id] = s
}

func conserved(t *rapid.T, l *lane, r *Result) {
	s := r.Summary
	sys := s.System
	if s.Offered != s.Admitted+s.Delayed+s.Denied+sys.Degraded {
		t.Fatalf("%s: offered %d = %d + %d + %d + %d", r.Name, s.Offered, s.Admitted, s.Delayed, s.Denied, sys.Degraded)
	}
	if s.Offered != sys.Calls {
		t.Fatalf("%s: %d calls, %d decided", r.Name, sys.Calls, s.Offered)
	}
	if sys.Requests != sys.Succeeded+sys.Cheap+sys.GaveUp+sys.Unfinished {
		t.Fatalf("%s: requests %d = %d + %d + %d + %d", r.Name, sys.Requests, sys.Succeeded, sys.Cheap, sys.GaveUp, sys.Unfinished)
	}
	if n := int64(l.flow.requests.live()); n != sys.Unfinished {
		t.Fatalf("%s: %d requests are left, %d unfinished", r.Name, n, sys.Unfinished)
	}
	if n := l.flow.calls.live(); n != 0 {
		t.Fatalf("%s: %d calls have not ended", r.Name, n)
	}
	failures := s.Denied + sys.Lost + sys.TimedOut
	if again := sys.Calls - sys.Requests; again > failures {
		t.Fatalf("%s: %d sent again after %d failures", r.Name, again, failures)
	}
	if l.flow.service != nil && (l.flow.service.busy != 0 || l.flow.service.queue.n != 0) {
		t.Fatalf("%s: the service still has work", r.Name)
	}
	for _, rule := range l.flow.gate.rules {
		if rule.holds {
			for place := range rule.keys.owners {
				if level := rule.keys.table.At(uint32(place)).(algorithms.Gauged).Level(algorithms.Never - 1); level != 0 {
					t.Fatalf("%s: %d thousandths are held when all has ended", r.Name, level)
				}
			}
		}
	}
}

func randomSystem(t *rapid.T) *Plan {
	at := Time(0)
	var requests []traffic.Request
	for range rapid.IntRange(1, 60).Draw(t, "requests") {
		at += Time(rapid.SampledFrom([]int64{0, 0, 1e6, 50e6, 400e6}).Draw(t, "gap"))
		requests = append(requests, traffic.Request{At: at, Cost: rapid.Int64Range(1, 3).Draw(t, "cost"),
			Client: rapid.Uint32Range(0, 3).Draw(t, "client"), Endpoint: rapid.Uint32Range(0, 1).Draw(t, "endpoint")})
	}
	sys := System{
		Seed: rapid.Uint64().Draw(t, "seed"), Endpoints: []string{"/", "/search"}, ProfileOf: []uint16{0, 1, 2, 1},
		Addresses:   []uint32{0, 0, 2, 2},
		KeepPartial: rapid.Bool().Draw(t, "keep"),
		OnLimit:     OnLimit(rapid.IntRange(0, 2).Draw(t, "on limit")), Waiting: rapid.IntRange(1, 10).Draw(t, "waiting"),
	}
	for range 3 {
		sys.Profiles = append(sys.Profiles, Profile{Retry: retry.Policy{
			Kind: retry.Kind(rapid.IntRange(0, 5).Draw(t, "retry")), Wait: Time(rapid.Int64Range(1, 1e9).Draw(t, "wait")), Most: 5e9,
			Jitter: retry.Jitter(rapid.IntRange(0, 3).Draw(t, "jitter")), Attempts: rapid.Int64Range(1, 6).Draw(t, "attempts"),
		}})
	}
	if rapid.Bool().Draw(t, "service") {
		sys.Service = &Service{
			Workers: rapid.IntRange(1, 3).Draw(t, "workers"), Queue: rapid.IntRange(-1, 4).Draw(t, "queue"),
			Time:    random.Distribution{Kind: random.Kind(rapid.IntRange(0, 1).Draw(t, "time")), Time: Time(rapid.Int64Range(0, 500e6).Draw(t, "length"))},
			Timeout: Time(rapid.SampledFrom([]int64{0, 100e6, 1e9}).Draw(t, "timeout")),
		}
	}
	policies := []algorithms.Policy{limited(rapid.Int64Range(1, 5).Draw(t, "n"), time.Second)}
	sys.Rules = []Rule{{Key: Key{Client: true}}}
	if rapid.Bool().Draw(t, "second limit") {
		policies = append(policies, limited(rapid.Int64Range(1, 8).Draw(t, "n2"), 3*time.Second))
		sys.Rules = append(sys.Rules, Rule{Key: Key{Address: true, Endpoint: rapid.Bool().Draw(t, "per endpoint")}, Endpoints: []bool{true, rapid.Bool().Draw(t, "everywhere")}})
	}
	names := []string{"token-bucket", "fixed-window", "sliding-log", "leaky-bucket", "unlimited"}
	if sys.Service != nil {
		names = append(names, "concurrency", "adaptive")
	}
	length := time.Duration(at) + rapid.SampledFrom([]time.Duration{1, time.Second, time.Minute}).Draw(t, "more")
	return around(t, sys, requests, length, policies, names...)
}
