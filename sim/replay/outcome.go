package replay

import (
	"cmp"
	"slices"

	"github.com/b6db88e4/ratesim/sim"
)

// Outcome is what a replay found out. Its limiters stand in the plan's order.
type Outcome struct {
	Requests int64
	Clients  int64    // that sent at least one
	Last     Time     // the instant of the last request
	Timeline Timeline // of all requests
	Limiters []*Limiter
	Shifts   []Shift // by Options.Versus

	requests []int64 // by client
}

// RequestsOf is how many requests a client sent.
func (o *Outcome) RequestsOf(client uint32) int64 {
	if int(client) >= len(o.requests) {
		return 0
	}
	return o.requests[client]
}

// Limiter is what one limiter would have done.
type Limiter struct {
	*sim.Result          // of a lean run: requests, units and delays; the peak if it was asked for
	Touched     int64    // clients refused at least once
	Worst       Minute   // the minute with the most denials, the first of equal ones
	Timeline    Timeline // of denials, in the buckets of Outcome.Timeline

	tallies []tally
	paths   *pairs
	outcome *Outcome
}

// DeniedShare is the part of all requests that is denied, 0 to 1.
func (l *Limiter) DeniedShare() float64 { return ratio(l.Summary.Denied, l.outcome.Requests) }

// TouchedShare is the part of all clients that is refused at least once, 0 to 1.
func (l *Limiter) TouchedShare() float64 { return ratio(l.Touched, l.outcome.Clients) }

func ratio(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Refused is a client and what it was refused.
type Refused struct {
	Client   uint32
	Requests int64
	Denied   int64
	First    Time // the first denial

	// Path is the one that was denied most often to this client, PathDenied times; 0 times if paths
	// are not known. PathAtLeast says that memory ran out and there were that many at least.
	Path        uint32
	PathDenied  int64
	PathAtLeast bool
}

// DeniedTo is how often a client was refused.
func (l *Limiter) DeniedTo(client uint32) int64 {
	if int(client) >= len(l.tallies) {
		return 0
	}
	return l.tallies[client].denied
}

// FirstTo is when a client was first refused; DeniedTo says whether it was.
func (l *Limiter) FirstTo(client uint32) Time {
	if int(client) >= len(l.tallies) {
		return 0
	}
	return l.tallies[client].first
}

// Most lists the clients refused most often, at most n of them; of equal ones first whoever was
// refused first.
func (l *Limiter) Most(n int) []Refused {
	var out []Refused
	for id, t := range l.tallies {
		if t.denied > 0 {
			out = append(out, Refused{Client: uint32(id), Requests: l.outcome.RequestsOf(uint32(id)), Denied: t.denied, First: t.first})
		}
	}
	slices.SortFunc(out, func(a, b Refused) int {
		return cmp.Or(cmp.Compare(b.Denied, a.Denied), cmp.Compare(a.First, b.First), cmp.Compare(a.Client, b.Client))
	})
	out = slices.Clip(out[:min(n, len(out))])
	if l.paths != nil {
		paths := l.Paths()
		for i := range out {
			p := paths[out[i].Client]
			out[i].Path, out[i].PathDenied, out[i].PathAtLeast = p.Path, p.Denied, l.PathsUnsure()
		}
	}
	return out
}

// PathDenied is a path and how often it was denied; 0 times if it is not known.
type PathDenied struct {
	Path   uint32
	Denied int64
}

// PathsUnsure reports whether there were too many pairs of a client and a path to count each of them.
func (l *Limiter) PathsUnsure() bool { return l.paths != nil && l.paths.off > 0 }

// Paths are the paths that were denied most often to each client, by client up to the last that was
// refused; nothing if paths are not known. With very many pairs of clients and paths, those of
// clients that were refused rarely are unknown, and counts are too low rather than too high.
func (l *Limiter) Paths() []PathDenied {
	if l.paths == nil {
		return nil
	}
	return l.paths.best(len(l.tallies))
}

// Spread says how denials are spread over clients.
type Spread struct {
	Half, Most int64 // the fewest clients that took half of all denials, and nine tenths

	// Bands count the refused clients by how much of their own requests was denied.
	Bands [len(bandEnds)]int64
}

// bandEnds are the largest shares of a Spread's bands, in percent.
var bandEnds = [...]int64{1, 10, 50, 99, 100}

// BandNames describe the bands.
func BandNames() []string {
	return []string{"up to 1%", "1 to 10%", "10 to 50%", "50 to 99%", "over 99%"}
}

// Spread is how the limiter's denials are spread over clients.
func (l *Limiter) Spread() Spread {
	var s Spread
	sum, total := int64(0), l.Summary.Denied
	for i, r := range l.sorted() {
		if 2*sum < total {
			s.Half = int64(i) + 1
		}
		if 10*sum < 9*total {
			s.Most = int64(i) + 1
		}
		sum += r
	}
	for id, t := range l.tallies {
		if t.denied > 0 {
			s.Bands[band(t.denied, l.outcome.RequestsOf(uint32(id)))]++
		}
	}
	return s
}

// band is the first whose end denied/requests does not exceed.
func band(denied, requests int64) int {
	for i, end := range bandEnds {
		if 100*denied <= end*requests {
			return i
		}
	}
	return len(bandEnds) - 1
}

// sorted is how often each refused client was refused, the most first.
func (l *Limiter) sorted() []int64 {
	var counts []int64
	for _, t := range l.tallies {
		if t.denied > 0 {
			counts = append(counts, t.denied)
		}
	}
	slices.SortFunc(counts, func(a, b int64) int { return cmp.Compare(b, a) })
	return counts
}
