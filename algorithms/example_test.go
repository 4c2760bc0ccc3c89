package algorithms_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// mustBuild makes a limiter of a registered algorithm from a policy known to be right.
func mustBuild(algorithm string, p algorithms.Policy) algorithms.Limiter {
	spec, ok := algorithms.Lookup(algorithm)
	if !ok {
		panic("no algorithm " + algorithm)
	}
	maker, err := spec.Build(p)
	if err != nil {
		panic(err)
	}
	return maker.New()
}

// A bucket of 5 tokens, one more each second. The caller supplies the instants: nothing here reads
// a clock, so the same requests always get the same answers.
func Example() {
	bucket := mustBuild("token-bucket", algorithms.Policy{
		Limit: algorithms.Limit{N: 1, Per: time.Second},
		Burst: 5,
	})
	for _, at := range []time.Duration{0, 0, 0, 3 * time.Second} {
		d := bucket.Decide(algorithms.Time(at), 2)
		fmt.Printf("%v: %v, %v\n", at, d.Verdict, time.Duration(d.Until))
	}
	// Output:
	// 0s: admit, 0s
	// 0s: admit, 0s
	// 0s: deny, 1s
	// 3s: admit, 3s
}

// Until of a denied request is the first nanosecond at which it would be accepted. Retry-After
// counts whole seconds, rounded up, and is left out for what can never fit.
func Example_retryAfter() {
	log := mustBuild("sliding-log", algorithms.Policy{
		Limit: algorithms.Limit{N: 2, Per: time.Minute},
	})
	log.Decide(0, 2)
	now := algorithms.Time(1500 * time.Millisecond)
	for _, cost := range []int64{1, 3} {
		d := log.Decide(now, cost)
		if d.Until == algorithms.Never {
			fmt.Println("429, will never fit")
			continue
		}
		wait := time.Duration(d.Until - now)
		fmt.Printf("429, wait %v, Retry-After: %d\n", wait, (wait+time.Second-1)/time.Second)
	}
	// Output:
	// 429, wait 58.5s, Retry-After: 59
	// 429, will never fit
}

// What is left now, and when there is more, can be asked without charging anything.
func ExampleRemaining() {
	spec, _ := algorithms.Lookup("gcra")
	policy := algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Minute}, Burst: 20}
	maker, err := spec.Build(policy)
	if err != nil {
		panic(err)
	}
	limiter, capacity := maker.New(), spec.Capacity(policy)
	limiter.Decide(0, 15)

	now := algorithms.Time(time.Second)
	left := algorithms.Remaining(limiter, now, capacity)
	fmt.Println("left:", left)
	fmt.Println("one more in:", time.Duration(limiter.When(now, left+1)-now))
	fmt.Println("all of it in:", time.Duration(limiter.When(now, capacity)-now))
	// Output:
	// left: 6
	// one more in: 200ms
	// all of it in: 8s
}

// The limit falls from 10 to 5 a second while a bucket holds 4 tokens: it keeps them, and fills more
// slowly from then on.
func ExampleAdjust() {
	spec, _ := algorithms.Lookup("token-bucket")
	before, err := spec.Build(algorithms.Policy{Limit: algorithms.Limit{N: 10, Per: time.Second}})
	if err != nil {
		panic(err)
	}
	after, err := spec.Build(algorithms.Policy{Limit: algorithms.Limit{N: 5, Per: time.Second}, Burst: 10})
	if err != nil {
		panic(err)
	}
	bucket := before.New()
	bucket.Decide(0, 6)
	fmt.Println("changed:", algorithms.Adjust(bucket, 0, after))
	for _, cost := range []int64{5, 4, 1} {
		d := bucket.Decide(0, cost)
		fmt.Printf("%d: %v, %v\n", cost, d.Verdict, time.Duration(d.Until))
	}
	// Output:
	// changed: true
	// 5: deny, 200ms
	// 4: admit, 0s
	// 1: deny, 200ms
}

// A fixed window forgets everything at its edge: who knows where the edge is gets twice the limit
// across it. A log of the last minute does not forget.
func Example_windowEdge() {
	policy := algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Minute}}
	for _, name := range []string{"fixed-window", "sliding-counter", "sliding-log"} {
		limiter, admitted := mustBuild(name, policy), 0
		for _, at := range []time.Duration{59900 * time.Millisecond, 60100 * time.Millisecond} {
			for range 100 {
				if limiter.Decide(algorithms.Time(at), 1).Verdict == algorithms.Admit {
					admitted++
				}
			}
		}
		fmt.Println(name, admitted)
	}
	// Output:
	// fixed-window 200
	// sliding-counter 100
	// sliding-log 100
}

// Every mistake in a policy is reported at once, each with what would be right.
func ExamplePolicyError() {
	spec, _ := algorithms.Lookup("sliding-buckets")
	_, err := spec.Build(algorithms.Policy{
		Limit:   algorithms.Limit{N: 0, Per: time.Minute},
		Options: map[string]string{"slots": "many"},
	})
	fmt.Println(err)

	var mistake *algorithms.PolicyError
	fmt.Println(errors.As(err, &mistake), mistake.Field)
	// Output:
	// limit "0": must be 1 to 1000000000000
	// slots "many": must be 1 to 10000
	// true limit
}
