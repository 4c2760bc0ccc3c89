package algorithms_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

// TestOracleThroughChanges puts the same random requests, ends of service and changes of the policy to
// every registered algorithm and to its definition.
func TestOracleThroughChanges(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		t.Run(spec.Name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				s := drawSubject(t, spec)
				d := &drive{subject: s, spec: spec, l: s.make(), right: newOracle(spec.Name, s.policy)}
				for range rapid.IntRange(1, 30).Draw(t, "events") {
					d.event(t)
				}
			})
		})
	}
}

// drive is a limiter and its definition on the way through one run.
type drive struct {
	subject // under the policy as it is now
	spec    *algorithms.Spec
	l       algorithms.Limiter
	right   *oracle
	now     Time
	flights []int64 // costs of the admitted requests whose service has not ended, if they hold units
	past    []string
}

// event draws what happens next and compares both afterwards.
func (d *drive) event(t *rapid.T) {
	switch kind := rapid.IntRange(0, 9).Draw(t, "event"); {
	case kind <= 1:
		d.change(t)
	case kind <= 4 && len(d.flights) > 0:
		d.end(t)
	default:
		d.request(t)
	}
	d.compare(t)
}

// request asks both, now and then at an earlier instant.
func (d *drive) request(t *rapid.T) {
	st := drawSteps(1).Draw(t, "step")[0]
	d.now = d.land(d.l, d.now, st)
	r := request{d.now, d.cost(d.l, d.now, st)}
	if rapid.IntRange(0, 9).Draw(t, "back") == 0 {
		r.at /= 2
	}
	if want, got := d.right.When(r.at, r.cost), d.l.When(r.at, r.cost); got != want {
		t.Fatalf("%s\n%v: When says %d, want %d", d, r, got, want)
	}
	want, got := d.right.Decide(r.at, r.cost), d.l.Decide(r.at, r.cost)
	if got != want {
		t.Fatalf("%s\n%v: got %v, want %v", d, r, got, want)
	}
	if d.holds && got.Verdict.Accepted() {
		d.flights = append(d.flights, r.cost)
	}
	d.log("%v: %v", r, got)
}

// end ends the service of one request.
func (d *drive) end(t *rapid.T) {
	i := rapid.IntRange(0, len(d.flights)-1).Draw(t, "flight")
	cost, late := d.flights[i], rapid.Bool().Draw(t, "late")
	d.flights = append(d.flights[:i], d.flights[i+1:]...)
	d.now = later(d.now, rapid.Int64Range(0, 9).Draw(t, "later"))
	d.right.Done(d.now, cost, late)
	d.l.(algorithms.Holding).Done(d.now, cost, late)
	d.log("%d units end at %d, late: %v", cost, d.now, late)
}

// change puts both under another policy.
func (d *drive) change(t *rapid.T) {
	d.now = later(d.now, rapid.OneOf(rapid.Just[int64](0), upTo(int64(d.policy.Limit.Per))).Draw(t, "later"))
	p := drawChange(t, d.spec, d.policy)
	m, err := d.spec.Build(p)
	if err != nil {
		t.Fatalf("%s refuses %+v: %v", d.spec.Name, p, err)
	}
	if !algorithms.Adjust(d.l, d.now, m) {
		t.Fatalf("%s\ncannot be put under %+v", d, p)
	}
	d.right.change(d.now, p)
	d.subject = newSubject(d.spec, p, m)
	d.log("%+v from %d on", p, d.now)
}

// compare holds what can be read against the definition, and what is in flight against what was
// admitted and has not ended.
func (d *drive) compare(t *rapid.T) {
	if err := d.readings(d.l, d.now, d.spec, d.right); err != nil {
		t.Fatalf("%s\n%v", d, err)
	}
	sum := int64(0)
	for _, cost := range d.flights {
		sum += cost
	}
	if d.holds && levelOf(d.l, d.now) != algorithms.Milli(sum)*1000 {
		t.Fatalf("%s\n%d thousandths in flight, want %d units", d, levelOf(d.l, d.now), sum)
	}
}

func (d *drive) log(format string, args ...any) {
	d.past = append(d.past, fmt.Sprintf(format, args...))
}

func (d *drive) String() string {
	text := d.spec.Name
	for _, line := range d.past {
		text += "\n  " + line
	}
	return text
}

