package replay

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
	"pgregory.net/rapid"
)

// visits are a few hundred requests of five clients for three paths, close together.
func visits(t *rapid.T) []traffic.Request {
	at := Time(0)
	out := make([]traffic.Request, rapid.IntRange(0, 400).Draw(t, "requests"))
	for i := range out {
		at += Time(rapid.Int64Range(0, int64(rapid.SampledFrom([]time.Duration{1, time.Second, time.Minute}).Draw(t, "scale"))).Draw(t, "gap"))
		out[i] = traffic.Request{At: at, Cost: int64(rapid.IntRange(1, 2).Draw(t, "cost")), Client: uint32(rapid.IntRange(0, 4).Draw(t, "client"))}
		out[i].Endpoint = rapid.Uint32Range(0, 2).Draw(t, "path")
	}
	return out
}

// limiters are two limits put to every algorithm.
func limiters(t *rapid.T) []sim.Limiter {
	var out []sim.Limiter
	for _, n := range []int64{3, 5} {
		for _, spec := range algorithms.Defaults() {
			policy := algorithms.Policy{Limit: algorithms.Limit{N: n, Per: time.Minute}}
			maker, err := spec.Build(policy)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, sim.Limiter{Name: spec.Name, Spec: spec, Policy: policy, Maker: maker})
		}
	}
	return out
}

// names are five clients.
func names() *sim.Names {
	n := sim.NewNames()
	for _, name := range []string{"ada", "bob", "cyd", "dan", "eve"} {
		n.ID(name)
	}
	return n
}

// denials decides every request of a limiter on its own, the plainest way there is.
func denials(l sim.Limiter, all []traffic.Request) []int {
	keys := map[uint32]algorithms.Limiter{}
	var out []int
	for i, v := range all {
		if keys[v.Client] == nil {
			keys[v.Client] = l.Maker.New()
		}
		if !keys[v.Client].Decide(v.At, v.Cost).Verdict.Accepted() {
			out = append(out, i)
		}
	}
	return out
}

// Whatever a replay finds out is what the plain list of denials says, at any number of workers.
func TestReplayIsWhatTheDenialsSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all, limiters := visits(t), limiters(t)
		start := rapid.Int64Range(0, 1e18).Draw(t, "start")
		half := len(limiters) / 2
		o := New(&sim.Plan{Clients: names(), Open: func() traffic.Source { return traffic.Fixed(all) }, Limiters: limiters}, Options{
			Workers: rapid.IntRange(1, 3).Draw(t, "workers"), Start: start, Paths: true,
			Versus: []Pair{{0, half}, {half - 2, 2*half - 2}},
		}).Finish()
		if o.Requests != int64(len(all)) {
			t.Fatalf("%d requests, want %d", o.Requests, len(all))
		}
		for i, l := range limiters {
			checkLimiter(t, o, o.Limiters[i], all, denials(l, all), start)
		}
		for i, p := range []Pair{{0, half}, {half - 2, 2*half - 2}} {
			checkShift(t, o.Shifts[i], all, denials(limiters[p.This], all), denials(limiters[p.Other], all))
		}
	})
}

// checkLimiter counts everything again from the list of denied requests.
func checkLimiter(t *rapid.T, o *Outcome, l *Limiter, all []traffic.Request, denied []int, start int64) {
	clients, paths, minutes := map[uint32][]int{}, map[[2]uint32]int64{}, map[int64]int64{}
	sent := map[uint32]int64{}
	for _, v := range all {
		sent[v.Client]++
	}
	var worst Minute
	for _, i := range denied {
		v := all[i]
		clients[v.Client] = append(clients[v.Client], i)
		paths[[2]uint32{v.Client, v.Endpoint}]++
		unix := (start + int64(v.At)) / 60e9 * 60
		if minutes[unix]++; minutes[unix] > worst.Denied {
			worst = Minute{unix, minutes[unix]}
		}
	}
	if l.Summary.Denied != int64(len(denied)) || l.Touched != int64(len(clients)) || o.Clients != int64(len(sent)) || l.Worst != worst {
		t.Fatalf("%s: denied %d, touched %d, worst %v; want %d, %d, %v", l.Name, l.Summary.Denied, l.Touched, l.Worst, len(denied), len(clients), worst)
	}
	if sum(l.Timeline.Counts) != l.Summary.Denied || sum(o.Timeline.Counts) != o.Requests || l.Timeline.Width() != o.Timeline.Width() {
		t.Fatalf("%s: timelines %v and %v do not add up", l.Name, l.Timeline, o.Timeline)
	}
	most := l.Most(3)
	if len(most) != min(3, len(clients)) {
		t.Fatalf("%s: %d clients listed of %d", l.Name, len(most), len(clients))
	}
	for n, r := range most {
		its := clients[r.Client]
		if r.Denied != int64(len(its)) || r.Requests != sent[r.Client] || r.First != all[its[0]].At {
			t.Fatalf("%s: %+v, want %d of %d from %d", l.Name, r, len(its), sent[r.Client], all[its[0]].At)
		}
		for path := range uint32(3) {
			if c := paths[[2]uint32{r.Client, path}]; c > r.PathDenied || path == r.Path && c != r.PathDenied {
				t.Fatalf("%s: path %d of %+v was denied %d times", l.Name, path, r, c)
			}
		}
		if n > 0 && r.Denied > most[n-1].Denied {
			t.Fatalf("%s: not in order: %+v", l.Name, most)
		}
	}
	checkSpread(t, l, clients)
}

// checkSpread finds the fewest clients with half of all denials by adding them up.
func checkSpread(t *rapid.T, l *Limiter, clients map[uint32][]int) {
	var counts []int
	for _, its := range clients {
		counts = append(counts, len(its))
	}
	slices.SortFunc(counts, func(a, b int) int { return cmp.Compare(b, a) })
	half, nine, so := 0, 0, 0
	for _, n := range counts {
		if 2*so < int(l.Summary.Denied) {
			half++
		}
		if 10*so < 9*int(l.Summary.Denied) {
			nine++
		}
		so += n
	}
	s := l.Spread()
	if s.Half != int64(half) || s.Most != int64(nine) || sum(s.Bands[:]) != l.Touched {
		t.Fatalf("%s: spread %+v of %v", l.Name, s, counts)
	}
}

// checkShift compares two lists of denied requests as sets.
func checkShift(t *rapid.T, s Shift, all []traffic.Request, this, other []int) {
	var want Shift
	hit := map[uint32][2]bool{}
	for i, v := range all {
		a, b := slices.Contains(this, i), slices.Contains(other, i)
		switch {
		case a && b:
			want.Both++
		case a:
			want.NowAllowed++
		case b:
			want.NowDenied++
		}
		hit[v.Client] = [2]bool{hit[v.Client][0] || a, hit[v.Client][1] || b}
	}
	for _, h := range hit {
		if h[1] && !h[0] {
			want.Hit++
		}
		if h[0] && !h[1] {
			want.Freed++
		}
	}
	if s.Both != want.Both || s.NowAllowed != want.NowAllowed || s.NowDenied != want.NowDenied || s.Hit != want.Hit || s.Freed != want.Freed {
		t.Fatalf("shift %+v, want %+v", s, want)
	}
	moved := int64(0)
	for _, m := range s.Moved {
		moved += m.Other - m.This
	}
	if moved != s.NowDenied-s.NowAllowed {
		t.Fatalf("clients moved by %d, requests by %d", moved, s.NowDenied-s.NowAllowed)
	}
}

func sum(counts []int64) int64 {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	return total
}
