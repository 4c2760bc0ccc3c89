package cmd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
)

// mostPolicies bounds what a range on the command line may stand for.
const mostPolicies = 10_000

// ratesFlag is a list of rates: "10/m,20/m" or "10/m..100/m:10".
type ratesFlag struct {
	rates []algorithms.Limit
	text  string
}

// String is the list as it was given.
func (f *ratesFlag) String() string { return f.text }

// Type is the word for the flag's value in the help.
func (f *ratesFlag) Type() string { return "RATE,…" }

// Set reads the list.
func (f *ratesFlag) Set(text string) error {
	rates, err := parseRates(text)
	if err == nil {
		f.rates, f.text = append(f.rates, rates...), text
	}
	return err
}

// parseRates reads rates and ranges of them, separated by commas.
func parseRates(text string) ([]algorithms.Limit, error) {
	var out []algorithms.Limit
	for part := range strings.SplitSeq(text, ",") {
		from, rest, isRange := strings.Cut(strings.TrimSpace(part), "..")
		first, err := scenarios.ParseRate(from)
		if err != nil {
			return nil, err
		}
		last, step := first, int64(1)
		if isRange {
			to, by, _ := strings.Cut(rest, ":")
			if last, err = scenarios.ParseRate(to); err != nil {
				return nil, err
			}
			if step, err = parseStep(by); err != nil {
				return nil, err
			}
		}
		if last.Per != first.Per || last.N < first.N || (last.N-first.N)/step >= mostPolicies {
			return nil, fmt.Errorf("%q must be a rate, or FROM..TO:STEP with one period for both, such as 10/m..200/m:10, of at most %d rates", part, mostPolicies)
		}
		for n := first.N; n <= last.N; n += step {
			out = append(out, algorithms.Limit{N: n, Per: first.Per})
		}
	}
	return out, nil
}

// parseStep reads the step of a range, 1 if there is none.
func parseStep(text string) (int64, error) {
	if text == "" {
		return 1, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > algorithms.MaxUnits {
		return 0, fmt.Errorf("step %q: must be a whole number from 1 to %d", text, algorithms.MaxUnits)
	}
	return n, nil
}

// parseBursts reads whole numbers and ranges of them, separated by commas.
func parseBursts(text string) ([]int64, error) {
	var out []int64
	for part := range strings.SplitSeq(text, ",") {
		from, rest, isRange := strings.Cut(strings.TrimSpace(part), "..")
		first, err := strconv.ParseInt(from, 10, 64)
		last, step := first, int64(1)
		if isRange && err == nil {
			to, by, _ := strings.Cut(rest, ":")
			last, err = strconv.ParseInt(to, 10, 64)
			if err == nil {
				step, err = parseStep(by)
			}
		}
		if err != nil || first < 1 || last < first || last > algorithms.MaxUnits || (last-first)/step >= mostPolicies {
			return nil, fmt.Errorf("%q must be a burst from 1 to %d, or FROM..TO:STEP", part, algorithms.MaxUnits)
		}
		for n := first; n <= last; n += step {
			out = append(out, n)
		}
	}
	return out, nil
}

// sweepFlag is a grid of limits and bursts.
type sweepFlag struct {
	limits []algorithms.Limit
	bursts []int64
	text   string
}

func (f *sweepFlag) given() bool { return len(f.limits)+len(f.bursts) > 0 }

// String is the last axis as it was given.
func (f *sweepFlag) String() string { return f.text }

// Type is the word for the flag's value in the help.
func (f *sweepFlag) Type() string { return "AXIS" }

// Set reads one axis of the grid.
func (f *sweepFlag) Set(text string) error {
	name, values, _ := strings.Cut(text, "=")
	var err error
	switch name {
	case "limit":
		var limits []algorithms.Limit
		limits, err = parseRates(values)
		f.limits = append(f.limits, limits...)
	case "burst":
		var bursts []int64
		bursts, err = parseBursts(values)
		f.bursts = append(f.bursts, bursts...)
	default:
		return errors.New("must be limit=… or burst=…, such as limit=10/m..200/m:10 or burst=5,10,20")
	}
	if err == nil && len(f.limits)*max(len(f.bursts), 1) > mostPolicies {
		err = fmt.Errorf("stands for more than %d policies", mostPolicies)
	}
	f.text = text
	return err
}

// quotas are the policies of the grid, limit by limit.
func (f *sweepFlag) quotas() []quota {
	bursts := f.bursts
	if len(bursts) == 0 {
		bursts = []int64{0}
	}
	var out []quota
	for _, limit := range f.limits {
		for _, burst := range bursts {
			out = append(out, quota{limit, burst})
		}
	}
	return out
}
