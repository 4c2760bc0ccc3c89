package tui

import (
	"sort"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// scene is a run as it is shown, finished or as far as it has come. It is never changed.
type scene struct {
	plan    *sim.Plan
	steps   *sim.Steps
	reached sim.Time
	total   int64 // requests so far, kept one by one or not
	done    bool

	results []*sim.Result // the whole run's measures; nil until it is done
	client  uint32        // whose levels are shown
	tracks  []*sim.Track  // of that client, by limiter; nil until they are made
	coarse  []course      // by limiter: the level over the whole run

	strips []draw.Strip // what is around the limiters that is worth a small lane; nil until the run is done
}

// course is the level and the edges of one limiter over a whole run, in equal buckets.
type course struct {
	low, high []algorithms.Milli
	edges     []bool
}

// recorded is in how many buckets a run is recorded, for what is beyond the requests that are kept.
const recorded = 1 << 12

// buckets is how finely the level over a whole run is kept where it is too much to look up again: at
// 200 columns, a view of a sixteenth of the run still has five buckets a column.
const buckets = 1 << 14

// direct is how many requests of the shown client may be decided again to draw a level: about a
// millisecond.
const direct = 1 << 14

// counts are what the limiters did in the part of the run in port, in n columns, and where their
// windows have edges.
func (s *scene) counts(p port, n int, limiters []int) []*sim.Result {
	out := make([]*sim.Result, len(limiters))
	starts := make([]sim.Time, n+1)
	for col := range starts {
		starts[col] = p.start(col, n)
	}
	var index []int
	for i, limiter := range limiters {
		if own := s.own(limiter); i == 0 || own != nil {
			index = s.calls(limiter).indexes(starts)
		}
		r := s.result(limiter, p)
		if s.kept(limiter, p.from+p.span) {
			s.count(&r.Grid, limiter, starts, index)
		} else {
			s.sample(&r.Grid, limiter, p, n)
		}
		if s.plan.System != nil {
			s.around(&r.Grid, limiter, p, starts, index)
		}
		r.Grid.Edges = s.edges(limiter, p, n)
		out[i] = r
	}
	return out
}

// levels is the level of the shown client's limiter in the part of the run in port, in n columns.
func (s *scene) levels(p port, n, limiter int) *sim.Result {
	r := s.result(limiter, p)
	r.Grid.Admitted = make([]int64, n) // what a grid's length is told by
	switch track := s.track(limiter); {
	case !s.leveled():
	case track != nil && s.looked(track, p):
		r.Grid.Low, r.Grid.High = track.Level(p.from, p.span, n)
	default:
		s.coarse[limiter].level(&r.Grid, s.plan.Duration, p, n)
	}
	return r
}

// edges are the columns that hold a window edge of the shown client's limiter.
func (s *scene) edges(limiter int, p port, n int) []bool {
	switch track := s.track(limiter); {
	case !s.leveled():
		return make([]bool, n)
	case track != nil && s.looked(track, p):
		return track.Edges(p.from, p.span, n)
	default:
		if !s.fineEdges(limiter, p, n) {
			return make([]bool, n)
		}
		return s.coarse[limiter].sampleEdges(s.plan.Duration, p, n)
	}
}

// result is an empty result of a limiter for a part of the run.
func (s *scene) result(limiter int, p port) *sim.Result {
	entry := &s.plan.Limiters[limiter]
	r := &sim.Result{Name: entry.Name, Spec: entry.Spec, Policy: entry.Policy, Grid: sim.Grid{Span: p.span}}
	if whole := s.grid(limiter); whole != nil {
		r.Grid.LevelOf = whole.LevelOf
	}
	return r
}

// leveled reports whether the levels are known. With a system they are as they were recorded.
func (s *scene) leveled() bool { return s.coarse != nil }

// track is the track of a limiter; nil while there is none, and with a system around it.
func (s *scene) track(limiter int) *sim.Track {
	if s.tracks == nil {
		return nil
	}
	return s.tracks[limiter]
}

// looked reports whether what is in port is looked up request by request.
func (s *scene) looked(track *sim.Track, p port) bool {
	return s.kept(0, p.from+p.span) && track.Requests(p.from, p.from+p.span) <= direct
}

// count counts the kept answers of one limiter in columns.
func (s *scene) count(g *sim.Grid, limiter int, starts []sim.Time, index []int) {
	lane, n := &s.steps.Lanes[limiter], len(index)-1
	g.Admitted, g.Delayed, g.Denied, g.Released = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	before, released := lane.Before(index[0]), lane.ReleasedBefore(starts[0])
	for col := range n {
		if index[col+1] > index[col] {
			after := lane.Before(index[col+1])
			t := after.Minus(before)
			g.Admitted[col], g.Delayed[col], g.Denied[col] = t.Admitted, t.Delayed, t.Denied
			before = after
		}
		if len(lane.Released) > 0 {
			r := lane.ReleasedBefore(starts[col+1])
			g.Released[col], released = int64(r-released), r
		}
	}
}

// sample takes the counts from the grid of the whole run: a bucket counts where it begins.
func (s *scene) sample(g *sim.Grid, limiter int, p port, n int) {
	g.Admitted, g.Delayed, g.Denied, g.Released = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	if s.results == nil {
		return
	}
	grid := &s.results[limiter].Grid
	first := sort.Search(grid.Len(), func(i int) bool { return grid.Start(i) >= p.from })
	for b := first; b < grid.Len() && grid.Start(b) < p.from+p.span; b++ {
		col := p.column(grid.Start(b), n)
		g.Admitted[col] += grid.Admitted[b]
		g.Delayed[col] += grid.Delayed[b]
		g.Denied[col] += grid.Denied[b]
		g.Released[col] += grid.Released[b]
	}
}

// level brings the part in port to n columns. A bucket that lies in several columns is in all.
func (c *course) level(g *sim.Grid, duration sim.Time, p port, n int) {
	if c.low == nil {
		return
	}
	all, total := port{0, duration}, len(c.low)
	g.Low, g.High = make([]algorithms.Milli, n), make([]algorithms.Milli, n)
	for col := range n {
		first := min(all.column(p.start(col, n), total), total-1)
		last := max(first, min(all.column(p.start(col+1, n)-1, total), total-1))
		g.Low[col], g.High[col] = c.low[first], c.high[first]
		for b := first + 1; b <= last; b++ {
			g.Low[col], g.High[col] = min(g.Low[col], c.low[b]), max(g.High[col], c.high[b])
		}
	}
}

// sampleEdges likewise: an edge is in the column in which its bucket begins.
func (c *course) sampleEdges(duration sim.Time, p port, n int) []bool {
	out, all := make([]bool, n), port{0, duration}
	for b, edge := range c.edges {
		if col := p.column(all.start(b, len(c.edges)), n); edge && col >= 0 && col < n {
			out[col] = true
		}
	}
	return out
}

// tally counts the answers of a limiter to the requests up to the playhead.
func (s *scene) tally(limiter int, h head) sim.Tally {
	if s.kept(limiter, h.at) || s.results == nil {
		return s.steps.Lanes[limiter].Before(h.seq + 1)
	}
	var t sim.Tally
	grid := &s.results[limiter].Grid
	for b := 0; b < grid.Len() && (grid.Start(b+1) <= h.at || h.at >= s.plan.Duration); b++ {
		t.Admitted += grid.Admitted[b]
		t.Delayed += grid.Delayed[b]
		t.Denied += grid.Denied[b]
		if grid.System != nil {
			t.Degraded += grid.System.Degraded[b]
		}
	}
	return t
}

// trackOf is the track of a limiter if it is of the client that sent request number seq.
func (s *scene) trackOf(limiter, seq int) *sim.Track {
	if s.tracks == nil || !s.tracks[limiter].Holds(seq) {
		return nil
	}
	return s.tracks[limiter]
}

// windowed reports whether a limiter has window edges to go to.
func (s *scene) windowed(limiter int) bool {
	_, ok := s.plan.Limiters[limiter].Maker.New().(algorithms.Windowed)
	return ok && s.tracks != nil
}

// following is the scene with the levels of a client.
func (s *scene) following(client uint32) *scene {
	if s.plan.System != nil {
		return s.recordedFor(client)
	}
	out := *s
	out.client = client
	out.tracks = s.steps.Tracks(s.plan, client)
	out.coarse = make([]course, len(out.tracks))
	for i, track := range out.tracks {
		out.coarse[i] = s.course(i, track)
	}
	return &out
}

// course is the level of a limiter over the whole run, where it is too much to look up when it is
// drawn. Of a run that is not kept whole, it is what was recorded, of whichever client that was.
func (s *scene) course(limiter int, track *sim.Track) course {
	if !s.whole(limiter) && s.results != nil {
		grid := &s.results[limiter].Grid
		return course{grid.Low, grid.High, grid.Edges}
	}
	if track.Requests(0, s.plan.Duration) <= direct {
		return course{}
	}
	n := int(min(buckets, max(s.plan.Duration, 1)))
	low, high := track.Level(0, s.plan.Duration, n)
	return course{low, high, track.Edges(0, s.plan.Duration, n)}
}
