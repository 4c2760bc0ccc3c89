package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// problem puts an error of a store into words: where, what, and what to do about it. Errors of a
// context that has ended stay as they are.
func (a Address) problem(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("redis at %s: %w", a.Host(), a.advised(err))
}

// advice is what to do about an error that the server sent, by how that begins.
var advice = []struct{ code, todo string }{
	{"NOAUTH", "it asks for a password; write redis://USER:PASSWORD@HOST:PORT"},
	{"WRONGPASS", "correct the user name or the password in the address"},
	{"ERR AUTH", "it has no password set; leave the password out of the address"},
	{"ERR invalid password", "correct the password in the address"},
	{"NOPERM", "allow the user EVALSHA, EVAL, SCRIPT and UNLINK, or name another user"},
	{"ERR DB index", "it has fewer databases; write a lower number at the end of the address"},
	{"LOADING", "it is still reading its data; wait a little"},
	{"BUSY", "another script keeps it busy; wait for it, or end it with SCRIPT KILL"},
	{"READONLY", "it is a replica; give the address of the primary"},
	{"OOM", "it has no memory left; raise its maxmemory"},
	{"MISCONF", "it cannot save to its disk; mend that, or turn saving off"},
	{"MOVED", "it is a node of a cluster; give the address of a server of its own"},
	{"CROSSSLOT", "it is a node of a cluster; give the address of a server of its own"},
	{"MAXCLIENTS", "it has too many connections; end some, or raise its maxclients"},
	{"ERR max number of clients", "it has too many connections; end some, or raise its maxclients"},
	{"ERR unknown command", "it knows no scripts; give the address of a Redis, version 4 or later"},
}

// advised is the error in few words, with what to do.
func (a Address) advised(err error) error {
	var noHost *net.DNSError
	var noTLS tls.RecordHeaderError
	text := err.Error()
	switch {
	case strings.Contains(text, "LOST "):
		return errors.New("the state of a limiter is gone; something removed or evicted keys during the run: use a Redis of which that is not so")
	case errors.As(err, &noHost):
		return fmt.Errorf("no host of that name; correct the address (%w)", noHost)
	case isTimeout(err):
		return fmt.Errorf("no answer within %s; see whether it is overloaded, or the address belongs to something else", a.options.ReadTimeout)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, os.ErrNotExist):
		return errors.New("nothing listens there; start redis-server, or correct the address")
	case errors.As(err, &noTLS):
		return errors.New("does not speak TLS; write redis:// instead of rediss://")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return errors.New("closed the connection; see whether it was stopped, or speaks TLS (rediss://)")
	}
	for _, known := range advice {
		if strings.HasPrefix(text, known.code) {
			return fmt.Errorf("%w: %s", err, known.todo)
		}
	}
	return a.unknown(err)
}

// unknown is an error that needs no advice, or for which there is none.
func (a Address) unknown(err error) error {
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	text := err.Error()
	switch {
	case errors.As(err, &certificate):
		return fmt.Errorf("its certificate is not trusted: %w; ?skip_verify=true after the address takes any", certificate.Err)
	case errors.As(err, &op):
		return fmt.Errorf("%w; correct the address, or see to the network", op.Err)
	case strings.HasPrefix(text, "redis: "), strings.Contains(text, "invalid reply"), strings.Contains(text, "can't parse"):
		return errors.New("its answer is not that of a Redis; see what listens there")
	case strings.HasPrefix(text, "ERR"):
		return fmt.Errorf("a script failed: %w; report it together with the version of the server", err)
	}
	return err
}

func isTimeout(err error) bool {
	var late net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &late) && late.Timeout()
}
