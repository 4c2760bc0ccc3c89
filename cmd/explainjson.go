package cmd

import (
	"encoding/json"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
)

// jsonStories is what became of a request of a scenario with a system, in JSON. Instants are in ns;
// null is what did not come or does not apply.
type jsonStories struct {
	Version  int         `json:"version"`
	Seq      int64       `json:"seq"`
	At       sim.Time    `json:"at_ns"` // when its client first wants to send it
	Client   safe        `json:"client"`
	Endpoint safe        `json:"endpoint"`
	Cost     int64       `json:"cost"`
	Limiters []jsonStory `json:"limiters"`
}

// jsonStory is one limiter's.
type jsonStory struct {
	Limiter   safe          `json:"limiter"`
	Algorithm string        `json:"algorithm"`
	Ending    string        `json:"ending"` // succeeded, degraded, given up or unfinished
	Ended     *sim.Time     `json:"ended_ns"`
	Sent      int64         `json:"sent"`     // how often
	Sendings  []jsonSending `json:"sendings"` // of more than 1,000 the first 500 and the last
}

// jsonSending is one sending of the request.
type jsonSending struct {
	Attempt  int64       `json:"attempt"`
	Sent     sim.Time    `json:"sent_ns"`
	Server   *jsonServer `json:"server"` // the one of several that decided
	Asked    []jsonAsk   `json:"asked"`  // of more than 100 times the first 99 and the last
	Waiting  *int        `json:"waiting"`
	Verdict  *string     `json:"verdict"`
	Decided  *sim.Time   `json:"decided_ns"`
	Until    *sim.Time   `json:"until_ns"`
	Refused  *safe       `json:"refused_by"`
	Ahead    *sim.Time   `json:"ahead_ns"`
	Queue    *int        `json:"queue"` // calls that waited for a worker before it
	Began    *sim.Time   `json:"service_from_ns"`
	Served   *sim.Time   `json:"service_until_ns"`
	Fate     string      `json:"fate"` // succeeded, degraded, denied, lost, timed out or pending
	Answered *sim.Time   `json:"answered_ns"`
	HTTP     *jsonHTTP   `json:"http"`
	Told     *sim.Time   `json:"told_to_wait_ns"`
	Again    *sim.Time   `json:"again_ns"`
	Hold     *sim.Time   `json:"silent_until_ns"` // of a client that paces itself
}

// jsonHTTP is an HTTP answer, as in the ndjson of run.
type jsonHTTP struct {
	Status  int             `json:"status"`
	Headers object          `json:"headers"`
	Body    json.RawMessage `json:"body"`
}

func newJSONHTTP(r *sim.Response, form sim.ResetForm) *jsonHTTP {
	return &jsonHTTP{r.Status, fieldObject(r.Fields(form)), r.AppendBody(nil)}
}

type jsonServer struct {
	Server int      `json:"number"` // from 1
	At     sim.Time `json:"at_ns"`
	Failed string   `json:"failed"` // open or closed: without the store; otherwise empty
}

// jsonAsk is the limits being asked once.
type jsonAsk struct {
	At     sim.Time    `json:"at_ns"`
	Limits []jsonAsked `json:"limits"`
}

type jsonAsked struct {
	Limit     safe      `json:"limit"`
	Algorithm string    `json:"algorithm"`
	Key       object    `json:"key"`      // client, address and user by the client that has it first, endpoint; empty: all
	Capacity  int64     `json:"capacity"` // the most that one request may cost
	Before    jsonState `json:"before"`
	After     jsonState `json:"after"`
	Accepts   bool      `json:"accepts"`
	Until     *sim.Time `json:"until_ns"` // when it would accept by itself
}

