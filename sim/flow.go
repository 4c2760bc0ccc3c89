package sim

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// flow is what a System adds to a lane: what becomes of a request from its first sending to its end.
// It lives on the lane's own loop and posts its events there.
//
//	client ──send──▶ gate or servers ──goAhead──▶ service ──endOfService──▶ answer ──▶ client
//	   ▲                    │ refused                │ queue full, time out                │
//	   └──────────── retry ◀┴────────────────────────┴─────────────────────────────────────┘
//
// A request is what a client wants; a call is one sending of it. A call may live on when its client
// has stopped waiting and sent the next.
type flow struct {
	lane    *lane
	sys     *System
	gate    *gate
	cluster *servers.Cluster // nil with one server
	service *service         // nil if what goes ahead is answered at once

	requests slab[request]
	calls    slab[call]
	lines    lines
	pacers   map[uint32]*pacer // by client
	loaded   bool              // limits follow a long queue now
	shown    *rule             // whose level of one key is recorded; nil for none

	tally   flowTally
	columns Columns
	story   *storyRecorder // nil unless the story of a request is told
}

// request is what a client wants, from its first sending to its end.
type request struct {
	seq              int64 // its number in the run
	cost             int64
	client, endpoint uint32
	retry            retry.State
}

// call is one sending of a request.
type call struct {
	request uint32 // index; the request itself may have ended when left is set
	made    uint32 // its number among all calls of the lane, which tells it from others in its place
	left    bool   // the client waits no more
	sent    Time
	decided Time
	attempt int64     // which sending of its request it is, from 1
	told    *Response // what one of several servers says of the limit it decided by; nil if that is not asked for

	// What of the request is needed when that has ended.
	seq, cost        int64
	client, endpoint uint32
}

// slab keeps things of one kind by number and uses the numbers of those that ended again.
type slab[T any] struct {
	items []T
	free  []uint32
}

func (s *slab[T]) add(x T) uint32 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		s.items[i] = x
		return i
	}
	s.items = append(s.items, x)
	return uint32(len(s.items) - 1)
}

func (s *slab[T]) drop(i uint32) { s.free = append(s.free, i) }

// live is how many there are.
func (s *slab[T]) live() int { return len(s.items) - len(s.free) }

func newFlow(l *lane, sys *System) *flow {
	f := &flow{
		lane: l, sys: sys, gate: newGate(sys, l.entry),
		lines: newLines(), pacers: map[uint32]*pacer{}, tally: newFlowTally(sys),
	}
	if sys.Service != nil {
		f.service = &service{cfg: sys.Service}
	}
	if sys.Servers != nil {
		first := &l.entry.Enforced[0]
		limit := servers.Limit{Spec: first.Spec, Policy: first.Policy, Maker: first.Maker}
		cluster, err := servers.New(sys.Servers, l.entry.Scheme, limit, f.postMessage, f.answered)
		if err != nil {
			panic("sim: a plan with servers that cannot be: " + err.Error()) // whoever makes a plan has asked servers.New before
		}
		f.cluster = cluster
		if l.responses {
			f.watch()
		}
	}
	f.postChanges()
	return f
}

// arrive takes a request that a client sends for the first time.
func (f *flow) arrive(seq int64, r *traffic.Request) {
	f.advance(r.At)
	x := f.requests.add(request{
		seq: seq, cost: r.Cost, client: r.Client, endpoint: r.Endpoint,
		retry: retry.State{First: r.At},
	})
	f.tally.asked(f.sys.profile(r.Client))
	f.lane.grid.wanted()
	if f.profile(r.Client).Retry.Kind == retry.Pace {
		f.pace(r.At, x)
		return
	}
	f.send(r.At, x)
}

func (f *flow) profile(client uint32) *Profile { return &f.sys.Profiles[f.sys.profile(client)] }

// send sends a request, for the first time or again.
func (f *flow) send(now Time, x uint32) {
	r := &f.requests.items[x]
	r.retry.Attempts++
	f.tally.calls++
	made := uint32(f.tally.calls)
	c := f.calls.add(call{
		request: x, made: made, sent: now, attempt: r.retry.Attempts,
		seq: r.seq, cost: r.cost, client: r.client, endpoint: r.endpoint,
	})
	if f.story.tells(r.seq) {
		f.story.sent(now, &f.calls.items[c])
	}
	if f.cluster != nil {
		f.cluster.Ask(now, c, r.client, f.gate.rules[0].keys.id(r.client, r.endpoint), r.cost)
	} else {
		f.ask(now, c)
	}
	f.waitFor(now, c, made)
}

// waitFor lets the client wait for an answer no longer than it is willing to, if it has none yet.
func (f *flow) waitFor(now Time, c, made uint32) {
	if f.service == nil || f.sys.Service.Timeout == 0 {
		return
	}
	if k := &f.calls.items[c]; k.made == made && !k.left {
		f.lane.queue.post(event{at: later(now, f.sys.Service.Timeout), kind: answer, subject: c, cost: int64(made)})
	}
}

