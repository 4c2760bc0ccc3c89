package retry

import "github.com/b6db88e4/ratesim/sim/random"

// backOff is the next exponential wait. With b and c for the first and the longest wait (base and cap
// in Brooker's article), and n for the attempts before, the first one not counted:
//
//	None          min(c, b·2ⁿ)
//	Full          random(0, min(c, b·2ⁿ))
//	Equal         v/2 + random(0, v/2), where v = min(c, b·2ⁿ)
//	Decorrelated  min(c, random(b, 3·last)), where last is the wait before, and b at first
//
// The article counts its attempts from 1, so that the first wait is 2·b; here it is b. All draws are
// uniform and take in both ends.
func (p *Policy) backOff(s *State, draw *random.Stream) Time {
	if p.Jitter == Decorrelated {
		base := min(p.Wait, longest)
		return p.capped(between(base, times(max(base, s.Waited), 3), draw))
	}
	v := p.capped(doubled(p.Wait, s.Attempts-1))
	switch p.Jitter {
	case Full:
		return between(0, v, draw)
	case Equal:
		return between(v-v/2, v, draw)
	}
	return v
}

// capped is the wait, or the longest one if that is shorter.
func (p *Policy) capped(wait Time) Time {
	if p.Most > 0 {
		return min(wait, p.Most)
	}
	return wait
}

// doubled is wait·2ⁿ, cut to longest.
func doubled(wait Time, n int64) Time {
	if wait > longest>>uint64(min(max(n, 0), 63)) {
		return longest
	}
	return wait << uint64(max(n, 0)) // n below 63, unless wait is 0
}

// times is wait·k for a k of 1 or more, cut to longest.
func times(wait Time, k int64) Time {
	if wait > longest/Time(k) {
		return longest
	}
	return wait * Time(k)
}

// between draws a length from low to high, both of them possible.
func between(low, high Time, draw *random.Stream) Time {
	return low + Time(draw.Below(uint64(high-low)+1))
}
