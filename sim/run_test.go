package sim

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// planOf puts requests to every algorithm under one policy. The clients are a, b, c, ….
func planOf(t testing.TB, requests []traffic.Request, duration Time, policy algorithms.Policy) *Plan {
	t.Helper()
	names := NewNames()
	plan := &Plan{Duration: duration, Clients: names}
	for _, r := range requests {
		for uint32(names.Len()) <= r.Client {
			names.ID(string(rune('a' + names.Len())))
		}
	}
	plan.Open = func() traffic.Source { return traffic.Fixed(requests) }
	for _, spec := range algorithms.Defaults() {
		maker, err := spec.Build(policy)
		if err != nil {
			t.Fatal(err)
		}
		plan.Limiters = append(plan.Limiters, Limiter{Name: spec.Name, Spec: spec, Policy: policy, Maker: maker})
	}
	return plan
}

func resultOf(t testing.TB, results []*Result, name string) *Result {
	t.Helper()
	for _, r := range results {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no result named %s", name)
	return nil
}

// at gives n requests of client 0 at each of some seconds.
func at(n int, seconds ...float64) []traffic.Request {
	var out []traffic.Request
	for _, s := range seconds {
		for range n {
			out = append(out, traffic.Request{At: Time(s * 1e9), Cost: 1})
		}
	}
	return out
}

func perMinute(n int64) algorithms.Policy {
	return algorithms.Policy{Limit: algorithms.Limit{N: n, Per: time.Minute}}
}

// The window-boundary problem: 100 requests on each side of the edge at one minute.
func TestBoundary(t *testing.T) {
	results := New(planOf(t, at(100, 59.9, 60.1), 120e9, perMinute(100)), Options{Buckets: 120, Workers: 1}).Finish()
	for _, want := range []struct {
		limiter                         string
		admitted, delayed, denied, peak int64
		ratio                           float64
	}{
		{"token-bucket", 100, 0, 100, 100, 1},
		{"gcra", 100, 0, 100, 100, 1},
		{"leaky-meter", 100, 0, 100, 100, 1},
		{"leaky-bucket", 1, 99, 100, 100, 1},
		{"fixed-window", 200, 0, 0, 200, 2},
		{"sliding-log", 100, 0, 100, 100, 1},
		{"sliding-counter", 100, 0, 100, 100, 1},
		{"sliding-buckets", 100, 0, 100, 100, 1},
		{"unlimited", 200, 0, 0, 200, 2},
	} {
		s := resultOf(t, results, want.limiter).Summary
		if s.Admitted != want.admitted || s.Delayed != want.delayed || s.Denied != want.denied ||
			s.Peak != want.peak || s.PeakRatio != want.ratio || s.Offered != 200 {
			t.Errorf("%s: got %+v, want %+v", want.limiter, s, want)
		}
	}
}

// What a queue of five at 1/s does with six at once, counted by hand.
func TestDelays(t *testing.T) {
	plan := planOf(t, at(6, 0), 10e9, algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}, Burst: 5})
	r := resultOf(t, New(plan, Options{Buckets: 10, Workers: 1}).Finish(), "leaky-bucket")
	s := r.Summary
	if s.Admitted != 1 || s.Delayed != 4 || s.Denied != 1 {
		t.Errorf("admitted %d, delayed %d, denied %d; want 1, 4, 1", s.Admitted, s.Delayed, s.Denied)
	}
	if s.DelayMean != 2.5e9 || s.DelayP50 != 2e9 || s.DelayP95 != 4e9 || s.DelayMax != 4e9 {
		t.Errorf("delays: mean %d, p50 %d, p95 %d, max %d; want 2.5 s, 2 s, 4 s, 4 s", s.DelayMean, s.DelayP50, s.DelayP95, s.DelayMax)
	}
	if want := []int64{0, 1, 1, 1, 1, 0, 0, 0, 0, 0}; !slices.Equal(r.Grid.Released, want) {
		t.Errorf("released per second %v, want %v", r.Grid.Released, want)
	}
	if want := []algorithms.Milli{5000, 4000, 3000, 2000, 1000, 0, 0, 0, 0, 0}; !slices.Equal(r.Grid.High, want) {
		t.Errorf("highest queue per second %v, want %v", r.Grid.High, want)
	}
}

