// Package redistest starts a Redis for a test. It is used by tests only.
package redistest

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// Required is the environment variable under which a test fails where it would be skipped because
// there is no redis-server.
const Required = "RATESIM_REQUIRE_REDIS"

// Server is a redis-server of a test's own, on the loopback interface, that writes nothing to disk.
type Server struct {
	Addr    string // host:port
	process *os.Process
	ended   chan struct{}
}

// URL is the server's address as a store's.
func (s *Server) URL() string { return "redis://" + s.Addr }

// Start starts a redis-server with further arguments. It ends with the test, which is skipped where
// there is no redis-server to start.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv(Required) != "" {
			t.Fatalf("%s is set, but there is no redis-server on the path", Required)
		}
		t.Skip("no redis-server on the path: the scripts are not tried")
	}
	for range 5 { // another process may take the port in between
		if s := start(t, path, FreePort(t), args); s != nil {
			return s
		}
	}
	t.Fatal("redis-server does not start")
	return nil
}

// FreePort is a port of the loopback interface that nothing listens on.
func FreePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func start(t testing.TB, path string, port int, args []string) *Server {
	var output bytes.Buffer
	c := exec.Command(path, append([]string{"--bind", "127.0.0.1", "--port", strconv.Itoa(port),
		"--save", "", "--appendonly", "no", "--dir", t.TempDir()}, args...)...)
	c.Stdout, c.Stderr = &output, &output
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s := &Server{Addr: fmt.Sprintf("127.0.0.1:%d", port), process: c.Process, ended: make(chan struct{})}
	go func() {
		c.Wait()
		close(s.ended)
	}()
	if s.answers() {
		t.Cleanup(s.Kill)
		return s
	}
	s.Kill()
	t.Logf("redis-server on port %d: %s", port, &output)
	return nil
}

// answers waits until the server takes connections: ten seconds at most, or until it has ended.
func (s *Server) answers() bool {
	for range 1000 {
		if c, err := net.Dial("tcp", s.Addr); err == nil {
			c.Close()
			return true
		}
		select {
		case <-s.ended:
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	return false
}

// Kill ends the server at once. It may have been ended before.
func (s *Server) Kill() {
	s.process.Kill()
	<-s.ended
}
