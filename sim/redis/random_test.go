package redis_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/redis"
	"github.com/b6db88e4/ratesim/sim/redis/redistest"
)

// draws makes random policies and requests from a seed.
type draws struct{ *rand.Rand }

// upTo is a number from 1 to most, small ones as likely as large ones, the ends more so.
func (r draws) upTo(most int64) int64 {
	switch r.IntN(8) {
	case 0:
		return 1
	case 1:
		return most
	}
	return 1 + r.Int64N(1+r.Int64N(most)>>r.IntN(60))
}

// policy is one that the algorithm accepts, anywhere in the range.
func (r draws) policy(spec *algorithms.Spec) algorithms.Policy {
	p := algorithms.Policy{
		Limit:   algorithms.Limit{N: r.upTo(algorithms.MaxUnits), Per: time.Duration(r.upTo(int64(algorithms.MaxPeriod)))},
		Options: map[string]string{},
	}
	if r.IntN(2) == 0 { // of everyday size
		p.Limit = algorithms.Limit{N: 1 + r.Int64N(200), Per: []time.Duration{time.Second, time.Minute, time.Hour}[r.IntN(3)]}
	}
	if r.IntN(2) == 0 {
		p.Burst = r.upTo(algorithms.MaxUnits)
	}
	if r.IntN(2) == 0 {
		p.Start = int64(r.Uint64())
	}
	for _, o := range spec.Options {
		if r.IntN(2) == 0 {
			p.Options[o.Name] = r.option(o, p)
		}
	}
	return p
}

func (r draws) option(o algorithms.Option, p algorithms.Policy) string {
	switch o.Kind {
	case algorithms.Bool:
		return fmt.Sprint(r.IntN(2) == 0)
	case algorithms.Int:
		return fmt.Sprint(r.Int64N(p.Capacity() + 1)) // initial is the only one
	}
	return o.Choices[r.IntN(len(o.Choices))]
}

// lastInstant is the latest that a run has: Never is none.
const lastInstant = algorithms.Never - 1

// next is the instant of the next request: at once, where the model says that this one would fit, a
// nanosecond beside it, some part of the period later, at any time, or a little too early.
func (r draws) next(l algorithms.Limiter, p algorithms.Policy, now Time, cost int64) Time {
	target := now
	switch r.IntN(8) {
	case 0, 1:
	case 2, 3, 4:
		target = min(l.When(now, cost), lastInstant)
		if target < lastInstant {
			target += Time(r.IntN(3) - 1)
		}
	case 5:
		target = later(now, r.upTo(int64(p.Limit.Per)))
	case 6:
		target = later(now, r.upTo(1<<r.IntN(62)))
	case 7:
		return max(0, now-Time(r.upTo(1<<20)))
	}
	return max(now, target)
}

// later is now + distance, at most the last instant.
func later(now Time, distance int64) Time {
	if Time(distance) > lastInstant-now {
		return lastInstant
	}
	return now + Time(distance)
}

// cost is mostly 1, otherwise what is left, one more than that, or any.
func (r draws) cost(l algorithms.Limiter, now Time, capacity int64) int64 {
	switch r.IntN(8) {
	case 0:
		return max(1, algorithms.Remaining(l, now, capacity))
	case 1:
		return algorithms.Remaining(l, now, capacity) + 1
	case 2:
		return r.upTo(capacity)
	case 3:
		return r.upTo(int64(algorithms.Never))
	}
	return 1
}

// TestRandom: random requests under random policies, which the model and the scripts decide alike:
// 100,000 for each algorithm where Redis is required, 100,000 in all elsewhere.
func TestRandom(t *testing.T) {
	const requests = 400
	policies := 50
	if os.Getenv(redistest.Required) != "" {
		policies = 250
	}
	server := redistest.Start(t)
	for i, algorithm := range redis.Algorithms() {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			s := open(t, server.URL(), "run")
			spec, _ := algorithms.Lookup(algorithm)
			r := draws{rand.New(rand.NewPCG(1, uint64(i)))}
			compared := int64(0)
			for n := range policies {
				compared += compare(t, s, spec, r.policy(spec), fmt.Sprint(algorithm, n), requests, r)
			}
			if compared != int64(policies*requests) {
				t.Errorf("%d decisions compared", compared)
			}
		})
	}
}

