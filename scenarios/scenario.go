package scenarios

import (
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// Scenario is a scenario file as data. Fields at their zero value stand for keys that were left
// out. The tags say how the file looks, what each key means and what it may hold: reading, writing
// and the JSON Schema all follow them.
type Scenario struct {
	Version  int64            `yaml:"version" jsonschema:"minimum=1,maximum=1" jsonschema_description:"The version of the file format: 1."`
	Name     string           `yaml:"name" jsonschema:"maxLength=200" jsonschema_description:"A title."`
	Lesson   string           `yaml:"lesson" jsonschema_description:"What is to be learnt, in two or three plain sentences."`
	Watch    string           `yaml:"watch" jsonschema_description:"One line that names what to look at."`
	Start    *time.Time       `yaml:"start" jsonschema_description:"The date or instant that t = 0 stands for (RFC 3339; UTC if it has no zone). Windows aligned to the clock need it; without it t = 0 is a window edge."`
	Duration time.Duration    `yaml:"duration" jsonschema_description:"How long requests are taken: those in [0, duration). Left out, it ends with the last phase, or 1 ns after the last request."`
	Seed     *uint64          `yaml:"seed" jsonschema_description:"Where random draws begin; 1 if left out."`
	Limit    algorithms.Limit `yaml:"limit" jsonschema_description:"The limit put to every algorithm, as units per time."`
	Burst    int64            `yaml:"burst" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"Capacity of the bucket family: how many unit requests pass back to back from idle. The count of the limit if left out. Windows have no burst and ignore it."`
	Key      Key              `yaml:"key" jsonschema_description:"What has a limiter of its own: each client (if left out), ip, user or endpoint, several of them joined by + such as client+endpoint, or all together."`

	Limits        []Rule     `yaml:"limits" jsonschema:"minItems=1" jsonschema_description:"Further limits that hold at the same time: a request must be accepted by all that apply to it."`
	OnPartialDeny string     `yaml:"on_partial_deny" jsonschema:"enum=refund,enum=keep" jsonschema_description:"What a limit that accepted does when a later one refuses: nothing is charged (refund, if left out), or it keeps what it charged, a common mistake."`
	OnLimit       OnLimit    `yaml:"on_limit" jsonschema_description:"What becomes of a refused request: it is refused (reject, if left out), waits until it is accepted (queue, or {queue: 100} for at most so many of a key), or gets a cheap answer at once (degrade)."`
	Tiers         Tiers      `yaml:"tiers" jsonschema_description:"Kinds of clients by name. A tier's limit takes the place of the main limit for its clients."`
	Endpoints     Endpoints  `yaml:"endpoints" jsonschema_description:"What requests ask for by path, with costs and limits of their own."`
	Service       *Service   `yaml:"service" jsonschema_description:"What serves the requests that go ahead; they are answered at once if left out."`
	Changes       []Change   `yaml:"changes" jsonschema:"minItems=1" jsonschema_description:"When the main limit changes, in order of time."`
	Load          *UnderLoad `yaml:"load" jsonschema_description:"Another main limit while the queue of the service is long."`
	Servers       *Servers   `yaml:"servers" jsonschema_description:"Several servers that share the limit."`

	Limiters []Limiter     `yaml:"limiters" jsonschema:"minItems=1" jsonschema_description:"The limiters to run, one by one, instead of every algorithm under limit and burst."`
	Traffic  []Source      `yaml:"traffic" jsonschema:"required,minItems=1" jsonschema_description:"Who sends what, when. At one instant the order of the sources counts."`
	Expect   []Expectation `yaml:"expect" jsonschema_description:"What must come out, by limiter and measure."`
}

// Limiter is an entry of a scenario's list of limiters. What it leaves out of limit and burst it
// takes from the scenario.
type Limiter struct {
	Name      string           `yaml:"name" jsonschema:"maxLength=200" jsonschema_description:"A name of its own; if left out the scheme's if it has one, or else the algorithm's."`
	Algorithm string           `yaml:"algorithm" jsonschema:"required" jsonschema_description:"Which algorithm."`
	Limit     algorithms.Limit `yaml:"limit" jsonschema_description:"Its limit; the scenario's if left out."`
	Burst     int64            `yaml:"burst" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"Its burst; the scenario's if left out."`
	InFlight  int64            `yaml:"in_flight" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"For concurrency and adaptive, instead of a limit: units in flight at the same time; as many as the service has workers if left out."`
	Scheme    Scheme           `yaml:"scheme" jsonschema_description:"How several servers share its limit; the servers' scheme if left out."`

	// What is otherwise around this limiter than around the others, so that they compare.
	Key           Key     `yaml:"key" jsonschema_description:"What has a limiter of its own under its main limit; as the scenario says if left out."`
	OnPartialDeny string  `yaml:"on_partial_deny" jsonschema:"enum=refund,enum=keep" jsonschema_description:"As on_partial_deny at the top, for this limiter alone."`
	OnLimit       OnLimit `yaml:"on_limit" jsonschema_description:"As on_limit at the top, for this limiter alone."`
	Retry         *Retry  `yaml:"retry" jsonschema_description:"What clients do that send again at all, instead of what their sources say."`
	Load          string  `yaml:"load" jsonschema:"enum=none" jsonschema_description:"none: its limit does not follow the service's queue."`
	Fail          string  `yaml:"fail" jsonschema:"enum=closed,enum=open" jsonschema_description:"As fail of the servers, for this limiter alone."`
	Store         *Store  `yaml:"store" jsonschema_description:"As store of the servers, for this limiter alone."`

	// Options are the algorithm's own settings as text, by name. In the file they stand beside the
	// other keys.
	Options map[string]string `yaml:"-"`
}

// Source is one source of traffic: one client or many, and when requests come, either in phases or
// one by one.
type Source struct {
	Name     string   `yaml:"name" jsonschema:"maxLength=200" jsonschema_description:"Names the source's random draws, which are its own: the client or the prefix if left out."`
	Client   string   `yaml:"client" jsonschema:"maxLength=200" jsonschema_description:"The one client that sends these requests."`
	Clients  *Clients `yaml:"clients" jsonschema_description:"Many clients that share these requests."`
	Arrivals Arrivals `yaml:"arrivals" jsonschema_description:"How requests fall under the rates of the phases: even (if left out), poisson, bursty or mmpp."`
	Cost     int64    `yaml:"cost" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"Units that each request takes; 1 if left out."`
	Phases   []Phase  `yaml:"phases" jsonschema:"minItems=1" jsonschema_description:"Stretches of time, one after the other."`
	Requests Requests `yaml:"requests" jsonschema_description:"Exact instants, or the rows of a CSV file."`
	Replay   *Replay  `yaml:"replay" jsonschema_description:"The requests of an access log."`

	Tier      string `yaml:"tier" jsonschema:"maxLength=200" jsonschema_description:"The tier of its clients, one of tiers."`
	User      string `yaml:"user" jsonschema:"maxLength=200" jsonschema_description:"The user that its clients are together; each is one of its own, by the client's name, if left out."`
	Address   string `yaml:"ip" jsonschema:"maxLength=200" jsonschema_description:"The address that its clients come from together, as behind a NAT; each has one of its own if left out."`
	Endpoint  string `yaml:"endpoint" jsonschema:"maxLength=200" jsonschema_description:"What its requests ask for."`
	Endpoints Shares `yaml:"endpoints" jsonschema_description:"What its requests ask for, several endpoints with weights: each request is for one of them, drawn in proportion."`
	Abusive   bool   `yaml:"abusive" jsonschema_description:"These clients are meant to be kept out: what they get through and what others are refused are measured apart. They are honest if left out."`
	Retry     *Retry `yaml:"retry" jsonschema_description:"What a client does after an answer that is no success: a word for how long it waits, or a map."`
}

// Clients names many clients, prefix1 … prefixN, who share the requests of one source.
type Clients struct {
	Count  int64  `yaml:"count" jsonschema:"required,minimum=1,maximum=10000000" jsonschema_description:"How many."`
	Prefix string `yaml:"prefix" jsonschema:"maxLength=200" jsonschema_description:"Their names are prefix1, prefix2, …; the prefix is client- if left out."`
	Share  Share  `yaml:"share" jsonschema_description:"Who sends how much: even, in turn (if left out), or by Zipf's law, the first most."`
}

// Share says how clients share the requests of a source. The zero value is even: in turn.
type Share struct {
	Zipf Milli `yaml:"zipf" jsonschema:"required" jsonschema_description:"The exponent s: client k sends in proportion to 1/k^s."`
}

// Milli is a number in thousandths: 1100 is 1.1.
type Milli int64

// Arrivals says how requests fall under a rate. The zero value is even; at most one field is set.
type Arrivals struct {
	Poisson bool    `yaml:"-"`
	Bursty  *Bursty `yaml:"bursty" jsonschema_description:"On and off by turns, for times with heavy tails (Pareto); Poisson at the phase's rate while on."`
	MMPP    *MMPP   `yaml:"mmpp" jsonschema_description:"Poisson at a rate that jumps between states at random times; it replaces the rates of the phases."`
}

// Bursty is an on-off process with Pareto-distributed periods. It begins with an on period.
type Bursty struct {
	Active time.Duration `yaml:"active" jsonschema:"required" jsonschema_description:"Mean length of an on period."`
	Idle   time.Duration `yaml:"idle" jsonschema:"required" jsonschema_description:"Mean length of an off period."`
	Pareto Milli         `yaml:"pareto" jsonschema_description:"Shape of the distribution, above 1; the closer to 1, the heavier the tail. 1.5 if left out."`
}

// MMPP is a Markov-modulated Poisson process. It begins in the first state and goes to each of the
// others with equal chance.
type MMPP struct {
	Rates []algorithms.Limit `yaml:"rates" zero:"yes" jsonschema:"required,minItems=1" jsonschema_description:"The rate of each state."`
	Stay  []time.Duration    `yaml:"stay" jsonschema:"required,minItems=1" jsonschema_description:"The mean time in each state."`
}

// Phase is a stretch of a source's time: a rate, a burst or a pause.
type Phase struct {
	At    *time.Duration   `yaml:"at" zero:"yes" jsonschema_description:"When it begins, from the start of the run; at the end of the phase before if left out."`
	Rate  algorithms.Limit `yaml:"rate" zero:"yes" jsonschema_description:"Requests per time. The first comes at once."`
	To    algorithms.Limit `yaml:"to" zero:"yes" jsonschema_description:"The rate at the end of the phase, reached in a straight line."`
	For   time.Duration    `yaml:"for" jsonschema_description:"How long it lasts. The last phase lasts to the end of the run if left out."`
	Sine  *Sine            `yaml:"sine" jsonschema_description:"A wave on top of the rate."`
	Burst int64            `yaml:"burst" jsonschema:"minimum=1,maximum=10000000000" jsonschema_description:"This many requests, all at once or spread evenly over a time."`
	Over  time.Duration    `yaml:"over" jsonschema_description:"The time that a burst is spread over; none if left out."`
	Pause time.Duration    `yaml:"pause" jsonschema_description:"Nothing for this long."`
}

// Sine is a wave on top of a rate: amplitude·sin(2π·t/period), t from the start of the phase.
type Sine struct {
	Amplitude algorithms.Limit `yaml:"amplitude" jsonschema:"required" jsonschema_description:"Its height; at most the rate itself."`
	Period    time.Duration    `yaml:"period" jsonschema:"required" jsonschema_description:"The time from crest to crest."`
}

// Requests are requests one by one: a list of exact instants, or the rows of a file. At most one
// field is set.
type Requests struct {
	Instants []Instant
	Trace    *TraceFile
}

// Instant is one request.
type Instant struct {
	At   time.Duration `yaml:"at" zero:"yes" jsonschema:"required" jsonschema_description:"When it comes, from the start of the run; not before the one above."`
	Cost int64         `yaml:"cost" jsonschema:"minimum=1,maximum=1000000000000" jsonschema_description:"Units that it takes; the source's cost if left out."`
}

// TraceFile is a recorded trace: a CSV file with a header, one request a row.
type TraceFile struct {
	File   string `yaml:"file" jsonschema:"required" jsonschema_description:"Path of the file, from the folder of the scenario."`
	Time   string `yaml:"time" jsonschema:"required" jsonschema_description:"The column with the instant: RFC 3339 or the like (UTC if it has no zone), or a number, which needs a unit. The earliest row is t = 0."`
	Client string `yaml:"client" jsonschema_description:"The column with the client's name."`
	Cost   string `yaml:"cost" jsonschema_description:"The column with the units that a request takes, a whole number from 1."`
	Unit   string `yaml:"unit" jsonschema:"enum=s,enum=ms,enum=us,enum=ns" jsonschema_description:"The unit of a time that is a bare number."`
}

// Replay is an access log whose requests are replayed, with the clients that it names.
type Replay struct {
	File    Texts         `yaml:"file" jsonschema:"required" jsonschema_description:"Path of the log, from the folder of the scenario, or a list of paths that are read as one; gzip and zstd are read as they are. The earliest request is t = 0."`
	Format  string        `yaml:"format" jsonschema_description:"Its format, as ratesim replay --log-format has it; told from its first lines if left out."`
	Columns string        `yaml:"columns" jsonschema_description:"For csv, tsv and jsonl: which column holds what, such as time=ts,client=user,cost=tokens."`
	Key     string        `yaml:"key" jsonschema_description:"What counts as a client: client (if left out), client/24, path, user, or several joined by +."`
	Where   Texts         `yaml:"where" jsonschema_description:"Which requests count, such as path=/api/*, method=POST, status=4xx or client=10.0.0.0/8; several on one field are alternatives."`
	Since   string        `yaml:"since" jsonschema_description:"Only requests from this instant on, such as 2025-05-17T10:05 (UTC unless it names a zone)."`
	Until   string        `yaml:"until" jsonschema_description:"Only requests before this instant."`
	Cost    Texts         `yaml:"cost" jsonschema_description:"What a request costs by its path, such as /search=5: the first that matches, with * for any text; otherwise its cost column, or 1."`
	Reorder time.Duration `yaml:"reorder" jsonschema_description:"How far back in time a line may be out of order before all are held to be sorted; 2m if left out."`

	held *heldLog // nil until the log has been read
}

// Expectation is what must come out for one limiter.
type Expectation struct {
	Limiter  string // the name of an entry: an algorithm's unless the scenario gives another
	Measures []Expected
}

// Expected is what one measure must be.
type Expected struct {
	Measure string // a name of Measures
	Want    Want
}
