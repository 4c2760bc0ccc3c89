package tui

import (
	"slices"
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// recordedAround is in how many buckets a run with a system is recorded. What the service does is known
// no closer, so they are finer than those of limiters alone.
const recordedAround = 1 << 14

// bucketsOf is in how many buckets a run is recorded.
func bucketsOf(plan *sim.Plan) int {
	if plan.System != nil {
		return recordedAround
	}
	return recorded
}

// recordedClient is the client whose levels a finished run has recorded.
func (s *scene) recordedClient() uint32 {
	for _, r := range s.results {
		if client, ok := s.plan.Clients.Lookup(r.Grid.LevelKey); ok && r.Grid.LevelKey != "" {
			return client
		}
	}
	return 0
}

// surrounded is a finished run with a system, with its levels as they were recorded.
func (s *scene) surrounded() *scene {
	out := *s
	out.coarse = make([]course, len(s.results))
	for i, r := range s.results {
		out.coarse[i] = course{r.Grid.Low, r.Grid.High, r.Grid.Edges}
	}
	out.strips = draw.StripsOf(s.results...)
	return &out
}

// recordedFor is the scene with the levels of another client, for which it is run once more.
func (s *scene) recordedFor(client uint32) *scene {
	out := *s
	opts := sim.Options{Buckets: recordedAround, Workers: 1, LevelClient: s.plan.Clients.Name(client)}
	out.client, out.results = client, sim.New(s.plan, opts).Finish()
	return out.surrounded()
}

// perClient reports whether the levels of a limiter are those of one client.
func (s *scene) perClient(limiter int) bool {
	if s.plan.System == nil {
		return s.tracks != nil && !s.plan.Shared
	}
	return s.results != nil && s.results[limiter].Grid.LevelKey != ""
}

// around counts what is around a limiter in columns: calls one by one, and the rest in the grid of the
// whole run.
func (s *scene) around(g *sim.Grid, limiter int, p port, starts []sim.Time, index []int) {
	n := len(starts) - 1
	out := &sim.SystemGrid{
		Wanted: make([]int64, n), Degraded: make([]int64, n), Again: make([]int64, n), Succeeded: make([]int64, n),
	}
	g.System = out
	whole := s.grid(limiter)
	if s.kept(limiter, p.from+p.span) {
		s.countAround(out, limiter, starts, index)
		s.countAgain(out, limiter, p, index)
	} else if whole != nil {
		out.Wanted = s.sums(whole.System.Wanted, p, n)
		out.Degraded, out.Again = s.sums(whole.System.Degraded, p, n), s.sums(whole.System.Again, p, n)
	}
	if whole != nil {
		out.Succeeded = s.sums(whole.System.Succeeded, p, n)
		out.Queue, out.Latency = most(s, whole.System.Queue, p, n), most(s, whole.System.Latency, p, n)
	}
}

// grid is what was recorded of a limiter over the whole run; nil until that is done.
func (s *scene) grid(limiter int) *sim.Grid {
	if s.results == nil {
		return nil
	}
	return &s.results[limiter].Grid
}

// countAround counts the kept calls of a limiter.
func (s *scene) countAround(g *sim.SystemGrid, limiter int, starts []sim.Time, index []int) {
	lane, requests := &s.steps.Lanes[limiter], calls{at: s.steps.At}.indexes(starts)
	before := lane.Before(index[0])
	for col := range g.Wanted {
		g.Wanted[col] = int64(requests[col+1] - requests[col])
		if index[col] == index[col+1] {
			continue
		}
		after := lane.Before(index[col+1])
		g.Degraded[col], before = after.Minus(before).Degraded, after
	}
}

// countAgain counts those of the kept calls that are not the first of their request: one by one, or where
// there may be millions of them, in what was recorded.
func (s *scene) countAgain(g *sim.SystemGrid, limiter int, p port, index []int) {
	n := len(index) - 1
	if index[n]-index[0] > direct && s.results != nil {
		g.Again = s.sums(s.grid(limiter).System.Again, p, n)
		return
	}
	for col := range n {
		for _, attempt := range s.own(limiter).Attempt[index[col]:index[col+1]] {
			if attempt > 1 {
				g.Again[col]++
			}
		}
	}
}

// sums brings counts of the whole run to the n columns of a port: a bucket counts where it begins.
func (s *scene) sums(counts []int64, p port, n int) []int64 {
	out, all := make([]int64, n), port{0, s.plan.Duration}
	first := sort.Search(len(counts), func(b int) bool { return all.start(b, len(counts)) >= p.from })
	for b := first; b < len(counts); b++ {
		start := all.start(b, len(counts))
		if start >= p.from+p.span {
			break
		}
		out[p.column(start, n)] += counts[b]
	}
	return out
}

// most brings the largest of something to the n columns of a port: a bucket that lies in several
// columns is in all. Nil of nil.
func most[T ~int64](s *scene, of []T, p port, n int) []T {
	if of == nil {
		return nil
	}
	out := make([]T, n)
	for col := range out {
		first, last := s.buckets(p, n, col, len(of))
		out[col] = slices.Max(of[first : last+1])
	}
	return out
}

// buckets are the first and the last of total buckets of the whole run that lie in a column of n.
func (s *scene) buckets(p port, n, col, total int) (first, last int) {
	all := port{0, s.plan.Duration}
	first = min(all.column(p.start(col, n), total), total-1)
	return first, max(first, min(all.column(p.start(col+1, n)-1, total), total-1))
}

// bucket is the bucket of the whole run that an instant falls into.
func (s *scene) bucket(t sim.Time, total int) int {
	return min(port{0, s.plan.Duration}.column(t, total), total-1)
}

// soFar adds counts of the whole run up to the playhead, at the end of which it is all of them.
func (s *scene) soFar(counts []int64, h head) int64 {
	n := s.bucket(h.at, len(counts)) // the present bucket is not over
	if h.at >= s.plan.Duration {
		n = len(counts)
	}
	sum := int64(0)
	for _, count := range counts[:n] {
		sum += count
	}
	return sum
}

// wanted is how many requests clients have wanted to send up to the playhead on a limiter's calls.
func (s *scene) wanted(limiter int, h head) int64 {
	at := calls{at: s.steps.At}
	if int64(at.len()) < s.total && (at.len() == 0 || h.at > at.at[at.len()-1]) && s.results != nil {
		return s.soFar(s.results[0].Grid.System.Wanted, h)
	}
	if h.seq < 0 && h.at == 0 {
		return 0
	}
	if own := s.own(limiter); !s.calls(limiter).between(h) && own.Attempt[h.seq] == 1 {
		if request := own.Seq[h.seq]; request < int64(at.len()) && at.at[request] == h.at {
			return request + 1 // others at the same instant are still to come
		}
	}
	return int64(at.index(h.at + 1))
}

// fineEdges reports whether columns are no finer than what edges were recorded in.
func (s *scene) fineEdges(limiter int, p port, n int) bool {
	return s.plan.System == nil || s.plan.Duration/sim.Time(max(len(s.coarse[limiter].edges), 1)) <= p.span/sim.Time(n)
}

// aroundLines say what stands around the limiters, on one line or, where there is room, two; nothing of
// limiters alone.
func (m *Model) aroundLines() []string {
	around := m.style.Around(m.scene.plan)
	if len(around) == 0 {
		return nil
	}
	text := strings.Join(around, m.dot())
	lines := m.wrapped(draw.Faint, text, m.width-2, 1)
	most := 1
	if m.height >= 32 {
		most = 2
	}
	if len(lines) <= most {
		return lines
	}
	rest := strings.Join(strings.Fields(ansi.Strip(strings.Join(lines[most-1:], " "))), " ")
	return append(lines[:most-1:most-1], " "+m.style.Paint(draw.Faint, m.wholeParts(rest, m.width-2)))
}

// wholeParts shortens text after a comma or a dot between its parts, where there is one.
func (m *Model) wholeParts(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	start := ansi.Truncate(text, width, "")
	last := max(strings.LastIndex(start, ", "), strings.LastIndex(start, m.dot()))
	if last <= 0 {
		return m.cut(text, width)
	}
	return start[:last] + " " + m.glyph("…", "..")
}

// succeeded is how many requests of a limiter have succeeded up to the playhead.
func (m *Model) succeeded(limiter, width int) string {
	if g := m.scene.grid(limiter); g != nil {
		return m.count(m.scene.soFar(g.System.Succeeded, m.head), width, draw.Level)
	}
	return m.style.Paint(draw.Faint, right(m.glyph("–", "-"), width))
}

// stripText is what a strip says on its right of the playhead: how many so far, or how much there.
func (m *Model) stripText(k draw.Strip, limiter int) string {
	g := m.scene.grid(limiter).System
	switch k {
	case draw.Goodput:
		return m.style.Count(m.scene.soFar(g.Succeeded, m.head), 9) + " so far"
	case draw.Queue:
		return m.style.Count(g.Queue[m.scene.bucket(m.head.at, len(g.Queue))], 9) + " waiting"
	case draw.Latency:
		lane := m.drawn.layout.lane
		if col := m.playhead(lane).Column; col >= 0 && col < lane {
			first, last := m.scene.buckets(m.port, lane, col, len(g.Latency))
			if latency := slices.Max(g.Latency[first : last+1]); latency > 0 {
				return m.style.Short(latency) + " here"
			}
		}
		return m.glyph("–", "-")
	}
	return m.style.Count(m.resent(limiter), 9) + " so far"
}

// resent is how many calls up to the playhead were not the first of their request.
func (m *Model) resent(limiter int) int64 {
	if !m.scene.kept(limiter, m.head.at) {
		return m.scene.soFar(m.scene.grid(limiter).System.Again, m.head)
	}
	again, whole := m.scene.grid(limiter).System.Again, port{0, m.scene.plan.Duration}
	bucket, n := m.scene.bucket(m.head.at, len(again)), int64(0)
	for _, count := range again[:bucket] {
		n += count
	}
	first := m.scene.calls(limiter).index(whole.start(bucket, len(again)))
	for _, attempt := range m.scene.own(limiter).Attempt[first:max(m.headOf(limiter).seq+1, first)] {
		if attempt > 1 {
			n++
		}
	}
	return n
}

// verdictWord says what a limiter does to a call.
func verdictWord(v algorithms.Verdict) string {
	switch v {
	case algorithms.Admit:
		return "admits"
	case algorithms.Delay:
		return "delays"
	case sim.Degraded:
		return "answers cheaply"
	}
	return "denies"
}
