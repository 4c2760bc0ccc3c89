package draw

import (
	"math"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// anyText is text as it may stand in a file: letters, wide characters, emoji, marks, control and
// format characters, broken bytes.
func anyText() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"a", "Z", "9", " ", "é", "e\u0301", "\u0301", "日", "가", "\u1100\u1161", "ﷺ", "क\u094dष", "\u0e33",
		"👩\u200d🚀", "👍🏽", "🏽", "🇩🇪", "🇩", "1\ufe0f\u20e3", "❤\ufe0f", "\ufe0f", "\u200d", "\u200c", "\u00ad", "\u0600", "\u0d4e",
		"\x1b[31m", "\x1b", "\x00", "\n", "\r\n", "\t", "\x7f", "\u009b", "\u0085", "\u202e", "\u2066", "\u2028", "\ufeff", "\u3164",
		"\xff", "\xed\xa0\x80", "\U000e0041", "\U0010ffff", "…", "×", "│",
	})
	return rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOfN(pieces, 0, 30), func(parts []string) (s string) {
			for _, p := range parts {
				s += p
			}
			return s
		}),
	)
}

func anyStyle() *rapid.Generator[*Style] {
	return rapid.Custom(func(t *rapid.T) *Style {
		return NewStyle(Options{
			Profile: rapid.SampledFrom([]termenv.Profile{termenv.Ascii, termenv.ANSI, termenv.ANSI256, termenv.TrueColor}).Draw(t, "profile"),
			Dark:    rapid.Bool().Draw(t, "dark"),
			ASCII:   rapid.Bool().Draw(t, "ascii"),
		})
	})
}

// anyCount is mostly small, sometimes enormous.
func anyCount() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 20), rapid.Int64Range(0, math.MaxInt64))
}

// anyRatio is also what a division must not give.
func anyRatio() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(0, 3), rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1)}))
}

func anyTime() *rapid.Generator[sim.Time] {
	return rapid.Custom(func(t *rapid.T) sim.Time {
		unit := rapid.SampledFrom([]sim.Time{1, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9}).Draw(t, "unit")
		return unit * sim.Time(rapid.Int64Range(0, 3650).Draw(t, "n"))
	})
}

func anySpec() *rapid.Generator[*algorithms.Spec] {
	return rapid.Custom(func(t *rapid.T) *algorithms.Spec {
		s := &algorithms.Spec{Name: rapid.SampledFrom([]string{"token-bucket", "x", "a-rather-long-algorithm-name"}).Draw(t, "algorithm")}
		s.Gauge.Name = rapid.SampledFrom([]string{"", "tokens left", "a level with a long name that nobody asked for"}).Draw(t, "gauge")
		s.Gauge.RestsFull, s.Bursts = rapid.Bool().Draw(t, "rests full"), rapid.Bool().Draw(t, "bursts")
		s.Options = []algorithms.Option{{Name: "count_denied", Kind: algorithms.Bool, Default: "false"}}
		return s
	})
}

func anyResult(span sim.Time) *rapid.Generator[*sim.Result] {
	return rapid.Custom(func(t *rapid.T) *sim.Result {
		r := &sim.Result{Name: anyText().Draw(t, "name"), Spec: anySpec().Draw(t, "spec")}
		r.Policy.Limit = algorithms.Limit{
			N:   rapid.OneOf(rapid.Int64Range(1, 10), rapid.Int64Range(1, algorithms.MaxUnits)).Draw(t, "limit"),
			Per: time.Duration(max(anyTime().Draw(t, "per"), 1)),
		}
		r.Policy.Burst = rapid.OneOf(rapid.Int64Range(0, 10), rapid.Int64Range(0, algorithms.MaxUnits)).Draw(t, "burst")
		if rapid.Bool().Draw(t, "option") {
			r.Policy.Options = map[string]string{"count_denied": "true"}
		}
		r.Summary, r.Grid = anySummary().Draw(t, "summary"), anyGrid(span).Draw(t, "grid")
		if rapid.Bool().Draw(t, "system") {
			anySystem(t, r)
		}
		return r
	})
}

