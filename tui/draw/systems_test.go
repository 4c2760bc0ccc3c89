package draw

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// system is what stands around the limiters of a scene.
type system struct {
	sim.System
	further  []algorithms.Policy       // enforced under the rules after the first
	schemes  map[string]servers.Scheme // by name of a limiter
	inFlight int64                     // limit of what limits what is in flight
}

// plan puts the system around the limiters of g.
func (s *system) plan(t testing.TB, g given) *sim.Plan {
	t.Helper()
	clients := sim.NewNames()
	for _, name := range g.clients {
		clients.ID(name)
	}
	around := s.System
	plan := &sim.Plan{Duration: g.duration, Clients: clients, System: &around}
	slices.SortStableFunc(g.requests, func(a, b traffic.Request) int { return int(a.At - b.At) })
	plan.Open = func() traffic.Source { return &replay{g.requests} }
	for _, algorithm := range g.algorithms {
		plan.Limiters = append(plan.Limiters, s.limiter(t, g, algorithm))
	}
	return plan
}

// limiter is a limiter of g that enforces every rule.
func (s *system) limiter(t testing.TB, g given, algorithm string) sim.Limiter {
	name, algorithm, _ := strings.Cut(algorithm, "=")
	if algorithm == "" {
		algorithm = name
	}
	if spec, _ := algorithms.Lookup(algorithm); spec != nil && spec.Holds {
		g.n, g.burst = s.inFlight, 0
	}
	l := g.limiter(t, algorithm)
	l.Name, l.Scheme = name, s.schemes[name]
	l.Enforced = []sim.Enforced{{Spec: l.Spec, Policy: l.Policy, Maker: l.Maker}}
	for _, p := range s.further {
		spec := l.Spec
		if spec.Holds {
			spec, _ = algorithms.Lookup("token-bucket")
		}
		maker, err := spec.Build(p)
		if err != nil {
			t.Fatal(err)
		}
		l.Enforced = append(l.Enforced, sim.Enforced{Spec: spec, Policy: p, Maker: maker})
	}
	return l
}

// around is a page of a run with a system around its limiters.
type around struct {
	name string
	page Page
	run  given
	sys  system
}

func (a around) at(t testing.TB, cells int) Page {
	plan := a.sys.plan(t, a.run)
	var names []string
	for _, l := range plan.Limiters {
		names = append(names, l.Name)
	}
	pg := a.page
	pg.Results = sim.New(plan, sim.Options{Buckets: LaneWidth(cells, plan.Duration, names...), Workers: 1}).Finish()
	return pg
}

// limited is a limit with a burst.
func limited(n int64, per time.Duration, burst int64) algorithms.Policy {
	return algorithms.Policy{Limit: algorithms.Limit{N: n, Per: per}, Burst: burst}
}