// A request that waits past the end of the run still goes ahead, and is counted as later.
func TestReleasesAfterTheEnd(t *testing.T) {
	plan := planOf(t, at(4, 0), 2e9, algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}, Burst: 4})
	g := resultOf(t, New(plan, Options{Buckets: 2, Workers: 1}).Finish(), "leaky-bucket").Grid
	if want := []int64{0, 1}; !slices.Equal(g.Released, want) || g.ReleasedLater != 2 {
		t.Errorf("released %v and %d later, want %v and 2", g.Released, g.ReleasedLater, want)
	}
}

// At one instant what is released comes before what arrives. With it, three units went ahead in the
// three seconds up to 1 s, so that the denial there is right; without it there would seem to be room.
func TestReleasesComeBeforeArrivals(t *testing.T) {
	requests := append(at(2, 0), traffic.Request{At: 1e9, Cost: 2})
	plan := planOf(t, requests, 4e9, algorithms.Policy{Limit: algorithms.Limit{N: 3, Per: 3 * time.Second}, Burst: 2})
	s := resultOf(t, New(plan, Options{Buckets: 4, Workers: 1}).Finish(), "leaky-bucket").Summary
	if s.Denied != 1 || s.DeniedWithRoom != 0 {
		t.Errorf("denied %d, with room %d; want 1 and 0", s.Denied, s.DeniedWithRoom)
	}
}

// A bucket of time ends before its end: the count falls to zero at the edge, not before it.
func TestLevelAtAnEdge(t *testing.T) {
	g := resultOf(t, New(planOf(t, at(7, 10), 120e9, perMinute(10)), Options{Buckets: 4, Workers: 1}).Finish(), "fixed-window").Grid
	wantLow, wantHigh := []algorithms.Milli{0, 7000, 0, 0}, []algorithms.Milli{7000, 7000, 0, 0}
	if !slices.Equal(g.Low, wantLow) || !slices.Equal(g.High, wantHigh) {
		t.Errorf("count from %v to %v, want from %v to %v", g.Low, g.High, wantLow, wantHigh)
	}
}

// Window edges: every minute by the clock; with anchor: first, P after the request that opened.
func TestEdges(t *testing.T) {
	requests := at(1, 30, 150)
	plan := planOf(t, requests, 240e9, perMinute(10))
	edges := resultOf(t, New(plan, Options{Buckets: 8, Workers: 1}).Finish(), "fixed-window").Grid.Edges
	if want := []bool{false, false, true, false, true, false, true, false}; !slices.Equal(edges, want) {
		t.Errorf("clock: edges per half minute %v, want %v", edges, want)
	}
	spec, _ := algorithms.Lookup("fixed-window")
	policy := perMinute(10)
	policy.Options = map[string]string{"anchor": "first"}
	maker, err := spec.Build(policy)
	if err != nil {
		t.Fatal(err)
	}
	plan.Limiters = []Limiter{{Name: "first", Spec: spec, Policy: policy, Maker: maker}}
	edges = New(plan, Options{Buckets: 8, Workers: 1}).Finish()[0].Grid.Edges
	if want := []bool{false, false, false, true, false, false, false, true}; !slices.Equal(edges, want) {
		t.Errorf("first: edges per half minute %v, want %v", edges, want)
	}
}

// Arrivals at the duration or later are not taken.
func TestDurationIsExclusive(t *testing.T) {
	r := New(planOf(t, at(1, 0, 1, 2), 2e9, perMinute(10)), Options{Buckets: 4, Workers: 1}).Finish()[0]
	if r.Summary.Offered != 2 {
		t.Errorf("offered %d, want 2", r.Summary.Offered)
	}
}

func TestEmptyRun(t *testing.T) {
	for _, r := range New(planOf(t, nil, 1e9, perMinute(10)), Options{Buckets: 10, Workers: 3}).Finish() {
		if s := r.Summary; s.Offered != 0 || s.Fairness != 1 || s.Peak != 0 {
			t.Errorf("%s: %+v", r.Name, s)
		}
	}
}

// history is an observer that keeps every decision of every limiter.
type history map[int][]Step

func (h history) Asked(Step, algorithms.Limiter) {}
func (h history) Answered(s Step)                { h[s.Limiter] = append(h[s.Limiter], s) }

