package servers

// Routing is how requests are spread over the servers.
type Routing uint8

const (
	RoundRobin Routing = iota // in turn
	Random                    // drawn for each request
	Sticky                    // drawn once for each client
	Hash                      // by key
	routings                  // how many there are
)

// RoutingInfo describes a routing as data.
type RoutingInfo struct {
	Routing Routing
	Name    string // as written in files
	Summary string // one line: what it does
}

// Routings returns every routing in the order in which they are shown.
func Routings() []RoutingInfo {
	return []RoutingInfo{
		{RoundRobin, "round-robin", "one server after the other"},
		{Random, "random", "a server drawn for each request"},
		{Sticky, "sticky", "a server drawn once for each client"},
		{Hash, "hash", "the server that the key hashes to"},
	}
}

// String is the routing's name.
func (r Routing) String() string {
	if r < routings {
		return Routings()[r].Name
	}
	return "no routing"
}

// ParseRouting finds a routing by name.
func ParseRouting(name string) (Routing, bool) {
	for _, r := range Routings() {
		if r.Name == name {
			return r.Routing, true
		}
	}
	return 0, false
}