// ask puts a call to the limits of the one server there is.
func (f *flow) ask(now Time, c uint32) {
	k := &f.calls.items[c]
	if f.sys.OnLimit == Queue && f.comesBehind(k) {
		f.wait(now, c, ruling{Decision{Verdict: algorithms.Deny, Until: algorithms.Never}, -1})
		return
	}
	out := f.put(now, k)
	if out.Verdict == algorithms.Deny && f.sys.OnLimit == Queue {
		f.wait(now, c, out)
		return
	}
	f.decided(now, c, out, noServer)
}

// put asks the limits that apply to a call.
func (f *flow) put(now Time, k *call) ruling {
	var out ruling
	f.look(now, k)
	if f.story.tells(k.seq) {
		out = f.story.ask(now, k)
	} else {
		out = f.gate.ask(now, k.client, k.endpoint, k.cost)
	}
	f.look(now, k)
	return out
}

// look reads the level of the limiter shown around a decision on it.
func (f *flow) look(now Time, k *call) {
	if r := f.shown; r != nil && r.keys.id(k.client, k.endpoint) == r.keys.pinned {
		f.lane.grid.look(now)
		f.lane.grid.opened(now)
	}
}

// answered takes what the servers answer to a call.
func (f *flow) answered(c uint32, now Time, a servers.Answer) {
	refused := -1 // nor does any limit refuse what is denied because the store fails
	if a.Decision.Verdict == algorithms.Deny && a.Failed == servers.None {
		refused = 0
	}
	f.advance(now)
	f.decided(now, c, ruling{a.Decision, refused}, a)
}

// noServer is the answer's part of several servers where there is one.
var noServer = servers.Answer{}

// decided records the decision on a call and carries it out.
func (f *flow) decided(now Time, c uint32, out ruling, a servers.Answer) {
	if out.Verdict == algorithms.Deny && f.sys.OnLimit == Degrade {
		out.Verdict = Degraded
	}
	k := &f.calls.items[c]
	k.decided = now
	f.record(now, k, out, a.Failed)
	if f.story.tells(k.seq) {
		f.story.decided(now, k, out, a)
	}
	switch out.Verdict {
	case algorithms.Admit:
		f.goAhead(now, c)
	case algorithms.Delay:
		if out.Until != algorithms.Never {
			f.lane.queue.post(event{at: out.Until, kind: release, subject: c, cost: aCall})
		}
	case Degraded:
		f.end(now, c, asDegraded)
	default:
		f.refused(now, c, out)
	}
}

// refused tells a client that its call is refused.
func (f *flow) refused(now Time, c uint32, out ruling) {
	told := retry.Answer{}
	if out.Until != algorithms.Never {
		told.RetryAfter = Time(retryAfter(out.Until, now)) * 1e9
	}
	f.fail(now, c, asDenied, told)
}

// goAhead lets an accepted call through to the service.
func (f *flow) goAhead(now Time, c uint32) {
	k := &f.calls.items[c]
	f.measureAhead(now, k)
	if f.service == nil {
		f.story.of(k).wentAhead(now, served, 0)
		f.finished(now, c)
		return
	}
	how := f.service.enter(c)
	f.story.of(k).wentAhead(now, how, f.service.queue.n)
	switch how {
	case served:
		f.serve(now, c)
	case lost:
		f.giveBack(now, k, true)
		f.fail(now, c, asLost, retry.Answer{})
	}
	f.lane.grid.queued(f.service.queue.n)
}

// serve begins to serve a call. How long it takes depends on the request and how often it has been
// sent, so that all limiters meet the same.
func (f *flow) serve(now Time, c uint32) {
	k := &f.calls.items[c]
	draw := random.Keyed(f.sys.Seed, "service", drawOf(k.seq, k.attempt))
	length := f.sys.Service.Time.Draw(&draw)
	f.tally.served(max(0, min(length, f.lane.plan.Duration-now)))
	f.story.of(k).began(now, length)
	f.lane.queue.post(event{at: later(now, length), kind: endOfService, subject: c})
}

// later is now + length, or an instant before Never where that is later than all there are.
func later(now, length Time) Time {
	if length > algorithms.Never-1-now {
		return algorithms.Never - 1
	}
	return now + length
}

// drawOf numbers the draws of a family by request and sending.
func drawOf(seq, attempt int64) uint64 { return uint64(seq)<<20 ^ uint64(attempt) }

// endService ends the service of a call and begins that of the next one in the queue.
func (f *flow) endService(now Time, c uint32) {
	f.finished(now, c)
	if next, ok := f.service.leave(); ok {
		f.serve(now, next)
	}
	f.lane.grid.queued(f.service.queue.n)
}

// finished answers a call that has been served.
func (f *flow) finished(now Time, c uint32) {
	k := &f.calls.items[c]
	late := k.left
	f.giveBack(now, k, late)
	if late {
		f.tally.wasted++
		f.dropCall(c)
		return
	}
	f.end(now, c, asSucceeded)
}

