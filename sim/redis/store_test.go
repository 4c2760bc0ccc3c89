package redis_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/redis"
	"github.com/b6db88e4/ratesim/sim/redis/redistest"
	goredis "github.com/redis/go-redis/v9"
)

// Time keeps the tests short.
type Time = algorithms.Time

// open opens a store that is closed with the test.
func open(t testing.TB, url, prefix string) *redis.Store {
	t.Helper()
	address, err := redis.ParseAddress(url)
	if err != nil {
		t.Fatal(err)
	}
	s, err := redis.Open(context.Background(), address, prefix)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(false) })
	return s
}

// plain is a connection that looks at what the scripts leave behind.
func plain(t testing.TB, server *redistest.Server) *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: server.Addr})
	t.Cleanup(func() { c.Close() })
	return c
}

// limiter makes a limiter of the store.
func limiter(t testing.TB, s *redis.Store, algorithm string, p algorithms.Policy) algorithms.Limiter {
	t.Helper()
	spec, _ := algorithms.Lookup(algorithm)
	m, err := s.Maker(algorithm, spec, p)
	if err != nil {
		t.Fatal(err)
	}
	return m.New()
}

// perMinute is a policy of so many a minute.
func perMinute(n int64) algorithms.Policy {
	return algorithms.Policy{Limit: algorithms.Limit{N: n, Per: time.Minute}}
}

// TestKeys: a run leaves state under its prefix, which expires after an hour of real time whatever the
// period, and nothing once it has ended.
func TestKeys(t *testing.T) {
	server := redistest.Start(t)
	c, ctx := plain(t, server), t.Context()
	c.Set(ctx, "mine", "untouched", 0)
	s := open(t, server.URL(), "run-1")
	for _, algorithm := range redis.Algorithms() {
		for _, period := range []time.Duration{1, time.Minute, algorithms.MaxPeriod} {
			p := algorithms.Policy{Limit: algorithms.Limit{N: 2, Per: period}}
			l := limiter(t, s, algorithm, p)
			l.Decide(0, 1)
			l.Decide(Time(time.Hour), 1)
		}
	}
	keys := c.Keys(ctx, "run-1:*").Val()
	if len(keys) != 6 { // makers of one name share their keys; the log has two
		t.Errorf("keys %q", keys)
	}
	for _, key := range keys {
		if ttl := c.TTL(ctx, key).Val(); ttl < 59*time.Minute || ttl > time.Hour {
			t.Errorf("%s expires in %s", key, ttl)
		}
	}
	if err := errors.Join(s.Err(), s.Close(false)); err != nil {
		t.Fatal(err)
	}
	if keys := c.Keys(ctx, "*").Val(); len(keys) != 1 || keys[0] != "mine" {
		t.Errorf("left behind: %q", keys)
	}
}

// TestBoundedLog: a log holds what counts and no more, however long it goes on, denied requests
// included.
func TestBoundedLog(t *testing.T) {
	server := redistest.Start(t)
	c, s := plain(t, server), open(t, server.URL(), "run")
	for _, counted := range []string{"false", "true"} {
		p := perMinute(5)
		p.Options = map[string]string{"count_denied": counted}
		l := limiter(t, s, "sliding-log", p)
		for i := range 100 {
			l.Decide(Time(i)*7e9, 1) // 16 to 18 a minute
			l.Decide(Time(i)*7e9, 1)
			if n := c.ZCard(t.Context(), "run:sliding-log:0:log").Val(); n > 5 || i > 10 && n < 4 {
				t.Fatalf("count_denied: %s: %d entries after %d requests", counted, n, 2*i)
			}
		}
		s.Close(false)
		s = open(t, server.URL(), "run")
	}
}

// TestRemovedThoughInterrupted: a context that has ended ends the decisions, not the cleaning up.
func TestRemovedThoughInterrupted(t *testing.T) {
	server := redistest.Start(t)
	ctx, interrupt := context.WithCancel(t.Context())
	address, _ := redis.ParseAddress(server.URL())
	s, err := redis.Open(ctx, address, "run")
	if err != nil {
		t.Fatal(err)
	}
	l := limiter(t, s, "sliding-log", perMinute(5))
	l.Decide(0, 1)
	interrupt()
	if d := l.Decide(1, 1); d.Verdict != algorithms.Deny || !errors.Is(s.Err(), context.Canceled) {
		t.Errorf("after the interruption %v, %v", d, s.Err())
	}
	if err := s.Close(false); err != nil {
		t.Error(err)
	}
	if n := plain(t, server).DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("%d keys left", n)
	}
}