// randomPlan draws a few hundred requests, often at equal instants, of up to four clients.
func randomPlan(t *rapid.T) *Plan {
	gap := rapid.SampledFrom([]Time{0, 0, 1, 1e6, 1e8, 1e9, 7e9})
	var requests []traffic.Request
	var now Time
	for range rapid.IntRange(0, 300).Draw(t, "requests") {
		now += gap.Draw(t, "gap")
		requests = append(requests, traffic.Request{At: now,
			Cost:   rapid.SampledFrom([]int64{1, 1, 1, 2, 5, 20}).Draw(t, "cost"),
			Client: rapid.Uint32Range(0, 3).Draw(t, "client")})
	}
	policy := algorithms.Policy{
		Limit: algorithms.Limit{N: rapid.Int64Range(1, 20).Draw(t, "n"), Per: time.Duration(rapid.SampledFrom([]int64{100, 1e9, 6e9, 60e9}).Draw(t, "per"))},
		Burst: rapid.Int64Range(1, 20).Draw(t, "burst"),
	}
	plan := planOf(&testing.T{}, requests, now+1, policy)
	plan.Shared = rapid.Bool().Draw(t, "shared")
	return plan
}

// Every measure equals what its definition gives by brute force over the decisions.
func TestMeasuresAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, seen := randomPlan(t), history{}
		buckets := rapid.IntRange(1, 50).Draw(t, "buckets")
		results := New(plan, Options{Buckets: buckets, Workers: 1, Observer: seen}).Finish()
		for i, r := range results {
			checkCounts(t, r, seen[i])
			checkDelays(t, r, seen[i])
			checkWindow(t, plan, r, seen[i])
			checkClients(t, r, seen[i])
		}
	})
}

func checkCounts(t *rapid.T, r *Result, steps []Step) {
	var requests, units [3]int64
	for _, s := range steps {
		requests[s.Decision.Verdict]++
		units[s.Decision.Verdict] += s.Request.Cost
	}
	s, g := r.Summary, r.Grid
	got := [][3]int64{{s.Admitted, s.Delayed, s.Denied}, {s.UnitsAdmitted, s.UnitsDelayed, s.UnitsDenied},
		{sum(g.Admitted), sum(g.Delayed), sum(g.Denied)}}
	if want := [][3]int64{requests, units, requests}; !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: counts %v, want %v", r.Name, got, want)
	}
	if s.Offered != int64(len(steps)) || sum(g.Released)+g.ReleasedLater != s.Delayed {
		t.Fatalf("%s: offered %d of %d; released %d + %d of %d", r.Name, s.Offered, len(steps), sum(g.Released), g.ReleasedLater, s.Delayed)
	}
	for i := range g.Low {
		if g.Low[i] > g.High[i] {
			t.Fatalf("%s: bucket %d: level from %d to %d", r.Name, i, g.Low[i], g.High[i])
		}
	}
}

func sum(counts []int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
}

func checkDelays(t *rapid.T, r *Result, steps []Step) {
	var delays []Time
	var total Time
	for _, s := range steps {
		if s.Decision.Verdict == algorithms.Delay {
			delays = append(delays, s.Decision.Until-s.Request.At)
			total += s.Decision.Until - s.Request.At
		}
	}
	if len(delays) == 0 {
		return
	}
	slices.Sort(delays)
	rank := func(p float64) Time { return delays[int(math.Ceil(float64(len(delays))*p))-1] }
	got := []Time{r.Summary.DelayMean, r.Summary.DelayP50, r.Summary.DelayP95, r.Summary.DelayP99, r.Summary.DelayMax}
	want := []Time{total / Time(len(delays)), rank(.5), rank(.95), rank(.99), delays[len(delays)-1]}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: delays %v, want %v", r.Name, got, want)
	}
}

