package draw

import (
	"math"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// bucketSpec and windowSpec describe algorithms without being any.
func bucketSpec(name string) *algorithms.Spec {
	return &algorithms.Spec{Name: name, Bursts: true, Gauge: algorithms.Gauge{Name: "tokens left", RestsFull: true}}
}

func windowSpec(name string) *algorithms.Spec {
	return &algorithms.Spec{Name: name, Gauge: algorithms.Gauge{Name: "count"},
		Options: []algorithms.Option{{Name: "anchor", Kind: algorithms.Choice, Default: "clock"}}}
}

// emptyGrid has n buckets in which nothing happens.
func emptyGrid(n int, span sim.Time) sim.Grid {
	counts := func() []int64 { return make([]int64, n) }
	return sim.Grid{Span: span, Admitted: counts(), Delayed: counts(), Denied: counts(), Released: counts(), Edges: make([]bool, n)}
}

// flat gives a grid a level that never moves.
func flat(g sim.Grid, level algorithms.Milli) sim.Grid {
	for range g.Len() {
		g.Low, g.High = append(g.Low, level), append(g.High, level)
	}
	return g
}

// handmade are pages of results that no run of the engine needs to give.
func handmade() []scene {
	return []scene{
		{name: "names", page: Page{
			Title: "Names\x1b[2J that \u202etry\u202c things – 日本語 👩\u200d🚀", Limit: "5/s\x07",
			Lesson: "One line\nand the next, \x1b]0;title\x07 and\ttabs.\n\nA word that is far too long: " + longWord + ".",
			Watch:  "alice\u0301 e\u0301 \u0301", Seen: Seen, Notes: []string{"a note\r\nover\n\nlines", "\xff\xfe"},
			Results: []*sim.Result{
				named("日本語の名前はとても長いので切られる", 3, 1), named("e\u0301te\u0301 – \x1b[31mred\x1b[0m", 1, 2),
				named("👩\u200d🚀👍🏽🇩🇪", 2, 0), named("", 0, 4),
			},
		}},
		{name: "huge", page: Page{
			Title: "Numbers that are long", Limit: "1,000,000,000,000/7d burst 5",
			Results: []*sim.Result{huge("token-bucket", true), huge("fixed-window", false)},
		}},
		{name: "empty", page: Page{
			Title: "Nothing came", Limit: "5/s",
			Results: []*sim.Result{
				{Name: "a", Spec: bucketSpec("token-bucket"), Policy: policy(5, time.Second), Summary: sim.Summary{Fairness: 1}, Grid: flat(emptyGrid(60, minute), 5000)},
				{Name: "b", Spec: windowSpec("b"), Policy: policy(5, time.Second), Summary: sim.Summary{Fairness: 1}, Grid: flat(emptyGrid(60, minute), 0)},
			},
		}},
		{name: "instant", page: Page{
			Title: "Twelve nanoseconds", Limit: "2/5ns", Results: []*sim.Result{instant("one", 5), instant("two", 3)},
		}},
		{name: "nothing", page: Page{Title: "No limiter at all", Lesson: "There is nothing to see.", Limit: "5/s"}},
		{name: "no-grid", page: Page{Title: "Nothing was recorded", Results: []*sim.Result{
			{Name: "a", Spec: bucketSpec("a"), Policy: policy(5, time.Second), Summary: sim.Summary{PeakRatio: math.NaN(), Fairness: math.Inf(1), Clients: 2}},
		}}},
	}
}

const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorsitzendenstellvertreter"

func policy(n int64, per time.Duration) algorithms.Policy {
	return algorithms.Policy{Limit: algorithms.Limit{N: n, Per: per}}
}

// named is a result of that name, with a few requests.
func named(name string, admitted, denied int64) *sim.Result {
	g := flat(emptyGrid(40, 4*second), 2500)
	g.Admitted[5], g.Denied[6], g.Edges[20], g.LevelKey = admitted, denied, true, "\x1bkey 日本"
	s := sim.Summary{Offered: admitted + denied, Admitted: admitted, Denied: denied, Peak: admitted, PeakRatio: float64(admitted) / 5, Fairness: 1, Clients: 2, LongestDenials: denied}
	return &sim.Result{Name: name, Spec: windowSpec("fixed-window"), Policy: policy(5, time.Second), Summary: s, Grid: g}
}

// huge has numbers as large as they get.
func huge(name string, delays bool) *sim.Result {
	const week = 7 * 24 * time.Hour
	g := flat(emptyGrid(300, 3650*day), 1_000_000_000_000_000)
	for i := range g.Len() {
		g.Admitted[i], g.Denied[i] = int64(i)*1e9, int64(i%7)*3e10
	}
	g.Low[100], g.High[200] = 0, 0
	s := sim.Summary{
		Offered: 10_000_000_000, Admitted: 9_876_543_210, Denied: 123_456_790, UnitsOffered: 9e18, UnitsAdmitted: 8_999_999_999_999_999_999, UnitsDenied: 1,
		Peak: 7_654_321_000_000, PeakIsLowerBound: true, PeakRatio: 7.654321, LongestDenials: 1_000_000, Fairness: 0.0004, Clients: 1_000_000, WentOver: 5, DeniedWithRoom: 6,
	}
	if delays {
		s.Delayed, s.DelayRounded = 12, true
		s.DelayMean, s.DelayP50, s.DelayP95, s.DelayP99, s.DelayMax = 17, 1500, 59_999*millisecond, 25*hour+59*minute, 999*day+23*hour
	}
	p := policy(1e12, week)
	p.Burst = 5
	return &sim.Result{Name: name, Spec: bucketSpec(name), Policy: p, Summary: s, Grid: g}
}

// instant has a bucket for each of twelve nanoseconds.
func instant(name string, burst int64) *sim.Result {
	g := flat(emptyGrid(12, 12), 2000)
	g.Admitted[0], g.Delayed[0], g.Released[4], g.Released[8], g.Denied[8] = 1, 2, 1, 1, 1
	g.Low[0], g.Low[4] = 0, 1000
	p := policy(2, 5)
	p.Burst, p.Options = burst, map[string]string{"anchor": "first"}
	s := sim.Summary{Offered: 4, Admitted: 1, Delayed: 2, Denied: 1, Peak: 2, PeakRatio: 1, DelayMean: 6, DelayP50: 4, DelayP95: 8, DelayP99: 8, DelayMax: 8, Fairness: 1, LongestDenials: 1}
	return &sim.Result{Name: name, Spec: bucketSpec(name), Policy: p, Summary: s, Grid: g}
}
