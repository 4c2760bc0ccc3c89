package scenarios

import (
	"slices"

	"github.com/b6db88e4/ratesim/sim"
)

// systemMeasures are those of runs with a system around the limiters. A request is what a client
// wants, a call one sending of it.
func systemMeasures() []Measure {
	all := slices.Concat(requestMeasures(), serviceMeasures(), peopleMeasures(), serverMeasures())
	for i := range all {
		all[i].System = true
	}
	return all
}

// MeasuresOf are the measures that a result has: those that tell of the system around the limiters
// only if there was one.
func MeasuresOf(r *sim.Result) []Measure {
	if r.Groups == nil {
		return limiterMeasures()
	}
	return Measures()
}

// requestMeasures are what became of requests, and what it took.
func requestMeasures() []Measure {
	return []Measure{
		systemCount("degraded", "calls that got a cheap answer instead of a denial; offered counts them too", func(s *sim.SystemSummary) int64 { return s.Degraded }),
		systemCount("units_degraded", "units of the calls that got a cheap answer", func(s *sim.SystemSummary) int64 { return s.UnitsDegraded }),
		systemCount("requests", "requests: succeeded + cheap + given_up + unfinished", func(s *sim.SystemSummary) int64 { return s.Requests }),
		systemCount("succeeded", "requests that got a full answer in time", func(s *sim.SystemSummary) int64 { return s.Succeeded }),
		systemCount("cheap", "requests that ended with a cheap answer", func(s *sim.SystemSummary) int64 { return s.Cheap }),
		systemCount("given_up", "requests that their clients gave up", func(s *sim.SystemSummary) int64 { return s.GaveUp }),
		systemCount("unfinished", "requests whose clients still waited to send them again when the run ended", func(s *sim.SystemSummary) int64 { return s.Unfinished }),
		systemCount("calls", "sendings of requests, the first and all that followed", func(s *sim.SystemSummary) int64 { return s.Calls }),
		ratio("amplification", "calls for each request", func(s *sim.Summary) float64 { return s.System.Amplification }),
		ratio("goodput_per_s", "requests that succeeded, for each second of the run", func(s *sim.Summary) float64 { return s.System.Goodput }),
	}
}

// serviceMeasures are about the service behind, and how long it took to be served.
func serviceMeasures() []Measure {
	out := []Measure{
		systemCount("lost", "calls that found the queue of the service full", func(s *sim.SystemSummary) int64 { return s.Lost }),
		systemCount("timed_out", "calls whose client waited no more", func(s *sim.SystemSummary) int64 { return s.TimedOut }),
		systemCount("wasted", "calls that were served though their client had stopped waiting", func(s *sim.SystemSummary) int64 { return s.Wasted }),
		systemCount("queue_max", "most calls that waited for a worker of the service", func(s *sim.SystemSummary) int64 { return s.QueueMax }),
		ratio("utilization", "share of the workers' time spent serving, over the run's duration", func(s *sim.Summary) float64 { return s.System.Utilization }),
	}
	out = append(out, lengthMeasures("latency", "of the calls that succeeded, from sending to the answer", func(s *sim.Summary) *sim.Lengths { return &s.System.Latency })...)
	return append(out, lengthMeasures("success", "of the requests that succeeded, from their first sending to the answer", func(s *sim.Summary) *sim.Lengths { return &s.System.Success })...)
}

// lengthMeasures are percentiles of one kind of lengths of time.
func lengthMeasures(name, what string, of func(*sim.Summary) *sim.Lengths) []Measure {
	return []Measure{
		nanos(name+"_p50_ns", "median time "+what, func(s *sim.Summary) sim.Time { return of(s).P50 }),
		nanos(name+"_p95_ns", "time that 95 % did not exceed "+what, func(s *sim.Summary) sim.Time { return of(s).P95 }),
		nanos(name+"_p99_ns", "time that 99 % did not exceed "+what, func(s *sim.Summary) sim.Time { return of(s).P99 }),
		nanos(name+"_max_ns", "longest time "+what, func(s *sim.Summary) sim.Time { return of(s).Max }),
	}
}

// peopleMeasures tell clients that are welcome from those that are meant to be kept out.
func peopleMeasures() []Measure {
	return []Measure{
		systemCount("honest_offered", "calls of honest clients", func(s *sim.SystemSummary) int64 { return s.HonestOffered }),
		systemCount("honest_denied", "calls of honest clients that were refused", func(s *sim.SystemSummary) int64 { return s.HonestDenied }),
		systemCount("honest_requests", "requests of honest clients", func(s *sim.SystemSummary) int64 { return s.HonestRequests }),
		systemCount("honest_succeeded", "requests of honest clients that succeeded", func(s *sim.SystemSummary) int64 { return s.HonestSucceeded }),
		systemCount("abusive_offered", "calls of abusive clients", func(s *sim.SystemSummary) int64 { return s.AbusiveOffered }),
		systemCount("abusive_admitted", "calls of abusive clients that went ahead, at once or later", func(s *sim.SystemSummary) int64 { return s.AbusiveAdmitted }),
		systemCount("keys", "limiters held at the same time at most, of all limits together", func(s *sim.SystemSummary) int64 { return s.Keys }),
	}
}

// serverMeasures are about several servers that share a limit.
func serverMeasures() []Measure {
	return []Measure{
		systemCount("over_admitted", "most units of one key above the limit in any window by the store's clock", func(s *sim.SystemSummary) int64 { return s.OverAdmitted }),
		{Name: "over_bound", Kind: Count, Meaning: "the most that over_admitted can be under the scheme; none where nothing bounds it", Get: overBound},
		systemCount("failed_open", "calls admitted because the store gave no answer", func(s *sim.SystemSummary) int64 { return s.FailedOpen }),
		systemCount("failed_closed", "calls denied because the store gave no answer", func(s *sim.SystemSummary) int64 { return s.FailedClosed }),
	}
}

// systemCount is a count of what is around a limiter.
func systemCount(name, meaning string, get func(*sim.SystemSummary) int64) Measure {
	return count(name, meaning, func(s *sim.Summary) int64 { return get(&s.System) })
}

func overBound(s *sim.Summary) Value {
	if bound := s.System.OverBound; bound >= 0 {
		return Value{Int: bound, kind: Count}
	}
	return Value{kind: Count, none: true}
}
