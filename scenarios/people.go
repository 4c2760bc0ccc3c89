package scenarios

import (
	"strconv"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// person is what a source says about its clients.
type person struct {
	tier, user, address string
	abusive             bool
	retry               Retry
}

func personOf(s *Source) person {
	p := person{tier: s.Tier, user: s.User, address: s.Address, abusive: s.Abusive}
	if s.Retry != nil {
		p.retry = *s.Retry
	}
	return p
}

// differs is the key of a source by which it says another thing about its clients, and what the
// other one says; "" if they agree.
func (p person) differs(q person) (key, other string) {
	switch {
	case p.tier != q.tier:
		return "tier", said("tier", q.tier)
	case p.user != q.user:
		return "user", said("user", q.user)
	case p.address != q.address:
		return "ip", said("ip", q.address)
	case p.abusive != q.abusive:
		return "abusive", "abusive: " + strconv.FormatBool(q.abusive)
	case p.retry != q.retry:
		return "retry", said("retry", q.retry.Wait)
	}
	return "", ""
}

func said(key, value string) string {
	if value == "" {
		return "no " + key
	}
	return key + ": " + visible(value)
}

// nobody marks a client that no source has spoken of yet.
const nobody = -1

// checkPeople sees to it that a client is the same in every source that it sends from, and gives
// every source its endpoints.
func (c *checker) checkPeople() {
	if !c.scenario.hasSystem() || c.bad["traffic"] || len(c.sources) != len(c.scenario.Traffic) {
		return
	}
	c.spoken = make([]int32, c.names.Len())
	for i := range c.spoken {
		c.spoken[i] = nobody
	}
	people := make([]person, len(c.sources))
	for i := range c.sources {
		people[i] = personOf(&c.scenario.Traffic[i])
		c.aim(&c.scenario.Traffic[i], &c.sources[i])
		c.speak(i, people)
	}
}

// speak notes whom a source speaks of.
func (c *checker) speak(i int, people []person) {
	c.sources[i].each(func(client uint32) bool {
		first := c.spoken[client]
		switch first {
		case nobody:
			c.spoken[client] = int32(i)
			return true
		case int32(i):
			return true
		}
		key, other := people[i].differs(people[first])
		if key != "" {
			c.fail(join(index("traffic", i), key), "the client %s sends from the source on line %d too, which has %s; a client is the same wherever it sends from",
				quoted(c.names.Name(client)), c.span(index("traffic", int(first))).line, other)
		}
		return key == ""
	})
}

// each calls f with the clients of a source until it returns false; with one that has many rows
// possibly more than once.
func (s *source) each(f func(client uint32) bool) {
	if !s.exact {
		for i := range max(1, s.spec.Clients.Count) {
			if !f(s.spec.Clients.First + i) {
				return
			}
		}
		return
	}
	for i, r := range s.rows {
		if i > 0 && r.Client == s.rows[i-1].Client {
			continue
		}
		if !f(r.Client) {
			return
		}
	}
}

// aim gives a source the endpoints of its requests.
func (c *checker) aim(s *Source, out *source) {
	names := c.endpoints()
	aim := &traffic.Aim{Costs: c.costs}
	if s.Endpoint != "" {
		aim.Shares = append(aim.Shares, traffic.EndpointShare{Endpoint: names[s.Endpoint], Weight: 1})
	}
	for _, share := range s.Endpoints {
		aim.Shares = append(aim.Shares, traffic.EndpointShare{Endpoint: names[share.Path], Weight: share.Weight})
	}
	if len(aim.Shares) > 0 {
		out.aim = aim
	}
}

// endpoints are the indices of endpoints by name. It sees to the costs as well.
func (c *checker) endpoints() map[string]uint32 {
	if c.endpointOf != nil {
		return c.endpointOf
	}
	c.endpointOf = map[string]uint32{}
	for i, name := range c.scenario.endpointNames() {
		c.endpointOf[name] = uint32(i)
	}
	c.costs = make([]int64, len(c.endpointOf))
	for _, e := range c.scenario.Endpoints {
		c.costs[c.endpointOf[e.Path]] = e.Cost
	}
	return c.endpointOf
}

// people tells the system who its clients are.
func (c *checker) people(system *sim.System) {
	type kind struct {
		name string
		person
	}
	numbers := map[kind]uint16{}
	of := make([]uint16, len(c.scenario.Traffic)) // by source
	for i := range c.scenario.Traffic {
		s := &c.scenario.Traffic[i]
		k := kind{c.sources[i].kind(s), personOf(s)}
		n, ok := numbers[k]
		if !ok {
			n = uint16(len(system.Profiles))
			numbers[k] = n
			system.Profiles = append(system.Profiles, profile(k.name, s, system.Tiers))
		}
		of[i] = n
	}
	if len(system.Profiles) > 1 {
		system.ProfileOf = make([]uint16, len(c.spoken))
		for client, i := range c.spoken {
			if i != nobody {
				system.ProfileOf[client] = of[i]
			}
		}
	}
	system.Users = c.shared(func(s *Source) string { return s.User }, true)
	system.Addresses = c.shared(func(s *Source) string { return s.Address }, false)
}

// kind is the name of a source's kind of clients: the client, the prefix, or the file that has them.
func (s *source) kind(from *Source) string {
	switch {
	case from.Clients != nil:
		return prefixOf(from.Clients)
	case from.Client == "" && s.exact && from.Requests.Instants == nil:
		return s.name
	}
	return from.Client
}

func profile(name string, s *Source, tiers []string) sim.Profile {
	p := sim.Profile{Name: name, Abusive: s.Abusive, Retry: s.Retry.compile()}
	for i, t := range tiers {
		if t == s.Tier {
			p.Tier = i
		}
	}
	return p
}

// shared are the ids of what clients may share, by client: the id of the first client that has the
// same. A client whose source says nothing has one of its own; its own name is what it is called, if
// named is set. It is nil where nothing is shared.
func (c *checker) shared(text func(*Source) string, named bool) []uint32 {
	first := map[string]uint32{} // by text
	var out []uint32
	for client, i := range c.spoken {
		if i == nobody {
			continue
		}
		if t := text(&c.scenario.Traffic[i]); t != "" {
			if _, ok := first[t]; !ok {
				first[t] = uint32(client)
			}
		}
	}
	if len(first) == 0 {
		return nil
	}
	namesake := map[uint32]uint32{} // a client that is called what others have
	for t, id := range first {
		self, ok := c.names.Lookup(t)
		if !named || !ok || c.spoken[self] == nobody || text(&c.scenario.Traffic[c.spoken[self]]) != "" {
			continue
		}
		first[t] = min(id, self)
		namesake[self] = first[t]
	}
	out = make([]uint32, len(c.spoken))
	for client, i := range c.spoken {
		out[client] = uint32(client)
		if id, ok := namesake[uint32(client)]; ok {
			out[client] = id
		} else if i != nobody {
			if t := text(&c.scenario.Traffic[i]); t != "" {
				out[client] = first[t]
			}
		}
	}
	return out
}
