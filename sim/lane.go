package sim

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// lane is one limiter's simulation: its state for each key, the events still to come, and what has
// been measured. Lanes share the requests and nothing else.
type lane struct {
	plan     *Plan
	entry    *Limiter
	number   int // index into Plan.Limiters
	observer Observer
	refusals Refusals

	flow *flow // nil for a limiter alone

	countsDenied bool // the limiter counts denied requests too
	responses    bool // observers see HTTP answers

	lean bool // of clients and of what goes ahead nothing is kept
	peak bool // the trailing window is

	keys   algorithms.Table
	shared algorithms.Limiter // the one limiter where all clients share it; nil otherwise
	many   bool               // keys, cold or more
	queue  events

	counts  counts
	clients []clientTally // by client
	trail   trail
	delays  delays
	grid    recorder
	answers answers
	longest int64 // longest run of denials of one client

	most int // may be under way around it
}

// clientTally is what is kept of one client.
type clientTally struct {
	ahead   int64 // units gone ahead
	denials int64 // length of the present run of denials
}

func newLane(plan *Plan, number int, opts Options, shown uint32) *lane {
	entry := &plan.Limiters[number]
	l := &lane{
		plan: plan, entry: entry, number: number,
		observer: opts.observer(number), refusals: opts.refusals(number),
		countsDenied: countsDenied(entry),
		lean:         opts.Lean, peak: opts.Peak || !opts.Lean,
		trail:   newTrail(entry.Policy.Limit),
		keys:    algorithms.NewTable(entry.Maker),
		answers: answers{most: min(opts.Steps, MaxSteps)},
		delays:  delays{most: exactDelays}, responses: opts.Responses,
	}
	if plan.System != nil {
		l.surround(opts, shown)
		return l
	}
	if plan.Shared {
		shown = 0
	}
	l.admitClients(int(shown) + 1)
	if l.lean {
		l.grid = newRecorder(opts.Buckets, plan.Duration, noKey, nil)
	} else {
		l.grid = newRecorder(opts.Buckets, plan.Duration, shown, l.keys.At(shown))
	}
	if plan.Shared {
		l.shared = l.keys.At(0)
	}
	return l
}

// surround puts a plan's System around the limiter.
func (l *lane) surround(opts Options, shown uint32) {
	sys := l.plan.Around(l.entry)
	l.grid = newRecorder(opts.Buckets, l.plan.Duration, noKey, nil)
	l.flow = newFlow(l, sys)
	l.most = mostUnderWay / len(l.plan.Limiters)
	if !l.lean && sys.Servers == nil {
		l.flow.show(shown, opts.Buckets)
	}
	l.grid.flow = newFlowRecorder(l.grid.Len(), sys.Service != nil)
	l.admitClients(int(shown) + 1)
}

// observer is the observer of one limiter, nil if it has none.
func (o *Options) observer(limiter int) Observer {
	if o.Observers != nil {
		return o.Observers(limiter)
	}
	return o.Observer
}

// refusals is what hears of one limiter's denials, nil if nothing does.
func (o *Options) refusals(limiter int) Refusals {
	if o.Refusals == nil {
		return nil
	}
	return o.Refusals(limiter)
}

// admitClients makes room for clients with ids below n.
func (l *lane) admitClients(n int) {
	if !l.lean {
		l.clients = extend(l.clients, n)
	}
	if l.flow != nil {
		return
	}
	if l.plan.Shared {
		n = 1
	}
	l.keys.Grow(n)
	l.many = n >= cold
	if l.peak {
		l.trail.units = extend(l.trail.units, n)
	}
}

// extend appends zero values up to a length of n.
func extend[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, n-len(s))...)
}

// key is the key that a client's requests are limited under.
func (l *lane) key(client uint32) uint32 {
	if l.plan.Shared {
		return 0
	}
	return client
}

// fetched is how many limiters are fetched from memory at the same time: no more than stay in the
// nearest cache until they are asked.
const fetched = 32

// cold is with how many keys a lane's limiters no longer fit the nearer caches, so that fetching
// them ahead is worth its time.
const cold = 4096

// run takes a block of arrivals, the first of which has the number seq. The keys are theirs.
func (l *lane) run(seq int64, block []traffic.Request, keys []uint32) {
	counting := l.counting()
	for start := 0; start < len(block); start += fetched {
		end := min(start+fetched, len(block))
		if l.many {
			l.keys.Fetch(keys[start:end])
		}
		if counting && block[end-1].At < l.grid.end {
			l.count(seq+int64(start), block[start:end])
		} else {
			l.take(seq+int64(start), block[start:end])
		}
	}
}

// take takes some arrivals, the first of which has the number seq.
func (l *lane) take(seq int64, block []traffic.Request) {
	for i := range block {
		for l.queue.due(block[i].At) && !l.crowded() {
			l.happen(l.queue.take())
		}
		l.arrive(seq+int64(i), &block[i])
	}
}

