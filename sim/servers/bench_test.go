package servers_test

import (
	"testing"

	"github.com/b6db88e4/ratesim/sim/servers"
)

// line is a queue for messages whose latency is always the same, so that they come in order: it shows
// what a cluster takes, not what a heap takes.
type line struct {
	posts []post
	next  int
}

func (l *line) post(at Time, message uint32) {
	l.posts = append(l.posts, post{at: at, message: message})
}

func (l *line) deliver(c *servers.Cluster, until Time) {
	for ; l.next < len(l.posts) && l.posts[l.next].at <= until; l.next++ {
		c.Deliver(l.posts[l.next].at, l.posts[l.next].message)
	}
	if l.next == len(l.posts) {
		l.posts, l.next = l.posts[:0], 0
	}
}

// traffic makes a function that puts the next request to a cluster, a microsecond after the one
// before, under one of a thousand keys.
func traffic(tb testing.TB, scheme servers.Scheme) func() {
	tb.Helper()
	cfg := &servers.Config{
		Count: 8, Sync: 10 * millisecond, Peer: always(10),
		Store: servers.Store{Latency: always(10), Timeout: second},
	}
	queue, now, n := &line{}, Time(0), uint32(0)
	c, err := servers.New(cfg, scheme, window(tb, 100), queue.post, func(uint32, Time, servers.Answer) {})
	if err != nil {
		tb.Fatal(err)
	}
	return func() {
		now += 1000
		n++
		queue.deliver(c, now)
		c.Ask(now, n, n%5000, n*7%1000, 1)
	}
}

func BenchmarkAsk(b *testing.B) {
	for _, info := range servers.Schemes() {
		b.Run(info.Name, func(b *testing.B) {
			ask := traffic(b, info.Scheme)
			b.ReportAllocs()
			for b.Loop() {
				ask()
			}
		})
	}
}

// Once a cluster has seen its keys it takes no memory for a request, except for the copy of a key's
// state that a racy server decides on.
func TestAllocations(t *testing.T) {
	for _, info := range servers.Schemes() {
		ask := traffic(t, info.Scheme)
		for range 20_000 {
			ask()
		}
		want := 0.0
		if info.Scheme == servers.CentralRacy {
			want = 1
		}
		if got := testing.AllocsPerRun(20_000, ask); got > want {
			t.Errorf("%s: %v allocations a request, want %v", info.Name, got, want)
		}
	}
}