// TestKept: what is kept for others is there for a store of the same prefix, and only for that.
func TestKept(t *testing.T) {
	server := redistest.Start(t)
	first := open(t, server.URL(), "shared")
	limiter(t, first, "fixed-window", perMinute(1)).Decide(0, 1)
	first.Close(true)
	if d := limiter(t, open(t, server.URL(), "shared"), "fixed-window", perMinute(1)).Decide(0, 1); d.Verdict != algorithms.Deny {
		t.Errorf("with the same prefix: %v", d)
	}
	if d := limiter(t, open(t, server.URL(), "own"), "fixed-window", perMinute(1)).Decide(0, 1); d.Verdict != algorithms.Admit {
		t.Errorf("with another: %v", d)
	}
}

// TestFlushedScripts: scripts that the server has forgotten are loaded again; a forgotten state cannot
// be.
func TestFlushedScripts(t *testing.T) {
	server := redistest.Start(t)
	c, s := plain(t, server), open(t, server.URL(), "run")
	l := limiter(t, s, "gcra", perMinute(2))
	l.Decide(0, 1)
	c.ScriptFlush(t.Context())
	if d := l.Decide(0, 1); d.Verdict != algorithms.Admit || s.Err() != nil {
		t.Fatalf("after SCRIPT FLUSH: %v, %v", d, s.Err())
	}
	c.FlushAll(t.Context())
	if d := l.Decide(0, 1); d.Verdict != algorithms.Deny || s.Err() == nil || !strings.Contains(s.Err().Error(), "the state of a limiter is gone") {
		t.Fatalf("after FLUSHALL: %v, %v", d, s.Err())
	}
}

// TestSticky: the first error stays, and after it nothing is asked.
func TestSticky(t *testing.T) {
	server := redistest.Start(t)
	s := open(t, server.URL(), "run")
	l := limiter(t, s, "gcra", perMinute(2))
	l.Decide(0, 1)
	server.Kill()
	l.Decide(0, 1)
	first := s.Err()
	if first == nil || !strings.HasPrefix(first.Error(), "redis at "+server.Addr+": ") {
		t.Fatalf("after the end of the server: %v", first)
	}
	for range 1000 {
		if d := l.Decide(0, 1); d != (algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}) {
			t.Fatal(d)
		}
	}
	if l.When(0, 1) != algorithms.Never || s.Err() != first {
		t.Errorf("the error became %v", s.Err())
	}
}

// saying answers each command that arrives with the same reply.
func saying(reply string) func(net.Conn) {
	return func(c net.Conn) {
		buffer := make([]byte, 1<<16)
		for {
			if _, err := c.Read(buffer); err != nil {
				return
			}
			io.WriteString(c, reply)
		}
	}
}

// silent reads and never answers.
func silent(c net.Conn) { io.Copy(io.Discard, c) }

// TestProblems: whatever is wrong with a store, opening it says where, what, and what to do, in one
// line and without the password.
func TestProblems(t *testing.T) {
	silence := redistest.Listen(t, silent)
	for _, row := range []struct{ what, url, want string }{
		{"nothing listens", "redis://127.0.0.1:1", "redis at 127.0.0.1:1: nothing listens there; start redis-server, or correct the address"},
		{"no such socket", "unix:///nowhere/redis.sock", "redis at /nowhere/redis.sock: nothing listens there"},
		{"silence", "redis://" + silence + "?read_timeout=100ms", "no answer within 100ms; see whether"},
		{"silence over TLS", "rediss://" + silence + "?dial_timeout=100ms", "no answer within"},
		{"a web server", "redis://" + redistest.Listen(t, saying("HTTP/1.1 400 Bad Request\r\n\r\n")), "its answer is not that of a Redis; see what listens there"},
		{"garbage", "redis://" + redistest.Listen(t, saying("*-7\r\n$x\r\n")), "its answer is not that of a Redis"},
		{"an end", "redis://" + redistest.Listen(t, func(net.Conn) {}), "closed the connection; see whether it was stopped, or speaks TLS"},
		{"no TLS", "rediss://" + redistest.Listen(t, saying("-ERR unknown command\r\n")), "does not speak TLS; write redis:// instead"},
		{"a password", "redis://" + redistest.Listen(t, saying("-NOAUTH Authentication required.\r\n")), "NOAUTH Authentication required.: it asks for a password; write redis://USER:PASSWORD@HOST:PORT"},
		{"no password", "redis://:s3cret@" + redistest.Listen(t, saying("-ERR AUTH <password> called without any password configured for the default user.\r\n")), "it has no password set; leave the password out"},
		{"a replica that starts", "redis://" + redistest.Listen(t, saying("-LOADING Redis is loading the dataset in memory\r\n")), "it is still reading its data; wait a little"},
		{"a node", "redis://" + redistest.Listen(t, saying("-MOVED 866 10.0.0.1:6379\r\n")), "it is a node of a cluster"},
	} {
		t.Run(row.what, func(t *testing.T) {
			t.Parallel()
			wantProblem(t, row.url, row.want)
		})
	}
}

