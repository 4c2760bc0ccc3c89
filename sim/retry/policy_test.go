package retry

import (
	"fmt"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
	"pgregory.net/rapid"
)

const second = Time(time.Second)

// attempts are the instants at which a request is sent that is never successful, beginning at 10s.
// Each answer comes after a latency and tells the same.
func attempts(p Policy, told, latency Time, draw *random.Stream) []Time {
	at, ok := 10*second, true
	s := State{First: at}
	var sent []Time
	for ok {
		sent = append(sent, at)
		s.Attempts++
		at, ok = p.Next(at+latency, &s, Answer{RetryAfter: told}, draw)
	}
	return sent
}

func TestNext(t *testing.T) {
	const s = second
	for _, test := range []struct {
		name    string
		policy  Policy
		told    Time
		latency Time
		want    string // instants in seconds
	}{
		{name: "never", policy: Policy{Kind: Never, Attempts: 10}, told: s, want: "[10]"},
		{name: "at once", policy: Policy{Kind: AtOnce, Attempts: 3}, told: s, want: "[10 10 10]"},
		{name: "once means never again", policy: Policy{Kind: AtOnce, Attempts: 1}, want: "[10]"},
		{name: "fixed", policy: Policy{Kind: Fixed, Wait: 2 * s, Attempts: 4}, want: "[10 12 14 16]"},
		{name: "fixed does not listen", policy: Policy{Kind: Fixed, Wait: s, Attempts: 3}, told: 5 * s, want: "[10 11 12]"},
		{name: "waits begin at the answer", policy: Policy{Kind: Fixed, Wait: 2 * s, Attempts: 3}, latency: s, want: "[10 13 16]"},
		{name: "exponential", policy: Policy{Kind: Exponential, Wait: s, Attempts: 6}, want: "[10 11 13 17 25 41]"},
		{name: "exponential up to 3s", policy: Policy{Kind: Exponential, Wait: s, Most: 3 * s, Attempts: 6}, want: "[10 11 13 16 19 22]"},
		{name: "first wait beyond the longest", policy: Policy{Kind: Exponential, Wait: 9 * s, Most: s, Attempts: 3}, want: "[10 11 12]"},
		{name: "as told", policy: Policy{Kind: RetryAfter, Wait: s, Attempts: 3}, told: 5 * s, want: "[10 15 20]"},
		{name: "told nothing", policy: Policy{Kind: RetryAfter, Wait: s, Attempts: 3}, want: "[10 11 12]"},
		{name: "pacing, as told", policy: Policy{Kind: Pace, Wait: s, Attempts: 3}, told: 5 * s, want: "[10 15 20]"},
		{name: "pacing, told nothing", policy: Policy{Kind: Pace, Wait: s, Attempts: 3}, want: "[10 11 12]"},
		{name: "gives up after 4s", policy: Policy{Kind: Fixed, Wait: 2 * s, Attempts: 9, GiveUp: 4 * s}, want: "[10 12 14]"},
		{name: "gives up a moment earlier", policy: Policy{Kind: Fixed, Wait: 2 * s, Attempts: 9, GiveUp: 4*s - 1}, want: "[10 12]"},
		{name: "is told to come back too late", policy: Policy{Kind: RetryAfter, Attempts: 9, GiveUp: 4 * s}, told: 5 * s, want: "[10]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			draw := random.New(1, "retry")
			fresh := draw
			var seconds []Time
			for _, at := range attempts(test.policy, test.told, test.latency, &draw) {
				seconds = append(seconds, at/s)
			}
			if got := fmt.Sprint(seconds); got != test.want {
				t.Errorf("sent at %s, want %s", got, test.want)
			}
			if draw != fresh {
				t.Error("chance was asked where there is none")
			}
		})
	}
}

// TestChance draws waits of a few nanoseconds: which ones there are, and that each is as frequent.
func TestChance(t *testing.T) {
	exponential := func(j Jitter) Policy { return Policy{Kind: Exponential, Wait: 1, Jitter: j, Attempts: 9} }
	for _, test := range []struct {
		name   string
		policy Policy
		state  State
		told   Time
		want   string // the waits
	}{
		{name: "full, first", policy: exponential(Full), state: State{Attempts: 1}, want: "[0 1]"},
		{name: "full, third", policy: exponential(Full), state: State{Attempts: 3}, want: "[0 1 2 3 4]"},
		{name: "equal, first", policy: exponential(Equal), state: State{Attempts: 1}, want: "[1]"},
		{name: "equal, third", policy: exponential(Equal), state: State{Attempts: 3}, want: "[2 3 4]"},
		{name: "equal, up to 3", policy: Policy{Kind: Exponential, Wait: 1, Most: 3, Jitter: Equal, Attempts: 9}, state: State{Attempts: 3}, want: "[2 3]"},
		{name: "decorrelated, first", policy: exponential(Decorrelated), state: State{Attempts: 1}, want: "[1 2 3]"},
		{name: "decorrelated, after 2", policy: exponential(Decorrelated), state: State{Attempts: 2, Waited: 2}, want: "[1 2 3 4 5 6]"},
		{name: "as told and up to 3 more", policy: Policy{Kind: RetryAfter, Spread: 3, Attempts: 9}, state: State{Attempts: 1}, told: 5, want: "[5 6 7]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			const n = 7000
			draw := random.New(1, "chance")
			count := map[Time]int{}
			for range n {
				s := test.state
				at, _ := test.policy.Next(0, &s, Answer{RetryAfter: test.told}, &draw)
				count[at]++
			}
			var waits []Time
			for at := range Time(100) {
				if count[at] == 0 {
					continue
				}
				waits = append(waits, at)
				if even := n / len(count); count[at] < even-200 || count[at] > even+200 { // five standard errors or more
					t.Errorf("a wait of %d ns comes %d times in %d", at, count[at], n)
				}
			}
			if got := fmt.Sprint(waits); got != test.want {
				t.Errorf("waits of %s ns, want %s", got, test.want)
			}
		})
	}
}

