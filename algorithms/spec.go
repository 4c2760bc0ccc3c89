package algorithms

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Policy is what an algorithm is asked to enforce.
type Policy struct {
	Limit Limit

	// Burst is the capacity of the bucket family: how many unit requests pass back to back from
	// idle, 1 to MaxUnits; 0 stands for Limit.N. The window family has no burst and ignores it.
	Burst int64

	// Start is the Unix time of instant 0, in nanoseconds. Windows anchored to the clock need it;
	// 0 makes instant 0 an edge whatever the period is.
	Start int64

	// Options are the algorithm's own settings as text, by Option.Name. What is left out has its
	// default.
	Options map[string]string
}

// Capacity is Burst, or Limit.N where Burst is left at 0.
func (p Policy) Capacity() int64 {
	if p.Burst == 0 {
		return p.Limit.N
	}
	return p.Burst
}

// Spec describes one algorithm as data: what list, help, completion, scenario files, the schema,
// the editor, tests and benchmarks range over.
type Spec struct {
	Name    string   // as written in files and on the command line
	Summary string   // one line: what it does
	Options []Option // in the order they are shown
	Gauge   Gauge    // what its limiters' Level is a level of; no Name if there is none
	Holds   bool     // its limiters are Holding: they need to hear of ends of service
	Bursts  bool     // it belongs to the bucket family, whose capacity is Policy.Burst
	Traits  Traits
	Page    string // how it works, in Markdown-free paragraphs separated by blank lines

	// Worst reports the most units that can go ahead in any half-open interval of length
	// Limit.Per under this policy, or -1 if there is no bound. The policy must be one that Build
	// accepts.
	Worst func(Policy) int64

	// Build checks the policy once. The error joins one *PolicyError for every mistake in it.
	Build func(Policy) (Maker, error)

	// most is the highest limit that a limiter may move to by itself; nil if it moves none.
	most func(Policy) int64
}

// Capacity reports the most units that a single request may ever cost under p: the burst for the
// bucket family, the highest limit where limiters move their own, the limit for all others.
func (s *Spec) Capacity(p Policy) int64 {
	switch {
	case s.Bursts:
		return p.Capacity()
	case s.most != nil:
		return s.most(p)
	}
	return p.Limit.N
}

// Option looks an option up by name.
func (s *Spec) Option(name string) (Option, bool) {
	for _, o := range s.Options {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// Gauge names the level that an algorithm's limiters report.
type Gauge struct {
	Name      string // for example "tokens left"
	RestsFull bool   // an idle limiter stands at its capacity (tokens), not at zero (a count)
}

// Traits answer what one asks when choosing an algorithm.
type Traits struct {
	State   string // what is kept per key, for example "2 words"
	Time    string // how the time of a decision grows, for example "constant"
	Worst   string // the most it lets through in one period, as a formula in N and B
	Burst   string // what it does with a burst from idle
	Smooths string // whether its output is smoother than its input
	Exact   string // against a limit of N in any trailing window
}

// Kind is the kind of value that an option takes.
type Kind uint8

const (
	Bool   Kind = iota // true or false
	Int                // a whole number from Min to Max
	Choice             // one of Choices
)

// Option describes one setting of an algorithm.
type Option struct {
	Name     string
	Kind     Kind
	Default  string   // as text; "" where the default depends on the policy, which Meaning says
	Min, Max int64    // of an Int
	Choices  []string // of a Choice
	Meaning  string   // one line
}

// Values says which values the option takes: "true or false", "0 to 10", "clock or first".
func (o Option) Values() string {
	switch o.Kind {
	case Bool:
		return "true or false"
	case Int:
		return fmt.Sprintf("%d to %d", o.Min, o.Max)
	default:
		return strings.Join(o.Choices, " or ")
	}
}

// Check reports whether text is a value that the option takes.
func (o Option) Check(text string) error {
	switch o.Kind {
	case Bool:
		if text == "true" || text == "false" {
			return nil
		}
	case Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil && n >= o.Min && n <= o.Max {
			return nil
		}
	case Choice:
		for _, c := range o.Choices {
			if text == c {
				return nil
			}
		}
	}
	return errors.New("must be " + o.Values())
}

// Maker makes the limiter of one more key: cheap, and it cannot fail. The limiter is as if it had
// stood unused since instant 0, whenever it is made. A Maker is safe for concurrent use.
type Maker interface{ New() Limiter }

// PolicyError is one mistake in a policy.
type PolicyError struct {
	Field  string // "limit", "per", "burst", or the name of an option
	Value  string // the offending value as text
	Reason string // what would be right
}

func (e *PolicyError) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Field, strconv.Quote(e.Value), e.Reason)
}

// Specs returns every algorithm in the order in which they are shown. To add one, write its file
// and its line here.
func Specs() []*Spec {
	return []*Spec{
		tokenBucketSpec(),
		gcraSpec(),
		leakyMeterSpec(),
		leakyBucketSpec(),
		fixedWindowSpec(),
		slidingLogSpec(),
		slidingCounterSpec(),
		slidingBucketsSpec(),
		concurrencySpec(),
		adaptiveSpec(),
		unlimitedSpec(),
	}
}

// Defaults are the algorithms that can be put to any traffic, in the same order: all but those that
// need to hear of ends of service.
func Defaults() []*Spec {
	return slices.DeleteFunc(Specs(), func(s *Spec) bool { return s.Holds })
}

// Lookup finds an algorithm by name.
func Lookup(name string) (*Spec, bool) {
	for _, s := range Specs() {
		if s.Name == name {
			return s, true
		}
	}
	return nil, false
}
