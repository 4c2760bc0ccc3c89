package traffic

import "github.com/b6db88e4/ratesim/algorithms"

// Spec describes one synthetic source: an arrival rate over time, how arrivals fall under it, and
// who sends them. It is data already checked: New does not fail.
//
// Rates range over 0 and 1 to algorithms.MaxUnits per 1 ns to algorithms.MaxPeriod, lengths of time
// up to algorithms.MaxPeriod.
type Spec struct {
	Name     string  // names the source's random streams, with the seed
	Cost     int64   // units of each request, at least 1
	Parts    []Part  // in order of time, not overlapping
	Arrivals Process // how arrivals fall under the rate of a Part
	Clients  Clients
}

// Part is a stretch of time: a Burst, or a rate (constant, ramp, with or without a sine).
type Part struct {
	From, Until Time // [From, Until); Until is ignored for a burst

	// Burst requests: number i of Burst arrives at From + ceil(i·Over/Burst), whatever the Process.
	Burst int64
	Over  Time

	// Rate at From, moving linearly to To at Until (To equal to Rate when constant), plus
	// Amplitude·sin(2π·t/Period), t counted from From. A zero Rate.N is a rate of zero. The sum is
	// never negative. Arrival n = 0, 1, 2, … is the earliest nanosecond at which the area under the
	// rate reaches n; under Poisson, running sums of Exp(1) draws take the place of n. Each Part
	// begins its count, or sum, afresh; what would arrive at Until or later is dropped.
	//
	// So a ramp from zero has its arrival 0 at From. A rate of zero throughout has no arrival at all.
	Rate, To  algorithms.Limit
	Amplitude algorithms.Limit // zero N: no sine
	Period    Time
}

// Process says how arrivals fall under a rate. The zero value is Even.
type Process struct {
	Kind ProcessKind

	// OnOff: on and off periods with these mean lengths, each Pareto-distributed with shape Alpha
	// (in thousandths, above 1000: heavy tails, finite mean), beginning with an on period. Arrivals
	// are Poisson at the part's rate while on; none while off. The periods run on through Parts that
	// adjoin one another, and begin anew after a pause, a burst that takes time, or a rate of zero.
	// An Idle of zero is on throughout, an Active of zero never. A period is at most 146 years.
	Active, Idle Time
	AlphaMilli   int64

	// MMPP, a Markov-modulated Poisson process: a chain through the states, in state i for an
	// exponential time of mean Stay[i], at least 1 ns, with Poisson arrivals at Rates[i], then to one
	// of the other states with equal chance. It begins in state 0, at the first Part and after each
	// pause. The part's own rate is ignored, even if it is zero.
	Rates []algorithms.Limit
	Stay  []Time
}

// ProcessKind selects a Process.
type ProcessKind uint8

const (
	Even    ProcessKind = iota // at equal distances of area
	Poisson                    // independent of one another
	OnOff                      // Poisson with interruptions
	MMPP                       // Poisson at changing rates
)

// Clients says who sends a source's requests: ids First to First+Count−1.
type Clients struct {
	First, Count uint32

	// ZipfMilli, in thousandths, is the exponent s of shares proportional to 1/rank^s, drawn from a
	// random stream of their own; 0 goes round robin. It takes 12 bytes of memory a client.
	ZipfMilli int64
}
