package accesslog

import "sort"

// blockSize is how many requests are sorted at a time: 3 MiB.
const blockSize = 1 << 17

// fullSort puts all requests of a log in order, however far out of order they are. It holds each in
// 24 bytes: blocks are sorted as they fill, and merged as they are taken.
type fullSort struct {
	order
	reorder int64 // ns; a jump back by more is a clock step
	blocks  [][]record
	room    []record
	heap    []int // indices of blocks with something left, the block with the earliest first
	sealed  bool
}

func (s *fullSort) add(r record) (late int64) {
	s.see(r.at, s.reorder)
	if n := len(s.blocks); n == 0 || len(s.blocks[n-1]) == blockSize {
		s.seal()
		s.blocks = append(s.blocks, make([]record, 0, blockSize))
	}
	last := &s.blocks[len(s.blocks)-1]
	*last = append(*last, r)
	return 0
}

// seal sorts the last block.
func (s *fullSort) seal() {
	if s.room == nil {
		s.room = make([]record, blockSize)
	}
	if n := len(s.blocks); n > 0 {
		s.blocks[n-1], s.room = sortStable(s.blocks[n-1], s.room)
	}
}

// take returns a run of requests from one block, none before the end. A run ends where another
// block has something earlier.
func (s *fullSort) take(end bool) []record {
	if !end {
		return nil
	}
	if !s.sealed {
		s.start()
	}
	if len(s.heap) == 0 {
		return nil
	}
	top := s.heap[0]
	block := s.blocks[top]
	n := len(block)
	if rival := s.rival(); rival >= 0 {
		n = s.upTo(block, top, rival)
	}
	s.blocks[top] = block[n:]
	if n == len(block) {
		s.blocks[top] = nil
		s.heap[0] = s.heap[len(s.heap)-1]
		s.heap = s.heap[:len(s.heap)-1]
	}
	s.down(0)
	return block[:n]
}

// start sorts the last block and builds the heap.
func (s *fullSort) start() {
	s.seal()
	s.sealed, s.room = true, nil
	for i := range s.blocks {
		s.heap = append(s.heap, i)
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.down(i)
	}
}

// upTo is how many of block's requests come before all of the rival's: among equal instants the
// earlier block's.
func (s *fullSort) upTo(block []record, top, rival int) int {
	limit := s.blocks[rival][0].at
	if top < rival {
		limit++
	}
	// Runs are short where blocks overlap, so the end is looked for in growing steps.
	step := 1
	for step < len(block) && block[step].at < limit {
		step *= 2
	}
	from := step / 2
	return from + sort.Search(min(step, len(block))-from, func(i int) bool { return block[from+i].at >= limit })
}

// rival is the block that is next after the top of the heap, -1 if there is none.
func (s *fullSort) rival() int {
	switch {
	case len(s.heap) < 2:
		return -1
	case len(s.heap) > 2 && s.less(2, 1):
		return s.heap[2]
	}
	return s.heap[1]
}

// less reports whether heap entry i comes before entry j.
func (s *fullSort) less(i, j int) bool {
	a, b := s.heap[i], s.heap[j]
	at, bt := s.blocks[a][0].at, s.blocks[b][0].at
	return at < bt || at == bt && a < b
}

func (s *fullSort) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s.heap); child++ {
			if s.less(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		s.heap[i], s.heap[least] = s.heap[least], s.heap[i]
		i = least
	}
}
