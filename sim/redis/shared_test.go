package redis_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/redis"
	"github.com/b6db88e4/ratesim/sim/redis/redistest"
)

// TestShared: four stores with connections of their own put unit requests to one key at the same time,
// each at instants of its own. Together they are admitted no more than the algorithm's worst case in
// any period, and at one instant exactly the limit.
func TestShared(t *testing.T) {
	server := redistest.Start(t)
	const limit, requests = 100, 400
	for i, algorithm := range redis.Algorithms() {
		spec, _ := algorithms.Lookup(algorithm)
		for _, step := range []int64{0, int64(time.Second)} {
			p := perMinute(limit)
			ahead := together(t, server, algorithm, p, func(r *rand.Rand, now Time) Time {
				return now + Time(r.Int64N(step+1))
			}, requests, uint64(i))
			switch most := peak(ahead, Time(p.Limit.Per)); {
			case step == 0 && most != limit:
				t.Errorf("%s: at one instant %d units went ahead, not %d", algorithm, most, limit)
			case int64(most) > spec.Worst(p):
				t.Errorf("%s: within a minute %d units went ahead, at most %d may", algorithm, most, spec.Worst(p))
			case most < limit:
				t.Errorf("%s: only %d units went ahead", algorithm, most)
			}
		}
	}
}

// together is when the requests of four stores went ahead, in order.
func together(t *testing.T, server *redistest.Server, algorithm string, p algorithms.Policy, next func(*rand.Rand, Time) Time, requests int, seed uint64) []Time {
	const stores = 4
	ahead := make([][]Time, stores)
	var group sync.WaitGroup
	for i := range stores {
		s := open(t, server.URL(), "shared")
		l, r := limiter(t, s, algorithm, p), rand.New(rand.NewPCG(seed, uint64(i)))
		group.Go(func() {
			now := Time(0)
			for range requests {
				now = next(r, now)
				if d := l.Decide(now, 1); d.Verdict == algorithms.Admit {
					ahead[i] = append(ahead[i], d.Until)
				}
			}
			if err := s.Err(); err != nil {
				t.Error(err)
			}
		})
		defer s.Close(false)
	}
	group.Wait()
	all := slices.Concat(ahead...)
	slices.Sort(all)
	return all
}

// peak is the most instants in any half-open interval of a length.
func peak(instants []Time, length Time) int {
	most, first := 0, 0
	for i, at := range instants {
		for at-instants[first] >= length {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}
