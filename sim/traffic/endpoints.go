package traffic

import "github.com/b6db88e4/ratesim/sim/random"

// EndpointShare is an endpoint, and how many of a source's requests are for it in proportion to the
// others.
type EndpointShare struct {
	Endpoint uint32
	Weight   int64 // at least 1; the sum of all below 2⁶³
}

// Aim says what the requests of a source ask for.
type Aim struct {
	// Shares has at least one entry. With several, the endpoint of each request is drawn from a
	// random stream of their own.
	Shares []EndpointShare

	// Costs are by endpoint: the units of each request there, or 0 for what the source has. Beyond
	// the end it is 0.
	Costs []int64
}

// aimed gives the requests of a source their endpoints.
type aimed struct {
	source Source
	costs  []int64
	one    uint32        // the endpoint of all requests
	share  *random.Alias // nil if there is only one
	shares []EndpointShare
	rng    random.Stream
}

// Aimed gives the requests of a source their endpoints, and the costs that go with them. The name is
// that of the source's random streams; when requests come and who sends them stays as it was.
func Aimed(source Source, aim Aim, name string, seed uint64) Source {
	a := &aimed{source: source, costs: aim.Costs, one: aim.Shares[0].Endpoint, shares: aim.Shares}
	if len(aim.Shares) > 1 {
		weights := make([]uint64, len(aim.Shares))
		for i, s := range aim.Shares {
			weights[i] = uint64(s.Weight)
		}
		a.share = random.NewAlias(weights)
		a.rng = stream(seed, name, forEndpoints)
	}
	return a
}

// Next implements Source.
func (a *aimed) Next() (Request, bool) {
	r, ok := a.source.Next()
	if !ok {
		return r, false
	}
	r.Endpoint = a.one
	if a.share != nil {
		r.Endpoint = a.shares[a.share.Draw(&a.rng)].Endpoint
	}
	if int(r.Endpoint) < len(a.costs) && a.costs[r.Endpoint] > 0 {
		r.Cost = a.costs[r.Endpoint]
	}
	return r, true
}
