package sim

import (
	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/retry"
)

// lines are the calls that wait for the limits to accept them, where refused ones queue: a line for
// each key, first come, first served.
type lines struct {
	byKey map[lineKey]uint32
	lines []line

	// held are the lines whose first call waits for units that others hold, by the rule and key that
	// holds them: no instant can be named for it, so the end of a service wakes them.
	held map[lineKey][]uint32
}

// lineKey is a key of a rule.
type lineKey struct {
	rule int
	key  uint32
}

// line is the calls of one key, which stand in the order in which they came.
type line struct {
	calls  ring
	due    Time    // when the first asks once more; Never if that is not posted
	held   bool    // it stands in lines.held
	heldBy lineKey // under this
}

func newLines() lines {
	return lines{byKey: map[lineKey]uint32{}, held: map[lineKey][]uint32{}}
}

// comesBehind reports whether others of a call's key wait already.
func (f *flow) comesBehind(k *call) bool {
	return len(f.gate.rulesFor(k.client, k.endpoint)) > 0 && f.lines.behind(f.lineOf(k))
}

// behind reports whether calls of a key wait already.
func (l *lines) behind(k lineKey) bool {
	i, ok := l.byKey[k]
	return ok && l.lines[i].calls.n > 0
}

// line is the number of a key's line.
func (l *lines) line(k lineKey) uint32 {
	i, ok := l.byKey[k]
	if !ok {
		i = uint32(len(l.lines))
		l.lines = append(l.lines, line{due: algorithms.Never})
		l.byKey[k] = i
	}
	return i
}

// lineOf is where a call waits: by its key under the first limit that applies to it.
func (f *flow) lineOf(k *call) lineKey {
	r := f.gate.rulesFor(k.client, k.endpoint)[0]
	return lineKey{r.number, r.keys.id(k.client, k.endpoint)}
}

// wait puts a refused call, or one that comes behind others, into its line; if the line is full or
// the call can never be accepted, it is refused.
func (f *flow) wait(now Time, c uint32, out ruling) {
	k := &f.calls.items[c]
	i := f.lines.line(f.lineOf(k))
	l := &f.lines.lines[i]
	f.story.of(k).lined(l.calls.n)
	if l.calls.n >= f.sys.Waiting || !fits(f.gate.rulesFor(k.client, k.endpoint), k.cost) || f.inVain(now, k, out) {
		if out.refused < 0 {
			out.refused = f.gate.rulesFor(k.client, k.endpoint)[0].number
		}
		f.decided(now, c, out, noServer)
		return
	}
	l.calls.push(c)
	f.decided(now, c, ruling{Decision{Verdict: algorithms.Delay, Until: algorithms.Never}, -1}, noServer)
	if l.calls.n == 1 {
		f.askLater(now, i, c, out)
	}
}

// inVain reports whether a refused call waits for units that nobody holds, so that nothing would ever
// wake it: it asks for more than a limit that moves lets anyone have now.
func (f *flow) inVain(now Time, k *call, out ruling) bool {
	if out.refused < 0 || out.Until != algorithms.Never {
		return false
	}
	r := f.holder(now, k)
	if r == nil || !r.holds {
		return true
	}
	held, ok := r.limiter(now, k.client, k.endpoint).(algorithms.Gauged)
	return ok && held.Level(now) == 0
}

// holder is the limit that names no instant at which it would accept a call, be it another than the
// one that refused it first; nil if all name one.
func (f *flow) holder(now Time, k *call) *rule {
	for _, r := range f.gate.rulesFor(k.client, k.endpoint) {
		if r.limiter(now, k.client, k.endpoint).When(now, k.cost) == algorithms.Never {
			return r
		}
	}
	return nil
}

// askLater sees to it that the first call of a line asks once more when it may be accepted.
func (f *flow) askLater(now Time, i, c uint32, out ruling) {
	l := &f.lines.lines[i]
	switch {
	case out.Until >= l.due && out.Until != algorithms.Never: // what is posted comes first
	case out.Until != algorithms.Never:
		l.due = out.Until
		f.lane.queue.post(event{at: out.Until, kind: release, subject: i, cost: aLine})
	case !l.held:
		k := &f.calls.items[c]
		r := f.holder(now, k)
		l.held, l.heldBy = true, lineKey{r.number, r.keys.id(k.client, k.endpoint)}
		f.lines.held[l.heldBy] = append(f.lines.held[l.heldBy], i)
	}
}

// wake lets the first calls of a line ask once more until one is refused. Where the line was woken
// by units given back and did not use up what there is, the next that waits for them is woken too.
func (f *flow) wake(now Time, i uint32, given bool) {
	l := &f.lines.lines[i]
	if l.due == now {
		l.due = algorithms.Never
	}
	if given {
		l.held = false
	}
	by := l.heldBy
	refused := f.admitFirst(now, i)
	if given && (refused == nil || refused.Until != algorithms.Never || f.lines.lines[i].heldBy != by) {
		f.wakeHeld(now, by)
	}
}

// admitFirst lets calls go ahead from the head of a line until one is refused, and returns how. One
// that would wait in vain is lost.
func (f *flow) admitFirst(now Time, i uint32) *ruling {
	for f.lines.lines[i].calls.n > 0 {
		c := f.lines.lines[i].calls.first()
		k := &f.calls.items[c]
		out := f.put(now, k)
		vain := f.inVain(now, k, out)
		if out.Verdict == algorithms.Deny && !vain {
			f.askLater(now, i, c, out)
			return &out
		}
		f.lines.lines[i].calls.pop()
		switch {
		case vain:
			f.fail(now, c, asLost, retry.Answer{})
		case out.Verdict == algorithms.Delay:
			f.lane.queue.post(event{at: out.Until, kind: release, subject: c, cost: aCall})
		default:
			f.released(now, c)
		}
	}
	return nil
}

// given wakes, at the end of a call, who waits for what it held.
func (f *flow) given(now Time, k *call, rules []*rule) {
	for _, r := range rules {
		if r.holds {
			f.wakeHeld(now, lineKey{r.number, r.keys.id(k.client, k.endpoint)})
		}
	}
}

// wakeHeld wakes the line that has waited longest for what a key of a rule holds.
func (f *flow) wakeHeld(now Time, by lineKey) {
	if waiting := f.lines.held[by]; len(waiting) > 0 {
		f.lines.held[by] = waiting[1:]
		f.lane.queue.post(event{at: now, kind: release, subject: waiting[0], cost: aHeldLine})
	}
}

// wakeAll lets every line ask once more: the limits have changed.
func (f *flow) wakeAll(now Time) {
	for i := range f.lines.lines {
		if f.lines.lines[i].calls.n > 0 {
			f.lane.queue.post(event{at: now, kind: release, subject: uint32(i), cost: aLine})
		}
	}
}
