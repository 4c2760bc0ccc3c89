package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/retry"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// Moment is something that happens to a request at an instant.
type Moment struct {
	At      sim.Time
	Role    Role
	Text    string // without the instant
	Sending int64  // which sending it is about, from 1; 0 before the first
}

// Wanted says what a client wants.
func (s *Style) Wanted(plan *sim.Plan, st *sim.Story) string {
	who := s.client(plan, st.Request.Client)
	if st.Profile.Abusive {
		who += ", who is meant to be kept out,"
	}
	text := fmt.Sprintf("Request %d, at %s: %s asks for %s", st.Seq, s.Exact(st.Request.At), who, unitsOf(st.Request.Cost))
	if name := st.System.Endpoints[st.Request.Endpoint]; name != "" {
		text += " of " + s.Text(name)
	}
	return text + "."
}

func (s *Style) client(plan *sim.Plan, id uint32) string {
	if name := plan.Clients.Name(id); name != "" {
		return s.Text(name)
	}
	return "a client without a name"
}

// Retries says what a client does after an answer that is no success, in a sentence.
func (s *Style) Retries(p *retry.Policy) string {
	text := ""
	switch p.Kind {
	case retry.Never:
		return "It is sent once."
	case retry.AtOnce:
		text = "It is sent again at once"
	case retry.Fixed:
		text = "It is sent again after " + s.Exact(p.Wait)
	case retry.Exponential:
		text = fmt.Sprintf("It is sent again after %s, each time after twice as long, up to %s, with %s jitter", s.Exact(p.Wait), s.Exact(p.Most), jitter(p.Jitter))
	case retry.RetryAfter:
		text = "It is sent again when its client was told to"
		if p.Spread > 0 {
			text += " or up to " + s.Exact(p.Spread) + " later"
		}
	case retry.Pace:
		text = "It is sent again when its client was told to, which also slows down before it is refused"
	}
	text += fmt.Sprintf(": %d times at most", p.Attempts)
	if p.GiveUp > 0 {
		text += ", and not after " + s.Exact(p.GiveUp)
	}
	return text + "."
}

func jitter(j retry.Jitter) string {
	return [...]string{"no", "full", "equal", "decorrelated"}[j]
}

// Ended says how a request ended, in a few words.
func (s *Style) Ended(st *sim.Story) string {
	after := ""
	if st.Ending != sim.Unfinished {
		after = " after " + s.Exact(st.Ended-st.Request.At)
	}
	text := map[sim.Ending]string{
		sim.Succeeded: "succeeded", sim.Cheap: "got a cheap answer", sim.GivenUp: "given up", sim.Unfinished: "not ended when the run is over",
	}[st.Ending] + after
	switch st.Sent {
	case 0:
		return text + ", never sent"
	case 1:
		return text
	}
	return text + fmt.Sprintf(", sent %d times", st.Sent)
}

// EndingRole is the role of an ending.
func EndingRole(e sim.Ending) Role {
	switch e {
	case sim.Succeeded:
		return Admitted
	case sim.Cheap:
		return VerdictRole(sim.Degraded)
	case sim.GivenUp:
		return Denied
	}
	return Waited
}

// Moments tells a story in order of time.
func (s *Style) Moments(plan *sim.Plan, st *sim.Story) []Moment {
	t := &teller{Style: s, plan: plan, story: st}
	if st.Sent == 0 || st.Sendings[0].Sent > st.Request.At {
		t.add(st.Request.At, Waited, "its client holds it back")
	}
	for i := range st.Sendings {
		t.tell(i)
	}
	slices.SortStableFunc(t.moments, func(a, b Moment) int { return cmp.Compare(a.At, b.At) })
	return t.moments
}

// teller puts a story into words.
type teller struct {
	*Style
	plan    *sim.Plan
	story   *sim.Story
	moments []Moment
	prefix  string // of what happens to a sending that nobody waits for any more
	sending int64  // that is told of
}

func (t *teller) add(at sim.Time, role Role, format string, args ...any) {
	t.moments = append(t.moments, Moment{at, role, t.prefix + fmt.Sprintf(format, args...), t.sending})
}

