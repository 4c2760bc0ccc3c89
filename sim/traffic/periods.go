package traffic

import (
	"github.com/b6db88e4/ratesim/sim/random"
	"math/bits"

	"github.com/b6db88e4/ratesim/algorithms"
)

// periods are on and off periods by turns.
type periods struct {
	rng          random.Stream
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
	least random.Fixed // in ns
	power random.Fixed // log₂e/α
}

// newPareto wants the mean in ns, 1 to ten years, and α in thousandths, 1001 or more.
func newPareto(mean Time, alphaMilli int64) pareto {
	alpha := uint64(alphaMilli)
	hi, lo := bits.Mul64(uint64(mean), alpha-1000)
	whole, rest := bits.Div64(hi, lo, alpha)
	frac, _ := bits.Div64(rest, 0, alpha)
	return pareto{
		least: random.Fixed{Whole: whole, Frac: frac},
		power: random.Log2E().Times(1000).Over(alpha),
	}
}

// draw inverts the distribution: U^(−1/α) for a uniform U is e^(E/α) for an exponential E of mean 1,
// which is 2^(E·log₂e/α). What exceeds longest comes out as that.
func (p *pareto) draw(rng *random.Stream) random.Fixed {
	y := rng.Exponential().TimesFixed(p.power)
	if y.Whole >= 62 {
		return random.Fixed{Whole: longest}
	}
	// 2^y = 2^(whole+1) · 2^(frac−1), where 2^(frac−1) is Exp2Neg(1−frac) as a fraction of 2⁶³.
	half := p.least.TimesFixed(random.Fixed{Frac: random.Exp2Neg(^y.Frac)})
	return shifted(half, uint(y.Whole)+2)
}

// shifted is f·2ⁿ for 0 < n < 64, cut to longest.
func shifted(f random.Fixed, n uint) random.Fixed {
	if uint(bits.Len64(f.Whole))+n > 62 {
		return random.Fixed{Whole: longest}
	}
	return random.Fixed{Whole: f.Whole<<n | f.Frac>>(64-n), Frac: f.Frac << n}
}

// timeline adds up lengths of time exactly, and rounds where it has come to, not the lengths.
type timeline struct {
	sum random.Fixed // in ns
	end Time         // sum rounded up
}

// never is the last instant of all.
const never = uint64(algorithms.Never)

// longest is the length, in ns, to which a longer one is cut: 146 years, more than any run.
const longest = 1 << 62

func (l *timeline) begin(at Time) { l.sum, l.end = random.Fixed{Whole: uint64(at)}, at }

// extend adds a length; beyond the last instant of all it stays there.
func (l *timeline) extend(length random.Fixed) {
	length.Whole = min(length.Whole, longest)
	l.sum = l.sum.Plus(length)
	if l.sum.Whole >= never {
		l.sum = random.Fixed{Whole: never}
	}
	l.end = Time(l.sum.Whole)
	if l.sum.Frac != 0 {
		l.end++
	}
}
