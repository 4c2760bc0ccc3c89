package scenarios

import (
	"sort"
	"strconv"

	"github.com/b6db88e4/ratesim/sim"
)

// clientNames gives the clients of a scenario their ids: first the groups, whose names are not kept
// but made from the prefix and a number, then the others as they are first seen. It is a
// sim.Clients, and does not change once the scenario is loaded.
type clientNames struct {
	groups  []*group          // in the order of their ids
	byName  map[string]*group // by prefix
	grouped uint32            // ids below this one are of groups
	others  *sim.Names
}

// group is the clients prefix1 … prefixN, with ids that follow one another.
type group struct {
	prefix string
	path   string // of the clients that brought it in
	first  uint32
	count  int64 // of the largest source with this prefix
}

func newClientNames() *clientNames {
	return &clientNames{byName: map[string]*group{}, others: sim.NewNames()}
}

// grow makes sure that a prefix has this many clients, and returns how many are new. All groups
// must have grown before the first id is asked for.
func (n *clientNames) grow(prefix string, count int64, path string) int64 {
	g := n.byName[prefix]
	if g == nil {
		g = &group{prefix: prefix, path: path}
		n.byName[prefix] = g
		n.groups = append(n.groups, g)
	}
	more := max(0, count-g.count)
	g.count += more
	return more
}

// number gives the groups their ids.
func (n *clientNames) number() {
	for _, g := range n.groups {
		g.first = n.grouped
		n.grouped += uint32(g.count)
	}
}

// overlap finds a group some of whose names are those of another: a11 is number 11 of a, and number
// 1 of a1. The least number that a prefix ending in the digits d brings about is 10·d + 1.
func (n *clientNames) overlap() (g *group, ok bool) {
	for _, g := range n.groups {
		for _, s := range splits(g.prefix) {
			if other := n.byName[s.prefix]; other != nil && 10*s.number+1 <= other.count {
				return g, true
			}
		}
	}
	return nil, false
}

// split is one way to take a name for a prefix and a number.
type split struct {
	prefix string
	number int64
}

// splits are all the ways to take a name for a prefix and a number that does not begin with 0. No
// number of a client has more than eight digits.
func splits(name string) []split {
	var out []split
	for at := len(name) - 1; at >= 0 && at >= len(name)-8 && name[at] >= '0' && name[at] <= '9'; at-- {
		if name[at] != '0' {
			number, _ := strconv.ParseInt(name[at:], 10, 64)
			out = append(out, split{name[:at], number})
		}
	}
	return out
}

// ID is the id of a name, the next one if it is new.
func (n *clientNames) ID(name string) uint32 {
	if id, ok := n.inGroup(name); ok {
		return id
	}
	return n.grouped + n.others.ID(name)
}

func (n *clientNames) inGroup(name string) (uint32, bool) {
	if len(n.groups) == 0 {
		return 0, false
	}
	for _, s := range splits(name) {
		if g := n.byName[s.prefix]; g != nil && s.number <= g.count {
			return g.first + uint32(s.number-1), true
		}
	}
	return 0, false
}

// Lookup is the id of a name, if it has one.
func (n *clientNames) Lookup(name string) (uint32, bool) {
	if id, ok := n.inGroup(name); ok {
		return id, true
	}
	id, ok := n.others.Lookup(name)
	return n.grouped + id, ok
}

// Name is the name with an id below Len.
func (n *clientNames) Name(id uint32) string {
	if id >= n.grouped {
		return n.others.Name(id - n.grouped)
	}
	i := sort.Search(len(n.groups), func(i int) bool { return n.groups[i].first > id }) - 1
	g := n.groups[i]
	return g.prefix + strconv.FormatUint(uint64(id-g.first)+1, 10)
}

// Len is the number of names.
func (n *clientNames) Len() int { return int(n.grouped) + n.others.Len() }
