package servers

import (
	"time"

	"github.com/b6db88e4/ratesim/sim/random"
)

// Preset is a kind of store: how long it typically takes and what a restart of it costs.
type Preset struct {
	Name    string  // as written in files
	Summary string  // one line: what it is, and what a restart costs
	Store   Store   // without outages and restarts
	Restart Restart // what a restart is like; At is left open
}

const (
	microsecond = Time(time.Microsecond)
	millisecond = Time(time.Millisecond)
	second      = Time(time.Second)
)

// Presets returns the kinds of stores in the order in which they are shown. Their figures are typical
// of a store in the same data centre, to show the differences in size; measure your own.
func Presets() []Preset { return []Preset{memory(), redis(), sql(), nosql()} }

// FindPreset finds a kind of store by name.
func FindPreset(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// Latencies are log-normal, as those of networks and disks tend to be: most near the median, a few
// far above it. With a sigma of 0.4 one in a hundred takes 2.5 times the median or more, with 0.6
// four times (e^(2.33·σ)).

// memory: two references to main memory at about 100 ns each ("Latency numbers every programmer
// should know", Dean and Norvig), for reading and writing, and a lock. It lives and dies with the
// process, which takes about a second to start.
func memory() Preset {
	return Preset{
		Name:    "memory",
		Summary: "counters in the memory of one process: 1 µs; a restart takes 1 s and forgets them all",
		Store:   Store{Latency: random.Distribution{Kind: random.Constant, Time: microsecond}},
		Restart: Restart{Down: second},
	}
}

// redis: a round trip within a data centre takes 0.5 ms (the same list); the work itself, a few
// microseconds, does not show. Without persistence it comes back empty, in about a second: there is
// nothing to load. Limiters give up early, rather than let a request wait for its permission.
func redis() Preset {
	return Preset{
		Name:    "redis",
		Summary: "a cache across the network: 0.5 ms; a restart takes 1 s and it comes back empty",
		Store: Store{
			Latency: random.Distribution{Kind: random.LogNormal, Time: 500 * microsecond, SigmaMilli: 400},
			Timeout: 50 * millisecond,
		},
		Restart: Restart{Down: second},
	}
}

// sql: the round trip, a row that is locked, and a commit that waits for a flush to disk: 1 to 5 ms
// on what servers have. Its state is on disk. After a crash it replays its log for some seconds, and
// answers from disk until its cache is warm again.
func sql() Preset {
	return Preset{
		Name:    "sql",
		Summary: "a row in a database: 3 ms; a restart takes 10 s and keeps all, but the next minute is slow (15 ms)",
		Store: Store{
			Latency: random.Distribution{Kind: random.LogNormal, Time: 3 * millisecond, SigmaMilli: 600},
			Timeout: second,
		},
		Restart: Restart{
			Down: 10 * second, Keeps: true,
			SlowFor: 60 * second,
			Slow:    random.Distribution{Kind: random.LogNormal, Time: 15 * millisecond, SigmaMilli: 600},
		},
	}
}

// nosql: a conditional write that most of three replicas confirm; such stores promise milliseconds of
// one digit. When a node restarts the others choose a new leader, which takes a few seconds, and are
// slower until it has caught up.
func nosql() Preset {
	return Preset{
		Name:    "nosql",
		Summary: "a replicated document: 5 ms; a restart of a node takes 3 s and keeps all, but the next 30 s are slow (20 ms)",
		Store: Store{
			Latency: random.Distribution{Kind: random.LogNormal, Time: 5 * millisecond, SigmaMilli: 500},
			Timeout: 500 * millisecond,
		},
		Restart: Restart{
			Down: 3 * second, Keeps: true,
			SlowFor: 30 * second,
			Slow:    random.Distribution{Kind: random.LogNormal, Time: 20 * millisecond, SigmaMilli: 500},
		},
	}
}
