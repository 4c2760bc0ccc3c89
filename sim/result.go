package sim

import "github.com/b6db88e4/ratesim/algorithms"

// Result is what one limiter did with a run's requests. While the run is still under way it holds
// what happened up to Run.Reached.
type Result struct {
	Name    string // unique within the run: the algorithm's name unless the scenario gives another
	Spec    *algorithms.Spec
	Policy  algorithms.Policy
	Summary Summary
	Grid    Grid

	// Of a run with a System: what became of each profile's requests, and what each rule refused.
	Groups []Group
	Rules  []RuleCount
	Scheme string // how several servers share its limit; "" with one server
}

// Summary holds the measures of one limiter. Requests and units are counted where they arrive;
// what goes ahead after the run's duration still counts. With a System, Offered and what follows
// count calls where they are decided: every sending of a request.
type Summary struct {
	Offered, Admitted, Delayed, Denied                     int64 // requests; Offered = the sum of the others, and of System.Degraded
	UnitsOffered, UnitsAdmitted, UnitsDelayed, UnitsDenied int64

	// Over the delayed requests, from arrival to going ahead, in ns; percentiles by nearest rank.
	// They are exact unless DelayRounded says that they are rounded up by less than one part in
	// 1,024, which happens beyond a million delayed requests.
	DelayMean, DelayP50, DelayP95, DelayP99, DelayMax Time
	DelayRounded                                      bool

	// Peak is the most units of one key that went ahead in any half-open interval of the limit's
	// period. PeakIsLowerBound says that the memory for counting it exactly ran out.
	Peak             int64
	PeakIsLowerBound bool
	PeakRatio        float64 // Peak / N

	LongestDenials int64   // the longest run of denials that one client met without a request of it going ahead between
	Fairness       float64 // Jain's index over clients' units gone ahead: (Σx)²/(n·Σx²); 1 when equal, 1 when nothing went ahead
	Clients        int64   // clients that sent at least one request

	// Disagreement with an exact trailing window over what this limiter itself let through:
	// requests that went ahead though they made more than N units in (t−P, t], and requests denied
	// though there was room.
	WentOver, DeniedWithRoom int64

	System SystemSummary
}

// Grid counts events in equal buckets of time over [0, Span): bucket i of n covers
// [ceil(i·Span/n), ceil((i+1)·Span/n)). Counts are requests.
type Grid struct {
	Span Time

	Admitted, Delayed, Denied []int64 // by arrival, all keys
	Released                  []int64 // delayed requests by the instant they went ahead, all keys
	ReleasedLater             int64   // delayed requests that went ahead at Span or after

	// The level of one key's limiter within each bucket, its lowest and highest; nil without a
	// gauge. LevelKey is that key's name.
	Low, High []algorithms.Milli
	LevelKey  string

	// Of a run with a System, the limit that the level is of where it is not the limiter's own: that
	// of the client's tier, or one with an algorithm of its own. nil otherwise.
	LevelOf *Enforced

	System *SystemGrid // nil in a run without a System

	Edges []bool // whether a window edge of that key's limiter falls into the bucket
}

// Len is the number of buckets.
func (g *Grid) Len() int { return len(g.Admitted) }

// Start is the first instant of bucket i; Start(Len()) is Span.
func (g *Grid) Start(i int) Time { return bucketStart(i, g.Len(), g.Span) }

// Gauge is what the recorded level is a level of, and the most that it can be, in units: the capacity
// of the limit whose level it is.
func (r *Result) Gauge() (gauge algorithms.Gauge, capacity int64) {
	if e := r.Grid.LevelOf; e != nil {
		return e.Spec.Gauge, e.Spec.Capacity(e.Policy)
	}
	return r.Spec.Gauge, r.Spec.Capacity(r.Policy)
}
