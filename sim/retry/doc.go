// Package retry is what a client does after an answer that is no success: refused, lost or too late.
//
// A [Policy] says when a request is sent again. Here one is refused at 0s and at every attempt (╳),
// with a first wait of 1s, and told to wait 3s where it reads that:
//
//	             0s  1s  2s  3s  4s  5s  6s  7s  8s  9s
//	Never        ╳
//	AtOnce       ╳                                      all attempts at 0s
//	Fixed        ╳───╳───╳───╳───╳───╳───╳───╳───╳───╳
//	Exponential  ╳───╳───────╳───────────────╳───────── waits of 1s, 2s, 4s, 8s, … up to Most
//	RetryAfter   ╳───────────╳───────────╳───────────╳
//	Pace         ╳───────────╳───────────╳───────────╳
//
// Clients that were refused together come back together: a herd. Chance keeps them apart. The next
// attempt comes somewhere in the interval; for the third wait of Exponential, whose last one was 2s:
//
//	             0s  1s  2s  3s  4s  5s  6s
//	None                         ╳
//	Full         ├───────────────┤              0 to 4s
//	Equal                ├───────┤              2s to 4s
//	Decorrelated     ├───────────────────┤      the first wait to three times the last
//	RetryAfter               ├───┤              3s to 4s, with a Spread of 1s
//
// A pacing client also reads the answers that are a success, and slows down before it is refused:
// see [Policy.Hold].
package retry

import "github.com/b6db88e4/ratesim/sim/random"

// Time is an instant or a length in nanoseconds.
type Time = random.Time
