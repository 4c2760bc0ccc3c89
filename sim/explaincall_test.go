package sim

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
)

func told(t fataler, plan *Plan, limiter int, seq int64) *Story {
	t.Helper()
	s, err := ExplainCall(plan, limiter, seq)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Three requests at once, two a second: the third is told a second, waits it, and is served then.
func TestStoryOfARetry(t *testing.T) {
	sys := System{
		Profiles: []Profile{{Retry: retry.Policy{Kind: retry.RetryAfter, Attempts: 3}}},
		Service:  &Service{Workers: 1, Time: random.Distribution{Time: 100e6}, Queue: -1},
	}
	plan := around(t, sys, burst(3, 0), 10*time.Second, []algorithms.Policy{limited(2, time.Second)}, "fixed-window")
	s := told(t, plan, 0, 2)
	if s.Ending != Succeeded || s.Ended != 1.1e9 || s.Sent != 2 || len(s.Sendings) != 2 {
		t.Fatalf("%s at %d after %d sendings", s.Ending, s.Ended, s.Sent)
	}
	first, second := s.Sendings[0], s.Sendings[1]
	limit := first.Asks[0].Limits[0]
	if limit.Before.Remaining != 0 || limit.Capacity != 2 || limit.Until != 1e9 || limit.Accepts(0) {
		t.Errorf("the limit: %+v", limit)
	}
	if first.Fate != FateDenied || first.Refused != 0 || first.Told != 1e9 || first.Again != 1e9 || first.Response.Status != 429 || first.Ahead != algorithms.Never {
		t.Errorf("the first sending: %+v", first)
	}
	if limit := second.Asks[0].Limits[0]; limit.Before.Remaining != 2 || limit.After.Remaining != 1 {
		t.Errorf("the limit later: %+v", limit)
	}
	if second.Fate != FateSucceeded || second.Sent != 1e9 || second.Ahead != 1e9 || second.Queue != -1 || second.Began != 1e9 || second.Served != 1.1e9 {
		t.Errorf("the second sending: %+v", second)
	}
}

// Two of four wait in the line; for the fourth it is full, and its client gives up at once.
func TestStoryOfALine(t *testing.T) {
	sys := System{OnLimit: Queue, Waiting: 2}
	plan := around(t, sys, burst(4, 0), 10*time.Second, []algorithms.Policy{limited(1, time.Second)}, "token-bucket")
	s := told(t, plan, 0, 2)
	if c := s.Sendings[0]; c.Line != 1 || c.Decision.Verdict != algorithms.Delay || c.Ahead != 2e9 || c.Asked != 2 || c.Asks[0].At != 1e9 || s.Ended != 2e9 {
		t.Errorf("the third: %+v", c)
	}
	s = told(t, plan, 0, 3)
	if c := s.Sendings[0]; c.Line != 2 || c.Fate != FateDenied || s.Ending != GivenUp || s.Ended != 0 {
		t.Errorf("the fourth: %+v", c)
	}
}

// One worker takes 2 s, clients wait for 1 s: the second request is served when nobody waits any more.
func TestStoryOfWhatIsServedInVain(t *testing.T) {
	sys := System{Service: &Service{Workers: 1, Time: random.Distribution{Time: 2e9}, Queue: 1, Timeout: 1e9}}
	plan := around(t, sys, burst(3, 0), 10*time.Second, []algorithms.Policy{limited(9, time.Second)}, "token-bucket")
	s := told(t, plan, 0, 1)
	if c := s.Sendings[0]; c.Fate != FateTimedOut || c.Answered != 1e9 || c.Queue != 0 || c.Began != 2e9 || c.Served != 4e9 || s.Ending != GivenUp {
		t.Errorf("the second: %+v", c)
	}
	if c := told(t, plan, 0, 2).Sendings[0]; c.Fate != FateLost || c.Ahead != 0 || c.Began != algorithms.Never {
		t.Errorf("the third: %+v", c)
	}
}

// Of several servers a story tells which one decided, and when.
func TestStoryOfServers(t *testing.T) {
	sys := System{Servers: &servers.Config{
		Count: 2, Store: servers.Store{Latency: random.Distribution{Time: 10e6}, Outages: []servers.Outage{{From: 1e9, Until: 2e9}}}, FailOpen: true,
	}}
	requests := append(burst(2, 0), burst(1, time.Second)...)
	plan := around(t, sys, requests, 10*time.Second, []algorithms.Policy{limited(1, time.Minute)}, "fixed-window")
	if c := told(t, plan, 0, 1).Sendings[0]; c.Server != 1 || c.ServerAt != 5e6 || c.Decided != 10e6 || c.Fate != FateDenied || c.Failed != servers.None || len(c.Asks) != 0 {
		t.Errorf("the second: %+v", c)
	}
	if c := told(t, plan, 0, 2).Sendings[0]; c.Failed != servers.Open || c.Fate != FateSucceeded {
		t.Errorf("the third, without the store: %+v", c)
	}
}

// A client that never stops is told of by its first and its latest sendings.
func TestStoryOfManySendings(t *testing.T) {
	sys := System{Profiles: []Profile{{Retry: retry.Policy{Kind: retry.Fixed, Wait: 1e6, Attempts: 1e6}}}}
	plan := around(t, sys, burst(2, 0), 10*time.Second, []algorithms.Policy{limited(1, time.Minute)}, "fixed-window")
	s := told(t, plan, 0, 1)
	if n := len(s.Sendings); n != MostSendings || s.Sent != 10_000 || s.Sendings[0].Attempt != 1 ||
		s.Sendings[n/2-1].Attempt != int64(n/2) || s.Sendings[n-1].Attempt != 10_000 || s.Ending != Unfinished || s.Ended != algorithms.Never {
		t.Errorf("%d of %d sendings, %s", n, s.Sent, s.Ending)
	}
}

func TestStoryThatIsNone(t *testing.T) {
	plan := around(t, System{}, burst(3, 0), time.Second, []algorithms.Policy{limited(1, time.Second)}, "gcra")
	for _, seq := range []int64{-1, 3} {
		if _, err := ExplainCall(plan, 0, seq); err == nil || !strings.Contains(err.Error(), "the run has only 3 requests") {
			t.Errorf("request %d: error %v", seq, err)
		}
	}
	if _, err := ExplainCall(planOf(t, at(1, 0), 1e9, perMinute(1)), 0, 0); err == nil {
		t.Error("a limiter alone has a story")
	}
}

// The stories of all requests add up to what the run measures, and tell of each call what an observer
// of the run sees.
func TestStoriesAgreeWithTheRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, seen := randomSystem(t), history{}
		results := New(plan, Options{Buckets: 1, Workers: 1, Observer: seen, Responses: true}).Finish()
		i := rapid.IntRange(0, len(results)-1).Draw(t, "limiter")
		var got SystemSummary
		for seq := range results[i].Summary.System.Requests {
			s := told(t, plan, i, seq)
			got.count(s)
			checkSendings(t, s, seen[i])
		}
		w := results[i].Summary.System
		want := SystemSummary{
			Succeeded: w.Succeeded, Cheap: w.Cheap, GaveUp: w.GaveUp, Unfinished: w.Unfinished, Requests: w.Requests,
			Calls: w.Calls, Lost: w.Lost, TimedOut: w.TimedOut, Wasted: w.Wasted,
		}
		if got != want {
			t.Fatalf("%s: the stories tell of\n%+v, the run of\n%+v", results[i].Name, got, want)
		}
	})
}

