// Package algorithms holds rate limiters that decide exactly: in integers over rationals, to the
// nanosecond, on instants that the caller supplies.
//
// A [Spec] describes an algorithm as data; its Build turns a [Policy] into a [Maker]; the Maker
// makes one [Limiter] for each key:
//
//	spec, _ := algorithms.Lookup("token-bucket")
//	maker, err := spec.Build(algorithms.Policy{Limit: algorithms.Limit{N: 100, Per: time.Minute}})
//	limiter := maker.New()
//	d := limiter.Decide(now, 1)
//
// What holds for every limiter here:
//
//   - Exactly enough is accepted, and a denied request changes nothing (unless the algorithm's
//     option count_denied says otherwise): asking more often never changes what is accepted.
//   - Waiting until Decision.Until is accepted; one nanosecond earlier is not.
//   - What fits now still fits later if nothing else arrives.
//   - Time that goes back counts as the latest instant seen.
//   - Limits, bursts and costs from 1 to 10^12 and periods from 1 ns to ten years all work, without
//     overflow. A level is kept in units of 1/P, so that one nanosecond refills exactly N of them;
//     where 64 bits do not hold that, 128 do.
//
// Some limiters can do more, which they say by optional interfaces of one method: a level to plot
// ([Gauged]), an end of service to hear of ([Holding]), another limit from now on ([Adjust]), and others.
//
// The package uses the standard library only and can be used on its own. To add an algorithm,
// write one file with its limiter and its Spec, add the Spec to [Specs], and write its definition
// for the oracle in the tests.
package algorithms
