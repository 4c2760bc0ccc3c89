package sim

import "github.com/b6db88e4/ratesim/algorithms"

// keyed holds the limiters of one rule by key. A key is a number: the id of what alone makes it up,
// or, where several parts do, the number in which the combination was first seen. Limiters whose
// state has become that of a fresh one are dropped now and then, which nothing can notice, and their
// places given to other keys; so what is kept follows the keys in use, not those ever seen.
type keyed struct {
	sys    *System
	key    Key
	combos map[[4]uint32]uint32 // numbers of combinations; nil where a key has one part at most
	table  algorithms.Table
	places []uint32 // by key: 1 + its place in the table; 0 for none
	owners []uint32 // by place: the key that has it
	free   []uint32 // places without a key
	sweep  int      // how many places in use bring about the next look for idle ones
	most   int      // places in use at the same time at most
	pinned uint32   // key whose place is never taken: its level is recorded
}

// leastSwept is how many keys are held before idle ones are looked for.
const leastSwept = 1024

func newKeyed(sys *System, key Key, m algorithms.Maker) *keyed {
	k := &keyed{sys: sys, key: key, table: algorithms.NewTable(m), sweep: leastSwept, pinned: noKey}
	if key.parts() > 1 {
		k.combos = map[[4]uint32]uint32{}
	}
	return k
}

// parts is how many parts make up the key.
func (k Key) parts() int {
	n := 0
	for _, set := range [...]bool{k.Client, k.Address, k.User, k.Endpoint} {
		if set {
			n++
		}
	}
	return n
}

// shared is who a client shares something with: the id in a table by client, or its own.
func shared(table []uint32, client uint32) uint32 {
	if int(client) < len(table) {
		return table[client]
	}
	return client
}

// id is the key of a request.
func (k *keyed) id(client, endpoint uint32) uint32 {
	switch k.key {
	case Key{}:
		return 0
	case Key{Client: true}:
		return client
	case Key{Endpoint: true}:
		return endpoint
	case Key{Address: true}:
		return shared(k.sys.Addresses, client)
	case Key{User: true}:
		return shared(k.sys.Users, client)
	}
	return k.combination(client, endpoint)
}

// combination is the number of a key of several parts.
func (k *keyed) combination(client, endpoint uint32) uint32 {
	var parts [4]uint32
	if k.key.Client {
		parts[0] = client
	}
	if k.key.Address {
		parts[1] = shared(k.sys.Addresses, client)
	}
	if k.key.User {
		parts[2] = shared(k.sys.Users, client)
	}
	if k.key.Endpoint {
		parts[3] = endpoint
	}
	id, ok := k.combos[parts]
	if !ok {
		id = uint32(len(k.combos))
		k.combos[parts] = id
	}
	return id
}

// at is the limiter of a key.
func (k *keyed) at(now Time, id uint32) algorithms.Limiter {
	if int(id) >= len(k.places) {
		k.places = extend(k.places, max(int(id)+1, 2*len(k.places)))
	}
	if k.places[id] == 0 {
		k.places[id] = k.place(now, id) + 1
	}
	return k.table.At(k.places[id] - 1)
}

// place gives a key a place with a limiter like a fresh one.
func (k *keyed) place(now Time, id uint32) uint32 {
	if len(k.free) == 0 && k.held() >= k.sweep {
		k.drop(now)
	}
	if n := len(k.free); n > 0 {
		place := k.free[n-1]
		k.free = k.free[:n-1]
		k.owners[place] = id
		return place
	}
	k.owners = append(k.owners, id)
	k.table.Grow(len(k.owners))
	k.most = max(k.most, k.held())
	return uint32(len(k.owners) - 1)
}

// held is how many keys have a place.
func (k *keyed) held() int { return len(k.owners) - len(k.free) }

// drop takes their places from the keys that are idle. The next look comes when twice as many are
// held as are left, so that looking costs each new key a constant.
func (k *keyed) drop(now Time) {
	for place, id := range k.owners {
		if id == noKey || id == k.pinned {
			continue
		}
		if l, ok := k.table.At(uint32(place)).(algorithms.Resting); ok && l.Resting(now) {
			k.places[id] = 0
			k.owners[place] = noKey
			k.free = append(k.free, uint32(place))
		}
	}
	k.sweep = max(leastSwept, 2*k.held())
}