// tell tells of one sending.
func (t *teller) tell(i int) {
	c := &t.story.Sendings[i]
	t.sending = c.Attempt
	t.sent(i, c)
	for _, a := range c.Asks {
		t.asked(a)
		if c.Line >= 0 && a.Decision.Verdict == algorithms.Delay {
			t.add(a.At, Waited, "delayed to %s", t.Exact(a.Decision.Until))
		}
	}
	if c.Asked > int64(len(c.Asks)) {
		t.add(c.Asks[len(c.Asks)-1].At, Faint, "asked %d times in all", c.Asked)
	}
	if c.Decided != algorithms.Never {
		t.decided(c)
	}
	if c.Ahead != algorithms.Never {
		t.served(c)
	}
	t.answered(c)
	t.next(c)
}

func (t *teller) sent(i int, c *sim.Sending) {
	if c.Attempt == 1 {
		t.add(c.Sent, Plain, "sent")
		return
	}
	if before := t.story.Sendings[i-1].Attempt; before != c.Attempt-1 {
		t.add(c.Sent, Faint, "(sendings %d to %d are left out)", before+1, c.Attempt-1)
	}
	t.add(c.Sent, Plain, "sent again, for the %s time", ordinal(c.Attempt))
}

// ordinal writes 1st, 2nd, 3rd, 4th, ….
func ordinal(n int64) string {
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.FormatInt(n, 10) + end
}

// asked tells what each limit said.
func (t *teller) asked(a sim.Ask) {
	for i := range a.Limits {
		limit := &a.Limits[i]
		rule := &t.story.System.Rules[limit.Rule]
		t.add(a.At, Plain, "%s, %s: %s", t.Text(rule.Name), t.key(rule.Key), t.said(a.At, limit))
	}
}

// key is whose limiter a request meets under a limit: that of client ann, of all.
func (t *teller) key(k sim.Key) string {
	var parts []string
	if k.Client {
		parts = append(parts, "client "+t.client(t.plan, t.story.Request.Client))
	}
	if k.Address {
		parts = append(parts, "the address of "+t.client(t.plan, t.story.Address))
	}
	if k.User {
		parts = append(parts, "the user of "+t.client(t.plan, t.story.User))
	}
	if k.Endpoint {
		parts = append(parts, "endpoint "+t.Text(t.story.System.Endpoints[t.story.Request.Endpoint]))
	}
	if parts == nil {
		return "for all"
	}
	return "for " + strings.Join(parts, " and ")
}

// said is what a limit had left, and what it made of the request.
func (t *teller) said(at sim.Time, a *sim.Asked) string {
	spec, cost := t.story.Limiter.Enforced[a.Rule].Spec, t.story.Request.Cost
	left := fmt.Sprintf("%d of %d left", a.Before.Remaining, a.Capacity)
	if spec.Gauge.Name == "" && spec.Worst(a.Policy) < 0 {
		return "lets everything through"
	}
	switch {
	case a.Accepts(at) && a.After.Remaining < a.Before.Remaining:
		return fmt.Sprintf("%s, takes %d and leaves %d", left, cost, a.After.Remaining)
	case a.Accepts(at):
		return fmt.Sprintf("%s, would let %d through", left, cost)
	case a.Capacity < cost:
		return fmt.Sprintf("%s, never lets %d through at once", left, cost)
	case a.Until == algorithms.Never && spec.Holds:
		return fmt.Sprintf("%s, needs %d, refuses until others are done", left, cost)
	case a.Until == algorithms.Never:
		return fmt.Sprintf("%s, needs %d, refuses for ever", left, cost)
	}
	return fmt.Sprintf("%s, needs %d, refuses until %s", left, cost, t.Exact(a.Until))
}

