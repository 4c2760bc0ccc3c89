package algorithms_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// mistakes unpacks the error of Build: the fields named, and whether all of it is *PolicyError.
func mistakes(err error) (fields []string, ok bool) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil, false
	}
	for _, e := range joined.Unwrap() {
		var m *algorithms.PolicyError
		if !errors.As(e, &m) {
			return nil, false
		}
		fields = append(fields, m.Field)
	}
	return fields, true
}

// TestPolicyRefused: each refusal names the field, quotes the value and says what would be right;
// several mistakes are all reported.
func TestPolicyRefused(t *testing.T) {
	perMinute := algorithms.Limit{N: 100, Per: time.Minute}
	rows := []struct {
		algorithm string
		policy    algorithms.Policy
		says      []string // one for each mistake
	}{
		{"gcra", algorithms.Policy{Limit: algorithms.Limit{Per: time.Minute}},
			[]string{`limit "0": must be 1 to 1000000000000`}},
		{"sliding-log", algorithms.Policy{Limit: algorithms.Limit{N: -1, Per: time.Minute}},
			[]string{`limit "-1": must be 1 to 1000000000000`}},
		{"unlimited", algorithms.Policy{Limit: algorithms.Limit{N: 1_000_000_000_001, Per: time.Minute}},
			[]string{`limit "1000000000001": must be 1 to 1000000000000`}},
		{"gcra", algorithms.Policy{Limit: algorithms.Limit{N: 100}},
			[]string{`per "0s": must be 1ns to 87840h0m0s (ten years)`}},
		{"fixed-window", algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: 87840*time.Hour + 1}},
			[]string{`per "87840h0m0.000000001s": must be 1ns to 87840h0m0s (ten years)`}},
		{"leaky-meter", algorithms.Policy{Limit: perMinute, Burst: -5},
			[]string{`burst "-5": must be 1 to 1000000000000`}},
		{"leaky-bucket", algorithms.Policy{Limit: perMinute, Burst: math.MaxInt64},
			[]string{`burst "9223372036854775807": must be 1 to 1000000000000`}},
		{"fixed-window", algorithms.Policy{Limit: perMinute, Options: options("anchor=frist")},
			[]string{`anchor "frist": must be clock or first`}},
		{"sliding-log", algorithms.Policy{Limit: perMinute, Options: options("count_denied=yes")},
			[]string{`count_denied "yes": must be true or false`}},
		{"sliding-counter", algorithms.Policy{Limit: perMinute, Options: options("slots=3")},
			[]string{`slots "3": sliding-counter has no such option; it has rounding`}},
		{"gcra", algorithms.Policy{Limit: perMinute, Options: options("initial=3")},
			[]string{`initial "3": gcra has no such option; it has none`}},
		{"sliding-buckets", algorithms.Policy{Limit: perMinute, Options: options("slots=0")},
			[]string{`slots "0": must be 1 to 10000`}},
		{"sliding-buckets", algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: 59}, Options: options("slots=60")},
			[]string{`slots "60": must be at most the period in ns, 59`}},
		{"token-bucket", algorithms.Policy{Limit: perMinute, Burst: 20, Options: options("initial=21")},
			[]string{`initial "21": must be 0 to the burst, 20`}},
		{"token-bucket", algorithms.Policy{Limit: perMinute, Options: options("initial=12.5")},
			[]string{`initial "12.5": must be 0 to 1000000000000`}},
		{"adaptive", algorithms.Policy{Limit: perMinute, Options: options("min=101 max=99")},
			[]string{`min "101": must be at most the limit, 100`, `max "99": must be at least the limit, 100`}},
		{"adaptive", algorithms.Policy{Limit: perMinute, Options: options("min=0")},
			[]string{`min "0": must be 1 to 1000000000000`}},
		{"token-bucket", algorithms.Policy{Burst: -1, Options: options("refill=hourly colour=red")},
			[]string{`limit "0"`, `per "0s"`, `burst "-1"`, `refill "hourly": must be continuous or interval`,
				`colour "red": token-bucket has no such option; it has refill, initial`}},
	}
	for _, row := range rows {
		spec, _ := algorithms.Lookup(row.algorithm)
		m, err := spec.Build(row.policy)
		fields, ok := mistakes(err)
		if m != nil || !ok || len(fields) != len(row.says) {
			t.Errorf("%s %+v: got %v, %q, want %q", row.algorithm, row.policy, m, err, row.says)
			continue
		}
		for _, part := range row.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: got %q, which lacks %q", row.algorithm, err, part)
			}
		}
	}
}

