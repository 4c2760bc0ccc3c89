package accesslog

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Names gives names dense ids in the order in which they are first seen. It is a hash table with
// open addressing over names in one stretch of bytes: a name takes its length, 4 bytes for its
// end, and 11 to 21 for its place in the table.
type Names struct {
	slots []uint64 // hash<<32 | id+1; 0 is free; a power of two of them, at most 3/4 taken
	ends  []uint32 // by id: where the name ends in text; it begins where the one before ends
	text  []byte   // of at most 4 GiB
}

const fewestSlots = 1 << 10

// NewNames returns an empty table.
func NewNames() *Names { return &Names{slots: make([]uint64, fewestSlots)} }

// Len is how many names there are.
func (n *Names) Len() int { return len(n.ends) }

// mostText bounds the names' bytes: their ends are 32 bits wide.
const mostText = math.MaxUint32

// fits reports whether so many bytes more have room.
func (n *Names) fits(more int) bool { return int64(len(n.text))+int64(more) <= mostText }

// Name is the name with that id.
func (n *Names) Name(id uint32) string { return string(n.bytes(id)) }

func (n *Names) bytes(id uint32) []byte {
	start := uint32(0)
	if id > 0 {
		start = n.ends[id-1]
	}
	return n.text[start:n.ends[id]]
}

// Lookup finds the id of a name.
func (n *Names) Lookup(name string) (id uint32, ok bool) {
	slot := n.find(hash([]byte(name)), []byte(name))
	return uint32(n.slots[slot]) - 1, n.slots[slot] != 0
}

// id is the id of a name, a new one if the name is new. h is its hash.
func (n *Names) id(h uint32, name []byte) uint32 {
	slot := n.find(h, name)
	if found := uint32(n.slots[slot]); found != 0 {
		return found - 1
	}
	id := uint32(len(n.ends))
	n.text = append(n.text, name...)
	n.ends = append(n.ends, uint32(len(n.text)))
	n.slots[slot] = uint64(h)<<32 | uint64(id+1)
	if len(n.ends) > len(n.slots)/4*3 {
		n.grow()
	}
	return id
}

// find is the slot that holds the name, or the free one where it belongs.
func (n *Names) find(h uint32, name []byte) uint32 {
	mask := uint32(len(n.slots) - 1)
	for slot := h & mask; ; slot = (slot + 1) & mask {
		held := n.slots[slot]
		if held == 0 || uint32(held>>32) == h && string(n.bytes(uint32(held)-1)) == string(name) {
			return slot
		}
	}
}

// fetched is how many names are fetched from memory at the same time.
const fetched = 32

// manyNames is with how many names the table no longer fits the nearer caches, so that fetching ahead
// is worth its time.
const manyNames = 1 << 15

// fetch reads what id looks at for the keys of these lines, at most fetched, so that waiting for the
// memory of one overlaps with waiting for the others: first all places in the table, then all ends,
// then all names. It changes nothing. What it returns has no meaning: it keeps the reading from being
// left out.
func (n *Names) fetch(lines []parsedLine) byte {
	if len(n.ends) < manyNames {
		return 0
	}
	var starts [fetched]uint32
	mask := uint32(len(n.slots) - 1)
	for i := range lines {
		starts[i] = uint32(n.slots[lines[i].keyHash&mask]) // id + 1
	}
	for i := range lines {
		if next := starts[i]; next > 1 {
			starts[i] = n.ends[next-2]
		} else {
			starts[i] = 0
		}
	}
	sum := byte(0)
	for _, start := range starts[:len(lines)] {
		if int(start) < len(n.text) { // an empty name may begin at the end
			sum += n.text[start]
		}
	}
	return sum
}

// grow doubles the table.
func (n *Names) grow() {
	old := n.slots
	n.slots = make([]uint64, 2*len(old))
	mask := uint32(len(n.slots) - 1)
	for _, held := range old {
		if held == 0 {
			continue
		}
		slot := uint32(held>>32) & mask
		for n.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		n.slots[slot] = held
	}
}

// hash folds eight bytes at a time into a product of 128 bits, as wyhash does: names that differ
// little get hashes that differ in half their bits.
func hash(b []byte) uint32 {
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(len(b)) ^ k0
	for len(b) > 8 {
		h = fold(h^binary.LittleEndian.Uint64(b), k1)
		b = b[8:]
	}
	h = fold(h^tail(b), k1)
	return uint32(h ^ h>>32)
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// tail is the last bytes, at most eight, as a number; with the length they are unambiguous.
func tail(b []byte) uint64 {
	switch {
	case len(b) == 8:
		return binary.LittleEndian.Uint64(b)
	case len(b) >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))<<32
	case len(b) > 0:
		return uint64(b[0]) | uint64(b[len(b)/2])<<8 | uint64(b[len(b)-1])<<16
	}
	return 0
}
