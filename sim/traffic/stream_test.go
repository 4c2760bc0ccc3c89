package traffic

import "testing"

// TestStreamsDiffer: seeds, names and purposes that look alike give streams that do not.
func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for _, seed := range []uint64{0, 1, 2, 3, 1 << 63} {
		for _, name := range []string{"", "a", "b", "ab", "a\x00b", "alice", "alicf"} {
			for _, purpose := range []string{forArrivals, forPeriods, forClients} {
				rng := stream(seed, name, purpose)
				for range 100 {
					x := rng.Uint64()
					if other, ok := seen[x]; ok {
						t.Errorf("seed %d, name %q, %s repeats a number of %s", seed, name, purpose, other)
					}
					seen[x] = name + " " + purpose
				}
			}
		}
	}
}

// TestNeighbouringStreams: the first numbers of ten thousand neighbouring seeds and names have no bit
// that leans to one side.
func TestNeighbouringStreams(t *testing.T) {
	const n = 10_000
	var ones [64]int
	for i := range n {
		rng := stream(uint64(i/100), string(rune('a'+i%100)), forArrivals)
		for x, bit := rng.Uint64(), 0; bit < 64; bit++ {
			ones[bit] += int(x >> bit & 1)
		}
	}
	for bit, got := range ones {
		if got < n/2-250 || got > n/2+250 { // five standard errors of √n/2
			t.Errorf("bit %d is set in %d of %d", bit, got, n)
		}
	}
}
