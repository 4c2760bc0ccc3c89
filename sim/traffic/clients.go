package traffic

import "github.com/b6db88e4/ratesim/sim/random"

// senders says who sends the next request.
type senders struct {
	first, count uint32
	turn         uint32        // whose turn it is, going round
	share        *random.Alias // nil for going round
	rng          random.Stream
}

func newSenders(c Clients, rng random.Stream) senders {
	s := senders{first: c.First, count: max(1, c.Count), rng: rng}
	if c.ZipfMilli > 0 && c.Count > 1 {
		s.share = random.NewAlias(zipfWeights(c.Count, c.ZipfMilli))
	}
	return s
}

func (s *senders) next() uint32 {
	if s.share != nil {
		return s.first + s.share.Draw(&s.rng)
	}
	client := s.first + s.turn
	if s.turn++; s.turn == s.count {
		s.turn = 0
	}
	return client
}
