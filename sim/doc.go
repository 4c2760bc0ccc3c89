// Package sim is the discrete-event engine: it puts one stream of requests to several limiters on
// a virtual clock and measures what each lets through.
//
// A [Plan] is what to simulate, a [Run] carries it out step by step, and a [Result] is what one
// limiter did. Nothing here reads a wall clock, sleeps, or draws from a global random source: the
// same plan gives the same results, bit for bit, at any number of workers.
package sim
