package sim

import "github.com/b6db88e4/ratesim/algorithms"

// pacer is a client that paces itself by the RateLimit fields of its answers: it has one call under
// way at a time, and sends nothing before the instant that the last answer led it to.
type pacer struct {
	until   Time     // nothing is sent before
	busy    bool     // a call is under way
	due     bool     // an event is posted for until
	waiting []uint32 // requests not sent yet, or to be sent again, the next one first
}

// pace takes a request that a pacing client wants to send.
func (f *flow) pace(now Time, x uint32) {
	client := f.requests.items[x].client
	p := f.pacers[client]
	if p == nil {
		p = &pacer{}
		f.pacers[client] = p
	}
	p.waiting = append(p.waiting, x)
	f.next(now, client)
}

// putFirst puts a refused request before the others of its client.
func (f *flow) putFirst(client, x uint32, at Time) {
	p := f.pacers[client]
	p.waiting = append([]uint32{x}, p.waiting...)
	p.until = max(p.until, at)
}

// hold notes, of an answer to a pacing client, until when it sends nothing.
func (f *flow) hold(now Time, k *call) {
	p := f.pacers[k.client]
	if p == nil {
		return
	}
	p.busy = false
	h := f.gate.headers(now, k.client, k.endpoint, k.cost, ruling{Decision{Verdict: algorithms.Admit, Until: now}, -1})
	p.until = max(p.until, f.profile(k.client).Retry.Hold(now, h.Remaining, h.More, h.Reset))
	f.story.of(k).held(p.until)
}

// next lets a pacing client send its next request, now or when it may.
func (f *flow) next(now Time, client uint32) {
	p := f.pacers[client]
	if p == nil || p.busy || len(p.waiting) == 0 || p.due {
		return
	}
	x := p.waiting[0]
	if now < p.until {
		if p.until < f.lane.plan.Duration {
			p.due = true
			f.lane.queue.post(event{at: p.until, kind: attempt, subject: x})
		}
		return
	}
	p.waiting = p.waiting[1:]
	p.busy = true
	f.send(now, x)
}
