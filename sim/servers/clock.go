package servers

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// windows numbers the windows that fixed-window anchors to the clock: multiples of P since the Unix
// epoch. The window of instant 0 has number 0.
type windows struct {
	period uint64
	phase  uint64 // how far instant 0 lies into its window
}

func newWindows(p algorithms.Policy) windows {
	period := int64(p.Limit.Per)
	into := p.Start % period
	if into < 0 {
		into += period
	}
	return windows{uint64(period), uint64(into)}
}

// number is the number of the window that at lies in.
func (w windows) number(at Time) uint64 { return (uint64(at) + w.phase) / w.period }

// end is where window number n ends, in nanoseconds since the run began. It may lie one period beyond
// every Time.
func (w windows) end(n uint64) uint64 { return (n+1)*w.period - w.phase }

// plus is at + length, at most the last instant before Never.
func plus(at, length Time) Time {
	if length > algorithms.Never-1-at {
		return algorithms.Never - 1
	}
	return at + length
}

// clocks tell by how much each server's clock is off.
type clocks []Time

// newClocks draws them: each from −Skew to +Skew, whole nanoseconds with equal chance.
func newClocks(cfg *Config) clocks {
	c := make(clocks, cfg.Count)
	for i := range c {
		draw := random.Keyed(cfg.Seed, "servers skew", uint64(i))
		c[i] = Time(draw.Below(2*uint64(cfg.Skew)+1)) - cfg.Skew
	}
	return c
}

// shows is what a server's clock shows at now.
func (c clocks) shows(server uint8, now Time) Time { return max(0, plus(now, c[server])) }

// toRun turns what a server decided at now by its own clock into the run's time.
func (c clocks) toRun(server uint8, now Time, d algorithms.Decision) algorithms.Decision {
	if d.Until != algorithms.Never {
		d.Until = max(now, plus(d.Until, -c[server]))
	}
	return d
}

// cuts is how many of a server's windows a window of the store lies in: 1 if both have the same
// edges, otherwise 2.
func (c clocks) cuts(server int, period uint64) int64 {
	if c[server]%Time(period) == 0 {
		return 1
	}
	return 2
}

// numbers is how many numbers of windows the servers' clocks show within one window of the store.
// That of server i shows those from its own ⌊skew/P⌋ to ⌈skew/P⌉ on.
func (c clocks) numbers(period uint64) int64 {
	p, seen := Time(period), map[Time]bool{}
	for _, skew := range c {
		first := skew / p
		if skew%p < 0 { // division rounds towards 0
			first--
		}
		seen[first] = true
		if skew%p != 0 {
			seen[first+1] = true
		}
	}
	return int64(len(seen))
}
