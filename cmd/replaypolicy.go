package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
)

// policy is one alternative that a log is put to: a limit, or a file of limiters.
type policy struct {
	title  string // as the flag had it
	loaded *scenarios.Loaded
	quota  *quota // in place of what the file says; nil for that
}

// quota is a limit and a burst, 0 for none.
type quota struct {
	limit algorithms.Limit
	burst int64
}

// parseQuota reads "30/m" or "30/m burst 10".
func parseQuota(text string) (quota, error) {
	rate, burst, with := strings.Cut(text, " burst ")
	limit, err := scenarios.ParseRate(rate)
	if err != nil {
		return quota{}, err
	}
	q := quota{limit: limit}
	if with {
		q.burst, err = strconv.ParseInt(strings.TrimSpace(burst), 10, 64)
		if err != nil || q.burst < 1 || q.burst > algorithms.MaxUnits {
			return quota{}, fmt.Errorf("the burst must be a whole number from 1 to %d", algorithms.MaxUnits)
		}
	}
	return q, nil
}

// String is the quota as parseQuota reads it.
func (q quota) String() string {
	text := scenarios.FormatRate(q.limit)
	if q.burst != 0 {
		text += " burst " + strconv.FormatInt(q.burst, 10)
	}
	return text
}

func quotaFlag() value[quota] { return value[quota]{kind: "LIMIT", read: parseQuota} }

// quotasFlag is a flag that may be given several times, a quota each.
type quotasFlag struct{ quotas []quota }

// String is the quotas as they were given.
func (f *quotasFlag) String() string {
	var texts []string
	for _, q := range f.quotas {
		texts = append(texts, q.String())
	}
	return strings.Join(texts, ", ")
}

// Type is the word for the flag's value in the help.
func (f *quotasFlag) Type() string { return "LIMIT" }

// Set adds a quota.
func (f *quotasFlag) Set(text string) error {
	q, err := parseQuota(text)
	if err == nil {
		f.quotas = append(f.quotas, q)
	}
	return err
}

// policies are the alternatives of the command line, limits before files.
func (f *replayFlags) policies() ([]policy, error) {
	var out []policy
	for _, q := range f.limits.quotas {
		out = append(out, f.under(q))
	}
	for _, path := range f.files {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("--policy %q: no such file; it is to be a YAML file with a line such as limit: 60/m, and burst: or limiters: as in a scenario", path)
		}
		loaded, err := scenarios.LoadPolicy(path)
		if err != nil {
			return nil, err
		}
		out = append(out, policy{title: path, loaded: loaded})
	}
	if len(out) == 0 {
		return nil, errors.New("no limit given; use --limit, such as --limit 100/m, or a file with --policy")
	}
	if f.burst.given && len(f.limits.quotas) == 0 && !f.versus.given {
		return nil, errors.New("--burst goes with --limit; a file of --policy has bursts of its own")
	}
	if f.versus.given {
		if len(out) > 1 {
			return nil, errors.New("--versus compares one policy with another; give a single --limit or --policy with it")
		}
		other := f.bursting(f.versus.v)
		out = append(out, policy{other.String(), out[0].loaded, &other})
	}
	return out, nil
}

// under is the policy of one limit.
func (f *replayFlags) under(q quota) policy {
	q = f.bursting(q)
	return policy{title: q.String(), loaded: scenarios.FromPolicy(q.limit, q.burst)}
}

// bursting is the quota with the burst of --burst if it has none of its own.
func (f *replayFlags) bursting(q quota) quota {
	if q.burst == 0 && f.burst.given {
		q.burst = f.burst.v
	}
	return q
}

// limiters are the limiters of all policies in order, for requests whose instant 0 is the Unix
// time start, and how many each policy has. Where there are several policies, a limiter's name
// ends with its policy's.
func (f *replayFlags) limiters(policies []policy, start int64) ([]sim.Limiter, []int, error) {
	var all []sim.Limiter
	var counts []int
	for _, p := range policies {
		over := scenarios.Overrides{Algorithms: f.algorithms.names, Set: f.set}
		if p.quota != nil {
			over.Limit, over.Burst = &p.quota.limit, &p.quota.burst
		}
		limiters, err := p.loaded.Limiters(over, start)
		if err != nil {
			return nil, nil, err
		}
		for _, l := range limiters {
			if len(policies) > 1 {
				l.Name += " " + p.title
			}
			all = append(all, l)
		}
		counts = append(counts, len(limiters))
	}
	return all, counts, nil
}