// anySystem puts a system around a result, not one that makes sense.
func anySystem(t *rapid.T, r *sim.Result) {
	n := func(what string) int64 { return anyCount().Draw(t, what) }
	lengths := rapid.Custom(func(t *rapid.T) sim.Lengths {
		d := func(what string) sim.Time { return anyTime().Draw(t, what) }
		return sim.Lengths{P50: d("p50"), P95: d("p95"), P99: d("p99"), Max: d("max"), Rounded: rapid.Bool().Draw(t, "rounded")}
	})
	r.Spec.Holds = rapid.Bool().Draw(t, "holds")
	r.Scheme = rapid.SampledFrom([]string{"", "async", "central-atomic"}).Draw(t, "scheme")
	r.Summary.System = sim.SystemSummary{
		Degraded: n("degraded"), Requests: n("requests"), Succeeded: n("succeeded"), Cheap: n("cheap"), GaveUp: n("given up"), Unfinished: n("unfinished"),
		Calls: n("calls"), Amplification: anyRatio().Draw(t, "amplification"), Lost: n("lost"), TimedOut: n("timed out"), Wasted: n("wasted"),
		QueueMax: n("queue"), Utilization: anyRatio().Draw(t, "utilization"), Latency: lengths.Draw(t, "latency"), Success: lengths.Draw(t, "success"),
		HonestOffered: n("honest"), HonestDenied: n("honest denied"), AbusiveOffered: n("abusive"), AbusiveAdmitted: n("abusive admitted"),
		OverAdmitted: n("over"), OverBound: n("bound") - 1, FailedOpen: n("open"), FailedClosed: n("closed"),
	}
	for range rapid.IntRange(0, 10).Draw(t, "kinds") {
		r.Groups = append(r.Groups, sim.Group{
			Profile:  &sim.Profile{Name: anyText().Draw(t, "kind"), Abusive: rapid.Bool().Draw(t, "abusive")},
			Requests: n("requests"), Succeeded: n("succeeded"), Cheap: n("cheap"), GaveUp: n("given up"), Waiting: n("waiting"),
			Offered: n("offered"), Denied: n("denied"), Success: lengths.Draw(t, "success"),
		})
	}
	for range rapid.IntRange(0, 15).Draw(t, "rules") {
		r.Rules = append(r.Rules, sim.RuleCount{Name: anyText().Draw(t, "rule"), Denied: n("denied")})
	}
	counts := func(what string) []int64 { return rapid.SliceOfN(anyCount(), r.Grid.Len(), r.Grid.Len()).Draw(t, what) }
	r.Grid.System = &sim.SystemGrid{Wanted: counts("wanted"), Degraded: counts("degraded"), Again: counts("again"), Succeeded: counts("succeeded")}
	if rapid.Bool().Draw(t, "service") {
		r.Grid.System.Queue = counts("queue")
		for _, v := range counts("latency") {
			r.Grid.System.Latency = append(r.Grid.System.Latency, sim.Time(v))
		}
	}
}

func anySummary() *rapid.Generator[sim.Summary] {
	return rapid.Custom(func(t *rapid.T) sim.Summary {
		n := func(what string) int64 { return anyCount().Draw(t, what) }
		d := func(what string) sim.Time { return anyTime().Draw(t, what) }
		return sim.Summary{
			Offered: n("offered"), Admitted: n("admitted"), Delayed: n("delayed"), Denied: n("denied"),
			UnitsOffered: n("units"), UnitsAdmitted: n("units admitted"), UnitsDelayed: n("units delayed"), UnitsDenied: n("units denied"),
			DelayMean: d("mean"), DelayP50: d("p50"), DelayP95: d("p95"), DelayP99: d("p99"), DelayMax: d("max"),
			DelayRounded: rapid.Bool().Draw(t, "rounded"),
			Peak:         n("peak"), PeakIsLowerBound: rapid.Bool().Draw(t, "lower bound"), PeakRatio: anyRatio().Draw(t, "ratio"),
			LongestDenials: n("row"), Fairness: anyRatio().Draw(t, "fairness"), Clients: n("clients"),
			WentOver: n("over"), DeniedWithRoom: n("room"),
		}
	})
}

func anyGrid(span sim.Time) *rapid.Generator[sim.Grid] {
	return rapid.Custom(func(t *rapid.T) sim.Grid {
		n := rapid.SampledFrom([]int{0, 1, 2, 7, 61, 120, 300}).Draw(t, "buckets")
		counts := func(what string) []int64 { return rapid.SliceOfN(anyCount(), n, n).Draw(t, what) }
		g := sim.Grid{Span: span, Admitted: counts("admitted"), Delayed: counts("delayed"), Denied: counts("denied"), Released: counts("released")}
		g.Edges = rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "edges")
		g.LevelKey = anyText().Draw(t, "key")
		if rapid.Bool().Draw(t, "gauged") {
			milli := rapid.Custom(func(t *rapid.T) algorithms.Milli { return algorithms.Milli(anyCount().Draw(t, "level")) })
			g.Low, g.High = rapid.SliceOfN(milli, n, n).Draw(t, "low"), rapid.SliceOfN(milli, n, n).Draw(t, "high")
		}
		return g
	})
}

func anyPage() *rapid.Generator[Page] {
	return rapid.Custom(func(t *rapid.T) Page {
		span := anyTime().Draw(t, "span")
		return Page{
			Title: anyText().Draw(t, "title"), Lesson: anyText().Draw(t, "lesson"), Watch: anyText().Draw(t, "watch"),
			Limit: anyText().Draw(t, "limit"), Around: rapid.SliceOfN(anyText(), 0, 4).Draw(t, "around"), Seen: rapid.SampledFrom([]Mark{Unknown, Seen, NotSeen}).Draw(t, "seen"),
			Notes:   rapid.SliceOfN(anyText(), 0, 3).Draw(t, "notes"),
			Results: rapid.SliceOfN(anyResult(span), 0, 5).Draw(t, "results"),
			Rows:    rapid.IntRange(0, 5).Draw(t, "rows"), Height: rapid.IntRange(-1, 9).Draw(t, "height"),
		}
	})
}