// checkWindow recounts, for every passage and every denial, what went ahead in (t−P, t].
func checkWindow(t *rapid.T, plan *Plan, r *Result, steps []Step) {
	type moment struct {
		at, arrived Time
		seq         int64
		step        Step
	}
	var moments []moment
	for _, s := range steps {
		m := moment{s.Request.At, s.Request.At, s.Seq, s}
		if s.Decision.Verdict == algorithms.Delay {
			m.at = s.Decision.Until
		}
		moments = append(moments, m)
	}
	// Releases of an instant come before its arrivals.
	slices.SortStableFunc(moments, func(a, b moment) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		aLate, bLate := a.at > a.arrived, b.at > b.arrived
		if aLate != bLate {
			if aLate {
				return -1
			}
			return 1
		}
		return int(a.seq - b.seq)
	})
	same := func(a, b moment) bool { return plan.Shared || a.step.Request.Client == b.step.Request.Client }
	var peak, over, room int64
	for i, m := range moments {
		var within int64
		for _, o := range moments[:i] {
			if o.step.Decision.Verdict.Accepted() && same(o, m) && o.at > m.at-Time(r.Policy.Limit.Per) {
				within += o.step.Request.Cost
			}
		}
		within += m.step.Request.Cost
		switch accepted := m.step.Decision.Verdict.Accepted(); {
		case accepted:
			peak = max(peak, within)
			if within > r.Policy.Limit.N {
				over++
			}
		case within <= r.Policy.Limit.N:
			room++
		}
	}
	s := r.Summary
	if s.Peak != peak || s.WentOver != over || s.DeniedWithRoom != room || s.PeakIsLowerBound {
		t.Fatalf("%s: peak %d, over %d, denied with room %d; want %d, %d, %d", r.Name, s.Peak, s.WentOver, s.DeniedWithRoom, peak, over, room)
	}
}

func checkClients(t *rapid.T, r *Result, steps []Step) {
	units, run, asked := map[uint32]float64{}, map[uint32]int64{}, map[uint32]bool{}
	var longest int64
	for _, s := range steps {
		asked[s.Request.Client] = true
		if s.Decision.Verdict.Accepted() {
			units[s.Request.Client] += float64(s.Request.Cost)
			run[s.Request.Client] = 0
			continue
		}
		run[s.Request.Client]++
		longest = max(longest, run[s.Request.Client])
	}
	var total, squares float64
	for _, u := range units {
		total += u
		squares += u * u
	}
	fair := 1.0
	if total > 0 {
		fair = total * total / (squares * float64(len(asked)))
	}
	s := r.Summary
	if s.LongestDenials != longest || s.Clients != int64(len(asked)) || math.Abs(s.Fairness-fair) > 1e-12 {
		t.Fatalf("%s: longest %d, clients %d, fairness %v; want %d, %d, %v", r.Name, s.LongestDenials, s.Clients, s.Fairness, longest, len(asked), fair)
	}
}

// The number of workers, an observer, and which other limiters run beside it change nothing.
func TestSameResultsHoweverItIsRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := randomPlan(t)
		all := New(plan, Options{Buckets: 20, Workers: 1}).Finish()
		for name, other := range map[string][]*Result{
			"four workers": New(plan, Options{Buckets: 20, Workers: 4}).Finish(),
			"observed":     New(plan, Options{Buckets: 20, Workers: 4, Observer: history{}}).Finish(),
		} {
			for i := range all {
				if a, b := all[i], other[i]; !reflect.DeepEqual(a.Summary, b.Summary) || !reflect.DeepEqual(a.Grid, b.Grid) {
					t.Fatalf("%s: %s differs: %+v, %+v", name, a.Name, a, b)
				}
			}
		}
		i := rapid.IntRange(0, len(all)-1).Draw(t, "alone")
		subset := *plan
		subset.Limiters = plan.Limiters[i : i+1]
		if alone := New(&subset, Options{Buckets: 20, Workers: 1}).Finish()[0]; !reflect.DeepEqual(alone.Summary, all[i].Summary) {
			t.Fatalf("%s alone differs: %+v, %+v", alone.Name, alone.Summary, all[i].Summary)
		}
	})
}

// A run can be read while it is under way: what it holds is a prefix of what it will hold.
func TestReadableUnderWay(t *testing.T) {
	run := New(planOf(t, at(3*blockSize, 0, 1), 2e9, perMinute(100)), Options{Buckets: 2, Workers: 2})
	var last int64
	for run.Step() {
		for _, r := range run.Results() {
			if r.Summary.Offered != run.Requests() || r.Summary.Offered != last+blockSize {
				t.Fatalf("%s: offered %d after %d requests", r.Name, r.Summary.Offered, run.Requests())
			}
		}
		last += blockSize
	}
	if run.Reached() != 2e9 || run.Requests() != 6*blockSize {
		t.Errorf("reached %d after %d requests, want 2 s and %d", run.Reached(), run.Requests(), 6*blockSize)
	}
}

