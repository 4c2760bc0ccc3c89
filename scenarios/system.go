package scenarios

import (
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Here is what a scenario may say about the system around its limiters: who its clients are, which
// limits hold at the same time, what a refusal does, the service behind, and several servers.

// Rule is an entry of limits: a limit that holds at the same time as the main one.
type Rule struct {
	Name      string           `yaml:"name" jsonschema:"maxLength=200" jsonschema_description:"A name of its own; what it limits and to how much if left out, such as all 100/m."`
	Limit     algorithms.Limit `yaml:"limit" jsonschema_description:"The limit, as units per time."`
	Burst     int64            `yaml:"burst" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"Its burst; the count of its limit if left out."`
	Key       Key              `yaml:"key" jsonschema_description:"What has a limiter of its own under this limit; the same as under the main limit if left out."`
	Tier      string           `yaml:"tier" jsonschema:"maxLength=200" jsonschema_description:"It holds for clients of this tier alone."`
	Endpoint  string           `yaml:"endpoint" jsonschema:"maxLength=200" jsonschema_description:"It holds for requests to this endpoint alone."`
	Algorithm string           `yaml:"algorithm" jsonschema_description:"Which algorithm; each limiter's own if left out, so that they compare."`
	InFlight  int64            `yaml:"in_flight" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"For concurrency and adaptive, instead of a limit: units in flight at the same time; as many as the service has workers if left out."`

	// Options are the algorithm's own settings as text, by name. In the file they stand beside the
	// other keys.
	Options map[string]string `yaml:"-"`
}

// Key says what has a limiter of its own, as it is written: client, ip, user, endpoint, several
// of them joined by +, or all.
type Key string

// OnLimit says what becomes of a refused request. In a file it is the word, or {queue: 100}.
type OnLimit struct {
	Action string // reject, queue or degrade; "" where it is left out
	Queue  int64  // for queue: requests of one key that may wait; 0 where it is left out
}

// Tiers are the tiers of clients, in a file a map by name.
type Tiers []Tier

// Tier is a kind of clients. Its limit takes the place of the main one for them.
type Tier struct {
	Name  string           `yaml:"-"`
	Limit algorithms.Limit `yaml:"limit" jsonschema_description:"The limit of its clients, instead of the main one; the main one if left out."`
	Burst int64            `yaml:"burst" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"The burst of its limit; the count of its limit if left out."`
}

// Endpoints are what requests may ask for, in a file a map by path.
type Endpoints []Endpoint

// Endpoint is something that requests ask for.
type Endpoint struct {
	Path  string           `yaml:"-"`
	Cost  int64            `yaml:"cost" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"Units that each request to it takes, whatever its source says; the source's if left out."`
	Limit algorithms.Limit `yaml:"limit" jsonschema_description:"A limit for requests to it, beside all others, with the key of the main one."`
	Burst int64            `yaml:"burst" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"The burst of its limit; the count of its limit if left out."`
}

// Service is what serves the requests that go ahead.
type Service struct {
	Workers int64         `yaml:"workers" jsonschema:"required,minimum=1,maximum=1000000" jsonschema_description:"Requests that are served at the same time."`
	Time    Length        `yaml:"time" jsonschema:"required" jsonschema_description:"How long serving a request takes: a length of time, {exponential: mean}, or {log-normal: {median, sigma}}."`
	Queue   *Waiting      `yaml:"queue" jsonschema_description:"Requests that may wait for a worker, the next one being lost: a number, none, or unbounded; 100 if left out."`
	Timeout time.Duration `yaml:"timeout" jsonschema_description:"How long a client waits for the response. The service does not notice that it left. Forever if left out."`
}

// Waiting is how many may wait: 0 for none, -1 for any number.
type Waiting int64

// unbounded is a queue that takes all.
const unbounded Waiting = -1

// Length is a length of time that is always the same, or drawn at random each time. One field is
// set; none for no time at all.
type Length struct {
	Constant    time.Duration // in a file the length alone
	Exponential time.Duration `yaml:"exponential" jsonschema_description:"Mostly short and without memory, with this mean."`
	LogNormal   *LogNormal    `yaml:"log-normal" jsonschema_description:"Around a median, with few very long ones."`
}

// LogNormal is a distribution of lengths of time whose logarithm is normal.
type LogNormal struct {
	Median time.Duration `yaml:"median" jsonschema:"required" jsonschema_description:"Half are shorter, half longer."`
	Sigma  Milli         `yaml:"sigma" jsonschema:"required" jsonschema_description:"The standard deviation of the logarithm, 0.001 to 5: at 0.5 one in twenty is 2.3 times the median or more, at 1 5.2 times."`
}

// Change is another main limit from an instant on.
type Change struct {
	At    time.Duration    `yaml:"at" jsonschema:"required" jsonschema_description:"When, from the start of the run; later than the change above."`
	Limit algorithms.Limit `yaml:"limit" jsonschema_description:"The limit from then on; the limit before if left out."`
	Burst int64            `yaml:"burst" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"The burst from then on; the burst before if left out, or else the count of the limit."`
}

// UnderLoad is another main limit while the queue of the service is long.
type UnderLoad struct {
	Every time.Duration    `yaml:"every" jsonschema:"required" jsonschema_description:"How often the queue is looked at."`
	Above int64            `yaml:"above" jsonschema:"required,minimum=1,maximum=10000000" jsonschema_description:"Requests in the queue from which on the limit is lowered."`
	Below int64            `yaml:"below" jsonschema:"minimum=0,maximum=10000000" jsonschema_description:"Requests in the queue down to which it is raised again; 0 if left out."`
	Limit algorithms.Limit `yaml:"limit" jsonschema:"required" jsonschema_description:"The limit meanwhile."`
	Burst int64            `yaml:"burst" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"The burst meanwhile; the main one's if left out."`
}

// Servers are several servers that share the limit.
type Servers struct {
	Count    int64         `yaml:"count" jsonschema:"required,minimum=1,maximum=64" jsonschema_description:"How many."`
	Routing  Routing       `yaml:"routing" jsonschema_description:"Which server gets a request: each in turn (if left out), any, the one that its client got once, or the one that its key hashes to."`
	Scheme   Scheme        `yaml:"scheme" jsonschema_description:"How they share the limit; central-atomic if left out. A limiter may have another."`
	Store    *Store        `yaml:"store" jsonschema_description:"The store of the central schemes: memory (if left out), redis, sql, nosql, or one of them with another latency."`
	Sync     time.Duration `yaml:"sync" jsonschema_description:"For async: how often each server tells the others its count; 100ms if left out."`
	Skew     time.Duration `yaml:"skew" jsonschema_description:"How far a server's clock is off at most, either way; not at all if left out."`
	Fail     string        `yaml:"fail" jsonschema:"enum=closed,enum=open" jsonschema_description:"What a server answers that cannot reach the store: no (closed, if left out), or yes (open)."`
	Peers    Length        `yaml:"peers" jsonschema_description:"For async and owner: how long it takes from a server to another and back; 1ms if left out."`
	Outages  []Outage      `yaml:"outages" jsonschema:"minItems=1" jsonschema_description:"When the store is down."`
	Restarts []Restart     `yaml:"restarts" jsonschema:"minItems=1" jsonschema_description:"When the store restarts, and with it what a restart of such a store costs."`
	Moves    []Move        `yaml:"moves" jsonschema:"minItems=1" jsonschema_description:"For owner: servers that leave and join."`
}

// Routing is which server gets a request, Scheme how servers share a limit, and Preset a kind of
// store, by the name that package servers has for it.
type (
	Routing string
	Scheme  string
	Preset  string
)

// Store is what the servers keep their counts in. In a file it is the preset alone where that is all
// there is to it.
type Store struct {
	Preset  Preset        `yaml:"preset" jsonschema_description:"Which kind of store: its latency, and what a restart costs; memory if left out."`
	Latency Length        `yaml:"latency" jsonschema_description:"How long it takes to the store and back; the preset's if left out."`
	Timeout time.Duration `yaml:"timeout" jsonschema_description:"How long a server waits for the store; the preset's if left out."`
}

// Outage is a time in which the store cannot be reached.
type Outage struct {
	At  time.Duration `yaml:"at" zero:"yes" jsonschema:"required" jsonschema_description:"When it begins, from the start of the run."`
	For time.Duration `yaml:"for" jsonschema:"required" jsonschema_description:"How long it lasts."`
}

// Restart is a restart of the store.
type Restart struct {
	At  time.Duration `yaml:"at" zero:"yes" jsonschema:"required" jsonschema_description:"When, from the start of the run."`
	For time.Duration `yaml:"for" jsonschema_description:"How long it is down meanwhile; as long as such a store takes if left out."`
}

// Move is a server that leaves the others or joins them. One of the two is set.
type Move struct {
	At     time.Duration `yaml:"at" zero:"yes" jsonschema:"required" jsonschema_description:"When, from the start of the run."`
	Leaves int64         `yaml:"leaves" jsonschema:"minimum=1,maximum=64" jsonschema_description:"The number of the server that leaves, from 1."`
	Joins  int64         `yaml:"joins" jsonschema:"minimum=1,maximum=64" jsonschema_description:"The number of the server that joins, from 1."`
}

// Retry is what a client does after an answer that is no success. In a file it is the word of Wait
// alone where that is all there is to it.
type Retry struct {
	Wait     string        `yaml:"wait" jsonschema:"required,enum=none,enum=at-once,enum=fixed,enum=exponential,enum=retry-after,enum=pace" jsonschema_description:"How long it waits: it does not come again (none); not at all; always as long; each time twice as long; as long as it was told; or as long as it was told, sending ahead of that no more than it may."`
	First    time.Duration `yaml:"first" jsonschema_description:"The wait of fixed, the first wait of exponential, and of the others the wait where they were told nothing; 1s if left out."`
	Most     time.Duration `yaml:"most" jsonschema_description:"The longest wait of exponential; 30s if left out."`
	Jitter   string        `yaml:"jitter" jsonschema:"enum=none,enum=full,enum=equal,enum=decorrelated" jsonschema_description:"What chance does to the waits of exponential: nothing (none), anything from zero to the wait (full, if left out), from half of it to all of it (equal), or from the first wait to three times the last one (decorrelated)."`
	Spread   time.Duration `yaml:"spread" jsonschema_description:"For retry-after: a random time up to this is added to what was told; none if left out."`
	Attempts int64         `yaml:"attempts" jsonschema:"minimum=1,maximum=1000000" jsonschema_description:"How often a request is sent at most, the first time included; 4 if left out."`
	GiveUp   time.Duration `yaml:"give_up" jsonschema_description:"How long after the first time it is not sent again; as long as it takes if left out."`
}

// Shares are endpoints with weights, in a file a map: each request is for one of them, drawn in
// proportion.
type Shares []EndpointShare

// EndpointShare is the weight of an endpoint.
type EndpointShare struct {
	Path   string
	Weight int64
}
