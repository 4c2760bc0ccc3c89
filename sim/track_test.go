package sim

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// tracked is a finished run with the tracks of one client.
func tracked(t *rapid.T, buckets int) (*Plan, []*Result, *Steps, []*Track, uint32) {
	plan := randomPlan(t)
	run := New(plan, Options{Buckets: buckets, Workers: 1, Steps: MaxSteps})
	results := run.Finish()
	client, _ := plan.Clients.Lookup(results[0].Grid.LevelKey)
	tracks := run.Steps().Tracks(plan, client)
	for _, track := range tracks {
		track.stride = rapid.IntRange(1, 20).Draw(t, "stride")
		track.marks = nil
		l := track.entry.Maker.New()
		for i := range track.n {
			if i%track.stride == 0 {
				track.putAside(l)
			}
			l.Decide(track.request(i).At, track.request(i).Cost)
		}
	}
	return plan, results, run.Steps(), tracks, client
}

// A track explains as the steps do, whichever request is asked for, in whichever order.
func TestTracksExplainAsStepsDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, _, steps, tracks, client := tracked(t, 1)
		for range 5 {
			if steps.Len() == 0 {
				return
			}
			seq := rapid.IntRange(0, steps.Len()-1).Draw(t, "seq")
			holds := plan.Shared || steps.Client[seq] == client
			for i, track := range tracks {
				if track.Holds(seq) != holds {
					t.Fatalf("holds %d: %v, want %v", seq, track.Holds(seq), holds)
				}
				if !holds {
					continue
				}
				want, got := steps.Explain(plan, i, seq), track.Explain(seq)
				if track.State(got.Request.At, seq) != got.After {
					t.Fatalf("state %+v, want %+v", track.State(got.Request.At, seq), got.After)
				}
				wantChange, _ := want.Change()
				if change, _ := got.Change(); change != wantChange {
					t.Fatalf("change %+v, want %+v", change, wantChange)
				}
				want.past, got.recall = nil, nil
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("explained %+v, want %+v", got, want)
				}
			}
		}
	})
}

// A track over the whole run shows the level and the edges that the run's grid has.
func TestTracksShowWhatTheGridShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, results, _, tracks, _ := tracked(t, rapid.IntRange(1, 50).Draw(t, "buckets"))
		for i, track := range tracks {
			grid := results[i].Grid
			low, high := track.Level(0, plan.Duration, grid.Len())
			if !reflect.DeepEqual(low, grid.Low) || !reflect.DeepEqual(high, grid.High) {
				t.Fatalf("%s: level %v to %v, want %v to %v", track.entry.Name, low, high, grid.Low, grid.High)
			}
			if edges := track.Edges(0, plan.Duration, grid.Len()); !reflect.DeepEqual(edges, grid.Edges) {
				t.Fatalf("%s: edges %v, want %v", track.entry.Name, edges, grid.Edges)
			}
		}
	})
}

// Going to the next edge and back leads through the same edges.
func TestTracksWalkEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, _, steps, tracks, _ := tracked(t, 1)
		for _, track := range tracks {
			var edges []Time
			for now := Time(0); len(edges) < 50; {
				edge := track.NextEdge(now, steps.Index(now+1)-1)
				if edge >= plan.Duration {
					break
				}
				if edge <= now {
					t.Fatalf("edge %d after %d", edge, now)
				}
				edges, now = append(edges, edge), edge
			}
			for i := len(edges) - 1; i > 0; i-- {
				if got := track.LastEdge(edges[i]); got != edges[i-1] {
					t.Fatalf("%s: %d is the last edge before %d, want %d", track.entry.Name, got, edges[i], edges[i-1])
				}
			}
			if len(edges) > 0 && track.LastEdge(edges[0]) != -1 {
				t.Fatalf("%s: edge %d before the first one", track.entry.Name, track.LastEdge(edges[0]))
			}
		}
	})
}

// The last of a million requests of one client is explained by deciding a few thousand again.
func BenchmarkTrackExplain(b *testing.B) {
	const n = 1_000_000
	requests := make([]traffic.Request, n)
	for i := range requests {
		requests[i] = traffic.Request{At: Time(i) * 1e6, Cost: 1}
	}
	plan := planOf(b, requests, n*1e6, algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Second}})
	run := New(plan, Options{Buckets: 1, Workers: 1, Steps: MaxSteps})
	run.Finish()
	tracks := run.Steps().Tracks(plan, 0)
	for i, track := range tracks {
		b.Run(plan.Limiters[i].Name, func(b *testing.B) {
			for b.Loop() {
				track.Explain(n - 1)
			}
		})
	}
	b.Run("tracks", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			run.Steps().Tracks(plan, 0)
		}
	})
}