// wantProblem wants a store not to open.
func wantProblem(t *testing.T, url, want string) {
	t.Helper()
	address, err := redis.ParseAddress(url)
	if err != nil {
		t.Fatal(err)
	}
	_, err = redis.Open(t.Context(), address, "run")
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "redis at "+address.Host()+": ") {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestAccess: passwords and databases of a real server.
func TestAccess(t *testing.T) {
	server := redistest.Start(t, "--requirepass", "s3cret/#", "--databases", "2")
	with := func(user, db string) string { return "redis://" + user + "@" + server.Addr + "/" + db }
	wantProblem(t, server.URL(), "it asks for a password")
	wantProblem(t, with(":wrong", ""), "correct the user name or the password")
	wantProblem(t, with("nobody:s3cret%2F%23", ""), "correct the user name or the password")
	wantProblem(t, with(":s3cret%2F%23", "2"), "it has fewer databases")
	s := open(t, with(":s3cret%2F%23", "1"), "run")
	if text := s.Address().String(); text != "redis://"+server.Addr+"/1" {
		t.Errorf("the address is shown as %s", text)
	}
}

// TestBreaksOff: a store that stops in the middle ends the run with its error, whatever it does then.
func TestBreaksOff(t *testing.T) {
	const admit = "$7\r\nadmit 0\r\n"
	for _, row := range []struct {
		then []string
		want string
	}{
		{nil, "closed the connection"},
		{[]string{""}, "no answer within 200ms"},
		{[]string{"$5\r\nmaybe\r\n"}, `a script answered "maybe"`},
		{[]string{":1\r\n"}, "a script answered"},
		{[]string{"$-1\r\n"}, "a script answered"},
		{[]string{"?\r\n"}, "its answer is not that of a Redis"},
		{[]string{"-OOM command not allowed when used memory > 'maxmemory'.\r\n"}, "raise its maxmemory"},
		{[]string{"-ERR user_script:9: oops\r\n"}, "a script failed: ERR user_script:9: oops; report it"},
	} {
		t.Run(row.want, func(t *testing.T) {
			t.Parallel()
			addr := redistest.Fake(t, redistest.Replies(append([]string{admit}, row.then...)...))
			s := open(t, "redis://"+addr+"?read_timeout=200ms", "run")
			l := limiter(t, s, "gcra", perMinute(2))
			if d := l.Decide(0, 1); d.Verdict != algorithms.Admit || s.Err() != nil {
				t.Fatalf("%v, %v", d, s.Err())
			}
			d := l.Decide(0, 1)
			if d.Verdict != algorithms.Deny || s.Err() == nil || !strings.Contains(s.Err().Error(), row.want) {
				t.Errorf("%v, %v\nwant %s", d, s.Err(), row.want)
			}
		})
	}
}

// TestAddresses: what is no address is refused with what would be right, and with no part of it that
// may belong to a password.
func TestAddresses(t *testing.T) {
	for _, row := range []struct{ url, want string }{
		{"", "has no scheme"},
		{"localhost:6379", `scheme "localhost": unknown; write redis://HOST:PORT`},
		{"http://localhost", `scheme "http": unknown`},
		{"redis://", "names no host"},
		{"redis://:6379", "names no host"},
		{"redis://user:s3cret#x@host:6379", "in a password write %2F for /"},
		{"redis://user:p/s3cret@host:6379", "in a password write %2F for /"},
		{"redis://user:p?s3cret@host:6379", "in a password write %2F for /"},
		{"redis://user:%zzs3cret@host:6379", "not the address of a store"},
		{"redis://host:port", "not the address of a store"},
		{"redis://host/zero", `invalid database number: "zero"`},
		{"redis://host/-1", "database number -1: is negative; write redis://HOST:PORT"},
		{"unix:///path?db=-1", "database number -1: is negative"},
		{"redis://host?s3cret=1", "unexpected option"},
	} {
		_, err := redis.ParseAddress(row.url)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v\nwant %s", row.url, err, row.want)
		}
		if err != nil && strings.Contains(err.Error(), "s3cret") && !strings.Contains(row.url, "?s3cret=") {
			t.Errorf("%s: the message tells the password: %v", row.url, err)
		}
	}
}
