package algorithms

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// settings is a policy being read by one algorithm: the checks that all share, and every mistake
// found so far.
type settings struct {
	Policy
	spec     *Spec
	mistakes []error
}

// read checks what every algorithm asks of a policy: the limit, the burst and the values of its
// options.
func (s *Spec) read(p Policy) *settings {
	r := &settings{Policy: p, spec: s}
	r.inRange("limit", p.Limit.N, 1, MaxUnits)
	if p.Limit.Per < 1 || p.Limit.Per > MaxPeriod {
		r.refuse("per", p.Limit.Per.String(), fmt.Sprintf("must be 1ns to %s (ten years)", MaxPeriod/time.Hour*time.Hour))
	}
	if p.Burst != 0 {
		r.inRange("burst", p.Burst, 1, MaxUnits)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Options)) {
		value := p.Options[name]
		if o, ok := s.Option(name); !ok {
			r.refuse(name, value, s.Name+" has no such option; "+s.optionNames())
		} else if err := o.Check(value); err != nil {
			r.refuse(name, value, err.Error())
		}
	}
	return r
}

func (s *Spec) optionNames() string {
	if len(s.Options) == 0 {
		return "it has none"
	}
	names := make([]string, len(s.Options))
	for i, o := range s.Options {
		names[i] = o.Name
	}
	return "it has " + strings.Join(names, ", ")
}

func (r *settings) refuse(field, value, reason string) {
	r.mistakes = append(r.mistakes, &PolicyError{Field: field, Value: value, Reason: reason})
}

func (r *settings) inRange(field string, value, lowest, highest int64) {
	if value < lowest || value > highest {
		r.refuse(field, strconv.FormatInt(value, 10), fmt.Sprintf("must be %d to %d", lowest, highest))
	}
}

// text is the value of an option, or its default.
func (r *settings) text(name string) string {
	if value, ok := r.Options[name]; ok {
		return value
	}
	o, _ := r.spec.Option(name)
	return o.Default
}

func (r *settings) flag(name string) bool { return r.text(name) == "true" }

// number is the value of an Int option, or otherwise where it is left out and has no default.
func (r *settings) number(name string, otherwise int64) int64 {
	n, err := strconv.ParseInt(r.text(name), 10, 64)
	if err != nil {
		return otherwise
	}
	return n
}

// make is the Maker if nothing was wrong, otherwise every mistake at once.
func (r *settings) make(maker func() Maker) (Maker, error) {
	if err := errors.Join(r.mistakes...); err != nil {
		return nil, err
	}
	return maker(), nil
}