// naming is a source that gives its clients names only as they come, as one that reads a log does.
type naming struct {
	traffic.Source
	names *Names
}

func (n *naming) Next() (traffic.Request, bool) {
	r, ok := n.Source.Next()
	for ok && uint32(n.names.Len()) <= r.Client {
		n.names.ID(string(rune('a' + n.names.Len())))
	}
	return r, ok
}

// Clients may become known only while the arrivals are read: nothing else differs.
func TestClientsKnownOnlyLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := randomPlan(t)
		want := New(plan, Options{Buckets: 3, Workers: 1, LevelClient: "a"}).Finish()
		names := NewNames()
		late := *plan
		late.Clients = names
		late.Open = func() traffic.Source { return &naming{Source: plan.Open(), names: names} }
		for i, got := range New(&late, Options{Buckets: 3, Workers: 2}).Finish() {
			if !reflect.DeepEqual(got.Summary, want[i].Summary) {
				t.Fatalf("%s: %+v, want %+v", got.Name, got.Summary, want[i].Summary)
			}
		}
	})
}

// The level shown is the busiest client's unless another is asked for.
func TestShownClient(t *testing.T) {
	requests := append(at(2, 0), traffic.Request{At: 1e9, Cost: 5, Client: 1}, traffic.Request{At: 1e9, Cost: 1, Client: 2})
	for asked, want := range map[string]string{"": "b", "a": "a", "c": "c", "nobody": "b"} {
		run := New(planOf(t, requests, 2e9, perMinute(100)), Options{Buckets: 2, Workers: 1, LevelClient: asked})
		if got := run.Finish()[0].Grid.LevelKey; got != want {
			t.Errorf("asked for %q: shows %q, want %q", asked, got, want)
		}
	}
}

// Asking for no client is not asking for the one without a name.
func TestShownClientAmongUnnamed(t *testing.T) {
	plan := planOf(t, []traffic.Request{{Cost: 1, Client: 0}, {Cost: 2, Client: 1}}, 1e9, perMinute(100))
	names := NewNames()
	names.ID("")
	names.ID("busy")
	plan.Clients = names
	if got := New(plan, Options{Buckets: 1, Workers: 1}).Finish()[0].Grid.LevelKey; got != "busy" {
		t.Errorf("shows %q, want %q", got, "busy")
	}
}

// many are clients that have no names of their own, ten million of them.
type many struct{}

func (many) Len() int                     { return 10_000_000 }
func (many) Name(uint32) string           { return "" }
func (many) Lookup(string) (uint32, bool) { return 0, false }

// Memory follows the clients that send something, not those that could.
func TestMemoryFollowsTheClientsThatAsk(t *testing.T) {
	plan := planOf(t, at(10, 0), 1e9, perMinute(100))
	plan.Clients = many{}
	run := New(plan, Options{Buckets: 1, Workers: 1})
	run.Finish()
	if got := len(run.askers); got != 1 {
		t.Errorf("room for %d clients where one sent something, want 1", got)
	}
}

// Where denied requests count, the level shows them: one admitted, one denied, at a limit of two.
func TestLevelOfCountedDenials(t *testing.T) {
	requests := []traffic.Request{{At: 0, Cost: 1}, {At: 1, Cost: 2}}
	plan := planOf(t, requests, 4, perMinute(2))
	spec, _ := algorithms.Lookup("fixed-window")
	policy := perMinute(2)
	for counted, want := range map[string]algorithms.Milli{"true": 2000, "false": 1000} {
		policy.Options = map[string]string{"count_denied": counted}
		maker, err := spec.Build(policy)
		if err != nil {
			t.Fatal(err)
		}
		plan.Limiters = []Limiter{{Name: "window", Spec: spec, Policy: policy, Maker: maker}}
		if high := New(plan, Options{Buckets: 4, Workers: 1}).Finish()[0].Grid.High; high[1] != want {
			t.Errorf("count_denied %s: level %d after a denial, want %d", counted, high[1], want)
		}
	}
}
