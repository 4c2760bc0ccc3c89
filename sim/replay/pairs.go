package replay

import (
	"math/bits"
	"slices"
)

// mostPairs is how many pairs of a client and a path are counted at the same time: 512 KiB a limiter
// at most, which a cache holds.
const mostPairs = 1 << 14

// pairs counts pairs of a client and a path, in bounded memory. As long as there are no more than
// most of them it is exact. Beyond, the half with the lowest counts is dropped and the median taken
// off the others (J. Misra, D. Gries: Finding repeated elements, 1982, in batches), so that a count
// is too low by at most what was taken off, and what is frequent stays.
type pairs struct {
	slots []pair // open addressing, a power of two of them, at most half in use
	n     int
	most  int
	off   int64 // taken off counts so far
}

// pair is a client and a path; the count 0 marks a free slot.
type pair struct {
	key   uint64 // client<<32 | path
	count int64
}

func newPairs(most int) *pairs { return &pairs{slots: make([]pair, 64), most: most} }

// add counts one pair.
func (p *pairs) add(client, path uint32) {
	s := p.find(uint64(client)<<32 | uint64(path))
	if s.count == 0 {
		if p.n == p.most {
			p.thin()
		} else if 2*p.n >= len(p.slots) {
			p.rebuild(2 * len(p.slots))
		}
		s = p.find(uint64(client)<<32 | uint64(path))
		s.key = uint64(client)<<32 | uint64(path)
		p.n++
	}
	s.count++
}

// find is the slot of a pair, or the free one where it belongs.
func (p *pairs) find(key uint64) *pair {
	mask := uint64(len(p.slots) - 1)
	hi, lo := bits.Mul64(key^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	for i := (hi ^ lo) & mask; ; i = (i + 1) & mask {
		if s := &p.slots[i]; s.count == 0 || s.key == key {
			return s
		}
	}
}

// thin takes the median off all counts, which drops at least half of the pairs.
func (p *pairs) thin() {
	var counts []int64
	for _, s := range p.slots {
		if s.count > 0 {
			counts = append(counts, s.count)
		}
	}
	slices.Sort(counts)
	median := counts[len(counts)/2]
	for i := range p.slots {
		p.slots[i].count = max(p.slots[i].count-median, 0)
	}
	p.off += median
	p.rebuild(len(p.slots))
}

// rebuild moves all pairs to a table of another size.
func (p *pairs) rebuild(size int) {
	old := p.slots
	p.slots, p.n = make([]pair, size), 0
	for _, s := range old {
		if s.count > 0 {
			*p.find(s.key) = s
			p.n++
		}
	}
}

// best is the path of each client that it was refused most, by client; of equal ones the lowest id.
func (p *pairs) best(clients int) []PathDenied {
	out := make([]PathDenied, clients)
	for _, s := range p.slots {
		if s.count == 0 {
			continue
		}
		r, path := &out[s.key>>32], uint32(s.key)
		if s.count > r.Denied || s.count == r.Denied && path < r.Path {
			*r = PathDenied{path, s.count}
		}
	}
	return out
}
