package tune

import (
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
	"pgregory.net/rapid"
)

const period = 100 // ns

// load is a few dozen requests of three clients; with unit set, all cost 1.
func load(t *rapid.T, unit bool) *Load {
	names := sim.NewNames()
	for _, name := range []string{"ada", "bob", "cyd"} {
		names.ID(name)
	}
	l := &Load{Clients: names, Shared: rapid.Bool().Draw(t, "shared"), Workers: rapid.IntRange(1, 2).Draw(t, "workers")}
	at, most := sim.Time(0), 4
	if unit {
		most = 1
	}
	for range rapid.IntRange(1, 60).Draw(t, "requests") {
		at += sim.Time(rapid.SampledFrom([]int{0, 1, 3, 20, 90}).Draw(t, "gap"))
		l.Requests = append(l.Requests, traffic.Request{
			At: at, Client: uint32(rapid.IntRange(0, 2).Draw(t, "client")), Cost: int64(rapid.IntRange(1, most).Draw(t, "cost")),
		})
	}
	return l
}

func limiter(t *rapid.T, spec *algorithms.Spec, n, burst int64) sim.Limiter {
	policy := algorithms.Policy{Limit: algorithms.Limit{N: n, Per: period}, Burst: burst}
	maker, err := spec.Build(policy)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Limiter{Name: spec.Name, Spec: spec, Policy: policy, Maker: maker}
}

// refusals decides every request on its own, the plainest way there is.
func refusals(l *Load, s sim.Limiter) Refusals {
	keys, refused := map[uint32]algorithms.Limiter{}, map[uint32]bool{}
	var out Refusals
	for _, r := range l.Requests {
		key := r.Client
		if l.Shared {
			key = 0
		}
		if keys[key] == nil {
			keys[key] = s.Maker.New()
		}
		if !keys[key].Decide(r.At, r.Cost).Verdict.Accepted() {
			out.Denied++
			refused[r.Client] = true
		}
	}
	out.Clients = int64(len(refused))
	return out
}

// The smallest limit is one that meets the target by brute force, the one below it does not, and
// with unit costs no smaller one does.
func TestSmallestLimit(t *testing.T) {
	specs := algorithms.Defaults()
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.Bool().Draw(t, "unit")
		l := load(t, unit)
		target := Target{Denied: rapid.Int64Range(0, 20).Draw(t, "denied"), Clients: rapid.Int64Range(0, 3).Draw(t, "clients")}
		if l.Shared {
			target.Clients = 3 // who is refused is a matter of luck then
		}
		burst := rapid.Int64Range(0, 5).Draw(t, "burst") // 0: as large as the limit
		answers, err := l.Smallest(len(specs), target, func(i int, n int64) (sim.Limiter, error) {
			return limiter(t, specs[i], n, burst), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range answers {
			if a.N == 0 {
				if r := refusals(l, limiter(t, specs[i], algorithms.MaxUnits, burst)); target.met(r) {
					t.Fatalf("%s: none found, but the largest refuses %+v", specs[i].Name, r)
				}
				continue
			}
			checkSmallest(t, specs[i].Name, a, target, unit, func(n int64) Refusals { return refusals(l, limiter(t, specs[i], n, burst)) })
		}
	})
}

// checkSmallest holds an answer against what the numbers up to it refuse.
func checkSmallest(t *rapid.T, name string, a Answer, target Target, unit bool, refused func(n int64) Refusals) {
	if at := refused(a.N); at != a.At || !target.met(at) {
		t.Fatalf("%+v: %d refuses %+v", a, a.N, at)
	}
	if a.N == 1 {
		return
	}
	if below := refused(a.N - 1); below != a.Below || target.met(below) {
		t.Fatalf("%+v: %d refuses %+v", a, a.N-1, below)
	}
	for n := int64(1); unit && n < a.N; n++ {
		if target.met(refused(n)) {
			t.Fatalf("%s, %+v: the smaller %d meets the target", name, a, n)
		}
	}
}

// The smallest burst is the smallest by brute force.
func TestSmallestBurst(t *testing.T) {
	spec, _ := algorithms.Lookup("gcra")
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.Bool().Draw(t, "unit")
		l := load(t, unit)
		n := rapid.Int64Range(1, 20).Draw(t, "limit")
		target := Target{Denied: rapid.Int64Range(0, 20).Draw(t, "denied"), Clients: 3}
		answers, err := l.Smallest(1, target, func(_ int, burst int64) (sim.Limiter, error) { return limiter(t, spec, n, burst), nil })
		if err != nil || answers[0].N == 0 {
			t.Fatal(answers, err)
		}
		checkSmallest(t, spec.Name, answers[0], target, unit, func(burst int64) Refusals { return refusals(l, limiter(t, spec, n, burst)) })
	})
}

// A burst on the frontier refuses nothing and one less refuses something, for all keys together and
// for each alone, under every algorithm of the family.
func TestFrontier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := load(t, false)
		var rates []algorithms.Limit
		for range rapid.IntRange(1, 4).Draw(t, "rates") {
			rates = append(rates, algorithms.Limit{N: rapid.Int64Range(1, 30).Draw(t, "n"), Per: time.Duration(period)})
		}
		needs, err := l.Frontier(rates)
		if err != nil {
			t.Fatal(err)
		}
		for _, need := range needs {
			for _, spec := range algorithms.Defaults() {
				if spec.Bursts {
					checkNeed(t, l, spec, need.Rate.N, need.Burst)
				}
			}
			for client, burst := range need.Bursts {
				if alone := of(l, uint32(client)); burst > 0 && !l.Shared {
					checkNeed(t, alone, algorithms.Defaults()[0], need.Rate.N, burst)
				}
			}
		}
	})
}

// of is the requests of one client.
func of(l *Load, client uint32) *Load {
	one := *l
	one.Requests = nil
	for _, r := range l.Requests {
		if r.Client == client {
			one.Requests = append(one.Requests, r)
		}
	}
	return &one
}

func checkNeed(t *rapid.T, l *Load, spec *algorithms.Spec, n, burst int64) {
	if r := refusals(l, limiter(t, spec, n, burst)); r.Denied != 0 {
		t.Fatalf("%s %d/period burst %d refuses %+v", spec.Name, n, burst, r)
	}
	if burst == 1 {
		return
	}
	if r := refusals(l, limiter(t, spec, n, burst-1)); r.Denied == 0 {
		t.Fatalf("%s %d/period burst %d refuses nothing either", spec.Name, n, burst-1)
	}
}
