package redis

import (
	_ "embed"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	goredis "github.com/redis/go-redis/v9"
)

var (
	//go:embed integer.lua
	integerLua string
	//go:embed state.lua
	stateLua string
)

// script is one algorithm, or one of its options, in Lua.
type script struct {
	*goredis.Script
	source string
	keys   int // of each limiter: the state, and a log beside it
}

// newScript puts before a script what all have in common.
func newScript(keys int, body string) *script {
	source := strings.Join([]string{integerLua, stateLua, body}, "\n")
	return &script{goredis.NewScript(source), source, keys}
}

// call is a script under one policy: what it is told of the policy with every request, and of the
// request. All of them are numbers in decimal digits, or words.
type call struct {
	*script
	request func(now algorithms.Time, cost int64) []string
	policy  []string
}

// scripted is an algorithm that has scripts. The policy that call gets is one that the algorithm
// accepts.
type scripted struct {
	algorithm string
	call      func(settings) call
}

// scripts lists them, in the order in which algorithms are shown.
func scripts() []scripted {
	return []scripted{
		{"token-bucket", tokenBucket},
		{"gcra", gcra},
		{"fixed-window", fixedWindow},
		{"sliding-log", slidingLog},
		{"sliding-counter", slidingCounter},
	}
}

// Algorithms are the names of the algorithms that a store can decide by.
func Algorithms() []string {
	var names []string
	for _, s := range scripts() {
		names = append(names, s.algorithm)
	}
	return names
}

// settings is a policy with the defaults of its options.
type settings struct {
	algorithms.Policy
	spec *algorithms.Spec
}

// option is the value of an option, or its default.
func (s settings) option(name string) string {
	if value, given := s.Options[name]; given {
		return value
	}
	o, _ := s.spec.Option(name)
	return o.Default
}

// decimal is a whole number in decimal digits. A cost below 1 is none, and one beyond every limit.
func decimal(n int64) string { return strconv.FormatUint(uint64(n), 10) }

// whole is the same number without bounds.
func whole(n int64) *big.Int { return new(big.Int).SetUint64(uint64(n)) }

// product is a·b.
func product(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

// lowest is N/P in lowest terms.
func lowest(limit algorithms.Limit) (n, p *big.Int) {
	n, p = whole(limit.N), whole(int64(limit.Per))
	divisor := new(big.Int).GCD(nil, nil, n, p)
	return n.Quo(n, divisor), p.Quo(p, divisor)
}

// windows are the multiples of a period since the Unix epoch, of a run that began at start.
type windows struct {
	first, period uint64 // the first edge after instant 0
}

func windowsOf(p algorithms.Policy) windows {
	into := p.Start % int64(p.Limit.Per) // how far instant 0 lies into its window
	if into < 0 {
		into += int64(p.Limit.Per)
	}
	return windows{uint64(p.Limit.Per) - uint64(into), uint64(p.Limit.Per)}
}

// at is how many edges have passed up to now since instant 0, and the next one.
func (w windows) at(now algorithms.Time) (passed, next uint64) {
	if uint64(now) >= w.first {
		passed = (uint64(now)-w.first)/w.period + 1
	}
	return passed, w.first + passed*w.period
}

// next is the first edge after now, in decimal digits.
func (w windows) next(now algorithms.Time) string {
	_, edge := w.at(now)
	return strconv.FormatUint(edge, 10)
}

// period is P in nanoseconds.
func period(d time.Duration) string { return decimal(int64(d)) }
