package sim

import (
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// What a refusal promises, for every algorithm and for several limits at once: a client alone that
// waits as long as it was told is let through, and one that comes a second earlier is not, so that
// nobody is told to wait longer than needed by a second or more.

// drawPolicy draws a policy for one algorithm with options that it has.
func drawPolicy(t *rapid.T, spec *algorithms.Spec) algorithms.Policy {
	p := algorithms.Policy{
		Limit: algorithms.Limit{N: rapid.Int64Range(1, 6).Draw(t, "n"), Per: time.Duration(rapid.SampledFrom([]int64{1, 7, 1e8, 1e9, 1.5e9, 1e10, 6e10}).Draw(t, "per"))},
		Start: rapid.SampledFrom([]int64{0, 123_456_789, -1}).Draw(t, "start"), Options: map[string]string{},
	}
	if spec.Bursts {
		p.Burst = rapid.Int64Range(0, 6).Draw(t, "burst")
	}
	for _, o := range spec.Options {
		if values := choices(o); len(values) > 0 && rapid.Bool().Draw(t, o.Name+" given") {
			p.Options[o.Name] = rapid.SampledFrom(values).Draw(t, o.Name)
		}
	}
	return p
}

// choices are values of an option; those of a number may be out of its range for some policies.
func choices(o algorithms.Option) []string {
	switch o.Kind {
	case algorithms.Choice:
		return o.Choices
	case algorithms.Bool:
		return []string{"true", "false"}
	}
	return []string{strconv.FormatInt(max(o.Min, 1), 10)}
}

// drawGuests draws requests of other clients, then one of client 0.
func drawGuests(t *rapid.T) []traffic.Request {
	now := Time(0)
	var out []traffic.Request
	one := func(client uint32) {
		now += Time(rapid.SampledFrom([]int64{0, 0, 0, 1, 3e8, 1e9, 7e9}).Draw(t, "gap"))
		out = append(out, traffic.Request{At: now, Cost: rapid.SampledFrom([]int64{1, 1, 2, 3, 7}).Draw(t, "cost"), Client: client})
	}
	for range rapid.IntRange(0, 12).Draw(t, "requests") {
		one(1)
	}
	one(0)
	return out
}

// A limiter alone, all clients under one key.
func TestWaitingAsToldIsEnough(t *testing.T) {
	for _, spec := range algorithms.Specs() {
		t.Run(spec.Name, rapid.MakeCheck(func(t *rapid.T) {
			policy := drawPolicy(t, spec)
			maker, err := spec.Build(policy)
			if err != nil {
				t.Skip(err)
			}
			requests := drawGuests(t)
			entry := Limiter{Name: spec.Name, Spec: spec, Policy: policy, Maker: maker}
			again := func(later Time) *Explanation {
				last := requests[len(requests)-1]
				last.At += later
				return explained(t, entry, append(requests[:len(requests):len(requests)], last))
			}
			checkPromise(t, explained(t, entry, requests), again)
		}))
	}
}

func explained(t *rapid.T, entry Limiter, requests []traffic.Request) *Explanation {
	plan := &Plan{Duration: algorithms.Never, Clients: NewNames(), Shared: true, Limiters: []Limiter{entry},
		Open: func() traffic.Source { return traffic.Fixed(requests) }}
	e, err := Explain(plan, 0, int64(len(requests)-1))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// checkPromise holds what was told against what comes of it.
func checkPromise(t *rapid.T, e *Explanation, again func(Time) *Explanation) {
	told, denied := e.Response.RetryAfter, e.Decision.Verdict == algorithms.Deny
	switch {
	case !denied && told != 0:
		t.Fatalf("told to wait %d s though accepted", told)
	case !denied:
		return
	case e.Request.Cost > e.Capacity && (told != 0 || !e.Response.Never):
		t.Fatalf("told to wait %d s for what never fits", told)
	case e.Request.Cost <= e.Capacity && !e.Limiter.Spec.Holds && told < 1:
		t.Fatalf("told to wait %d s", told)
	case told == 0:
		return
	}
	if got := again(Time(told) * 1e9).Decision; !got.Verdict.Accepted() {
		t.Fatalf("refused after waiting %d s as told: %+v", told, got)
	}
	if got := again(Time(told-1) * 1e9).Decision; got.Verdict.Accepted() {
		t.Fatalf("told to wait %d s, and accepted a second earlier", told)
	}
}

// Two limits at once, one for each address and one for all, of the same algorithm or of another. The
// client that is alone comes as it was told, or a second earlier.
func TestWaitingAsToldIsEnoughForSeveralLimits(t *testing.T) {
	specs := algorithms.Specs()
	rapid.Check(t, func(t *rapid.T) {
		var enforced []Enforced
		for range 2 {
			spec := rapid.SampledFrom(specs).Draw(t, "algorithm")
			policy := drawPolicy(t, spec)
			maker, err := spec.Build(policy)
			if err != nil {
				t.Skip(err)
			}
			enforced = append(enforced, Enforced{Spec: spec, Policy: policy, Maker: maker})
		}
		requests := drawGuests(t)
		partial := rapid.Bool().Draw(t, "keep")
		sending := func(p retry.Policy) *Story {
			return told(t, twoLimits(enforced, requests, p, partial), 0, int64(len(requests)-1))
		}
		as := sending(retry.Policy{Kind: retry.RetryAfter, Wait: 1, Attempts: 2})
		first := as.Sendings[0]
		if first.Fate != FateDenied || first.Told == 0 {
			checkUntold(t, enforced, as)
			return
		}
		if first.Told < 1e9 || first.Told != Time(first.Response.RetryAfter)*1e9 {
			t.Fatalf("told to wait %d ns, Retry-After: %d", first.Told, first.Response.RetryAfter)
		}
		if as.Ending != Succeeded {
			t.Fatalf("refused after waiting %d s as told: %+v", first.Response.RetryAfter, as.Sendings[1])
		}
		early := sending(retry.Policy{Kind: retry.Fixed, Wait: first.Told - 1e9, Attempts: 2})
		if early.Ending == Succeeded {
			t.Fatalf("told to wait %d s, and accepted a second earlier: %+v", first.Response.RetryAfter, early)
		}
	})
}

// checkUntold wants a reason where nothing was told.
func checkUntold(t *rapid.T, enforced []Enforced, s *Story) {
	if s.Sendings[0].Fate != FateDenied {
		return
	}
	for _, e := range enforced {
		if e.Spec.Holds || s.Request.Cost > e.Spec.Capacity(e.Policy) {
			return
		}
	}
	t.Fatalf("not told when to come again: %+v", s.Sendings[0])
}

func twoLimits(enforced []Enforced, requests []traffic.Request, p retry.Policy, partial bool) *Plan {
	sys := &System{
		Profiles: []Profile{{Retry: p}, {}}, ProfileOf: []uint16{0, 1}, Addresses: []uint32{0, 0},
		Tiers: []string{""}, Endpoints: []string{""}, Rules: []Rule{{Name: "address", Key: Key{Address: true}}, {Name: "all"}},
		KeepPartial: partial,
	}
	names := NewNames()
	names.ID("alone")
	names.ID("before")
	return &Plan{Duration: algorithms.Never, Clients: names, System: sys, Open: func() traffic.Source { return traffic.Fixed(requests) },
		Limiters: []Limiter{{Name: "both", Spec: enforced[0].Spec, Policy: enforced[0].Policy, Maker: enforced[0].Maker, Enforced: enforced}}}
}
