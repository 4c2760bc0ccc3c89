package traffic

import "math/rand/v2"

// senders says who sends the next request.
type senders struct {
	first, count uint32
	turn         uint32 // whose turn it is, going round
	share        *alias // nil for going round
	rng          rand.PCG
}

func newSenders(c Clients, rng rand.PCG) senders {
	s := senders{first: c.First, count: max(1, c.Count), rng: rng}
	if c.ZipfMilli > 0 && c.Count > 1 {
		s.share = newAlias(zipfWeights(c.Count, c.ZipfMilli))
	}
	return s
}

func (s *senders) next() uint32 {
	if s.share != nil {
		return s.first + s.share.draw(s.rng.Uint64())
	}
	client := s.first + s.turn
	if s.turn++; s.turn == s.count {
		s.turn = 0
	}
	return client
}