// TestCappedDecorrelated: what exceeds the longest wait becomes the longest wait, and the next one is
// drawn from that.
func TestCappedDecorrelated(t *testing.T) {
	p := Policy{Kind: Exponential, Wait: 100, Most: 200, Jitter: Decorrelated, Attempts: 1 << 40}
	s := State{Attempts: 1}
	draw := random.New(1, "capped")
	const n = 10_000
	atMost := 0
	for range n {
		p.Next(0, &s, Answer{}, &draw)
		if s.Waited < 100 || s.Waited > 200 {
			t.Fatalf("a wait of %d", s.Waited)
		}
		if s.Waited == 200 {
			atMost++
		}
	}
	// Drawn from 100 to 3·last, a wait is cut with chance (3·last − 200)/(3·last − 100): ½ after the
	// shortest, ⅘ after the longest.
	if atMost < n*70/100 || atMost > n*80/100 {
		t.Errorf("%d of %d waits are the longest", atMost, n)
	}
}

// anyLength draws lengths of all orders of magnitude, 0 and the longest of all among them.
func anyLength() *rapid.Generator[Time] {
	return rapid.Custom(func(t *rapid.T) Time {
		bits := rapid.IntRange(0, 63).Draw(t, "bits")
		return Time(rapid.Uint64Range(0, 1<<bits-1).Draw(t, "length"))
	})
}

func anyPolicy() *rapid.Generator[Policy] {
	return rapid.Custom(func(t *rapid.T) Policy {
		return Policy{
			Kind:     rapid.SampledFrom([]Kind{Never, AtOnce, Fixed, Exponential, RetryAfter, Pace}).Draw(t, "kind"),
			Wait:     anyLength().Draw(t, "wait"),
			Most:     anyLength().Draw(t, "most"),
			Jitter:   rapid.SampledFrom([]Jitter{None, Full, Equal, Decorrelated}).Draw(t, "jitter"),
			Spread:   anyLength().Draw(t, "spread"),
			Attempts: rapid.Int64Range(1, 100).Draw(t, "attempts"),
			GiveUp:   anyLength().Draw(t, "give up"),
		}
	})
}

// TestNextHolds: whatever a policy is and an answer says, time does not go back, attempts are bounded,
// waits keep to their bounds, and nothing overflows.
func TestNextHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPolicy().Draw(t, "policy")
		draw := random.New(rapid.Uint64().Draw(t, "seed"), "holds")
		at, ok := anyLength().Draw(t, "first"), true
		s := State{First: at}
		for ok {
			s.Attempts++
			now := at + min(anyLength().Draw(t, "latency"), algorithms.Never-1-at)
			before := s
			told := Answer{RetryAfter: anyLength().Draw(t, "told")}
			at, ok = p.Next(now, &s, told, &draw)
			if !ok {
				if s != before || at != algorithms.Never {
					t.Fatalf("giving up leaves %+v of %+v and says %d", s, before, at)
				}
				continue
			}
			if at < now || at == algorithms.Never || at < algorithms.Never-1 && at-now != s.Waited {
				t.Fatalf("after an answer at %d and a wait of %d it is sent at %d", now, s.Waited, at)
			}
			if p.GiveUp > 0 && at-s.First > p.GiveUp {
				t.Fatalf("sent at %d, later than %d after %d", at, p.GiveUp, s.First)
			}
			if p.Kind == Exponential && p.Most > 0 && s.Waited > p.Most {
				t.Fatalf("waits %d, longer than the longest", s.Waited)
			}
			if told.RetryAfter > 0 && (p.Kind == RetryAfter || p.Kind == Pace) && s.Waited < told.RetryAfter {
				t.Fatalf("waits %d, told %d", s.Waited, told.RetryAfter)
			}
			if s.Attempts >= p.Attempts {
				t.Fatalf("attempt %d is allowed", s.Attempts+1)
			}
		}
	})
}

// TestNextRepeats: the same stream gives the same waits.
func TestNextRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, told := anyPolicy().Draw(t, "policy"), anyLength().Draw(t, "told")/2
		one, other := random.New(7, "repeats"), random.New(7, "repeats")
		got, want := attempts(p, told, 0, &one), attempts(p, told, 0, &other)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("sent at %v, and again at %v", got, want)
		}
	})
}