// TestPolicyLeftAlone: building changes nothing of the policy, and the same limiter comes out of a
// default that is left out as of one that is written.
func TestPolicyLeftAlone(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		p := algorithms.Policy{Limit: algorithms.Limit{N: 3, Per: time.Second}, Options: map[string]string{}}
		bare := maker(t, spec.Name, p).New()
		for _, o := range spec.Options {
			if o.Default != "" {
				p.Options[o.Name] = o.Default
			}
		}
		given := len(p.Options)
		written := maker(t, spec.Name, p).New()
		if len(p.Options) != given || p.Burst != 0 {
			t.Errorf("%s changes the policy: %+v", spec.Name, p)
		}
		for i := range Time(20) {
			at := i * Time(time.Second) / 7
			if a, b := bare.Decide(at, 1+int64(i)%2), written.Decide(at, 1+int64(i)%2); a != b {
				t.Errorf("%s: %v with defaults left out, %v with defaults written", spec.Name, a, b)
			}
		}
	}
}

// FuzzPolicy: whatever the policy, Build either reports every mistake or makes limiters that work.
func FuzzPolicy(f *testing.F) {
	f.Add(uint8(0), int64(100), int64(time.Minute), int64(20), int64(0), "refill", "interval", "initial", "7")
	f.Add(uint8(4), int64(1), int64(1), int64(0), int64(math.MinInt64), "anchor", "first", "count_denied", "true")
	f.Add(uint8(6), int64(0), int64(-1), int64(-1), int64(5), "rounding", "up", "slots", "0")
	f.Add(uint8(7), algorithms.MaxUnits, int64(algorithms.MaxPeriod), algorithms.MaxUnits+1, int64(-1), "slots", "10000", "", "")
	f.Fuzz(func(t *testing.T, which uint8, n, per, burst, start int64, name1, value1, name2, value2 string) {
		specs := algorithms.Specs()
		spec := specs[int(which)%len(specs)]
		p := algorithms.Policy{
			Limit: algorithms.Limit{N: n, Per: time.Duration(per)}, Burst: burst, Start: start,
			Options: map[string]string{name1: value1, name2: value2},
		}
		m, err := spec.Build(p)
		if err != nil {
			checkRefusal(t, spec, p, err)
			return
		}
		if wrong := wrongFields(spec, p); len(wrong) > 0 {
			t.Fatalf("%s accepts %+v in spite of %v", spec.Name, p, wrong)
		}
		s := newSubject(spec, p, m)
		past := []request{{0, s.capacity}, {0, 1}, {Time(per), s.capacity + 1}, {lastInstant, 1}}
		if err := wholeRangeWorks(s, past); err != nil {
			t.Fatal(err)
		}
	})
}

// wrongFields are the fields that are out of their own range, whatever the others say.
func wrongFields(spec *algorithms.Spec, p algorithms.Policy) []string {
	var wrong []string
	if p.Limit.N < 1 || p.Limit.N > 1e12 {
		wrong = append(wrong, "limit")
	}
	if p.Limit.Per < 1 || p.Limit.Per > algorithms.MaxPeriod {
		wrong = append(wrong, "per")
	}
	if p.Burst < 0 || p.Burst > 1e12 {
		wrong = append(wrong, "burst")
	}
	for name, value := range p.Options {
		if o, ok := spec.Option(name); !ok || o.Check(value) != nil {
			wrong = append(wrong, name)
		}
	}
	return wrong
}

// checkRefusal: all that is wrong is reported and quoted, and nothing else but options, which may
// not go with the rest.
func checkRefusal(t *testing.T, spec *algorithms.Spec, p algorithms.Policy, err error) {
	fields, ok := mistakes(err)
	if !ok {
		t.Fatalf("%s: %T is not made of *PolicyError: %v", spec.Name, err, err)
	}
	wrong := wrongFields(spec, p)
	for _, field := range wrong {
		if !slices.Contains(fields, field) {
			t.Errorf("%s does not report %s of %+v: %v", spec.Name, field, p, err)
		}
	}
	for _, field := range fields {
		value, isOption := p.Options[field]
		if !slices.Contains(wrong, field) && !isOption {
			t.Errorf("%s reports %s of %+v: %v", spec.Name, field, p, err)
		}
		if isOption && !strings.Contains(err.Error(), strconv.Quote(value)) {
			t.Errorf("%s does not quote %q: %v", spec.Name, value, err)
		}
	}
}
