package traffic

import "github.com/b6db88e4/ratesim/sim/random"

// Generator is the source that a [Spec] describes. It allocates nothing for a request.
type Generator struct {
	times   times // of the part under way
	cost    int64
	senders senders
	steps   steps
	parts   []Part // still to come

	// Of these a source has what its parts need, made when a part first needs it.
	even  *evenCurve
	clock *clock
	curve *poissonCurve
	onOff *onOff
	mmpp  *mmpp
	draws *random.Stream // for arrivals

	process Process
	name    string
	seed    uint64
}

// times are the instants of the arrivals of one part.
type times interface {
	next() (Time, bool)
}

// New makes the source that spec describes. Its requests depend on spec and seed alone: they are the
// same on every machine, and whatever other sources there are. Two sources of one name and seed draw
// the same random numbers, so names should differ.
//
// spec must be valid, and its slices must not be changed afterwards.
func New(spec Spec, seed uint64) *Generator {
	return &Generator{
		times:   none{},
		cost:    spec.Cost,
		senders: newSenders(spec.Clients, stream(seed, spec.Name, forClients)),
		parts:   spec.Parts,
		process: spec.Arrivals,
		name:    spec.Name,
		seed:    seed,
	}
}

// Next returns the next request, and false after the last.
func (g *Generator) Next() (Request, bool) {
	at, ok := g.times.next()
	for !ok {
		if len(g.parts) == 0 {
			return Request{}, false
		}
		g.times = g.begin(&g.parts[0])
		g.parts = g.parts[1:]
		at, ok = g.times.next()
	}
	return Request{At: at, Cost: g.cost, Client: g.senders.next()}, true
}

// begin chooses what gives the arrivals of a part. A new shape of traffic has its place here.
func (g *Generator) begin(p *Part) times {
	kind := g.process.Kind
	switch {
	case p.Burst > 0:
		g.steps = burstSteps(p)
		return &g.steps
	case p.Until <= p.From:
		return none{}
	case kind == MMPP:
		return g.beginMMPP(p)
	case noRate(p):
		return none{}
	case kind == OnOff:
		return g.beginOnOff(p)
	case kind == Poisson:
		return g.beginPoisson(p)
	}
	return g.beginEven(p)
}

// none are no arrivals at all.
type none struct{}

func (none) next() (Time, bool) { return 0, false }

func (g *Generator) beginEven(p *Part) times {
	if constantRate(p) {
		g.steps = evenSteps(p)
		return &g.steps
	}
	if g.even == nil {
		g.even = new(evenCurve)
	}
	g.even.begin(p)
	return g.even
}

// beginPoisson returns a clock for a constant rate, and otherwise a curve.
func (g *Generator) beginPoisson(p *Part) flow {
	if !constantRate(p) {
		if g.curve == nil {
			g.curve = &poissonCurve{rng: g.arrivals()}
		}
		g.curve.begin(p)
		return g.curve
	}
	if g.clock == nil {
		g.clock = &clock{rng: g.arrivals()}
	}
	g.clock.begin(p)
	return g.clock
}

func (g *Generator) beginOnOff(p *Part) times {
	if g.process.Active == 0 {
		return none{}
	}
	f := g.beginPoisson(p)
	if g.process.Idle == 0 {
		return f
	}
	if g.onOff == nil {
		g.onOff = newOnOff(&g.process, stream(g.seed, g.name, forPeriods))
	}
	g.onOff.begin(p, f)
	return g.onOff
}

func (g *Generator) beginMMPP(p *Part) times {
	if g.mmpp == nil {
		g.mmpp = newMMPP(&g.process, g.arrivals(), stream(g.seed, g.name, forPeriods))
	}
	if g.mmpp.chain.silent() {
		return none{}
	}
	g.mmpp.begin(p)
	return g.mmpp
}

// arrivals is the stream of the source's arrivals, which its parts share.
func (g *Generator) arrivals() *random.Stream {
	if g.draws == nil {
		rng := stream(g.seed, g.name, forArrivals)
		g.draws = &rng
	}
	return g.draws
}