func newJSONStories(plan *sim.Plan, all []*sim.Story, form sim.ResetForm) jsonStories {
	r := all[0].Request
	out := jsonStories{
		Version: 1, Seq: all[0].Seq, At: r.At, Cost: r.Cost,
		Client: safe(plan.Clients.Name(r.Client)), Endpoint: safe(all[0].System.Endpoints[r.Endpoint]),
	}
	for _, st := range all {
		one := jsonStory{
			Limiter: safe(st.Limiter.Name), Algorithm: st.Limiter.Spec.Name,
			Ending: st.Ending.String(), Ended: comes(st.Ended), Sent: st.Sent, Sendings: []jsonSending{},
		}
		for i := range st.Sendings {
			one.Sendings = append(one.Sendings, newJSONSending(plan, st, &st.Sendings[i], form))
		}
		out.Limiters = append(out.Limiters, one)
	}
	return out
}

// comes is an instant, or nil if it does not come.
func comes(t sim.Time) *sim.Time { return unless(t, algorithms.Never) }

func newJSONSending(plan *sim.Plan, st *sim.Story, c *sim.Sending, form sim.ResetForm) jsonSending {
	out := jsonSending{
		Attempt: c.Attempt, Sent: c.Sent, Asked: []jsonAsk{}, Waiting: unless(c.Line, -1),
		Decided: comes(c.Decided), Ahead: comes(c.Ahead), Queue: unless(c.Queue, -1),
		Began: comes(c.Began), Served: comes(c.Served), Fate: c.Fate.String(), Answered: comes(c.Answered),
		Told: unless(c.Told, 0), Again: comes(c.Again), Hold: unless(c.Hold, 0),
	}
	if c.Server >= 0 {
		out.Server = &jsonServer{c.Server + 1, c.ServerAt, c.Failed.String()}
	}
	for _, a := range c.Asks {
		out.Asked = append(out.Asked, newJSONAsk(plan, st, a))
	}
	out.decide(st, c)
	out.answer(c, form)
	return out
}

// decide adds the answer of the limits.
func (out *jsonSending) decide(st *sim.Story, c *sim.Sending) {
	if c.Decided == algorithms.Never {
		return
	}
	verdict := sim.VerdictName(c.Decision.Verdict)
	out.Verdict, out.Until = &verdict, comes(c.Decision.Until)
	if c.Refused >= 0 {
		name := safe(st.System.Rules[c.Refused].Name)
		out.Refused = &name
	}
}

// answer adds the HTTP answer, if the client got one.
func (out *jsonSending) answer(c *sim.Sending, form sim.ResetForm) {
	if c.Fate == sim.FateLost {
		out.HTTP = &jsonHTTP{Status: 503}
	}
	if r, ok := c.HTTP(); ok {
		out.HTTP = newJSONHTTP(&r, form)
	}
}

func newJSONAsk(plan *sim.Plan, st *sim.Story, a sim.Ask) jsonAsk {
	out := jsonAsk{At: a.At}
	for i := range a.Limits {
		limit := &a.Limits[i]
		spec := st.Limiter.Enforced[limit.Rule].Spec
		state := func(s sim.State) jsonState {
			if spec.Gauge.Name == "" {
				return jsonState{Remaining: s.Remaining}
			}
			return jsonState{&s.Level, s.Remaining}
		}
		rule := &st.System.Rules[limit.Rule]
		out.Limits = append(out.Limits, jsonAsked{
			Limit: safe(rule.Name), Algorithm: spec.Name, Key: keyObject(plan, st, rule.Key), Capacity: limit.Capacity,
			Before: state(limit.Before), After: state(limit.After), Accepts: limit.Accepts(a.At), Until: comes(limit.Until),
		})
	}
	return out
}

// keyObject is the parts of a key that are set.
func keyObject(plan *sim.Plan, st *sim.Story, k sim.Key) object {
	out := object{}
	for _, part := range []struct {
		set         bool
		name, value string
	}{
		{k.Client, "client", plan.Clients.Name(st.Request.Client)},
		{k.Address, "address_of", plan.Clients.Name(st.Address)},
		{k.User, "user_of", plan.Clients.Name(st.User)},
		{k.Endpoint, "endpoint", st.System.Endpoints[st.Request.Endpoint]},
	} {
		if part.set {
			out = append(out, member{part.name, string(appendJSON(nil, part.value))})
		}
	}
	return out
}
