package sim

import (
	"math/bits"
	"strconv"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Response is the HTTP answer that a decision gives, in whole seconds. Everything in it follows from
// what the limiter answers after the request has been charged.
type Response struct {
	Status int // 200 when the request goes ahead or gets a cheap answer, 429 when it is denied

	// RetryAfter is When(cost) − now rounded up, at least 1; 0 where it is left out: when the
	// request goes ahead or can never fit, or when nobody knows. For a cheap answer it is when a
	// full one can be had.
	RetryAfter int64

	Limit     int64 // the capacity: the burst, or the limit of a window; 0 where the fields about it are left out
	Remaining int64 // the largest cost that would be accepted now
	Reset     int64 // until the whole capacity is there again, rounded up; Unknown where nobody knows
	ResetAt   int64 // the same as a Unix time, rounded up

	Window int64 // in which the capacity refills; 0 where that is not whole seconds
	More   int64 // until one unit more than Remaining is there, rounded up; Unknown where nobody knows

	// What the body tells besides.
	Cost     int64  // units that the request takes
	Never    bool   // it takes more than is ever let through
	Degraded bool   // it got a cheap answer instead of a denial
	Refused  string // the limit that refused it, by name; "" where there is one only
	Unasked  bool   // it was decided without the limit, whose store does not answer
}

// Unknown stands for a length of time that nobody knows: until a service ends.
const Unknown = -1

// respond asks a limiter that has just decided.
func respond(l algorithms.Limiter, entry *Limiter, now Time, cost int64, verdict algorithms.Verdict) Response {
	capacity := entry.Spec.Capacity(entry.Policy)
	r := Response{Status: 200, Limit: capacity, Window: refill(entry), Cost: cost, Never: cost > capacity}
	r.Remaining = algorithms.Remaining(l, now, capacity)
	full := l.When(now, capacity)
	r.Reset, r.ResetAt = until(full, now), unix(full, entry.Policy.Start)
	if r.Remaining < capacity {
		r.More = until(l.When(now, r.Remaining+1), now)
	}
	if verdict == algorithms.Deny {
		r.Status = 429
		r.RetryAfter = retryAfter(l.When(now, cost), now)
	}
	return r
}

// until is the whole seconds from now to an instant, rounded up.
func until(at, now Time) int64 {
	if at == algorithms.Never {
		return Unknown
	}
	return seconds(at - now)
}

// retryAfter is how many seconds a client is told to wait: 0 where no instant can be named.
func retryAfter(until, now Time) int64 {
	if until == algorithms.Never {
		return 0
	}
	return max(1, seconds(until-now))
}

// seconds is a length in whole seconds, rounded up.
func seconds(length Time) int64 {
	whole := int64(length / 1e9)
	if length%1e9 > 0 {
		whole++
	}
	return whole
}

// unix is an instant as a Unix time in whole seconds, rounded up, in a run that starts at a Unix
// time in ns. Both are taken apart, since their sum may be more than fits.
func unix(at Time, start int64) int64 {
	if at == algorithms.Never {
		return Unknown
	}
	second, rest := start/1e9, start%1e9
	if rest < 0 { // of a start before 1970
		second, rest = second-1, rest+1e9
	}
	return second + int64(at/1e9) + seconds(Time(rest)+at%1e9)
}

// refill is the whole seconds in which the capacity refills, B·P/N, or 0 if they are not whole.
func refill(entry *Limiter) int64 {
	if entry.Spec.Holds { // nothing refills with time
		return 0
	}
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

// ResetForm is how X-RateLimit-Reset tells when the whole capacity is there again.
type ResetForm uint8

const (
	ResetDelta ResetForm = iota // in how many seconds
	ResetEpoch                  // as a Unix time, as GitHub does
)

// Headers are the fields of the answer that are about the limit: Retry-After (RFC 9110), the
// X-RateLimit fields in use, and RateLimit and RateLimit-Policy of
// draft-ietf-httpapi-ratelimit-headers.
func (r Response) Headers() []Header {
	var out []Header
	r.limitFields(ResetDelta, func(name string, value []byte) { out = append(out, Header{name, string(value)}) })
	return out
}

// Fields are all fields of the answer: those of its body, and those about the limit.
func (r Response) Fields(form ResetForm) []Header {
	var out []Header
	r.EachField(form, func(name string, value []byte) { out = append(out, Header{name, string(value)}) })
	return out
}

// EachField hands the fields of Fields on one by one, in texts that hold until the next: a run has
// millions of them.
func (r *Response) EachField(form ResetForm, field func(name string, value []byte)) {
	field("Content-Type", []byte(r.contentType()))
	r.limitFields(form, field)
}

func (r *Response) limitFields(form ResetForm, field func(name string, value []byte)) {
	b := make([]byte, 0, 64)
	number := func(n int64) []byte { return strconv.AppendInt(b[:0], n, 10) }
	if r.RetryAfter > 0 && r.Status == 429 {
		field("Retry-After", number(r.RetryAfter))
	}
	if r.Limit == 0 {
		return
	}
	field("X-RateLimit-Limit", number(r.Limit))
	field("X-RateLimit-Remaining", number(r.Remaining))
	switch {
	case r.Reset == Unknown:
	case form == ResetEpoch:
		field("X-RateLimit-Reset", number(r.ResetAt))
	default:
		field("X-RateLimit-Reset", number(r.Reset))
	}
	field("RateLimit-Policy", parameter(append(b[:0], `"default";q=`...), r.Limit, `;w=`, max(0, r.Window)))
	if r.More == Unknown {
		field("RateLimit", strconv.AppendInt(append(b[:0], `"default";r=`...), r.Remaining, 10))
		return
	}
	b = strconv.AppendInt(append(b[:0], `"default";r=`...), r.Remaining, 10)
	field("RateLimit", strconv.AppendInt(append(b, `;t=`...), r.More, 10))
}

// parameter appends a number, and another behind its name unless it is 0.
func parameter(b []byte, n int64, name string, other int64) []byte {
	b = strconv.AppendInt(b, n, 10)
	if other == 0 {
		return b
	}
	return strconv.AppendInt(append(b, name...), other, 10)
}
