package redistest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// Listen accepts connections on the loopback interface until the test ends, serves each, and closes
// it. It returns host:port.
func Listen(t testing.TB, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return l.Addr().String()
}

// Fake is a server that greets as a Redis does and answers scripts as it is told, one after the other,
// by what is sent over the line, such as "$7\r\nadmit 0\r\n". Everything else is answered by 0. It
// closes a connection on which reply has nothing more to say.
func Fake(t testing.TB, reply func(call int) (string, bool)) string {
	return Listen(t, func(c net.Conn) {
		in, calls := bufio.NewReader(c), 0
		for {
			name, err := readCommand(in)
			if err != nil {
				return
			}
			text, more := ":0\r\n", true
			switch name {
			case "hello":
				text = "-ERR unknown command\r\n"
			case "ping":
				text = "+PONG\r\n"
			case "evalsha", "eval":
				text, more = reply(calls)
				calls++
			}
			if _, err := io.WriteString(c, text); err != nil || !more {
				return
			}
		}
	})
}

// Replies tells a Fake its replies in order.
func Replies(replies ...string) func(int) (string, bool) {
	return func(call int) (string, bool) {
		if call >= len(replies) {
			return "", false
		}
		return replies[call], true
	}
}

// readCommand reads one command, an array of strings, and returns its name in lower case.
func readCommand(in *bufio.Reader) (string, error) {
	n, err := readLength(in, '*')
	if err != nil {
		return "", err
	}
	name := ""
	for i := range n {
		size, err := readLength(in, '$')
		if err != nil {
			return "", err
		}
		text := make([]byte, size+2)
		if _, err := io.ReadFull(in, text); err != nil {
			return "", err
		}
		if i == 0 {
			name = strings.ToLower(string(text[:size]))
		}
	}
	return name, nil
}

// readLength reads a line such as *3 or $12.
func readLength(in *bufio.Reader, kind byte) (int, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return 0, err
	}
	n := 0
	_, err = fmt.Sscanf(line, string(kind)+"%d\r\n", &n)
	return n, err
}
