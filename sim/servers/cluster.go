package servers

import "github.com/b6db88e4/ratesim/algorithms"

// Limit is the limit that the servers share.
type Limit struct {
	Spec   *algorithms.Spec
	Policy algorithms.Policy
	Maker  algorithms.Maker // of Spec under Policy
}

// exact reports whether the limit is one that bounds speak of: a count by window of the store's
// clock.
func (l *Limit) exact() bool {
	return l.Spec.Name == "fixed-window" && l.Policy.Options["anchor"] != "first"
}

// Failure says how a request was decided without the store.
type Failure uint8

const (
	None   Failure = iota // it was not
	Open                  // it was admitted
	Closed                // it was denied
)

// String is open, closed, or nothing.
func (f Failure) String() string { return [...]string{"", "open", "closed"}[f] }

// Answer is the answer to one call.
type Answer struct {
	// Decision is as algorithms tells it, in the run's time. Until is never before the answer: what
	// is admitted goes ahead when the client hears of it. It is Never for what is denied because the
	// store fails: nobody knows when that ends.
	Decision algorithms.Decision
	At       Time // when it was decided: at the store, at the owner, or at the server
	Server   int  // the one that decided: the key's owner under Owner, otherwise the one that was asked
	Failed   Failure
}

// Cluster is servers that share one limit.
type Cluster struct {
	cfg    *Config
	limit  Limit
	way    way
	router router
	clocks clocks
	ledger ledger
	flights
	post   func(at Time, message uint32)
	answer func(call uint32, now Time, a Answer)

	share algorithms.Policy                                                        // what each limiter enforces
	watch func(call uint32, shown Time, l algorithms.Limiter, p algorithms.Policy) // nil for none
}

// way is how a scheme treats what is under way.
type way interface {
	ask(now Time, id uint32)  // a call has come to flight.server
	take(now Time, id uint32) // the time of flight.step has come

	// advance lets happen what the configuration says happens up to now.
	advance(now Time)

	// report adds what the scheme knows.
	report(r *Report)
}

// New makes a cluster. It posts messages by post and answers calls by answer, both during Ask and
// Deliver only. The error joins every mistake in cfg, and says where a scheme cannot serve a limit.
func New(cfg *Config, scheme Scheme, limit Limit, post func(at Time, message uint32), answer func(call uint32, now Time, a Answer)) (*Cluster, error) {
	if err := check(cfg, scheme, limit); err != nil {
		return nil, err
	}
	c := &Cluster{
		cfg: cfg, limit: limit, share: limit.Policy,
		router: newRouter(cfg), clocks: newClocks(cfg),
		ledger: newLedger(newWindows(limit.Policy), limit.Policy.Limit.N, cfg.Count),
		post:   post, answer: answer,
	}
	c.way = newWay(c, scheme)
	return c, nil
}

// newWay chooses how the scheme works. A new scheme has its place here.
func newWay(c *Cluster, scheme Scheme) way {
	switch scheme {
	case CentralAtomic:
		return newAtomic(c)
	case CentralRacy:
		return newRacy(c)
	case Async:
		return newAsync(c)
	case Owner:
		return newOwner(c)
	}
	return newLocal(c, scheme)
}

// Ask puts a call to the servers at now: a request of a client under a key. It may be answered
// during Ask. Keys and clients are dense ids, costs 1 or more; now never goes back, and what was
// posted for an earlier instant has been delivered.
func (c *Cluster) Ask(now Time, call, client, key uint32, cost int64) {
	c.way.advance(now)
	server := c.router.route(client, key)
	c.way.ask(now, c.add(flight{call: call, key: key, cost: cost, server: server, place: server}))
}

// Deliver hands back a message that was posted for now. Messages of one instant come in the order in
// which they were posted.
func (c *Cluster) Deliver(now Time, message uint32) {
	c.way.advance(now)
	c.way.take(now, message)
}

// Report tells what became of the limit so far.
func (c *Cluster) Report() Report {
	r := c.ledger.report
	r.Admitted = append([]int64(nil), r.Admitted...)
	c.way.report(&r)
	r.Bounded = c.limit.exact() && r.FailedOpen == 0
	return r
}

// Watch has decided called after each decision that a limiter has made, with the call, the instant
// that its clock shows, the limiter as it stands then, which is only to be asked When, and the policy
// that it enforces: the limit itself, or a share of it.
func (c *Cluster) Watch(decided func(call uint32, shown Time, l algorithms.Limiter, p algorithms.Policy)) {
	c.watch = decided
}

// watched shows a decision to who watches.
func (c *Cluster) watched(f *flight, shown Time, l algorithms.Limiter) {
	if c.watch != nil {
		c.watch(f.call, shown, l, c.share)
	}
}

// after lets a flight take its next step some time from now. What takes no time happens at once, so
// that nothing comes between.
func (c *Cluster) after(now, length Time, id uint32, next step) {
	c.all[id].step = next
	if length == 0 {
		c.way.take(now, id)
		return
	}
	c.post(plus(now, length), id)
}

// respond answers a flight's call. The flight goes on.
func (c *Cluster) respond(now Time, id uint32) {
	f := &c.all[id]
	f.silent = true
	d := f.decision
	if d.Verdict == algorithms.Admit {
		d.Until = now
	}
	d.Until = max(now, d.Until)
	c.answer(f.call, now, Answer{Decision: d, At: f.at, Server: int(f.place), Failed: f.failed})
}

// finish answers a flight's call, and the flight is over.
func (c *Cluster) finish(now Time, id uint32) {
	c.respond(now, id)
	c.drop(id)
}
