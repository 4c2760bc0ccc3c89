package cmd

import "github.com/b6db88e4/ratesim/sim"

// jsonSystem is what became of requests around a limiter. A request is what a client wants, a call one
// sending of it.
type jsonSystem struct {
	Scheme  string         `json:"scheme,omitempty"` // how several servers share the limit
	Summary object         `json:"summary"`
	Groups  []jsonGroup    `json:"groups"` // by kind of client
	Rules   []jsonRule     `json:"rules"`  // by limit
	Grid    jsonSystemGrid `json:"grid"`   // in the buckets of the run's grid
}

// jsonGroup is how the clients of one kind fared.
type jsonGroup struct {
	Name    safe `json:"name"` // of their source of traffic
	Abusive bool `json:"abusive"`

	Requests   int64 `json:"requests"`
	Succeeded  int64 `json:"succeeded"`
	Cheap      int64 `json:"cheap"`
	GivenUp    int64 `json:"given_up"`
	Unfinished int64 `json:"unfinished"`

	Offered  int64 `json:"offered"` // calls that were decided; the next four are parts of them
	Admitted int64 `json:"admitted"`
	Delayed  int64 `json:"delayed"`
	Denied   int64 `json:"denied"`
	Degraded int64 `json:"degraded"`
	Lost     int64 `json:"lost"`
	TimedOut int64 `json:"timed_out"`

	Latency jsonLengths `json:"latency"` // of calls that succeeded
	Success jsonLengths `json:"success"` // of their requests, from the first sending on
}

// jsonLengths are percentiles of lengths of time.
type jsonLengths struct {
	P50     sim.Time `json:"p50_ns"`
	P95     sim.Time `json:"p95_ns"`
	P99     sim.Time `json:"p99_ns"`
	Max     sim.Time `json:"max_ns"`
	Rounded bool     `json:"rounded,omitempty"` // up, by less than one part in 1,024
}

// jsonRule is how many calls one of the limits refused: of several that would have, the first.
type jsonRule struct {
	Name   safe  `json:"name"`
	Denied int64 `json:"denied"`
}

// jsonSystemGrid counts by bucket of time.
type jsonSystemGrid struct {
	Wanted    []int64    `json:"wanted"`         // requests, by the instant at which they are first sent
	Succeeded []int64    `json:"succeeded"`      // requests, by the instant of the full answer
	Degraded  []int64    `json:"degraded"`       // calls, by decision
	Retries   []int64    `json:"retries"`        // calls that were not the first of their request, by decision
	Queue     []int64    `json:"queue_max"`      // most calls that waited for a worker; null without a service
	Latency   []sim.Time `json:"latency_max_ns"` // longest to a full answer; null without a service

	// While the run drained after its end, in no bucket.
	SucceededLater int64 `json:"succeeded_later"`
	DecidedLater   int64 `json:"decided_later"` // calls
}

func newJSONSystem(r *sim.Result) *jsonSystem {
	g := r.Grid.System
	out := &jsonSystem{
		Scheme: r.Scheme, Summary: systemObject(&r.Summary), Groups: []jsonGroup{}, Rules: []jsonRule{},
		Grid: jsonSystemGrid{g.Wanted, g.Succeeded, g.Degraded, g.Again, g.Queue, g.Latency, g.SucceededLater, g.DecidedLater},
	}
	for i := range r.Groups {
		out.Groups = append(out.Groups, newJSONGroup(&r.Groups[i]))
	}
	for _, rule := range r.Rules {
		out.Rules = append(out.Rules, jsonRule{safe(rule.Name), rule.Denied})
	}
	return out
}

// systemObject holds the measures of the system. Percentiles may be less than exact in very large
// runs, which members of their own say then.
func systemObject(s *sim.Summary) object {
	out := measureObject(s, true)
	if s.System.Latency.Rounded {
		out = append(out, member{"latency_rounded", "true"})
	}
	if s.System.Success.Rounded {
		out = append(out, member{"success_rounded", "true"})
	}
	return out
}

func newJSONGroup(g *sim.Group) jsonGroup {
	return jsonGroup{
		Name: safe(g.Profile.Name), Abusive: g.Profile.Abusive,
		Requests: g.Requests, Succeeded: g.Succeeded, Cheap: g.Cheap, GivenUp: g.GaveUp, Unfinished: g.Waiting,
		Offered: g.Offered, Admitted: g.Admitted, Delayed: g.Delayed, Denied: g.Denied, Degraded: g.Degraded,
		Lost: g.Lost, TimedOut: g.TimedOut,
		Latency: newJSONLengths(&g.Latency), Success: newJSONLengths(&g.Success),
	}
}

func newJSONLengths(l *sim.Lengths) jsonLengths {
	return jsonLengths{l.P50, l.P95, l.P99, l.Max, l.Rounded}
}
