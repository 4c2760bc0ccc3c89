package draw

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// all are the algorithms of the pages below, by name, so that a new one in the registry leaves the
// golden files as they are.
var all = []string{
	"token-bucket", "gcra", "leaky-meter", "leaky-bucket", "fixed-window",
	"sliding-log", "sliding-counter", "sliding-buckets", "unlimited",
}

// given is a run by exact instants.
type given struct {
	n, burst   int64
	per        time.Duration
	duration   sim.Time
	requests   []traffic.Request
	clients    []string
	algorithms []string
	options    map[string]string
	names      map[string]string // of limiters whose name is not their algorithm's
}

// results runs g through the engine, recorded for a page of so many cells.
func (g given) results(t testing.TB, cells int) []*sim.Result {
	t.Helper()
	clients := sim.NewNames()
	plan := &sim.Plan{Duration: g.duration, Clients: clients}
	for _, name := range g.clients {
		clients.ID(name)
	}
	if len(g.clients) == 0 {
		clients.ID("")
	}
	slices.SortStableFunc(g.requests, func(a, b traffic.Request) int { return cmp.Compare(a.At, b.At) })
	plan.Open = func() traffic.Source { return &replay{g.requests} }
	var names []string
	for _, algorithm := range g.algorithms {
		l := g.limiter(t, algorithm)
		names = append(names, l.Name)
		plan.Limiters = append(plan.Limiters, l)
	}
	return sim.New(plan, sim.Options{Buckets: LaneWidth(cells, g.duration, names...), Workers: 1}).Finish()
}

func (g given) limiter(t testing.TB, algorithm string) sim.Limiter {
	t.Helper()
	spec, ok := algorithms.Lookup(algorithm)
	if !ok {
		t.Fatalf("no algorithm %q", algorithm)
	}
	policy := algorithms.Policy{Limit: algorithms.Limit{N: g.n, Per: g.per}, Burst: g.burst}
	for name, value := range g.options {
		if _, has := spec.Option(name); has {
			if policy.Options == nil {
				policy.Options = map[string]string{}
			}
			policy.Options[name] = value
		}
	}
	maker, err := spec.Build(policy)
	if err != nil {
		t.Fatal(err)
	}
	name := algorithm
	if other := g.names[algorithm]; other != "" {
		name = other
	}
	return sim.Limiter{Name: name, Spec: spec, Policy: policy, Maker: maker}
}

// replay is a source of given requests.
type replay struct{ left []traffic.Request }

func (r *replay) Next() (traffic.Request, bool) {
	if len(r.left) == 0 {
		return traffic.Request{}, false
	}
	next := r.left[0]
	r.left = r.left[1:]
	return next, true
}

// burst is n requests at once.
func at(t sim.Time, n int, client uint32) []traffic.Request {
	return slices.Repeat([]traffic.Request{{At: t, Cost: 1, Client: client}}, n)
}

// every is a request each step in [from, until).
func every(step, from, until sim.Time, client uint32) []traffic.Request {
	var out []traffic.Request
	for t := from; t < until; t += step {
		out = append(out, traffic.Request{At: t, Cost: 1, Client: client})
	}
	return out
}

// poisson is arrivals at a mean distance, from a fixed seed.
func poisson(mean, from, until sim.Time, clients uint32) []traffic.Request {
	rng := rand.New(rand.NewPCG(1, 2))
	var out []traffic.Request
	for t := from; t < until; t += sim.Time(rng.ExpFloat64() * float64(mean)) {
		out = append(out, traffic.Request{At: t, Cost: 1 + rng.Int64N(3), Client: rng.Uint32N(clients)})
	}
	return out
}

// scene is a page to be drawn at any width.
type scene struct {
	name string
	page Page
	run  given
}

func (s scene) at(t testing.TB, cells int) Page {
	pg := s.page
	pg.Results = s.run.results(t, cells)
	return pg
}

// scenes are pages as a class would see them.
func scenes() []scene {
	return []scene{
		{
			name: "boundary",
			page: Page{
				Title: "Window-boundary double burst", Limit: "100/m",
				Lesson: "A fixed window forgets everything at its edge. A client that knows where the edge is\ngets twice the limit across it.\n",
				Watch:  "fixed-window lets 200 requests through in 200 ms; sliding-log lets 100.", Seen: Seen,
			},
			run: given{n: 100, per: time.Minute, duration: 2 * minute, algorithms: all,
				requests: slices.Concat(at(59_900*millisecond, 100, 0), at(60_100*millisecond, 100, 0))},
		},
		{
			name: "burst",
			page: Page{
				Title: "Burst at rest", Limit: "1/s burst 5",
				Lesson: "A bucket that has rested is full: the first burst passes, and what follows is paid for by waiting.",
				Watch:  "token-bucket admits 5 of 7, then 3, then none; leaky-bucket makes 4 of them wait.", Seen: NotSeen,
			},
			run: given{n: 1, burst: 5, per: time.Second, duration: 10 * second,
				algorithms: []string{"token-bucket", "leaky-bucket", "fixed-window"},
				requests:   slices.Concat(at(0, 7, 0), at(3*second, 3, 0), at(3*second, 3, 0))},
		},
		{
			name: "poisson",
			page: Page{
				Title: "Random arrivals of three clients, some dearer than others", Limit: "100/m burst 20",
				Lesson: "Requests that come at random bunch up by themselves.\n\nNobody did anything wrong, and still some are refused.",
				Notes:  []string{"3 rows lie beyond the duration and were left out"},
			},
			run: given{n: 100, burst: 20, per: time.Minute, duration: 10 * minute, algorithms: all,
				clients: []string{"alice", "Überförster-日本語", "bob"}, requests: poisson(300*millisecond, 0, 10*minute, 3)},
		},
		{
			name: "herd",
			page: Page{Title: "Everybody at the full minute", Limit: "20/m",
				Lesson: "What comes is far more than any limiter lets through: its bars are cut, so that the limiters' own still differ."},
			run: given{n: 20, per: time.Minute, duration: 4 * minute, algorithms: []string{"token-bucket", "leaky-bucket", "sliding-log", "unlimited"},
				requests: slices.Concat(at(0, 300, 0), at(minute, 300, 0), every(2*second, 0, 4*minute, 0))},
		},
		{
			name: "polling",
			page: Page{Title: "A client that asks far too often", Limit: "10/s"},
			run: given{n: 10, per: time.Second, duration: 4 * second, algorithms: []string{"fixed-window", "sliding-log"},
				options: map[string]string{"count_denied": "true"}, names: map[string]string{"fixed-window": "strict window"},
				requests: every(15*millisecond, 0, 4*second, 0)},
		},
	}
}