// compare puts random requests to both and returns how many decisions it compared.
func compare(t *testing.T, s *redis.Store, spec *algorithms.Spec, p algorithms.Policy, name string, requests int, r draws) int64 {
	m, err := spec.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	_, checkers, err := s.Check(&sim.Plan{Limiters: []sim.Limiter{{Name: name, Spec: spec, Policy: p, Maker: m}}})
	if err != nil {
		t.Fatal(err)
	}
	c := checkers[0][0]
	l, now := c.New(), Time(0)
	for range requests {
		cost := r.cost(l, now, spec.Capacity(p))
		at := r.next(l, p, now, cost)
		l.Decide(at, cost)
		now = max(now, at)
	}
	c.Finish()
	if d := c.Difference(); d != nil || s.Err() != nil {
		t.Fatalf("%s %+v: %v\n%+v", spec.Name, p, s.Err(), d)
	}
	return c.Compared()
}

// TestAsking: what a script says when asked is what the model says, and asking changes nothing.
func TestAsking(t *testing.T) {
	server := redistest.Start(t)
	c := plain(t, server)
	for i, algorithm := range redis.Algorithms() {
		t.Run(algorithm, func(t *testing.T) {
			t.Parallel()
			spec, _ := algorithms.Lookup(algorithm)
			r := draws{rand.New(rand.NewPCG(2, uint64(i)))}
			for n := range 20 {
				p := r.policy(spec)
				m, err := spec.Build(p)
				if err != nil {
					t.Fatal(err)
				}
				prefix := fmt.Sprint(algorithm, n)
				s := open(t, server.URL(), prefix)
				model, script, now := m.New(), limiter(t, s, algorithm, p), Time(0)
				for range 20 {
					cost := r.cost(model, now, spec.Capacity(p))
					at := r.next(model, p, now, cost)
					before := c.Dump(t.Context(), prefix+":"+algorithm+":0").Val()
					if got, want := script.When(at, cost), model.When(at, cost); got != want || s.Err() != nil {
						t.Fatalf("%+v: %d units at %d: %d, want %d (%v)", p, cost, at, got, want, s.Err())
					}
					if c.Dump(t.Context(), prefix+":"+algorithm+":0").Val() != before {
						t.Fatal("asking changed the state")
					}
					if got, want := script.Decide(at, cost), model.Decide(at, cost); got != want {
						t.Fatalf("%+v: %d units at %d: %v, want %v", p, cost, at, got, want)
					}
					now = max(now, at)
				}
			}
		})
	}
}

