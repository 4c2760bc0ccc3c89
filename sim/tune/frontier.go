package tune

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// Need is the smallest burst with which a bucket of some rate refuses nothing.
type Need struct {
	Rate   algorithms.Limit
	Burst  int64   // for the worst key; 0 if none up to algorithms.MaxUnits is enough
	Worst  uint32  // the client that needs it, the first of equal ones
	Bursts []int64 // by client: what its own requests need; 0 if it sent none
}

// Frontier is, for each rate, the smallest burst that refuses nothing, in one pass over the
// requests. It holds for the whole bucket family (token-bucket, gcra, leaky-meter, leaky-bucket),
// which accepts the same.
//
// A bucket that never refuses has a backlog that drains at the rate and grows by each request. A
// burst is large enough exactly if no request brings the backlog above it; so the smallest one is
// the highest backlog, rounded up.
func (l *Load) Frontier(rates []algorithms.Limit) ([]Need, error) {
	meter, _ := algorithms.Lookup("leaky-meter")
	var needs []Need
	for len(rates) > 0 {
		n := min(len(rates), l.together())
		some, err := l.frontier(meter, rates[:n])
		if err != nil {
			return nil, err
		}
		needs, rates = append(needs, some...), rates[n:]
	}
	return needs, nil
}

func (l *Load) frontier(meter *algorithms.Spec, rates []algorithms.Limit) ([]Need, error) {
	var limiters []sim.Limiter
	needs := make([]Need, len(rates))
	for i, rate := range rates {
		policy := algorithms.Policy{Limit: rate, Burst: algorithms.MaxUnits}
		maker, err := meter.Build(policy)
		if err != nil {
			return nil, err
		}
		limiters = append(limiters, sim.Limiter{Name: meter.Name, Spec: meter, Policy: policy, Maker: maker})
		needs[i] = Need{Rate: rate, Bursts: make([]int64, max(l.Clients.Len(), 1))}
	}
	err := l.run(limiters, sim.Options{Observers: func(i int) sim.Observer { return &backlogs{&needs[i], l.Shared} }})
	for i := range needs {
		needs[i].worst()
	}
	return needs, err
}

// backlogs watches the backlog of each client's bucket.
type backlogs struct {
	need   *Need
	shared bool
}

// Asked implements sim.Observer. The level is in thousandths, rounded up, and rounding that up to
// whole units is as good as rounding the backlog itself.
func (b *backlogs) Asked(s sim.Step, l algorithms.Limiter) {
	key := s.Request.Client
	if b.shared {
		key = 0
	}
	level := int64(l.(algorithms.Gauged).Level(s.Request.At))
	b.need.Bursts[key] = max(b.need.Bursts[key], (level+999)/1000+s.Request.Cost)
}

// Answered implements sim.Observer.
func (b *backlogs) Answered(sim.Step) {}

// worst finds the key that needs most. Where that is more than a burst can be, none is enough.
func (n *Need) worst() {
	for client, burst := range n.Bursts {
		if burst > n.Burst {
			n.Burst, n.Worst = burst, uint32(client)
		}
	}
	if n.Burst > algorithms.MaxUnits {
		n.Burst = 0
	}
}