// decided tells the answer of the limits.
func (t *teller) decided(c *sim.Sending) {
	if c.Server >= 0 {
		t.add(c.ServerAt, Plain, "server %d decides%s", c.Server+1, map[servers.Failure]string{
			servers.Open: " without the store: all may pass", servers.Closed: " without the store: none may pass",
		}[c.Failed])
	}
	role := VerdictRole(c.Decision.Verdict)
	switch c.Decision.Verdict {
	case algorithms.Admit:
		t.add(c.Decided, role, "admitted")
	case algorithms.Delay:
		if c.Line >= 0 {
			t.add(c.Decided, role, "waits for the limits, %s", before(c.Line))
			return
		}
		t.add(c.Decided, role, "delayed to %s", t.Exact(c.Decision.Until))
	case sim.Degraded:
		t.add(c.Decided, role, "refused%s, and gets a cheap answer instead: %s", t.by(c), HTTPShort(&c.Response))
	default:
		t.add(c.Decided, role, "denied%s%s: %s", t.by(c), t.full(c), HTTPShort(&c.Response))
	}
}

// by names the limit that refused, where there are several.
func (t *teller) by(c *sim.Sending) string {
	if c.Refused < 0 || len(t.story.System.Rules) == 1 {
		return ""
	}
	return " by " + t.Text(t.story.System.Rules[c.Refused].Name)
}

// full says that there was no place to wait.
func (t *teller) full(c *sim.Sending) string {
	if sys := t.story.System; sys.OnLimit == sim.Queue && c.Line >= sys.Waiting {
		return fmt.Sprintf(", %d wait already", c.Line)
	}
	return ""
}

// before says how many wait before.
func before(n int) string {
	if n == 0 {
		return "the first of its line"
	}
	return strconv.Itoa(n) + " before it"
}

// served tells what the service did.
func (t *teller) served(c *sim.Sending) {
	alone := func(at sim.Time) {
		if t.prefix = ""; c.Fate == sim.FateTimedOut && at >= c.Answered {
			t.prefix = fmt.Sprintf("sending %d, for which nobody waits any more: ", c.Attempt)
		}
	}
	defer func() { t.prefix = "" }()
	alone(c.Ahead)
	if c.Decision.Verdict == algorithms.Delay {
		t.add(c.Ahead, Admitted, "goes ahead")
	}
	if c.Queue >= 0 {
		t.add(c.Ahead, Waited, "waits for a worker, %s", before(c.Queue))
	}
	if c.Began != algorithms.Never {
		alone(c.Began)
		t.add(c.Began, Plain, "the service begins")
		alone(c.Served)
		t.add(c.Served, Plain, "the service ends")
	}
}

// answered tells what the client hears beyond the limits' answer.
func (t *teller) answered(c *sim.Sending) {
	switch c.Fate {
	case sim.FateSucceeded:
		t.add(c.Answered, Admitted, "a full answer, %s after it was sent: %s", t.Exact(c.Answered-c.Sent), HTTPShort(&c.Response))
	case sim.FateTimedOut:
		t.add(c.Answered, Denied, "its client waits no more, %s after it was sent", t.Exact(c.Answered-c.Sent))
	case sim.FateLost:
		why := "the service's queue is full"
		if c.Ahead == algorithms.Never {
			why = "the limits leave no room for it any more"
		}
		t.add(c.Answered, Denied, "lost, %s: HTTP %s", why, HTTPStatus(503))
	}
}

// next tells what the client does after an answer.
func (t *teller) next(c *sim.Sending) {
	if c.Hold > c.Answered {
		t.add(c.Answered, Faint, "its client sends nothing before %s", t.Exact(c.Hold))
	}
	if c.Fate < sim.FateDenied {
		return
	}
	if c.Again == algorithms.Never {
		t.add(c.Answered, Denied, "given up")
		return
	}
	text := "to be sent again " + t.Exact(c.Again-c.Answered) + " later, at " + t.Exact(c.Again)
	if c.Again == c.Answered {
		text = "to be sent again at once"
	}
	if c.Told > 0 {
		text += "; told to wait " + t.Exact(c.Told)
	}
	if c.Again >= t.plan.Duration {
		text += "; the run is over before"
	}
	t.add(c.Answered, Waited, "%s", text)
}
