package tui

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
)

// field is a line of the editor: one value of a scenario.
type field struct {
	name, value, meaning string

	// set writes a value, as a person types it, into a scenario. step moves the value on by one or
	// back, coarsely: to the next round value.
	set  func(s *scenarios.Scenario, text string) error
	step func(value string, by int) string
}

// fields are what can be edited: the policy of a limiter, then chance and the traffic.
func fields(s *scenarios.Scenario, name string, spec *algorithms.Spec) []field {
	listed := listed(s, name)
	if spec.Holds {
		return append(append(holdFields(s, name, listed), optionFields(name, spec, listed)...), runFields(s)...)
	}
	out := []field{limitField(s, name, listed)}
	if spec.Bursts {
		out = append(out, burstField(s, name, listed))
	}
	return append(append(out, optionFields(name, spec, listed)...), runFields(s)...)
}

// optionFields are the limiter's own settings.
func optionFields(name string, spec *algorithms.Spec, listed scenarios.Limiter) []field {
	var out []field
	for _, o := range spec.Options {
		out = append(out, optionField(name, o, listed.Options))
	}
	return out
}

// runFields are chance, the length of the run, and the traffic.
func runFields(s *scenarios.Scenario) []field {
	out := []field{seedField(s), durationField(s)}
	for i := range s.Traffic {
		out = append(out, sourceFields(s, i)...)
	}
	return out
}

// listed is what the scenario's list says of a limiter; nothing if it is not listed.
func listed(s *scenarios.Scenario, name string) scenarios.Limiter {
	for _, l := range s.Limiters {
		if l.Called() == name {
			return l
		}
	}
	return scenarios.Limiter{}
}

// holdFields are what a limiter has that counts what is in flight: no limit per time. Where it has no number
// of its own, which then follows the service, none can be written: it would be another limiter.
func holdFields(s *scenarios.Scenario, name string, listed scenarios.Limiter) []field {
	if listed.InFlight == 0 {
		return nil
	}
	return []field{countField("in flight", listed.InFlight, "units at the same time, of this limiter", func(s *scenarios.Scenario) *int64 { return &entry(s, name).InFlight })}
}

// limitField is the limit: the one of all that have none of their own, or the limiter's own.
func limitField(s *scenarios.Scenario, name string, listed scenarios.Limiter) field {
	own := listed.Limit.Per != 0
	limit, _ := s.First()
	f := field{name: "limit", value: scenarios.FormatRate(*limit), meaning: "of all", step: stepRate}
	if own {
		f.value, f.meaning = scenarios.FormatRate(listed.Limit), "of this limiter"
	}
	f.set = func(s *scenarios.Scenario, text string) error {
		rate, err := scenarios.ParseRate(text)
		switch {
		case err != nil:
			return err
		case own:
			entry(s, name).Limit = rate
		default:
			limit, _ := s.First()
			*limit = rate
		}
		return nil
	}
	return f
}

// burstField is the burst, likewise. Where none is written it is the number of the limit.
func burstField(s *scenarios.Scenario, name string, listed scenarios.Limiter) field {
	own := listed.Burst != 0
	first, burst := s.First()
	limit := *first
	if listed.Limit.Per != 0 {
		limit = listed.Limit
	}
	f := field{name: "burst", meaning: "of all buckets", step: stepWhole(1, algorithms.MaxUnits)}
	value := algorithms.Policy{Limit: limit, Burst: *burst}
	if own {
		value.Burst, f.meaning = listed.Burst, "of this limiter"
	}
	f.value = strconv.FormatInt(value.Capacity(), 10)
	f.set = func(s *scenarios.Scenario, text string) error {
		n, err := whole(text, 1, algorithms.MaxUnits)
		switch {
		case err != nil:
			return err
		case own:
			entry(s, name).Burst = n
		default:
			_, burst := s.First()
			*burst = n
		}
		return nil
	}
	return f
}

// optionField is one of the limiter's own settings.
func optionField(name string, o algorithms.Option, options map[string]string) field {
	value, ok := options[o.Name]
	if !ok {
		value = o.Default
	}
	set := func(s *scenarios.Scenario, text string) error {
		if text != o.Default {
			if err := o.Check(text); err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
		}
		e := entry(s, name)
		if e.Options == nil {
			e.Options = map[string]string{}
		}
		if e.Options[o.Name] = text; text == o.Default {
			delete(e.Options, o.Name)
		}
		return nil
	}
	return field{o.Name, value, o.Meaning, set, stepOption(o)}
}

// stepOption goes through the values of an option.
func stepOption(o algorithms.Option) func(string, int) string {
	choices := o.Choices
	switch o.Kind {
	case algorithms.Int:
		return stepWhole(o.Min, o.Max)
	case algorithms.Bool:
		choices = []string{"false", "true"}
	}
	return func(value string, by int) string {
		at := slices.Index(choices, value) + by
		return choices[(at+len(choices))%len(choices)]
	}
}

func seedField(s *scenarios.Scenario) field {
	seed := uint64(1)
	if s.Seed != nil {
		seed = *s.Seed
	}
	return field{
		name: "seed", value: strconv.FormatUint(seed, 10), meaning: "of what is random",
		set: func(s *scenarios.Scenario, text string) error {
			n, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return fmt.Errorf("seed %q: must be a whole number from 0", text)
			}
			s.Seed = &n
			return nil
		},
		step: func(value string, by int) string {
			n, err := strconv.ParseUint(value, 10, 64)
			if err != nil || by < 0 && n == 0 {
				return value
			}
			return strconv.FormatUint(n+uint64(by), 10)
		},
	}
}