// giveBack ends what limits hold of a call.
func (f *flow) giveBack(now Time, k *call, late bool) {
	if !f.gate.holds {
		return
	}
	rules := f.gate.rulesFor(k.client, k.endpoint)
	f.look(now, k)
	giveBack(now, rules, k.client, k.endpoint, k.cost, late)
	f.look(now, k)
	if f.sys.OnLimit == Queue {
		f.given(now, k, rules)
	}
}

// dropCall forgets a call, so that nothing posted for it finds it.
func (f *flow) dropCall(c uint32) {
	f.story.dropped(&f.calls.items[c])
	f.calls.items[c].made = 0
	f.calls.drop(c)
}

// fate is what comes of a call for its client.
type fate uint8

const (
	asSucceeded fate = iota // a full answer in time
	asDegraded              // a cheap answer
	asDenied                // 429
	asLost                  // 503: the service's queue was full
	asTimedOut              // the client waited no more
)

// end gives a call's client the answer that ends its request.
func (f *flow) end(now Time, c uint32, how fate) {
	k := &f.calls.items[c]
	if k.left { // nobody is there to be told
		f.dropCall(c)
		return
	}
	if f.story.tells(k.seq) {
		f.story.answered(now, k, how)
	}
	r := &f.requests.items[k.request]
	f.tally.ended(f.sys.profile(r.client), how, now-k.sent, now-r.retry.First)
	if how == asSucceeded {
		f.lane.grid.succeeded(now - k.sent)
	}
	f.hold(now, k)
	f.requests.drop(k.request)
	f.dropCall(c)
	f.next(now, k.client)
}

// fail gives a call's client an answer that is no success: it may send the request again.
func (f *flow) fail(now Time, c uint32, how fate, told retry.Answer) {
	k := f.calls.items[c]
	if k.left { // nobody is there to be told
		f.dropCall(c)
		return
	}
	f.tally.failed(f.sys.profile(k.client), how)
	if f.story.tells(k.seq) {
		f.story.answered(now, &k, how)
	}
	f.hold(now, &k)
	if how == asTimedOut {
		f.calls.items[c].left = true // the service does not notice
	} else {
		f.dropCall(c)
	}
	f.again(now, k.request, told)
	f.next(now, k.client)
}

// again lets a client send a request again, or give it up.
func (f *flow) again(now Time, x uint32, told retry.Answer) {
	r := &f.requests.items[x]
	p := f.profile(r.client)
	draw := random.Keyed(f.sys.Seed, "retry", drawOf(r.seq, r.retry.Attempts))
	at, ok := p.Retry.Next(now, &r.retry, told, &draw)
	if f.story.tells(r.seq) {
		f.story.failed(now, told, at, ok)
	}
	switch {
	case !ok:
		f.tally.gaveUp(f.sys.profile(r.client))
		f.requests.drop(x)
	case p.Retry.Kind == retry.Pace:
		f.putFirst(r.client, x, at)
	case at < f.lane.plan.Duration:
		f.lane.queue.post(event{at: at, kind: attempt, subject: x})
	} // otherwise it is unfinished when the run ends
}

// timeOut ends a client's waiting, unless it has had its answer.
func (f *flow) timeOut(now Time, c uint32, made uint32) {
	if k := &f.calls.items[c]; k.made == made && !k.left {
		f.fail(now, c, asTimedOut, retry.Answer{})
	}
}

// What a release is of, as its event's cost says.
const (
	aCall     = iota // a call goes ahead
	aLine            // the first of a line asks once more
	aHeldLine        // the same, since what it waited for has been given back
)

// happen carries out one event.
func (f *flow) happen(e event) {
	f.advance(e.at)
	switch e.kind {
	case change:
		f.changeLimits(e)
	case endOfService:
		f.endService(e.at, e.subject)
	case release:
		if e.cost == aCall {
			f.released(e.at, e.subject)
			return
		}
		f.wake(e.at, e.subject, e.cost == aHeldLine)
	case message:
		f.cluster.Deliver(e.at, e.subject)
	case answer:
		f.timeOut(e.at, e.subject, uint32(e.cost))
	case attempt:
		f.sendAgain(e.at, e.subject)
	}
}

// released lets a delayed call go ahead.
func (f *flow) released(now Time, c uint32) {
	k := &f.calls.items[c]
	f.lane.delays.add(now - k.decided)
	f.lane.grid.countReleased()
	f.lane.answers.released(now)
	f.goAhead(now, c)
}

// sendAgain sends a request that its client has held back.
func (f *flow) sendAgain(now Time, x uint32) {
	client := f.requests.items[x].client
	if p := f.pacers[client]; p != nil {
		p.due = false
		f.next(now, client)
		return
	}
	f.send(now, x)
}

// advance moves the recording on to now.
func (f *flow) advance(now Time) { f.lane.grid.advance(now) }

// postMessage is how the servers post an event.
func (f *flow) postMessage(at Time, m uint32) {
	f.lane.queue.post(event{at: at, kind: message, subject: m})
}
