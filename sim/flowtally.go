package sim

import (
	"math/bits"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Degraded is what becomes of a request that the limits refuse where such requests get a cheap answer:
// a fourth verdict beside the limiters' own.
const Degraded algorithms.Verdict = 3

// VerdictName is the name of a verdict: that of a limiter's, or degrade.
func VerdictName(v algorithms.Verdict) string {
	if v == Degraded {
		return "degrade"
	}
	return v.String()
}

// flowTally is what is measured of requests and calls around a limiter.
type flowTally struct {
	calls   int64 // sent so far
	wasted  int64 // served though their client had stopped waiting
	busy    [2]uint64
	groups  []groupTally // by profile
	refused []int64      // calls, by rule
	latency delays       // from sending to a full answer
	success delays       // from the first sending to a full answer

	failedOpen, failedClosed int64
}

// groupTally is what is measured of the clients of one profile.
type groupTally struct {
	counts
	requests         int64
	fates            [asTimedOut + 1]int64 // calls
	gaveUp           int64                 // requests
	unsatisfied      int64                 // requests neither succeeded nor degraded, nor given up yet
	latency, success delays
}

// groupDelays is how many lengths of time are kept one by one for each profile.
const groupDelays = 1 << 16

func newFlowTally(sys *System) flowTally {
	t := flowTally{groups: make([]groupTally, len(sys.Profiles)), refused: make([]int64, len(sys.Rules))}
	t.latency.most, t.success.most = exactDelays, exactDelays
	for i := range t.groups {
		t.groups[i].latency.most, t.groups[i].success.most = groupDelays, groupDelays
	}
	return t
}

// asked counts a request sent for the first time, or wanted by a client that paces itself.
func (t *flowTally) asked(profile int) {
	t.groups[profile].requests++
	t.groups[profile].unsatisfied++
}

// decided counts the decision on a call.
func (t *flowTally) decided(profile int, cost int64, out ruling, failed servers.Failure) {
	t.groups[profile].add(out.Verdict, cost)
	if out.refused >= 0 {
		t.refused[out.refused]++
	}
	switch failed {
	case servers.Open:
		t.failedOpen++
	case servers.Closed:
		t.failedClosed++
	}
}

// failed counts a call that came to nothing.
func (t *flowTally) failed(profile int, how fate) { t.groups[profile].fates[how]++ }

// ended counts a call that ended its request, after how long.
func (t *flowTally) ended(profile int, how fate, latency, whole Time) {
	g := &t.groups[profile]
	g.fates[how]++
	g.unsatisfied--
	if how == asSucceeded {
		t.latency.add(latency)
		t.success.add(whole)
		g.latency.add(latency)
		g.success.add(whole)
	}
}

// gaveUp counts a request that its client gives up.
func (t *flowTally) gaveUp(profile int) {
	t.groups[profile].gaveUp++
	t.groups[profile].unsatisfied--
}

// served counts the time of a worker, as far as it lies within the run.
func (t *flowTally) served(length Time) {
	var carry uint64
	t.busy[1], carry = bits.Add64(t.busy[1], uint64(length), 0)
	t.busy[0] += carry
}

// System measures of one limiter, about requests and calls: a request is what a client wants, a call
// one sending of it. They are zero in a run without a System.
type SystemSummary struct {
	Degraded, UnitsDegraded int64 // calls that got a cheap answer; Offered counts them too

	// What became of requests; Cheap are those that ended with a cheap answer. The four make Requests.
	Succeeded, Cheap, GaveUp, Unfinished int64
	Requests                             int64

	Calls            int64   // Offered counts those that have been decided
	Amplification    float64 // Calls / Requests
	Goodput          float64 // Succeeded per second of the run
	Lost             int64   // calls that found the service's queue full
	TimedOut         int64   // calls whose client waited no more
	Wasted           int64   // calls served though their client had stopped waiting
	QueueMax         int64   // most calls that waited for a worker
	Utilization      float64 // share of the workers' time spent serving, over the run's duration
	Latency, Success Lengths // of calls that succeeded; of their requests, from the first sending on

	HonestOffered, HonestDenied, AbusiveOffered, AbusiveAdmitted int64 // calls
	HonestRequests, HonestSucceeded                              int64

	Keys int64 // limiters held at the same time at most, of all rules

	// Of several servers: the most units above the limit in any window by the store's clock, what they
	// can be at most (-1: no bound), and calls decided without the store.
	OverAdmitted, OverBound  int64
	FailedOpen, FailedClosed int64
}

// Lengths are percentiles of lengths of time by nearest rank, exact unless Rounded says that they are
// rounded up by less than one part in 1,024.
type Lengths struct {
	P50, P95, P99, Max Time
	Rounded            bool
}

// Group is what became of the requests of one kind of clients.
type Group struct {
	Profile                                      *Profile
	Requests, Succeeded, Cheap, GaveUp, Waiting  int64
	Offered, Admitted, Delayed, Denied, Degraded int64 // calls decided
	Lost, TimedOut                               int64
	Latency, Success                             Lengths
}

// RuleCount is how many calls one of the limits refused: of several that would have, the first.
type RuleCount struct {
	Name   string
	Denied int64
}

func (g *groupTally) group(p *Profile) Group {
	return Group{
		Profile: p, Requests: g.requests,
		Succeeded: g.fates[asSucceeded], Cheap: g.fates[asDegraded], GaveUp: g.gaveUp, Waiting: g.unsatisfied,
		Offered:  g.counts.requests[0] + g.counts.requests[1] + g.counts.requests[2] + g.counts.requests[3],
		Admitted: g.counts.requests[algorithms.Admit], Delayed: g.counts.requests[algorithms.Delay],
		Denied: g.counts.requests[algorithms.Deny], Degraded: g.counts.requests[Degraded],
		Lost: g.fates[asLost], TimedOut: g.fates[asTimedOut],
		Latency: g.latency.lengths(), Success: g.success.lengths(),
	}
}

// groups are the results by profile.
func (f *flow) groups() []Group {
	out := make([]Group, len(f.tally.groups))
	for i := range out {
		out[i] = f.tally.groups[i].group(&f.sys.Profiles[i])
	}
	return out
}

// refusals are the results by rule.
func (f *flow) refusals() []RuleCount {
	out := make([]RuleCount, len(f.sys.Rules))
	for i := range out {
		out[i] = RuleCount{f.sys.Rules[i].Name, f.tally.refused[i]}
	}
	return out
}

// summary is the measures of all clients together.
func (f *flow) summary(duration Time) SystemSummary {
	t := &f.tally
	s := SystemSummary{
		Calls: t.calls, Wasted: t.wasted,
		Latency: t.latency.lengths(), Success: t.success.lengths(),
		FailedOpen: t.failedOpen, FailedClosed: t.failedClosed,
	}
	for i, g := range f.groups() {
		s.addGroup(&g)
		s.UnitsDegraded += t.groups[i].units[Degraded]
	}
	s.Amplification = ratio(s.Calls, s.Requests)
	s.Goodput = float64(s.Succeeded) / (float64(duration) / 1e9)
	if f.service != nil {
		s.QueueMax = int64(f.service.most)
		busy := float64(t.busy[0])*(1<<32)*(1<<32) + float64(t.busy[1])
		s.Utilization = busy / float64(duration) / float64(f.sys.Service.Workers)
	}
	for _, r := range f.gate.rules {
		s.Keys += int64(r.keys.most)
	}
	if f.cluster != nil {
		report := f.cluster.Report()
		s.OverAdmitted, s.OverBound = report.OverAdmitted, report.Bound
		if !report.Bounded {
			s.OverBound = -1
		}
	}
	return s
}

func (s *SystemSummary) addGroup(g *Group) {
	s.Requests += g.Requests
	s.Succeeded += g.Succeeded
	s.Cheap += g.Cheap
	s.GaveUp += g.GaveUp
	s.Unfinished += g.Waiting
	s.Degraded += g.Degraded
	s.Lost += g.Lost
	s.TimedOut += g.TimedOut
	if g.Profile.Abusive {
		s.AbusiveOffered += g.Offered
		s.AbusiveAdmitted += g.Admitted + g.Delayed
		return
	}
	s.HonestOffered += g.Offered
	s.HonestDenied += g.Denied
	s.HonestRequests += g.Requests
	s.HonestSucceeded += g.Succeeded
}

// ratio is a/b, or 1 where there is nothing.
func ratio(a, b int64) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}