func durationField(s *scenarios.Scenario) field {
	f := lengthField("duration", s.Duration, "of the run", func(s *scenarios.Scenario) *time.Duration { return &s.Duration })
	if s.Duration == 0 {
		f.value = "" // ends with the traffic
	}
	return f
}

// sourceFields are the main numbers of a source of traffic.
func sourceFields(s *scenarios.Scenario, i int) []field {
	source := &s.Traffic[i]
	who := source.Name
	if who == "" {
		who = source.Client
	}
	var out []field
	if source.Clients != nil {
		if who == "" {
			who = source.Clients.Prefix
		}
		out = append(out, countField("clients", source.Clients.Count, who, func(s *scenarios.Scenario) *int64 { return &s.Traffic[i].Clients.Count }))
	}
	for j := range source.Phases {
		out = append(out, phaseFields(&source.Phases[j], who, func(s *scenarios.Scenario) *scenarios.Phase { return &s.Traffic[i].Phases[j] })...)
	}
	if source.Cost > 0 {
		out = append(out, countField("cost", source.Cost, who, func(s *scenarios.Scenario) *int64 { return &s.Traffic[i].Cost }))
	}
	return out
}

// phaseFields are the numbers that a phase has.
func phaseFields(p *scenarios.Phase, who string, of func(*scenarios.Scenario) *scenarios.Phase) []field {
	var out []field
	if p.Burst > 0 {
		when := who
		if p.At != nil {
			when += " at " + scenarios.FormatDuration(*p.At)
		}
		out = append(out, countField("burst", p.Burst, when, func(s *scenarios.Scenario) *int64 { return &of(s).Burst }))
	}
	if p.Rate.Per > 0 {
		out = append(out, rateField("rate", p.Rate, who, func(s *scenarios.Scenario) *algorithms.Limit { return &of(s).Rate }))
	}
	if p.To.Per > 0 {
		out = append(out, rateField("rate to", p.To, who, func(s *scenarios.Scenario) *algorithms.Limit { return &of(s).To }))
	}
	if p.Sine != nil {
		out = append(out, rateField("amplitude", p.Sine.Amplitude, who, func(s *scenarios.Scenario) *algorithms.Limit { return &of(s).Sine.Amplitude }))
	}
	if p.Over > 0 {
		out = append(out, lengthField("spread over", p.Over, who, func(s *scenarios.Scenario) *time.Duration { return &of(s).Over }))
	}
	return out
}

// countField is a field of a whole number.
func countField(name string, value int64, meaning string, of func(*scenarios.Scenario) *int64) field {
	return field{name, strconv.FormatInt(value, 10), meaning, func(s *scenarios.Scenario, text string) error {
		n, err := whole(text, 1, algorithms.MaxUnits)
		if err == nil {
			*of(s) = n
		}
		return err
	}, stepWhole(1, algorithms.MaxUnits)}
}

// rateField is a field of a rate.
func rateField(name string, value algorithms.Limit, meaning string, of func(*scenarios.Scenario) *algorithms.Limit) field {
	return field{name, scenarios.FormatRate(value), meaning, func(s *scenarios.Scenario, text string) error {
		rate, err := scenarios.ParseRate(text)
		if err == nil {
			*of(s) = rate
		}
		return err
	}, stepRate}
}

// lengthField is a field of a length of time.
func lengthField(name string, value time.Duration, meaning string, of func(*scenarios.Scenario) *time.Duration) field {
	return field{name, scenarios.FormatDuration(value), meaning, func(s *scenarios.Scenario, text string) error {
		d, err := scenarios.ParseDuration(text)
		if err == nil {
			*of(s) = d
		}
		return err
	}, stepLength}
}

func whole(text string, lowest, highest int64) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < lowest || n > highest {
		return 0, fmt.Errorf("%q: must be a whole number from %d to %d", text, lowest, highest)
	}
	return n, nil
}

// round moves n to the next number of two digits and zeros: 8, 9, 10, 11 … 99, 100, 110 … 1000, 1100.
func round(n int64, by int) int64 {
	if by < 0 {
		n--
	}
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	if by < 0 {
		return n / unit * unit
	}
	return n/unit*unit + unit
}

func stepWhole(lowest, highest int64) func(string, int) string {
	return func(value string, by int) string {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return strconv.FormatInt(lowest, 10)
		}
		return strconv.FormatInt(min(max(round(n, by), lowest), highest), 10)
	}
}

func stepRate(value string, by int) string {
	rate, err := scenarios.ParseRate(value)
	if err != nil {
		return value
	}
	rate.N = min(max(round(rate.N, by), 1), algorithms.MaxUnits)
	return scenarios.FormatRate(rate)
}

func stepLength(value string, by int) string {
	d, err := scenarios.ParseDuration(value)
	if err != nil {
		return value
	}
	for _, unit := range []time.Duration{time.Hour, time.Minute, time.Second, time.Millisecond, time.Microsecond, 1} {
		if d > 2*unit || d == unit && unit == 1 {
			return scenarios.FormatDuration(max(time.Duration(round(int64(d/unit), by))*unit, unit))
		}
	}
	return scenarios.FormatDuration(max(d+time.Duration(by), 1))
}
