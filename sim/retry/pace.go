package retry

import "github.com/b6db88e4/ratesim/algorithms"

// longest is a length to which a longer one is cut: 146 years, half of what a Time can tell.
const longest = algorithms.Never / 2

// Hold reports until when a pacing client sends nothing after an answer with these headers: remaining
// units (r of the RateLimit field), seconds until there are more (its t), and seconds until all are
// there again (X-RateLimit-Reset). For clients of another kind that is now. It holds for answers of
// any status; a Retry-After is heeded by [Policy.Next].
//
// The client waits
//
//	min(t, reset/(r+1)), and at least a second if r is 0
//
// so that the r units and the first one after the reset come at equal distances:
//
//	r = 4, t = reset     now ├────┬────┬────┬────┬────┤ reset
//	                              ╳    ╳    ╳    ╳    ╳
//
// In a fixed window, where all comes back at once, that uses up every window and is never refused.
// Where units come back bit by bit, t is shorter: one unit in t can be kept up for ever, whatever r
// is. A bucket is then used in full; a sliding window to a half or two thirds, since its reset is
// always almost a period away. Headers tell whole seconds, rounded up, so that limits of many units a
// second are used less.
//
// The draft draft-ietf-httpapi-ratelimit-headers leaves it to clients to slow down or to use up all and
// wait (7). It asks for no more than r units before t (7): reset is never before t, so this sends r at
// most. And it warns (8.5) of r/t as a rate, since t does not promise that all is restored (4.1.2): a
// full bucket whose next unit is a second away would be emptied within that second.
func (p *Policy) Hold(now Time, remaining, moreSeconds, resetSeconds int64) Time {
	if p.Kind != Pace {
		return now
	}
	more := seconds(moreSeconds)
	if remaining <= 0 {
		return later(now, max(more, seconds(1)))
	}
	return later(now, min(more, share(seconds(resetSeconds), remaining)))
}

// share is the distance of n instants that cut a length into n + 1 equal parts, rounded up.
func share(length Time, n int64) Time {
	parts := uint64(n) + 1
	return Time((uint64(length) + parts - 1) / parts)
}

// seconds is a number of whole seconds as a length, from 0 to longest.
func seconds(n int64) Time { return times(Time(max(n, 0)), 1e9) }
