package random

// Normal draws a normal deviate of mean 0 and standard deviation 1: how far it is from 0, below 48,
// a multiple of 2⁻⁶⁴, and on which side.
//
// Von Neumann (1951): an exponential time x has the density e^(−x), and e^(−x)·e^(−(x−1)²/2) is, up
// to a factor, e^(−x²/2), the density of what is sought. So x is accepted with chance e^(−(x−1)²/2),
// which is the chance that a second exponential time exceeds (x−1)²/2. Three in four are accepted.
func (s *Stream) Normal() (size Fixed, negative bool) {
	for {
		size = s.Exponential()
		if bound := size.fromOne(); !s.Exponential().less(bound.TimesFixed(bound).half()) {
			return size, s.Uint64()&1 != 0
		}
	}
}

// fromOne is |f − 1|.
func (f Fixed) fromOne() Fixed {
	if f.Whole > 0 {
		return Fixed{f.Whole - 1, f.Frac}
	}
	if f.Frac == 0 {
		return Fixed{1, 0}
	}
	return Fixed{0, -f.Frac}
}

// half is f/2, rounded down.
func (f Fixed) half() Fixed { return Fixed{f.Whole >> 1, f.Whole<<63 | f.Frac>>1} }

func (f Fixed) less(g Fixed) bool {
	return f.Whole < g.Whole || f.Whole == g.Whole && f.Frac < g.Frac
}
