package servers

// broadcasts keeps what has been told and not heard by all yet. Places are used again, with their
// memory.
type broadcasts struct {
	all  []broadcast
	free []uint32
}

type broadcast struct {
	items []item
	left  int // servers that have not heard it yet
}

// add keeps a copy of the items until so many servers have heard them.
func (b *broadcasts) add(items []item, servers int) uint32 {
	if len(b.free) == 0 {
		b.free = append(b.free, uint32(len(b.all)))
		b.all = append(b.all, broadcast{})
	}
	id := b.free[len(b.free)-1]
	b.free = b.free[:len(b.free)-1]
	b.all[id].items = append(b.all[id].items[:0], items...)
	b.all[id].left = servers
	return id
}

// items are what a broadcast tells. They must not be changed.
func (b *broadcasts) items(id uint32) []item { return b.all[id].items }

// release is called by each server that has heard it.
func (b *broadcasts) release(id uint32) {
	if b.all[id].left--; b.all[id].left == 0 {
		b.free = append(b.free, id)
	}
}

// spans measures the most units admitted within a length of time, which may grow as time goes on,
// over many sequences at once. Their entries share one list.
type spans struct {
	entries []entry
	free    int32 // 1 + the first free entry; 0: none
	most    int64
}

// span is one sequence: its entries from oldest to latest, and their sum. Indices are 1 + their
// place; 0 is none.
type span struct {
	first, last int32
	units       int64
}

// entry is what was admitted at one instant.
type entry struct {
	at    Time
	units int64
	next  int32 // of the sequence, or of the free entries
}

// add adds units admitted at now, an instant not before those of the sequence, and forgets what was admitted earlier than length ago.
func (s *spans) add(p *span, now Time, units int64, length Time) {
	for p.first != 0 && s.entries[p.first-1].at < now-length {
		s.pop(p)
	}
	p.units += units
	s.most = max(s.most, p.units)
	if p.last != 0 && s.entries[p.last-1].at == now {
		s.entries[p.last-1].units += units
		return
	}
	e := s.place()
	s.entries[e-1] = entry{at: now, units: units}
	if p.first == 0 {
		p.first = e
	} else {
		s.entries[p.last-1].next = e
	}
	p.last = e
}

// place is a free entry.
func (s *spans) place() int32 {
	if e := s.free; e != 0 {
		s.free = s.entries[e-1].next
		return e
	}
	s.entries = append(s.entries, entry{})
	return int32(len(s.entries))
}

// pop forgets the oldest entry of a sequence.
func (s *spans) pop(p *span) {
	e := p.first
	p.units -= s.entries[e-1].units
	p.first = s.entries[e-1].next
	if p.first == 0 {
		p.last = 0
	}
	s.entries[e-1].next = s.free
	s.free = e
}

// forget forgets a whole sequence.
func (s *spans) forget(p *span) {
	for p.first != 0 {
		s.pop(p)
	}
}
