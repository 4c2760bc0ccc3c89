package cmd

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/tune"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// tuneJob is requests to be tuned for, and what came of them.
type tuneJob struct {
	*app
	ctx   context.Context
	flags *tuneFlags
	names []string // of logs, or of one scenario
	out   *output
	bar   progress

	requests tune.Load
	start    int64    // Unix time of instant 0, ns
	clients  int64    // that sent a request
	notes    []string // about the logs
}

// load reads the requests into memory.
func (j *tuneJob) load() error {
	j.requests.Workers = workers()
	j.requests.More = j.ctx.Err
	if isScenario(j.names) {
		return j.loadScenario()
	}
	options, err := j.flags.options()
	if err != nil {
		return err
	}
	inputs, err := logInputs(j.names, j.in)
	if err != nil {
		return err
	}
	bar := j.progress("reading")
	defer bar.end()
	return readLog(j.ctx, inputs, options, bar, j.loadStream)
}

// loadStream takes the requests of logs.
func (j *tuneJob) loadStream(s *accesslog.Stream, more func() error) error {
	j.start, j.requests.Requests, j.requests.Clients = s.Start(), nil, s.Clients()
	for {
		r, ok := s.Next()
		if !ok {
			break
		}
		if len(j.requests.Requests)%4096 == 0 {
			if err := more(); err != nil {
				return err
			}
		}
		j.requests.Requests = append(j.requests.Requests, r)
	}
	j.clients = int64(s.Clients().Len())
	j.notes = s.Report().Notes(accesslog.Remarks{Length: scenarios.FormatDuration, Shortest: j.flags.shortest(), Other: "ratesim replay " + spreadFlag})
	return nil
}

// shortest is the shortest period of the limits that are looked for or tried.
func (f *tuneFlags) shortest() time.Duration {
	limits := append(slices.Clone(f.rates.rates), f.sweep.limits...)
	switch {
	case f.limit.given:
		limits = append(limits, f.limit.v.limit)
	case len(limits) == 0:
		return f.per.v
	}
	return slices.MinFunc(limits, func(a, b algorithms.Limit) int { return cmp.Compare(a.Per, b.Per) }).Per
}

// loadScenario takes the requests of a scenario.
func (j *tuneJob) loadScenario() error {
	loaded, err := scenarios.Load(j.names[0], j.in)
	if err != nil {
		return err
	}
	plan, err := loaded.Plan(scenarios.Overrides{})
	if err != nil {
		return err
	}
	if plan.System != nil {
		return fmt.Errorf("%s: has more than limiters around its traffic (such as retries, tiers, a service or servers), which tune does not simulate; ratesim run does, under --limit and --burst", draw.Clean(loaded.Name))
	}
	j.notes = loaded.Notes
	j.requests.Clients, j.requests.Shared = plan.Clients, plan.Shared
	j.start = plan.Limiters[0].Policy.Start
	seen := make([]bool, plan.Clients.Len())
	for source := plan.Open(); ; {
		r, ok := source.Next()
		if !ok || r.At >= plan.Duration {
			return nil
		}
		if !seen[r.Client] {
			seen[r.Client] = true
			j.clients++
		}
		j.requests.Requests = append(j.requests.Requests, r)
	}
}

// target is the most that may be refused: nothing unless the flags allow it.
func (j *tuneJob) target() tune.Target {
	t := tune.Target{Denied: math.MaxInt64, Clients: math.MaxInt64}
	if j.flags.deny.given || !j.flags.clients.given {
		t.Denied = j.flags.deny.v.most(int64(len(j.requests.Requests)))
	}
	if j.flags.clients.given {
		t.Clients = j.flags.clients.v.most(j.clients)
	}
	return t
}

// limiters are the algorithms under one policy, without the one that has no limit.
func (j *tuneJob) limiters(q quota) ([]sim.Limiter, error) {
	over := scenarios.Overrides{Algorithms: j.flags.algorithms.names, Set: j.flags.set}
	all, err := scenarios.FromPolicy(q.limit, q.burst).Limiters(over, j.start)
	if err != nil {
		return nil, err
	}
	var out []sim.Limiter
	for _, l := range all {
		if l.Spec.Worst(l.Policy) >= 0 && (!j.flags.limit.given || l.Spec.Bursts) {
			out = append(out, l)
		}
	}
	return out, nil
}