func (s *SystemSummary) count(story *Story) {
	*map[Ending]*int64{Succeeded: &s.Succeeded, Cheap: &s.Cheap, GivenUp: &s.GaveUp, Unfinished: &s.Unfinished}[story.Ending]++
	s.Requests++
	s.Calls += story.Sent
	for _, c := range story.Sendings {
		switch {
		case c.Fate == FateLost:
			s.Lost++
		case c.Fate == FateTimedOut:
			s.TimedOut++
			if c.Ahead != algorithms.Never && (c.Served != algorithms.Never) {
				s.Wasted++
			}
		}
	}
}

func checkSendings(t *rapid.T, s *Story, seen []Step) {
	n := 0
	for _, step := range seen {
		if step.Seq != s.Seq {
			continue
		}
		c := s.Sendings[n]
		n++
		if c.Attempt != step.Attempt || c.Sent != step.Request.At || c.Decided != step.Decided || c.Decision != step.Decision ||
			c.Refused != step.Rule || c.Response != *step.Response {
			t.Fatalf("%s: request %d is told as %+v, and was %+v", s.Limiter.Name, s.Seq, c, step)
		}
		for _, ask := range c.Asks {
			if refused := ask.Refused >= 0; refused != (ask.Decision.Verdict == algorithms.Deny) {
				t.Fatalf("%s: %+v", s.Limiter.Name, ask)
			}
			for _, limit := range ask.Limits {
				if limit.Rule == ask.Refused && s.Limiter.Spec.Name != "unlimited" && limit.Accepts(ask.At) {
					t.Fatalf("%s: refused by a limit that accepts: %+v", s.Limiter.Name, ask)
				}
			}
		}
	}
	if n != len(s.Sendings) {
		t.Fatalf("%s: request %d: %d sendings told, %d decided", s.Limiter.Name, s.Seq, len(s.Sendings), n)
	}
}
