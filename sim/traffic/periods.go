package traffic

import (
	"math/bits"
	"math/rand/v2"

	"github.com/b6db88e4/ratesim/algorithms"
)

// periods are on and off periods by turns.
type periods struct {
	rng          rand.PCG
	active, idle pareto
	on           bool
	timeline     // its end is the present period's: an arrival at that instant is still of the period
}

// begin begins an on period.
func (p *periods) begin(at Time) {
	p.timeline.begin(at)
	p.on = false
	p.next()
}

// next goes on to the next period.
func (p *periods) next() {
	if p.on = !p.on; p.on {
		p.extend(p.active.draw(&p.rng))
	} else {
		p.extend(p.idle.draw(&p.rng))
	}
}

// pareto draws lengths of time x with P(X > x) = (least/x)^α for x ≥ least. With α > 1 the mean is
// least·α/(α−1); below α = 2 the variance is infinite.
type pareto struct {
	least fixed // in ns
	power fixed // log₂e/α
}

// newPareto wants the mean in ns, 1 to ten years, and α in thousandths, 1001 or more.
func newPareto(mean Time, alphaMilli int64) pareto {
	alpha := uint64(alphaMilli)
	hi, lo := bits.Mul64(uint64(mean), alpha-1000)
	whole, rest := bits.Div64(hi, lo, alpha)
	frac, _ := bits.Div64(rest, 0, alpha)
	return pareto{
		least: fixed{whole, frac},
		power: fixed{1, log2eF}.times(1000).over(alpha),
	}
}

// draw inverts the distribution: U^(−1/α) for a uniform U is e^(E/α) for an exponential E of mean 1,
// which is 2^(E·log₂e/α). What exceeds longest comes out as that.
func (p *pareto) draw(rng *rand.PCG) fixed {
	y := exponential(rng).timesFixed(p.power)
	if y.whole >= 62 {
		return fixed{whole: longest}
	}
	// 2^y = 2^(whole+1) · 2^(frac−1), where 2^(frac−1) is exp2Neg(1−frac) as a fraction of 2⁶³.
	half := p.least.timesFixed(fixed{0, exp2Neg(^y.frac)})
	return half.shifted(uint(y.whole) + 2)
}

// shifted is f·2ⁿ for 0 < n < 64, cut to longest.
func (f fixed) shifted(n uint) fixed {
	if uint(bits.Len64(f.whole))+n > 62 {
		return fixed{whole: longest}
	}
	return fixed{f.whole<<n | f.frac>>(64-n), f.frac << n}
}

// timeline adds up lengths of time exactly, and rounds where it has come to, not the lengths.
type timeline struct {
	sum fixed // in ns
	end Time  // sum rounded up
}

// never is the last instant of all.
const never = uint64(algorithms.Never)

// longest is the length, in ns, to which a longer one is cut: 146 years, more than any run.
const longest = 1 << 62

func (l *timeline) begin(at Time) { l.sum, l.end = fixed{whole: uint64(at)}, at }

// extend adds a length; beyond the last instant of all it stays there.
func (l *timeline) extend(length fixed) {
	length.whole = min(length.whole, longest)
	l.sum = l.sum.plus(length)
	if l.sum.whole >= never {
		l.sum = fixed{whole: never}
	}
	l.end = Time(l.sum.whole)
	if l.sum.frac != 0 {
		l.end++
	}
}
