package servers

// Scheme is how servers share one limit.
type Scheme uint8

const (
	CentralAtomic Scheme = iota // one store decides, in one step
	CentralRacy                 // a server reads from the store, decides, and writes back
	SplitUp                     // each server enforces its share, rounded up
	SplitDown                   // each server enforces its share, rounded down
	Independent                 // each server enforces the whole limit
	Async                       // each server counts for itself and tells the others now and then
	Owner                       // each key has one server that decides, found by consistent hashing
	schemes                     // how many there are
)

// SchemeInfo describes a scheme as data, for lists, help, completion, files and the schema.
type SchemeInfo struct {
	Scheme  Scheme
	Name    string // as written in files and on the command line
	Summary string // one line: what it does
	Bound   string // over-admission at most, for a limit of L on N servers
	Central bool   // it asks the store: latency, outages and restarts matter to it
}

// Schemes returns every scheme in the order in which they are shown.
func Schemes() []SchemeInfo {
	return []SchemeInfo{
		{CentralAtomic, "central-atomic",
			"every request goes to one store, which reads, decides and writes in one step",
			"0; + L for each restart that empties the store", true},
		{CentralRacy, "central-racy",
			"a server reads the count from the store, decides, and writes it back: updates get lost",
			"(k−1)·L, k = the most admitted on one and the same count", true},
		{SplitUp, "split-up",
			"each server enforces L/N, rounded up",
			"N·⌈L/N⌉ − L, at most N−1", false},
		{SplitDown, "split-down",
			"each server enforces L/N, rounded down: with L below N, nothing at all",
			"0", false},
		{Independent, "independent",
			"each server enforces the whole limit by itself",
			"(N−1)·L", false},
		{Async, "async",
			"each server counts for itself and now and then tells the others its count",
			"(N−1)·min(L, λ), λ = the most one server admits within the interval of the broadcasts and a round trip", false},
		{Owner, "owner",
			"consistent hashing gives each key to one server, to which the others pass its requests on",
			"L for each move of a key", false},
	}
}

// String is the scheme's name.
func (s Scheme) String() string {
	if s < schemes {
		return Schemes()[s].Name
	}
	return "no scheme"
}

// ParseScheme finds a scheme by name.
func ParseScheme(name string) (Scheme, bool) {
	for _, s := range Schemes() {
		if s.Name == name {
			return s.Scheme, true
		}
	}
	return 0, false
}
