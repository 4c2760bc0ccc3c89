// Package redis takes decisions from a real Redis: the algorithms that have a script in Lua, each
// decision one call of it that reads, decides and writes in one step.
//
// A [Store] makes limiters like any other, so an event loop does not know that they are far away. The
// instant of a run is passed in with every call; the server's clock has no part in a decision. The
// scripts are exact over the whole accepted range of package algorithms, and a [Checker] compares
// them with the limiters of that package, decision by decision.
//
// This package is the one place under sim where real time passes: a call may fail or be late.
// A limiter cannot return an error, so the store keeps the first one: from then on it denies
// everything without asking, and whoever runs it looks at [Store.Err] and throws the run away.
package redis