// arounds are pages with systems as a class would see them.
func arounds() []around {
	people := []string{"shop-1", "shop-2", "shop-3", "bot"}
	kinds := []sim.Profile{
		{Name: "shop-", Retry: retry.Policy{Kind: retry.Exponential, Wait: 200e6, Most: 10e9, Jitter: retry.Full, Attempts: 4}},
		{Name: "bot\x1b[31m", Abusive: true, Retry: retry.Policy{Kind: retry.AtOnce, Attempts: 3}},
	}
	return []around{
		{
			name: "storm",
			page: Page{Title: "Retry storm", Limit: "16/s", Lesson: "Clients that come again at once make the overload that they suffer from last.",
				Watch: "goodput falls without a limiter", Seen: Seen},
			run: given{n: 16, per: time.Second, duration: minute, clients: people, algorithms: []string{"unlimited", "token-bucket", "concurrency"},
				requests: slices.Concat(ofOneUnit(poisson(70*millisecond, 0, minute, 3)), every(50*millisecond, 20*second, 30*second, 3))},
			sys: system{inFlight: 6, further: []algorithms.Policy{limited(4, time.Second, 8)}, System: sim.System{
				Profiles: kinds, ProfileOf: []uint16{0, 0, 0, 1}, Tiers: []string{"", "bots"}, Endpoints: []string{""},
				Rules:   []sim.Rule{{Name: "main"}, {Name: "each client", Key: sim.Key{Client: true}}},
				Service: &sim.Service{Workers: 2, Time: random.Distribution{Time: 120e6}, Queue: 20, Timeout: 1e9},
			}},
		},
		{
			name: "degrade",
			page: Page{Title: "A cheap answer instead", Limit: "2/s burst 5"},
			run: given{n: 2, burst: 5, per: time.Second, duration: 30 * second, clients: []string{"alice"}, algorithms: []string{"token-bucket", "sliding-log"},
				requests: ofOneUnit(poisson(300*millisecond, 0, 30*second, 1))},
			sys: system{System: sim.System{
				Profiles: []sim.Profile{{Name: "alice", Retry: retry.Policy{Attempts: 1}}}, Tiers: []string{""}, Endpoints: []string{""},
				Rules: []sim.Rule{{Name: "main", Key: sim.Key{Client: true}}}, OnLimit: sim.Degrade,
			}},
		},
		{
			name: "servers",
			page: Page{Title: "Four servers, one limit", Limit: "60/m"},
			run: given{n: 60, per: time.Minute, duration: 2 * minute, clients: []string{"a", "b"},
				algorithms: []string{"central-racy=fixed-window", "split-up=fixed-window", "everyone for himself=fixed-window", "async=fixed-window"},
				requests:   ofOneUnit(poisson(150*millisecond, 0, 2*minute, 2))},
			sys: system{
				schemes: map[string]servers.Scheme{"central-racy": servers.CentralRacy, "split-up": servers.SplitUp, "everyone for himself": servers.Independent, "async": servers.Async},
				System: sim.System{
					Profiles: []sim.Profile{{Name: "a", Retry: retry.Policy{Attempts: 1}}}, Tiers: []string{""}, Endpoints: []string{""},
					Rules: []sim.Rule{{Name: "main"}},
					Servers: &servers.Config{Count: 4, FailOpen: true, Sync: 5e9, Peer: random.Distribution{Time: 1e6},
						Store: servers.Store{Latency: random.Distribution{Time: 400e6}, Timeout: 1e9, Outages: []servers.Outage{{From: 50e9, Until: 52e9}}}},
				},
			},
		},
	}
}

// ofOneUnit is requests of one unit each.
func ofOneUnit(requests []traffic.Request) []traffic.Request {
	for i := range requests {
		requests[i].Cost = 1
	}
	return requests
}

func TestPagesOfSystems(t *testing.T) {
	plain, ascii := NewStyle(Options{Profile: termenv.Ascii}), NewStyle(Options{Profile: termenv.Ascii, ASCII: true})
	for _, a := range arounds() {
		for _, v := range []struct {
			name   string
			style  *Style
			widths []int
		}{{".txt", plain, []int{60, 80, 120, 200}}, {".ascii.txt", ascii, []int{60, 120}}} {
			text := ""
			for _, cells := range v.widths {
				pg := a.at(t, cells)
				pg.Around = v.style.Around(a.sys.plan(t, a.run))
				text += strings.Repeat("=", cells-4) + "\n" + pg.Render(cells, v.style) + "\n"
			}
			golden(t, a.name+v.name, text)
		}
	}
	style := NewStyle(Options{Profile: termenv.TrueColor, Dark: true})
	golden(t, "storm.svg", SVG(arounds()[0].at(t, 100).Render(100, style), SVGOptions{Title: "ratesim run storm", Dark: true}))
	golden(t, "degrade.light.txt", arounds()[1].at(t, 80).Render(80, NewStyle(Options{Profile: termenv.TrueColor})))
}

// stripped is a result with one small lane's counts a column.
func stripped(name string, grid sim.SystemGrid) *sim.Result {
	n := max(len(grid.Again), len(grid.Queue))
	r := &sim.Result{Name: name, Spec: windowSpec("x"), Policy: policy(1, time.Second), Grid: emptyGrid(n, sim.Time(n))}
	if grid.Latency == nil && grid.Queue != nil {
		grid.Latency = make([]sim.Time, n)
	}
	r.Grid.System = &grid
	return r
}

