package algorithms_test

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// upTo draws 1 to most, every order of magnitude about as often as any other.
func upTo(most int64) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		width := rapid.IntRange(0, bits.Len64(uint64(most))-1).Draw(t, "bits")
		lowest := int64(1) << width
		return rapid.Int64Range(lowest, min(most, 2*lowest-1)).Draw(t, "number")
	})
}

// drawUnits draws a limit or a burst: small numbers, round ones, the extremes, anything.
func drawUnits() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Int64Range(1, 10),
		rapid.SampledFrom([]int64{60, 100, 700_000, 1_000_001, 1_000_000_000, algorithms.MaxUnits - 1, algorithms.MaxUnits}),
		upTo(algorithms.MaxUnits),
	)
}

// drawPeriod draws a period: the usual ones, short ones, the extremes, anything.
func drawPeriod() *rapid.Generator[time.Duration] {
	usual := []time.Duration{
		time.Second, time.Minute, time.Hour, 24 * time.Hour, 3 * time.Second,
		10_000_000_019, 1, 2, 3, 7, 61, algorithms.MaxPeriod - 1, algorithms.MaxPeriod,
	}
	return rapid.OneOf(
		rapid.SampledFrom(usual),
		rapid.Map(rapid.Int64Range(1, 1000), func(ns int64) time.Duration { return time.Duration(ns) }),
		rapid.Map(upTo(int64(algorithms.MaxPeriod)), func(ns int64) time.Duration { return time.Duration(ns) }),
	)
}

// drawStart draws the Unix time of instant 0, before 1970 too.
func drawStart() *rapid.Generator[int64] {
	return rapid.OneOf(
		rapid.Just[int64](0),
		rapid.SampledFrom([]int64{1_735_689_600_123_456_789, -1, 1, math.MinInt64, math.MaxInt64}),
		rapid.Int64(),
	)
}

// drawOption draws a value that an option takes.
func drawOption(o algorithms.Option) *rapid.Generator[string] {
	switch o.Kind {
	case algorithms.Bool:
		return rapid.SampledFrom([]string{"false", "true"})
	case algorithms.Choice:
		return rapid.SampledFrom(o.Choices)
	}
	number := rapid.OneOf(
		rapid.Int64Range(o.Min, min(o.Max, o.Min+12)),
		rapid.Map(upTo(o.Max-o.Min+1), func(n int64) int64 { return o.Min + n - 1 }),
	)
	return rapid.Map(number, func(n int64) string { return strconv.FormatInt(n, 10) })
}

// drawPolicy draws from the whole accepted range. Options come from the registry's data, so those
// of a new algorithm are drawn as well.
func drawPolicy(spec *algorithms.Spec) *rapid.Generator[algorithms.Policy] {
	return rapid.Custom(func(t *rapid.T) algorithms.Policy {
		p := algorithms.Policy{
			Limit:   algorithms.Limit{N: drawUnits().Draw(t, "n"), Per: drawPeriod().Draw(t, "per")},
			Start:   drawStart().Draw(t, "start"),
			Options: map[string]string{},
		}
		if rapid.Bool().Draw(t, "has burst") {
			p.Burst = drawUnits().Draw(t, "burst")
		}
		for _, o := range spec.Options {
			if rapid.Bool().Draw(t, "sets "+o.Name) {
				p.Options[o.Name] = drawOption(o).Draw(t, o.Name)
			}
		}
		return p
	})
}

// drawSubject draws a policy and builds it. Each option is within its own range; one that does not
// go with the rest of the policy (more slots than nanoseconds) falls back to its default.
func drawSubject(t *rapid.T, spec *algorithms.Spec) subject {
	p := drawPolicy(spec).Draw(t, "policy")
	for {
		m, err := spec.Build(p)
		if err == nil {
			return newSubject(spec, p, m)
		}
		var mistake *algorithms.PolicyError
		if !errors.As(err, &mistake) || p.Options[mistake.Field] == "" {
			t.Fatalf("%s refuses %+v: %v", spec.Name, p, err)
		}
		delete(p.Options, mistake.Field)
	}
}

// drawSteps draws a script of at most so many steps.
func drawSteps(most int) *rapid.Generator[[]step] {
	one := rapid.Custom(func(t *rapid.T) step {
		return step{
			hop:      hop(rapid.IntRange(0, int(hops)-1).Draw(t, "hop")),
			nudge:    rapid.Int64Range(-2, 3).Draw(t, "nudge"),
			distance: upTo(math.MaxInt64).Draw(t, "distance"),
			price:    price(rapid.IntRange(0, int(prices)-1).Draw(t, "price")),
			number:   upTo(algorithms.MaxUnits).Draw(t, "number"),
		}
	})
	return rapid.SliceOfN(one, 1, most)
}