// TestExtremes: the ends of the range that chance hardly ever meets, among them a wait of 2^64 ns.
func TestExtremes(t *testing.T) {
	const units, period = algorithms.MaxUnits, algorithms.MaxPeriod
	s := open(t, redistest.Start(t).URL(), "run")
	for _, row := range []struct {
		policy   algorithms.Policy
		requests [][2]int64 // instant, cost
	}{
		{algorithms.Policy{Limit: algorithms.Limit{N: 3, Per: 177_942_868_878_227_186}, Burst: 311},
			[][2]int64{{0, 311}, {0, 311}, {0, 1}, {int64(lastInstant), 311}}},
		{algorithms.Policy{Limit: algorithms.Limit{N: units, Per: period}},
			[][2]int64{{0, units}, {0, units}, {0, 1}, {int64(period) - 1, 1}, {int64(period), units}, {int64(lastInstant), units}, {int64(lastInstant), 1}}},
		{algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: period}, Burst: units},
			[][2]int64{{0, 1}, {0, units}, {0, units - 1}, {0, 1}, {int64(period), 1}, {int64(lastInstant), 30}, {int64(lastInstant), 29}}},
		{algorithms.Policy{Limit: algorithms.Limit{N: units, Per: 1}, Burst: 1},
			[][2]int64{{0, 1}, {0, 1}, {0, units}, {1, units}, {1, 1}, {int64(lastInstant), units}, {int64(lastInstant), 1}}},
		{algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: 1}, Start: 1<<63 - 1},
			[][2]int64{{0, 1}, {0, 1}, {int64(lastInstant) - 1, 1}, {int64(lastInstant), 1}, {int64(lastInstant), 1}}},
		{algorithms.Policy{Limit: algorithms.Limit{N: 2, Per: period - 1}, Start: -1 << 63},
			[][2]int64{{0, 2}, {0, 1}, {int64(period) / 2, 1}, {int64(lastInstant), 2}, {int64(lastInstant), 1}, {int64(lastInstant), 1<<63 - 1}}},
	} {
		for _, algorithm := range redis.Algorithms() {
			spec, _ := algorithms.Lookup(algorithm)
			m, err := spec.Build(row.policy)
			if err != nil {
				t.Fatal(err)
			}
			maker, err := s.Maker(fmt.Sprint(algorithm, row.policy), spec, row.policy)
			if err != nil {
				t.Fatal(err)
			}
			model, script := m.New(), maker.New()
			for _, r := range row.requests {
				if got, want := script.Decide(Time(r[0]), r[1]), model.Decide(Time(r[0]), r[1]); got != want {
					t.Errorf("%s %+v: %d units at %d: %v, want %v (%v)", algorithm, row.policy, r[1], r[0], got, want, s.Err())
				}
			}
		}
	}
}

// TestIntegers: the scripts' integers against those of math/big, around the sizes at which they change
// their form.
func TestIntegers(t *testing.T) {
	c := plain(t, redistest.Start(t))
	r := draws{rand.New(rand.NewPCG(3, 0))}
	script := redis.Integers + `
		local a, b, n = integer(ARGV[1]), integer(ARGV[2]), integer(ARGV[3])
		local quotient, rest = div(a, n)
		return { text(a), text(add(a, b)), text(sub(a, less(a, b) and a or b)), text(mul(a, b)), text(quotient), text(rest),
			text(ceiling(a, n)), tostring(less(a, b)) }`
	for range 5000 {
		a, b, n := r.integer(), r.integer(), big.NewInt(r.upTo(algorithms.MaxUnits))
		got, err := c.Eval(t.Context(), script, nil, a.String(), b.String(), n.String()).StringSlice()
		if err != nil {
			t.Fatal(err)
		}
		smaller := b
		if a.Cmp(b) < 0 {
			smaller = a
		}
		quotient, rest := new(big.Int).QuoRem(a, n, new(big.Int))
		ceiling := new(big.Int).Quo(new(big.Int).Add(a, new(big.Int).Sub(n, big.NewInt(1))), n)
		want := fmt.Sprint([]any{a, new(big.Int).Add(a, b), new(big.Int).Sub(a, smaller), new(big.Int).Mul(a, b), quotient, rest, ceiling, a.Cmp(b) < 0})
		if fmt.Sprint(got) != want {
			t.Fatalf("%d, %d, %d:\n%v, want\n%v", a, b, n, got, want)
		}
	}
}

// integer has up to 25 digits, and often is close to where the form or the limbs change.
func (r draws) integer() *big.Int {
	near := new(big.Int)
	switch r.IntN(3) {
	case 0:
		near.Exp(big.NewInt(10), big.NewInt(int64(r.IntN(25))), nil)
	case 1:
		near.Lsh(big.NewInt(1), uint(r.IntN(80)))
	case 2:
		near.Mul(big.NewInt(r.Int64()), big.NewInt(r.upTo(1<<20)))
	}
	return near.Abs(near.Add(near, big.NewInt(int64(r.IntN(7)-3))))
}
