package sim

import (
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// record counts the decision on a call, and shows it to who observes the run.
func (f *flow) record(now Time, k *call, out ruling, failed servers.Failure) {
	l := f.lane
	l.counts.add(out.Verdict, k.cost)
	f.tally.decided(f.sys.profile(k.client), k.cost, out, failed)
	if l.grid.now < len(l.grid.Admitted) { // after the run's end answers still come
		l.grid.count(out.Verdict)
	}
	l.grid.decided(out.Verdict == Degraded, k.attempt > 1)
	f.keep(now, k, out.Verdict)
	f.measureRefusal(now, k, out)
	if out.Verdict == algorithms.Deny && l.refusals != nil {
		l.refusals.Refused(k.seq, &traffic.Request{At: now, Cost: k.cost, Client: k.client, Endpoint: k.endpoint})
	}
	if l.observer != nil {
		l.observer.Answered(f.step(now, k, out, failed))
	}
}

// step is the decision on a call as an observer sees it.
func (f *flow) step(now Time, k *call, out ruling, failed servers.Failure) Step {
	s := Step{
		Limiter: f.lane.number, Seq: k.seq,
		Request:  traffic.Request{At: k.sent, Cost: k.cost, Client: k.client, Endpoint: k.endpoint},
		Decision: out.Decision, Attempt: k.attempt, Decided: now, Rule: out.refused, Failed: failed,
	}
	if f.lane.responses {
		r := f.response(now, k, out, failed)
		s.Response = &r
	}
	return s
}

// response is the HTTP answer to a call. What it says of several servers' limit is as it stood for
// the one that decided, when it did; of a call decided without the store it says nothing.
func (f *flow) response(now Time, k *call, out ruling, failed servers.Failure) Response {
	if f.cluster == nil {
		return f.gate.headers(now, k.client, k.endpoint, k.cost, out)
	}
	r := Response{Status: 200, Cost: k.cost, Never: k.cost > f.gate.rules[0].capacity, Unasked: failed != servers.None}
	if k.told != nil && failed == servers.None {
		r = *k.told
	}
	r.refuse(now, out, f.sys)
	return r
}

// watch has the servers tell what is left of the limit they decide by.
func (f *flow) watch() {
	spec := f.gate.rules[0].enforced.Spec
	f.cluster.Watch(func(c uint32, shown Time, l algorithms.Limiter, p algorithms.Policy) {
		k := &f.calls.items[c]
		r := respond(l, &Limiter{Spec: spec, Policy: p}, shown, k.cost, algorithms.Admit)
		k.told = &r
	})
}

// measureRefusal follows runs of denials, and holds a denial against the trailing window where it is
// that window's limit that refused.
func (f *flow) measureRefusal(now Time, k *call, out ruling) {
	l, refused := f.lane, out.Verdict == algorithms.Deny || out.Verdict == Degraded
	if !l.lean {
		tally := &l.clients[k.client]
		if !refused {
			tally.denials = 0
		} else {
			tally.denials++
			l.longest = max(l.longest, tally.denials)
		}
	}
	if trail, key := f.trail(k); refused && trail != nil && trail == f.trailOf(out.refused) {
		trail.denied(now, key, k.cost)
	}
}

// measureAhead counts units that go ahead.
func (f *flow) measureAhead(now Time, k *call) {
	l := f.lane
	if !l.lean {
		l.clients[k.client].ahead += k.cost
	}
	if trail, key := f.trail(k); trail != nil {
		trail.wentAhead(now, key, k.cost)
	}
}

// trail is the trailing window that a call is measured against, that of the first limit that applies
// to it, and its key there; nil where none does or nothing is measured.
func (f *flow) trail(k *call) (*trail, uint32) {
	rules := f.gate.rulesFor(k.client, k.endpoint)
	if !f.lane.peak || len(rules) == 0 {
		return nil, 0
	}
	first := rules[0]
	key := first.keys.id(k.client, k.endpoint)
	if t := &first.trail; int(key) >= len(t.units) {
		t.units = extend(t.units, max(int(key)+1, 2*len(t.units)))
	}
	return &first.trail, key
}

// trailOf is the trailing window of the rule that refused; nil if none did.
func (f *flow) trailOf(refused int) *trail {
	if refused < 0 {
		return nil
	}
	return &f.gate.rules[refused].trail
}

// summarizeTrails reports of the limits that calls are measured against the highest peak in
// proportion to the limit at first, of those with the period of the limiter's own, and what went
// beyond any limit as it stood.
func (f *flow) summarizeTrails(s *Summary) {
	period := Time(f.lane.entry.Policy.Limit.Per)
	for _, r := range f.gate.rules {
		one := *s
		r.trail.summarize(&one)
		s.WentOver += one.WentOver
		s.DeniedWithRoom += one.DeniedWithRoom
		s.PeakIsLowerBound = s.PeakIsLowerBound || one.PeakIsLowerBound
		ratio := float64(one.Peak) / float64(r.enforced.Policy.Limit.N)
		if r.trail.period == period && ratio > s.PeakRatio {
			s.Peak, s.PeakRatio = one.Peak, ratio
		}
	}
}

// Columns are the calls of one limiter in the order in which they were decided, where each limiter
// has its own: what is sent again differs between them.
type Columns struct {
	At       []Time // when it was decided
	Seq      []int64
	Attempt  []uint32 // which sending of its request, from 1
	Client   []uint32
	Endpoint []uint32
	Cost     []int64
}

// keep keeps a decided call, as far as answers are kept.
func (f *flow) keep(now Time, k *call, v algorithms.Verdict) {
	a := &f.lane.answers
	if len(a.Verdicts) == a.most {
		return
	}
	a.add(v)
	c := &f.columns
	c.At = append(c.At, now)
	c.Seq = append(c.Seq, k.seq)
	c.Attempt = append(c.Attempt, uint32(k.attempt))
	c.Client = append(c.Client, k.client)
	c.Endpoint = append(c.Endpoint, k.endpoint)
	c.Cost = append(c.Cost, k.cost)
}

// show records the level of a client's limiter under the first limit that applies to it.
func (f *flow) show(client uint32, buckets int) {
	rules := f.gate.rulesFor(client, 0)
	if len(rules) == 0 {
		return
	}
	f.shown = rules[0]
	keys := f.shown.keys
	keys.pinned = keys.id(client, 0)
	f.lane.grid = newRecorder(buckets, f.lane.plan.Duration, keys.pinned, keys.at(0, keys.pinned))
	f.lane.grid.shownClient, f.lane.grid.shownKey = client, f.shown.keys.key
	if f.shown.number > 0 {
		f.lane.grid.LevelOf = f.shown.enforced
	}
}

// steps are the answers kept so far.
func (l *lane) steps() LaneSteps {
	out := l.answers.view()
	if l.flow != nil {
		c := &l.flow.columns
		out.Own = &Columns{
			slices.Clip(c.At), slices.Clip(c.Seq), slices.Clip(c.Attempt),
			slices.Clip(c.Client), slices.Clip(c.Endpoint), slices.Clip(c.Cost),
		}
	}
	return out
}
