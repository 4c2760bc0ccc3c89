package servers

import (
	"cmp"
	"slices"
	"sort"

	"github.com/b6db88e4/ratesim/sim/random"
)

// timetable is what happens to a store, known in advance.
type timetable struct {
	cfg     *Store
	downs   []Outage  // in order of time, apart from each other
	slows   []Restart // that are followed by slowness, in order of time
	empties []Time    // restarts that lose the state, in order of time
	emptied int       // how many of them have been
}

// newTimetable puts outages and restarts in order.
func newTimetable(cfg *Store) timetable {
	t := timetable{cfg: cfg}
	downs := slices.Clone(cfg.Outages)
	for _, r := range cfg.Restarts {
		downs = append(downs, Outage{r.At, plus(r.At, r.Down)})
		if r.SlowFor > 0 {
			t.slows = append(t.slows, r)
		}
		if !r.Keeps {
			t.empties = append(t.empties, r.At)
		}
	}
	t.downs = merged(downs)
	slices.SortStableFunc(t.slows, func(a, b Restart) int { return cmp.Compare(plus(a.At, a.Down), plus(b.At, b.Down)) })
	slices.Sort(t.empties)
	return t
}

// merged puts outages in order and joins those that overlap or adjoin.
func merged(all []Outage) []Outage {
	slices.SortFunc(all, func(a, b Outage) int { return cmp.Compare(a.From, b.From) })
	var out []Outage
	for _, o := range all {
		if n := len(out); n > 0 && o.From <= out[n-1].Until {
			out[n-1].Until = max(out[n-1].Until, o.Until)
		} else if o.From < o.Until {
			out = append(out, o)
		}
	}
	return out
}

// down reports whether what reaches the store at an instant fails.
func (t *timetable) down(at Time) bool {
	i := sort.Search(len(t.downs), func(i int) bool { return at < t.downs[i].Until })
	return i < len(t.downs) && at >= t.downs[i].From
}

// latency is how long round trips take that begin at an instant. Of restarts that overlap the latest
// to come back counts.
func (t *timetable) latency(at Time) *random.Distribution {
	i := sort.Search(len(t.slows), func(i int) bool { return at < plus(t.slows[i].At, t.slows[i].Down) })
	if i > 0 {
		if r := &t.slows[i-1]; at < plus(plus(r.At, r.Down), r.SlowFor) {
			return &r.Slow
		}
	}
	return &t.cfg.Latency
}

// empty takes the restarts up to now that lost the state and have not been taken yet.
func (t *timetable) empty(now Time) []Time {
	from := t.emptied
	for t.emptied < len(t.empties) && t.empties[t.emptied] <= now {
		t.emptied++
	}
	return t.empties[from:t.emptied]
}