// finish lets happen what is still to come and closes the recording.
func (l *lane) finish() {
	for len(l.queue.heap) > 0 && !l.crowded() {
		l.happen(l.queue.take())
	}
	l.grid.advance(l.plan.Duration)
}

// happen carries out one event.
func (l *lane) happen(e event) {
	if l.flow != nil {
		l.flow.happen(e)
		return
	}
	l.grid.advance(e.at)
	l.grid.countReleased()
	l.answers.released(e.at)
	l.goAhead(e.at, e.subject, e.cost)
}

// arrive puts one request to its limiter and records the answer.
func (l *lane) arrive(seq int64, r *traffic.Request) {
	if l.flow != nil {
		l.flow.arrive(seq, r)
		return
	}
	l.grid.advance(r.At)
	key := l.key(r.Client)
	limiter := l.shared
	if limiter == nil {
		limiter = l.keys.At(key)
	}
	if l.observer != nil {
		l.observer.Asked(Step{Limiter: l.number, Seq: seq, Request: *r}, limiter)
	}
	d := l.decide(limiter, key, r)
	l.record(r, key, d)
	if d.Verdict == algorithms.Deny && l.refusals != nil {
		l.refusals.Refused(seq, r)
	}
	if l.observer != nil {
		l.observer.Answered(l.step(seq, r, limiter, d))
	}
}

// step is the decision on a request as an observer sees it.
func (l *lane) step(seq int64, r *traffic.Request, limiter algorithms.Limiter, d Decision) Step {
	s := Step{Limiter: l.number, Seq: seq, Request: *r, Decision: d}
	if l.responses {
		answer := respond(limiter, l.entry, r.At, r.Cost, d.Verdict)
		s.Response = &answer
	}
	return s
}

// decide asks the limiter, recording its level around the decision if it is the one shown.
func (l *lane) decide(limiter algorithms.Limiter, key uint32, r *traffic.Request) Decision {
	if key != l.grid.shown {
		return limiter.Decide(r.At, r.Cost)
	}
	l.grid.look(r.At)
	d := limiter.Decide(r.At, r.Cost)
	if d.Verdict != algorithms.Deny || l.countsDenied { // otherwise a denied request changes nothing
		l.grid.look(r.At)
		l.grid.opened(r.At)
	}
	return d
}

// record counts an answered request, and posts its release if it was delayed.
func (l *lane) record(r *traffic.Request, key uint32, d Decision) {
	l.counts.add(d.Verdict, r.Cost)
	l.grid.count(d.Verdict)
	l.answers.add(d.Verdict)
	if l.lean {
		l.recordLean(r, key, d)
		return
	}
	tally := &l.clients[r.Client]
	switch d.Verdict {
	case algorithms.Admit:
		tally.denials = 0
		l.goAhead(r.At, r.Client, r.Cost)
	case algorithms.Delay:
		tally.denials = 0
		l.delays.add(d.Until - r.At)
		if d.Until != algorithms.Never {
			l.queue.post(event{at: d.Until, kind: release, subject: r.Client, cost: r.Cost})
		}
	case algorithms.Deny:
		tally.denials++
		l.longest = max(l.longest, tally.denials)
		l.trail.denied(r.At, key, r.Cost)
	}
}

// recordLean is the rest of record where nothing is kept of clients.
func (l *lane) recordLean(r *traffic.Request, key uint32, d Decision) {
	switch {
	case d.Verdict == algorithms.Delay:
		l.delays.add(d.Until - r.At)
		if l.peak && d.Until != algorithms.Never {
			l.queue.post(event{at: d.Until, kind: release, subject: r.Client, cost: r.Cost})
		}
	case !l.peak:
	case d.Verdict == algorithms.Admit:
		l.trail.wentAhead(r.At, key, r.Cost)
	default:
		l.trail.denied(r.At, key, r.Cost)
	}
}

// goAhead counts units that go ahead at now.
func (l *lane) goAhead(now Time, client uint32, cost int64) {
	if !l.lean {
		l.clients[client].ahead += cost
	}
	l.trail.wentAhead(now, l.key(client), cost)
}

// result is what has been measured so far, of a run in which some clients sent a request.
func (l *lane) result(clients int64) *Result {
	s := l.counts.summary()
	l.delays.summarize(&s)
	if l.flow == nil {
		l.trail.summarize(&s)
	} else {
		l.flow.summarizeTrails(&s)
	}
	s.LongestDenials = l.longest
	s.Clients = clients
	if !l.lean {
		s.Fairness = fairness(l.clients, clients)
	}
	r := &Result{
		Name: l.entry.Name, Spec: l.entry.Spec, Policy: l.entry.Policy,
		Grid: l.grid.grid(l.plan),
	}
	if l.flow != nil {
		s.System = l.flow.summary(l.plan.Duration)
		r.Groups, r.Rules, r.Grid.System = l.flow.groups(), l.flow.refusals(), l.grid.flow.view()
		if l.flow.cluster != nil {
			r.Scheme = l.entry.Scheme.String()
		}
	}
	r.Summary = s
	return r
}
