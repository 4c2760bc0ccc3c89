package sim

import (
	"fmt"
	"math/bits"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Response is the HTTP answer that a decision gives, in whole seconds. Everything in it follows from
// what the limiter answers after the request has been charged.
type Response struct {
	Status int // 200 when the request goes ahead, 429 when it is denied

	// RetryAfter is When(cost) − now rounded up, at least 1; 0 where it is left out: when the
	// request goes ahead or can never fit.
	RetryAfter int64

	Limit     int64 // the capacity: the burst, or the limit of a window
	Remaining int64 // the largest cost that would be accepted now
	Reset     int64 // until the whole capacity is there again, rounded up

	Window int64 // in which the capacity refills; 0 where that is not whole seconds
	More   int64 // until one unit more than Remaining is there, rounded up
}

// respond asks a limiter that has just decided.
func respond(l algorithms.Limiter, entry *Limiter, now Time, cost int64, verdict algorithms.Verdict) Response {
	capacity := entry.Spec.Capacity(entry.Policy)
	r := Response{Status: 200, Limit: capacity, Window: refill(entry)}
	r.Remaining = algorithms.Remaining(l, now, capacity)
	r.Reset = until(l, now, capacity)
	if r.Remaining < capacity {
		r.More = until(l, now, r.Remaining+1)
	}
	if verdict == algorithms.Deny {
		r.Status = 429
		if when := l.When(now, cost); when != algorithms.Never {
			r.RetryAfter = max(1, seconds(when-now))
		}
	}
	return r
}

// until is how many whole seconds it takes until a cost would be accepted, rounded up: 0 where no
// instant can be named, as for units that others hold.
func until(l algorithms.Limiter, now Time, cost int64) int64 {
	when := l.When(now, cost)
	if when == algorithms.Never {
		return 0
	}
	return seconds(when - now)
}

// seconds is a length in whole seconds, rounded up.
func seconds(length Time) int64 {
	whole := int64(length / 1e9)
	if length%1e9 > 0 {
		whole++
	}
	return whole
}

// refill is the whole seconds in which the capacity refills, B·P/N, or 0 if they are not whole.
func refill(entry *Limiter) int64 {
	limit := entry.Policy.Limit
	hi, lo := bits.Mul64(uint64(entry.Spec.Capacity(entry.Policy)), uint64(limit.Per))
	if hi >= uint64(limit.N) {
		return 0
	}
	ns, rest := bits.Div64(hi, lo, uint64(limit.N))
	if rest != 0 || ns%uint64(time.Second) != 0 {
		return 0
	}
	return int64(ns / uint64(time.Second))
}

// Header is one field of an HTTP answer.
type Header struct{ Name, Value string }

// Headers are the fields of the answer: Retry-After (RFC 9110), the X-RateLimit fields in use, and
// RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers.
func (r Response) Headers() []Header {
	var out []Header
	if r.RetryAfter > 0 {
		out = append(out, Header{"Retry-After", fmt.Sprint(r.RetryAfter)})
	}
	policy := fmt.Sprintf(`"default";q=%d`, r.Limit)
	if r.Window > 0 {
		policy += fmt.Sprintf(";w=%d", r.Window)
	}
	return append(out,
		Header{"X-RateLimit-Limit", fmt.Sprint(r.Limit)},
		Header{"X-RateLimit-Remaining", fmt.Sprint(r.Remaining)},
		Header{"X-RateLimit-Reset", fmt.Sprint(r.Reset)},
		Header{"RateLimit-Policy", policy},
		Header{"RateLimit", fmt.Sprintf(`"default";r=%d;t=%d`, r.Remaining, r.More)},
	)
}
