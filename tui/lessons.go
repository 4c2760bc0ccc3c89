package tui

import "github.com/b6db88e4/ratesim/sim"

// lesson is a scenario with a question to be answered before it is played.
type lesson struct {
	title, about string
	scenario     string   // built in
	limiters     []string // that are shown
	question     string
	limiter      string // whose measure answers it
	measure      func(*sim.Summary) int64
	choices      []int64 // one of them is right: the run says which
	why          string
}

func admitted(s *sim.Summary) int64 { return s.Admitted }
func lost(s *sim.Summary) int64     { return s.System.Lost }
func peak(s *sim.Summary) int64     { return s.Peak }

// lessons are the lessons in the order in which they build on each other.
func lessons() []lesson {
	return []lesson{
		{
			title: "What a bucket does with a burst", scenario: "burst", limiters: []string{"token-bucket", "fixed-window"},
			about:    "A bucket that has rested lets a burst pass, and then makes its client wait. Windows know nothing of rest.",
			question: "The limit is one request a second, the burst 5. Seven requests come at once, and three seconds later six more. How many of the 13 does the token bucket let through?",
			limiter:  "token-bucket", measure: admitted, choices: []int64{4, 8, 10, 13},
			why: "The full bucket had five tokens for the first seven. In three seconds it got three back: enough for three of the six.",
		}, {
			title: "The window boundary", scenario: "boundary", limiters: []string{"fixed-window", "sliding-log", "token-bucket"},
			about:    "A fixed window forgets everything at its edge, and a client may know where the edge is.",
			question: "The limit is 100 a minute. 100 requests come just before a minute ends, 100 just after it. How many does the fixed window let through within those 200 ms?",
			limiter:  "fixed-window", measure: admitted, choices: []int64{100, 150, 200},
			why: "At the edge the count went back to 0, so the second hundred found an empty window. The sliding log still held the first hundred.",
		}, {
			title: "Smoothing by a queue", scenario: "shaping", limiters: []string{"token-bucket", "leaky-bucket"},
			about:    "A queue accepts what a bucket accepts, but lets it go on only at the rate of the limit.",
			question: "The limit is 10 a second. Bursts of 15, 15 and 30 come, and both buckets accept 50 of the 60. How many of those go ahead at once, without a wait, in the leaky bucket?",
			limiter:  "leaky-bucket", measure: admitted, choices: []int64{3, 20, 45, 50},
			why: "Only the first of each burst finds the queue empty. Every other one waits until those before it have drained, a tenth of a second each.",
		}, {
			title: "Why counting refused requests starves", scenario: "counting-denied", limiters: []string{"sliding-log", "sliding-log-counting"},
			about:    "Some limiters count the requests that they refuse. A client that keeps knocking then keeps itself out.",
			question: "A client asks twice a second for five minutes. The limit is 60 a minute, so a sliding log lets 300 of the 600 through. How many pass if refused requests count as well?",
			limiter:  "sliding-log-counting", measure: admitted, choices: []int64{60, 150, 240, 300},
			why: "Each minute the client sends 120, twice what fits. Once full, its own refused requests keep the window full for as long as it keeps asking.",
		}, {
			title: "What a weighted counter gets wrong", scenario: "weighted-counter", limiters: []string{"sliding-counter", "sliding-log"},
			about:    "The sliding counter keeps two numbers where the log keeps every instant. It has to guess when requests came.",
			question: "The limit is 100 a minute, by a sliding counter. A client sends 100 at the very end of a window, and then one each time the counter has room again. How many get through within a single minute?",
			limiter:  "sliding-counter", measure: peak, choices: []int64{100, 101, 150, 199},
			why: "The counter takes the hundred as if they had come evenly over their minute, and forgets them evenly over the next. They all came at its end, and still count.",
		}, {
			title: "How far a burst parameter lets one go", scenario: "burst-parameter", limiters: []string{"burst-5", "burst-20", "burst-60"},
			about:    "The limit says how much passes in the long run, the burst how much at once. Larger is not always kinder.",
			question: "Six times, alice sends 20 requests at once. In between, mallory saves up and sends 100 at once. The limit is 5 a second for each. How many of the 220 pass with a burst of 60?",
			limiter:  "burst-60", measure: admitted, choices: []int64{120, 140, 180, 220},
			why: "Alice's 120 pass with a burst of 20 already. All that the larger burst adds is 40 more of what mallory sends at once: 60 instead of 20.",
		}, {
			title: "The herd at the reset", scenario: "herd-at-the-reset", limiters: []string{"at the reset", "spread over 8s"},
			about:    "Whoever is refused is told when to come back. If all are told the same instant, all come at once.",
			question: "400 phones send a request each, 50 at each full second, under 200 in 10 s for all of them. Each that is refused comes back when it was told to. Behind are 50 workers, and 10 may wait for one. How many calls find the queue full?",
			limiter:  "at the reset", measure: lost, choices: []int64{0, 10, 140, 200},
			why: "At 10 s the 200 that were refused come back in one instant. All of them pass the limit: 50 are served, 10 wait, and 140 find no place. A random wait on top loses none.",
		}, {
			title: "What servers that do not talk let through", scenario: "split-servers", limiters: []string{"independent", "central-atomic", "split-up", "split-down"},
			about:    "Several servers behind one address share one limit. How they count together decides what it is worth.",
			question: "The limit is 9 a second for all clients, and there are 4 servers. How many pass within one second at most where each server enforces a share of the limit that is rounded up?",
			limiter:  "split-up", measure: peak, choices: []int64{8, 9, 12, 36},
			why: "9 / 4 rounded up is 3, and 4 times 3 are 12. Rounded down it is 2, and 8 together. Where each enforces the whole limit, it is up to 36.",
		},
	}
}
