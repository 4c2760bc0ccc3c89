package redis

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

func init() { logging.Disable() } // errors are returned; nothing is written to standard error

// Store is a Redis that decides.
type Store struct {
	ctx     context.Context
	address Address
	client  *goredis.Client
	prefix  string
	makers  []*maker
	failure atomic.Pointer[error] // the first
}

// Open connects to a store, whose calls end with the context. All its keys begin with the prefix and a
// colon: whoever uses the same prefix shares its limiters.
func Open(ctx context.Context, address Address, prefix string) (*Store, error) {
	s := &Store{ctx: ctx, address: address, client: goredis.NewClient(address.options), prefix: prefix}
	if err := s.client.Ping(ctx).Err(); err != nil {
		s.client.Close()
		return nil, address.problem(err)
	}
	return s, nil
}

// Address is where the store is.
func (s *Store) Address() Address { return s.address }

// Err is the first error of a call, nil if there was none; also of a store that is nil.
func (s *Store) Err() error {
	if s == nil {
		return nil
	}
	if err := s.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// fail keeps the first error.
func (s *Store) fail(err error) {
	err = s.address.problem(err)
	s.failure.CompareAndSwap(nil, &err)
}

// Maker makes limiters that decide in the store, under a policy that spec accepts. The name tells
// them from the other limiters of the store.
func (s *Store) Maker(name string, spec *algorithms.Spec, p algorithms.Policy) (algorithms.Maker, error) {
	return s.maker(name, spec, p)
}

func (s *Store) maker(name string, spec *algorithms.Spec, p algorithms.Policy) (*maker, error) {
	if _, err := spec.Build(p); err != nil {
		return nil, err
	}
	for _, x := range scripts() {
		if x.algorithm == spec.Name {
			m := &maker{store: s, call: x.call(settings{p, spec}), name: s.prefix + ":" + name}
			s.makers = append(s.makers, m)
			return m, nil
		}
	}
	return nil, fmt.Errorf("%s has no script for a store", spec.Name)
}

// refusal is the answer of a store that has failed.
var refusal = algorithms.Decision{Verdict: algorithms.Deny, Until: algorithms.Never}

// answer asks one question. After the first error nothing is asked any more.
func (s *Store) answer(q question) algorithms.Decision {
	if s.failure.Load() != nil {
		return refusal
	}
	d, err := decisionOf(q.Run(s.ctx, s.client, q.keys, q.args...))
	if err != nil {
		s.fail(err)
	}
	return d
}

// answers asks questions in order on one connection, without waiting for one answer before the next
// question is sent. There is no answer from the first error on.
func (s *Store) answers(questions []question) []algorithms.Decision {
	var out []algorithms.Decision
	for tries := 0; len(out) < len(questions) && s.failure.Load() == nil; tries++ {
		answered, err := s.pipeline(questions[len(out):])
		out = append(out, answered...)
		switch {
		case err != nil:
			s.fail(err)
		case len(answered) > 0:
			tries = 0
		case tries > 2:
			s.fail(errors.New("it forgets every script at once"))
		}
	}
	return out
}

// pipeline answers as many of the questions as it can without an error. It stops short at a script
// that the server does not know, after it has told it.
func (s *Store) pipeline(questions []question) ([]algorithms.Decision, error) {
	var commands []*goredis.Cmd
	// The error of Pipelined is that of the first command that failed, which is looked at below.
	s.client.Pipelined(s.ctx, func(p goredis.Pipeliner) error {
		for _, q := range questions {
			commands = append(commands, q.EvalSha(s.ctx, p, q.keys, q.args...))
		}
		return nil
	})
	var out []algorithms.Decision
	for i, command := range commands {
		d, err := decisionOf(command)
		if isUnknownScript(err) {
			if answeredLater(commands[i:]) {
				return out, errors.New("the scripts were removed and loaded again during the run")
			}
			return out, questions[i].Load(s.ctx, s.client).Err()
		}
		if err != nil {
			return out, err
		}
		out = append(out, d)
	}
	return out, nil
}

// answeredLater reports whether one of the commands was carried out: then they cannot be sent again
// in their order.
func answeredLater(commands []*goredis.Cmd) bool {
	for _, command := range commands {
		if command.Err() == nil {
			return true
		}
	}
	return false
}

func isUnknownScript(err error) bool {
	return errors.Is(err, goredis.ErrNoScript) || goredis.HasErrorPrefix(err, "NOSCRIPT")
}

// cleaning bounds how long removing what was left behind may take.
const cleaning = 5 * time.Second

// unlinked is how many keys are removed by one command.
const unlinked = 1000

// Close removes the state of all limiters, unless it is to be kept for others, and disconnects. It
// does so whether or not the context has ended.
func (s *Store) Close(keep bool) error {
	defer s.client.Close()
	if keep {
		return nil
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(s.ctx), cleaning)
	defer stop()
	return s.address.problem(s.remove(ctx))
}

// remove removes the keys of the limiters that have decided. No key is searched for: that would read
// all of a database which may be large and another's.
func (s *Store) remove(ctx context.Context) error {
	var keys []string
	for _, m := range s.makers {
		for _, l := range m.used {
			keys = append(keys, l.keys()...)
		}
	}
	for len(keys) > 0 {
		n := min(unlinked, len(keys))
		if err := s.client.Unlink(ctx, keys[:n]...).Err(); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}
