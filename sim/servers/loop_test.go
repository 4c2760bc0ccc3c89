package servers_test

import (
	"container/heap"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
)

type Time = algorithms.Time

const (
	millisecond Time = 1e6
	second      Time = 1e9
)

// request is one call of Ask. Its number among the requests of a loop is its call.
type request struct {
	at          Time
	client, key uint32
	cost        int64
}

// at are requests of cost 1 at one instant, under key 0, from clients 0, 1, 2, …
func at(t Time, n int) []request {
	out := make([]request, n)
	for i := range out {
		out[i] = request{at: t, client: uint32(i), cost: 1}
	}
	return out
}

// reply is what a call was answered, and when.
type reply struct {
	servers.Answer
	now Time
}

// loop is the event loop of a test: it keeps messages in order of time, and of posting where that is
// the same, and hands them back before requests of the same instant.
type loop struct {
	cluster *servers.Cluster
	queue   posts
	posted  int
	now     Time
	replies [][]reply // by call
}

type post struct {
	at      Time
	order   int
	message uint32
}

type posts []post

func (p posts) Len() int      { return len(p) }
func (p posts) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p posts) Less(i, j int) bool {
	return p[i].at < p[j].at || p[i].at == p[j].at && p[i].order < p[j].order
}
func (p *posts) Push(x any) { *p = append(*p, x.(post)) }
func (p *posts) Pop() any {
	last := len(*p) - 1
	x := (*p)[last]
	*p = (*p)[:last]
	return x
}

// fataler is what a testing.TB and a rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// run puts requests, in order of time, to a cluster and delivers all it posts. Every request has been
// answered exactly once.
func run(t fataler, cfg *servers.Config, scheme servers.Scheme, limit servers.Limit, requests []request) ([]reply, servers.Report) {
	t.Helper()
	l := &loop{replies: make([][]reply, len(requests))}
	cluster, err := servers.New(cfg, scheme, limit, l.post, l.answer)
	if err != nil {
		t.Fatalf("%v: %v", scheme, err)
	}
	l.cluster = cluster
	for i, r := range requests {
		l.deliver(t, r.at)
		l.now = r.at
		cluster.Ask(r.at, uint32(i), r.client, r.key, r.cost)
	}
	l.deliver(t, algorithms.Never)
	replies := make([]reply, len(requests))
	for i, r := range l.replies {
		if len(r) != 1 {
			t.Fatalf("%v: request %d of %v was answered %d times", scheme, i, requests[i].at, len(r))
		}
		replies[i] = r[0]
	}
	return replies, cluster.Report()
}

func (l *loop) post(at Time, message uint32) {
	if at < l.now {
		panic("posted for the past")
	}
	l.posted++
	heap.Push(&l.queue, post{at, l.posted, message})
}

func (l *loop) answer(call uint32, now Time, a servers.Answer) {
	if now != l.now {
		panic("answered at another instant")
	}
	l.replies[call] = append(l.replies[call], reply{a, now})
}

// deliver hands back what was posted up to an instant, and checks at each step that the bound holds.
func (l *loop) deliver(t fataler, until Time) {
	for len(l.queue) > 0 && l.queue[0].at <= until {
		p := heap.Pop(&l.queue).(post)
		l.now = p.at
		l.cluster.Deliver(p.at, p.message)
	}
	if r := l.cluster.Report(); r.Bounded && r.OverAdmitted > r.Bound {
		t.Fatalf("at %v: %d units beyond the limit, with a bound of %d: %+v", l.now, r.OverAdmitted, r.Bound, r)
	}
}

// limitOf is an algorithm under a policy.
func limitOf(t fataler, algorithm string, p algorithms.Policy) servers.Limit {
	t.Helper()
	spec, ok := algorithms.Lookup(algorithm)
	if !ok {
		t.Fatalf("no algorithm %q", algorithm)
	}
	maker, err := spec.Build(p)
	if err != nil {
		t.Fatalf("%s %+v: %v", algorithm, p, err)
	}
	return servers.Limit{Spec: spec, Policy: p, Maker: maker}
}

// window is fixed-window of n units a second.
func window(t fataler, n int64) servers.Limit {
	t.Helper()
	return limitOf(t, "fixed-window", algorithms.Policy{Limit: algorithms.Limit{N: n, Per: 1e9}})
}
