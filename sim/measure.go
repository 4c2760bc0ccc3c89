package sim

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
)

// counts are requests and units by verdict.
type counts struct {
	requests, units [4]int64 // by algorithms.Verdict, and Degraded
}

func (c *counts) add(v algorithms.Verdict, cost int64) {
	c.requests[v]++
	c.units[v] += cost
}

func (c *counts) addAll(d *counts) {
	for v := range c.requests {
		c.requests[v] += d.requests[v]
		c.units[v] += d.units[v]
	}
}

func (c *counts) summary() Summary {
	return Summary{
		Offered:       c.requests[0] + c.requests[1] + c.requests[2] + c.requests[3],
		Admitted:      c.requests[algorithms.Admit],
		Delayed:       c.requests[algorithms.Delay],
		Denied:        c.requests[algorithms.Deny],
		UnitsOffered:  c.units[0] + c.units[1] + c.units[2] + c.units[3],
		UnitsAdmitted: c.units[algorithms.Admit],
		UnitsDelayed:  c.units[algorithms.Delay],
		UnitsDenied:   c.units[algorithms.Deny],
	}
}

// fairness is Jain's index (Σx)²/(n·Σx²) over the units gone ahead of n clients, in integers with
// one division at the end. R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and
// Discrimination for Resource Allocation in Shared Computer Systems, DEC TR-301, 1984.
func fairness(clients []clientTally, n int64) float64 {
	var sum, squares, x, square big.Int
	for i := range clients {
		if units := clients[i].ahead; units > 0 {
			x.SetInt64(units)
			sum.Add(&sum, &x)
			squares.Add(&squares, square.Mul(&x, &x))
		}
	}
	if sum.Sign() == 0 {
		return 1
	}
	var index big.Rat
	index.SetFrac(sum.Mul(&sum, &sum), squares.Mul(&squares, big.NewInt(n)))
	f, _ := index.Float64()
	return f
}

// exactDelays is how many delays of a lane are kept one by one (8 MiB) before they are counted in
// classes.
const exactDelays = 1 << 20

// classBits: a class of the histogram is as wide as 2^-10 of its values.
const classBits = 10

// delays measures how long delayed requests wait. Up to most of them they are kept and their
// percentiles are exact. Beyond, they are counted in classes 2^(k−10) wide for values from 2^k, so
// that a percentile, rounded up to the end of its class, is off by less than one part in 1,024.
type delays struct {
	most    int // how many are kept one by one
	exact   []Time
	classes []int64
	n       int64
	sum     [2]uint64 // high and low word
	longest Time
}

func (d *delays) add(delay Time) {
	d.n++
	var carry uint64
	d.sum[1], carry = bits.Add64(d.sum[1], uint64(delay), 0)
	d.sum[0] += carry
	d.longest = max(d.longest, delay)
	switch {
	case d.classes != nil:
		d.classes[class(delay)]++
	case len(d.exact) < d.most:
		d.exact = append(d.exact, delay)
	default:
		d.spill(delay)
	}
}

// spill moves from single delays to classes.
func (d *delays) spill(delay Time) {
	d.classes = make([]int64, class(algorithms.Never)+1)
	for _, kept := range d.exact {
		d.classes[class(kept)]++
	}
	d.classes[class(delay)]++
	d.exact = nil
}

// class is the number of a delay's class: its leading classBits+1 bits and how far they stand.
func class(delay Time) int {
	shift := max(bits.Len64(uint64(delay))-classBits-1, 0)
	return shift<<classBits + int(uint64(delay)>>shift)
}

// classEnd is the largest delay of a class, the inverse of class.
func classEnd(class int) Time {
	if class < 2<<classBits {
		return Time(class)
	}
	shift := class>>classBits - 1
	leading := uint64(class - shift<<classBits)
	return Time((leading+1)<<shift - 1)
}

func (d *delays) summarize(s *Summary) {
	if d.n == 0 {
		return
	}
	mean, _ := bits.Div64(d.sum[0], d.sum[1], uint64(d.n))
	l := d.lengths()
	s.DelayMean, s.DelayMax, s.DelayRounded = Time(mean), l.Max, l.Rounded
	s.DelayP50, s.DelayP95, s.DelayP99 = l.P50, l.P95, l.P99
}

// lengths are the percentiles.
func (d *delays) lengths() Lengths {
	if d.n == 0 {
		return Lengths{}
	}
	sorted := slices.Clone(d.exact)
	slices.Sort(sorted)
	return Lengths{
		P50: d.percentile(50, sorted), P95: d.percentile(95, sorted), P99: d.percentile(99, sorted),
		Max: d.longest, Rounded: d.classes != nil,
	}
}

// percentile is the smallest delay that at least p percent do not exceed (nearest rank).
func (d *delays) percentile(p int64, sorted []Time) Time {
	rank := (d.n*p + 99) / 100
	if d.classes == nil {
		return sorted[rank-1]
	}
	class := 0
	for seen := d.classes[0]; seen < rank; seen += d.classes[class] {
		class++
	}
	return min(classEnd(class), d.longest)
}