// drawChange draws the policy that another is changed to: the limit and the burst, of buckets the
// period too, often near those before.
func drawChange(t *rapid.T, spec *algorithms.Spec, p algorithms.Policy) algorithms.Policy {
	near := func(n int64) *rapid.Generator[int64] {
		return rapid.OneOf(
			rapid.SampledFrom([]int64{n, max(1, n/2), min(2*n, algorithms.MaxUnits), max(1, n-1), min(n+1, algorithms.MaxUnits)}),
			drawUnits(),
		)
	}
	to := algorithms.Policy{Start: p.Start, Limit: p.Limit, Options: map[string]string{}}
	to.Limit.N = near(p.Limit.N).Draw(t, "new n")
	if rapid.Bool().Draw(t, "sets a burst") {
		to.Burst = near(p.Capacity()).Draw(t, "new burst")
	}
	if spec.Bursts && rapid.Bool().Draw(t, "another period") {
		to.Limit.Per = drawPeriod().Draw(t, "new per")
	}
	for _, name := range []string{"refill", "anchor", "slots", "count_denied", "rounding"} {
		if value, ok := p.Options[name]; ok {
			to.Options[name] = value
		}
	}
	return to
}

// TestAdjustRefused: what cannot be changed is left as it is.
func TestAdjustRefused(t *testing.T) {
	limit := algorithms.Limit{N: 3, Per: time.Second}
	slower := algorithms.Limit{N: 3, Per: time.Minute}
	rows := []struct {
		story, from, options, to, toOptions string
		limit                               algorithms.Limit
	}{
		{"another algorithm", "gcra", "", "token-bucket", "", limit},
		{"the period of a window", "fixed-window", "", "fixed-window", "", slower},
		{"the period of a window of its own", "fixed-window", "anchor=first", "fixed-window", "anchor=first", slower},
		{"the period of a log", "sliding-log", "", "sliding-log", "", slower},
		{"the period of two windows", "sliding-counter", "", "sliding-counter", "", slower},
		{"the period of slots", "sliding-buckets", "", "sliding-buckets", "", slower},
		{"other slots", "sliding-buckets", "", "sliding-buckets", "slots=7", limit},
		{"windows of another anchor", "fixed-window", "", "fixed-window", "anchor=first", limit},
		{"another refill", "token-bucket", "refill=interval", "token-bucket", "", limit},
		{"no refill in intervals before", "token-bucket", "", "token-bucket", "refill=interval", limit},
		{"what has no limit", "unlimited", "", "gcra", "", limit},
	}
	for _, row := range rows {
		m := maker(t, row.to, algorithms.Policy{Limit: row.limit, Options: options(row.toOptions)})
		from := maker(t, row.from, algorithms.Policy{Limit: limit, Options: options(row.options)})
		l, twin, table := from.New(), from.New(), algorithms.NewTable(from)
		if algorithms.Adjust(l, 0, m) || table.Adjust(0, m) {
			t.Errorf("%s: %s %s was put under %s %s", row.story, row.from, row.options, row.to, row.toOptions)
		}
		table.Grow(1)
		for _, at := range []Time{0, 0, 0, 0, sec, 2 * sec} {
			want := twin.Decide(at, 1)
			if a, b := l.Decide(at, 1), table.At(0).Decide(at, 1); a != want || b != want {
				t.Errorf("%s: %v, %v instead of %v", row.story, a, b, want)
			}
		}
	}
	if algorithms.Adjust(&pause{}, 0, maker(t, "gcra", algorithms.Policy{Limit: limit})) {
		t.Error("a limiter that knows nothing of changes was changed")
	}
}

// TestSameDecisionsThroughChanges: gcra and leaky-meter decide as token-bucket does after changes, too,
// and leaky-bucket accepts what it accepts and promises no instant before one that it has promised.
func TestSameDecisionsThroughChanges(t *testing.T) {
	bucket, _ := algorithms.Lookup("token-bucket")
	for _, name := range []string{"gcra", "leaky-meter", "leaky-bucket"} {
		other, _ := algorithms.Lookup(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				s := drawSubject(rt, other)
				p, now, promised := s.policy, Time(0), Time(0)
				a, b := build(t, bucket.Name, p), s.make()
				for range rapid.IntRange(1, 40).Draw(rt, "events") {
					if rapid.IntRange(0, 4).Draw(rt, "change") == 0 {
						p = drawChange(rt, other, p)
						algorithms.Adjust(a, now, maker(t, bucket.Name, p))
						algorithms.Adjust(b, now, maker(t, name, p))
						s = newSubject(other, p, maker(t, name, p))
						continue
					}
					st := drawSteps(1).Draw(rt, "step")[0]
					now = s.land(b, now, st)
					cost := s.cost(b, now, st)
					want, got := a.Decide(now, cost), b.Decide(now, cost)
					if name == "leaky-bucket" && got.Verdict.Accepted() {
						if got.Until < promised {
							rt.Fatalf("%d units at %d go ahead at %d, before others that go at %d", cost, now, got.Until, promised)
						}
						promised = got.Until
						got = algorithms.Decision{Verdict: algorithms.Admit, Until: now}
					}
					if got != want {
						rt.Fatalf("%+v, %d units at %d: %v, token-bucket %v", p, cost, now, got, want)
					}
				}
			})
		})
	}
}