func TestStripsAreOnOneScaleAndNameTheirOwnLargest(t *testing.T) {
	few := stripped("a", sim.SystemGrid{Again: []int64{0, 1, 4, 7}, Queue: []int64{1, 1, 2, 0}, Latency: []sim.Time{50e6, 0, 100e6, 0}})
	many := stripped("b", sim.SystemGrid{Again: []int64{14, 7, 0, 0}, Queue: []int64{0, 0, 0, 0}, Latency: []sim.Time{0, 200e6, 0, 0}})
	for _, c := range []struct {
		ascii bool
		want  string
	}{
		{false, "queue        2|▄▄▇ \nlatency  100ms|▂ ▄ \nretries      7| ▁▂▄\n|queue        0|    \nlatency  200ms| ▇  \nretries     14|▇▄  \n"},
		{true, "queue        2|::# \nlatency  100ms|. : \nretries      7| ..:\n|queue        0|    \nlatency  200ms| #  \nretries     14|#:  \n"},
	} {
		p := NewPicture(NewStyle(Options{Profile: termenv.Ascii, ASCII: c.ascii}), Layout{Width: 20, Gutter: 16, Lane: 4}, few, many)
		got := ""
		for i := range 2 {
			for _, line := range p.Strips(i) {
				got += strings.TrimLeft(line[:15], " ") + "|" + strings.TrimPrefix(line[15:], " ") + "\n"
			}
			if i == 0 {
				got += "|"
			}
		}
		if got != c.want {
			t.Errorf("ASCII %t:\ngot\n%s\nwant\n%s", c.ascii, got, c.want)
		}
	}
}

func TestOnlyStripsThatTellSomethingAreDrawn(t *testing.T) {
	none := []int64{0, 0}
	for _, c := range []struct {
		story string
		grid  sim.SystemGrid
		want  []Strip
	}{
		{"nothing around", sim.SystemGrid{Again: none}, nil},
		{"clients come again", sim.SystemGrid{Again: []int64{0, 3}}, []Strip{Retries}},
		{"a service that is quick", sim.SystemGrid{Again: none, Succeeded: []int64{5, 5}, Queue: none, Latency: []sim.Time{1e6, 1e6}}, []Strip{Goodput}},
		{"a service that varies", sim.SystemGrid{Again: none, Succeeded: []int64{5, 5}, Queue: none, Latency: []sim.Time{1e6, 2e6}}, []Strip{Goodput, Latency}},
		{"a service that drowns", sim.SystemGrid{Again: []int64{1, 0}, Succeeded: []int64{5, 5}, Queue: []int64{0, 9}, Latency: []sim.Time{1e6, 2e6}}, []Strip{Goodput, Queue, Latency, Retries}},
		{"what succeeds without a service is the lane itself", sim.SystemGrid{Again: none, Succeeded: []int64{5, 5}}, nil},
	} {
		if got := StripsOf(stripped("x", c.grid)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.story, got, c.want)
		}
	}
	if got := StripsOf(named("alone", 1, 0)); got != nil {
		t.Errorf("a limiter alone has strips: %v", got)
	}
}

func TestPercentNeverRoundsOntoNothingOrAll(t *testing.T) {
	s := NewStyle(Options{})
	for _, c := range []struct {
		n, whole int64
		want     string
	}{{0, 5, "0.0%"}, {5, 5, "100%"}, {1, 3, "33.3%"}, {1, 100_000, "<0.1%"}, {99_999, 100_000, ">99.9%"}, {3, 2, "150%"}, {1, 2000, "0.1%"}} {
		if got := s.percent(part(c.n, c.whole)); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.n, c.whole, got, c.want)
		}
	}
}

// Zeros in every row are left out; a zero in one of them stays.
func TestColumnsOfZerosAreLeftOut(t *testing.T) {
	result := func(name string, s sim.SystemSummary) *sim.Result {
		r := named(name, 1, 0)
		r.Summary.System, r.Groups = s, []sim.Group{{Profile: &sim.Profile{}}}
		return r
	}
	p := NewPicture(NewStyle(Options{}), NewLayout(80, second),
		result("a", sim.SystemSummary{Requests: 9, Succeeded: 7, GaveUp: 2, Calls: 9, Amplification: 1}),
		result("b", sim.SystemSummary{Requests: 9, Succeeded: 9, Calls: 9, Amplification: 1}))
	text := strings.Join(p.Summary(), "\n")
	for _, want := range []string{"9 requests", "succeeded", "given up"} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q:\n%s", want, text)
		}
	}
	for _, not := range []string{"unfinished", "cheap", "lost", "sent", "latency", "service", "honest", "bound"} {
		if strings.Contains(text, not) {
			t.Errorf("with %q:\n%s", not, text)
		}
	}
}

