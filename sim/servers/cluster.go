package servers

import (
	"errors"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Limit is the limit that the servers share.
type Limit struct {
	Spec   *algorithms.Spec
	Policy algorithms.Policy
	Maker  algorithms.Maker // of Spec under Policy
}

// Failure says how a request was decided without the store.
type Failure uint8

const (
	None   Failure = iota // it was not
	Open                  // it was admitted
	Closed                // it was denied
)

// Answer is the answer to one call.
type Answer struct {
	// Decision is as algorithms tells it, in the run's time. Until is never before the answer: what
	// is admitted goes ahead when the client hears of it. It is Never for what is denied because the
	// store fails: nobody knows when that ends.
	Decision algorithms.Decision
	At       Time // when it was decided: at the store, at the owner, or at the server
	Server   int  // the one that decided: the key's owner under Owner, otherwise the one that was asked
	Failed   Failure
}

// Cluster is servers that share one limit.
type Cluster struct{}

// New makes a cluster. It posts messages by post and answers calls by answer, both during Ask and
// Deliver only.
func New(cfg *Config, scheme Scheme, limit Limit, post func(at Time, message uint32), answer func(call uint32, now Time, a Answer)) (*Cluster, error) {
	return nil, errors.New("servers: to be written")
}

// Ask puts a call to the servers at now: a request of a client under a key. It may be answered
// during Ask.
func (c *Cluster) Ask(now Time, call, client, key uint32, cost int64) {}

// Deliver hands back a message that was posted for now. Messages of one instant come in the order in
// which they were posted.
func (c *Cluster) Deliver(now Time, message uint32) {}

// Report tells what became of the limit so far.
func (c *Cluster) Report() Report { return Report{} }
