// Package servers models several servers that share one limit: how each scheme of sharing it works,
// and how far beyond the limit it lets clients.
//
// A [Cluster] is a state machine that its caller's event loop drives. It has no clock and no loop of
// its own: [Cluster.Ask] puts a request to it, what takes time it asks to be told of later by posting
// a message, [Cluster.Deliver] hands that message back at its instant, and every request is answered
// exactly once, during one of the two.
//
//	client ──Ask──▶ server ──half a round trip──▶ store ──the other half──▶ server ──answer──▶ client
//
// The limit is L units in each window of length P by the store's clock, which is that of the run.
// [Cluster.Report] tells the most units by which any window went beyond L, and the bound that the
// scheme keeps, computed from what happened:
//
//	central-atomic   0, and L more for each restart of the store that emptied it within the window
//	central-racy     (k−1)·L, where k units at most were admitted on one and the same count
//	split-up         N·⌈L/N⌉ − L, which is N−1 at most
//	split-down       0
//	independent      (N−1)·L
//	async            (N−1)·min(L, λ), where one server admitted at most λ within Sync + a round trip
//	owner            m·L, where a key moved at most m times within the window
//
// # Clocks that are off
//
// The store's clock is right. Where servers decide by their own (all but central-atomic), one whose
// clock is off by no whole number of periods has its windows elsewhere: a window of the store lies in
// two of the server's, and what the server enforces in each it may enforce twice. So the bounds of
// split, independent and owner count such a server twice. Under async the servers agree about windows
// of the same number, each keeping it at its own time; a window of the store then sees up to m
// different numbers, and the bound is m·(L + (N−1)·min(L, λ)) − L, or twice L for every skewed server
// where that is less. The bound of central-racy holds as it is, since its k is counted by the store's
// windows.
package servers

import "github.com/b6db88e4/ratesim/algorithms"

// Time is an instant or a length in nanoseconds.
type Time = algorithms.Time
