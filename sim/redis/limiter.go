package redis

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	goredis "github.com/redis/go-redis/v9"
)

// maker makes the limiters of one policy. The keys of a run get their limiters in order, so the number
// of a limiter is that of its key. It is not safe for concurrent use, unlike other Makers: a limiter's
// simulation is in one goroutine.
type maker struct {
	store *Store
	call
	name string     // of its keys, with the store's prefix
	made int        // limiters
	used []*limiter // those that may have left something behind
}

// New implements algorithms.Maker.
func (m *maker) New() algorithms.Limiter {
	m.made++
	return &limiter{maker: m, number: m.made - 1}
}

// limiter is one key's state in a store.
type limiter struct {
	*maker
	number  int
	decided bool // it has been asked to decide, so there is a state
}

// When implements algorithms.Limiter. It asks the store.
func (l *limiter) When(now algorithms.Time, cost int64) algorithms.Time {
	return l.store.answer(l.question("ask", now, cost)).Until
}

// Decide implements algorithms.Limiter. Once the store has failed, everything is denied.
func (l *limiter) Decide(now algorithms.Time, cost int64) algorithms.Decision {
	return l.store.answer(l.decide(now, cost))
}

// decide is the question whose answer is a decision.
func (l *limiter) decide(now algorithms.Time, cost int64) question {
	q := l.question("decide", now, cost)
	if !l.decided {
		l.decided = true
		l.used = append(l.used, l)
	}
	return q
}

// question is one call of a script.
type question struct {
	*script
	keys []string
	args []any
}

func (l *limiter) question(mode string, now algorithms.Time, cost int64) question {
	known := "new"
	if l.decided {
		known = "known"
	}
	q := question{script: l.script, keys: l.keys(), args: []any{mode, known, decimal(int64(now))}}
	for _, arg := range l.request(now, cost) {
		q.args = append(q.args, arg)
	}
	for _, arg := range l.policy {
		q.args = append(q.args, arg)
	}
	return q
}

// keys are the state's, and the log's where there is one.
func (l *limiter) keys() []string {
	key := l.name + ":" + strconv.Itoa(l.number)
	return []string{key, key + ":log"}[:l.script.keys]
}

// decisionOf reads a script's answer: "admit 120", "deny 3000000000", "deny never". Instants beyond every
// one of a run are Never.
func decisionOf(answer *goredis.Cmd) (algorithms.Decision, error) {
	reply, err := answer.Result()
	if err != nil && !errors.Is(err, goredis.Nil) {
		return refusal, err
	}
	text, _ := reply.(string)
	verdict, instant, _ := strings.Cut(text, " ")
	d := refusal
	switch verdict {
	case "admit":
		d.Verdict = algorithms.Admit
	case "deny":
	default:
		return d, fmt.Errorf("a script answered %q", fmt.Sprint(reply))
	}
	if n, err := strconv.ParseInt(instant, 10, 64); err == nil {
		d.Until = algorithms.Time(n)
	}
	return d, nil
}
