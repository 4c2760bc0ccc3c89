package sim

import (
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// storyRecorder writes down what a flow does with one request. It influences nothing. A flow asks it of
// every call whether it is of that request, in what is short enough to be inlined; so one without a
// recorder pays for comparisons only.
type storyRecorder struct {
	Story
	flow *flow
	live int64 // calls that have not ended
}

func newStoryRecorder(f *flow, request traffic.Request, seq int64) *storyRecorder {
	sys := f.sys
	return &storyRecorder{flow: f, Story: Story{
		Limiter: f.lane.entry, System: sys, Seq: seq, Request: request, Profile: f.profile(request.Client),
		Address: shared(sys.Addresses, request.Client), User: shared(sys.Users, request.Client),
		Ended: algorithms.Never,
	}}
}

// over reports whether nothing more can happen to the request.
func (s *storyRecorder) over() bool { return s.Ending != Unfinished && s.live == 0 }

// tells reports whether the story is that of a request.
func (s *storyRecorder) tells(seq int64) bool { return s != nil && s.Seq == seq }

// of is a call as the story tells of it; nil if it does not.
func (s *storyRecorder) of(k *call) *Sending {
	if !s.tells(k.seq) {
		return nil
	}
	return s.find(k.made)
}

func (s *storyRecorder) find(made uint32) *Sending {
	for i := len(s.Sendings) - 1; i >= 0; i-- {
		if s.Sendings[i].made == made {
			return &s.Sendings[i]
		}
	}
	return nil
}

// sent begins the story of a call.
func (s *storyRecorder) sent(now Time, k *call) {
	s.Sent++
	s.live++
	if len(s.Sendings) == 2*MostSendings { // seldom, since what follows moves
		s.trim()
	}
	s.Sendings = append(s.Sendings, Sending{
		Attempt: k.attempt, Sent: now, Line: -1, Server: -1, Queue: -1, Refused: -1, made: k.made,
		Decided: algorithms.Never, Ahead: algorithms.Never, Began: algorithms.Never, Served: algorithms.Never,
		Answered: algorithms.Never, Again: algorithms.Never, ServerAt: algorithms.Never,
	})
}

// trim leaves out sendings in the middle where there are more than a Story tells of.
func (s *storyRecorder) trim() {
	if n := len(s.Sendings); n > MostSendings {
		s.Sendings = slices.Delete(s.Sendings, MostSendings/2, n-MostSendings/2)
	}
}

// ask asks the limits in the flow's place, and looks at them just before and just after.
func (s *storyRecorder) ask(now Time, k *call) ruling {
	rules := s.flow.gate.rulesFor(k.client, k.endpoint)
	asked := make([]Asked, len(rules))
	for i, r := range rules {
		l := r.limiter(now, k.client, k.endpoint)
		asked[i] = Asked{
			Rule: r.number, Policy: r.policy, Capacity: r.capacity,
			Before: stateOf(l, now, r.capacity), Until: l.When(now, k.cost),
		}
	}
	out := s.flow.gate.ask(now, k.client, k.endpoint, k.cost)
	for i, r := range rules {
		asked[i].After = stateOf(r.limiter(now, k.client, k.endpoint), now, r.capacity)
	}
	s.find(k.made).asked(Ask{At: now, Limits: asked, Decision: out.Decision, Refused: out.refused})
	return out
}

// asked adds an ask.
func (c *Sending) asked(a Ask) {
	if c == nil {
		return
	}
	c.Asked++
	c.Asks = append(c.Asks[:min(len(c.Asks), MostAsks-1)], a)
}

// lined notes how many calls wait where it comes to wait.
func (c *Sending) lined(waiting int) {
	if c != nil {
		c.Line = waiting
	}
}

// decided notes the decision.
func (s *storyRecorder) decided(now Time, k *call, out ruling, a servers.Answer) {
	c := s.find(k.made)
	if c == nil {
		return
	}
	c.Decided, c.Decision, c.Refused = now, out.Decision, out.refused
	c.Response = s.flow.response(now, k, out, a.Failed)
	if s.flow.cluster != nil {
		c.Server, c.ServerAt, c.Failed = a.Server, a.At, a.Failed
	}
}

// wentAhead notes that it went ahead, and what the service made of it.
func (c *Sending) wentAhead(now Time, how entered, queue int) {
	if c == nil {
		return
	}
	c.Ahead = now
	if how == queued {
		c.Queue = queue - 1
	}
}

// began notes that it is served, and how long that takes.
func (c *Sending) began(now, length Time) {
	if c != nil {
		c.Began, c.Served = now, later(now, length)
	}
}

// answered notes what the client hears of a call, or that it waits no more.
func (s *storyRecorder) answered(now Time, k *call, how fate) {
	if c := s.find(k.made); c != nil {
		c.Fate, c.Answered = FateSucceeded+Fate(how), now
	}
	switch how {
	case asSucceeded:
		s.Ending, s.Ended = Succeeded, now
	case asDegraded:
		s.Ending, s.Ended = Cheap, now
	}
}

// held notes until when a client that paces itself sends nothing.
func (c *Sending) held(until Time) {
	if c != nil {
		c.Hold = until
	}
}

// failed notes what the client does after an answer to its latest call that was no success.
func (s *storyRecorder) failed(now Time, told retry.Answer, again Time, ok bool) {
	c := &s.Sendings[len(s.Sendings)-1]
	c.Told, c.Again = told.RetryAfter, again
	if !ok {
		s.Ending, s.Ended = GivenUp, now
	}
}

// dropped notes that nothing more happens to a call.
func (s *storyRecorder) dropped(k *call) {
	if s.tells(k.seq) {
		s.live--
	}
}