func TestWhatStandsAround(t *testing.T) {
	s := NewStyle(Options{})
	of := func(sys sim.System, policies ...algorithms.Policy) *sim.Plan {
		l := sim.Limiter{Name: "x", Spec: bucketSpec("token-bucket")}
		for _, p := range append([]algorithms.Policy{policy(5, time.Second)}, policies...) {
			l.Enforced = append(l.Enforced, sim.Enforced{Spec: l.Spec, Policy: p})
		}
		return &sim.Plan{System: &sys, Limiters: []sim.Limiter{l}}
	}
	client := []sim.Rule{{Name: "main", Key: sim.Key{Client: true}}}
	for _, c := range []struct {
		story string
		plan  *sim.Plan
		want  string
	}{
		{"limiters alone", &sim.Plan{}, ""},
		{"each client has a limit, as ever", of(sim.System{Rules: client}), ""},
		{"a limit for each ip", of(sim.System{Rules: []sim.Rule{{Key: sim.Key{Address: true, Endpoint: true}}}}), "one limit for each ip+endpoint"},
		{"two limits, one of which is named by its amount", of(sim.System{Rules: []sim.Rule{client[0], {Name: "all 100/m"}}}, policy(100, time.Minute)), "limits: main 5/s, all 100/m"},
		{"a service", of(sim.System{Rules: client, Service: &sim.Service{Workers: 4, Time: random.Distribution{Time: 100e6}, Queue: 50}}), "service of 4 workers, 100ms, queue 50"},
		{"another", of(sim.System{Rules: client, Service: &sim.Service{Workers: 1, Time: random.Distribution{Kind: random.Exponential, Time: 1e9}, Queue: -1, Timeout: 2e9}}),
			"service of 1 worker, mean 1s, queue without bound, clients wait 2s"},
		{"refusals wait", of(sim.System{Rules: client, OnLimit: sim.Queue, Waiting: 10}), "what is refused waits, up to 10 of a key"},
		{"the mistake", of(sim.System{Rules: client, KeepPartial: true}), "limits keep what they charged when another refuses"},
		{"servers", of(sim.System{Rules: client, Servers: &servers.Config{Count: 4, Moves: []servers.Move{{At: 40e9, Server: 2}},
			Store: servers.Store{Latency: random.Distribution{Kind: random.LogNormal, Time: 1e6}, Outages: []servers.Outage{{From: 10e9, Until: 15e9}}}}}),
			"4 servers, round-robin, central-atomic; store median 1ms, fails closed; store down at 10s for 5s; server 3 leaves at 40s"},
		{"servers of which two limiters have other stores", apart(of(sim.System{Rules: client, Servers: &servers.Config{Count: 2,
			Store: servers.Store{Latency: random.Distribution{Time: 1e6}, Outages: []servers.Outage{{From: 10e9, Until: 15e9}}}}})),
			"2 servers, round-robin, central-atomic; store 1ms or 2ms, fails closed or fails open; store down at 10s for 5s"},
	} {
		if got := strings.Join(s.Around(c.plan), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.story, got, c.want)
		}
	}
}

// apart is the plan with a second limiter, which has a store of its own.
func apart(plan *sim.Plan) *sim.Plan {
	own, config := *plan.System, *plan.System.Servers
	config.FailOpen, config.Store.Latency.Time = true, 2e6
	own.Servers = &config
	second := plan.Limiters[0]
	second.Name, second.System = "y", &own
	plan.Limiters = append(plan.Limiters, second)
	return plan
}

// A column in which something got a cheap answer says so, unless it says that something was denied.
func TestACheapAnswerIsNeverHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		style := anyStyle().Draw(t, "style")
		r := stripped("x", sim.SystemGrid{Again: make([]int64, 40), Degraded: rapid.SliceOfN(anyCount(), 40, 40).Draw(t, "degraded")})
		for i := range 40 {
			r.Grid.Admitted[i], r.Grid.Delayed[i] = anyCount().Draw(t, "admitted"), anyCount().Draw(t, "delayed")
		}
		p := NewPicture(style, Layout{Width: 60, Gutter: 16, Lane: 40, Gap: 4}, r)
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		marks := string([]rune{style.glyphs.cheap, style.glyphs.mixed})
		for col, c := range p.lane(&p.columns[0], rows)[rows-1] {
			if r.Grid.System.Degraded[col] > 0 && !strings.ContainsRune(marks, c.glyph) {
				t.Fatalf("%d cheap answers in column %d, which shows %q", r.Grid.System.Degraded[col], col, c.glyph)
			}
		}
	})
}
