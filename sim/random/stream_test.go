package random

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// TestStreamsDiffer: seeds, names and keys that look alike give streams that do not.
func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	check := func(what string, s Stream) {
		for range 100 {
			x := s.Uint64()
			if other, ok := seen[x]; ok {
				t.Fatalf("%s repeats a number of %s", what, other)
			}
			seen[x] = what
		}
	}
	for _, seed := range []uint64{0, 1, 2, 3, 1 << 63} {
		for _, name := range []string{"", "a", "b", "ab", "a\x00b", "alice", "alicf"} {
			check(fmt.Sprintf("seed %d, %q", seed, name), New(seed, name))
			for _, n := range []uint64{0, 1, 2, 1 << 20, 1 << 63, math.MaxUint64} {
				check(fmt.Sprintf("seed %d, %q, %d", seed, name, n), Keyed(seed, name, n))
			}
		}
	}
}

// TestFirstNumbers pins the first numbers of a few streams: they must never change.
func TestFirstNumbers(t *testing.T) {
	for _, test := range []struct {
		name   string
		stream Stream
		want   string
	}{
		{"stream", New(1, "a"), "0x9c3c19d9e73b4b1c 0x9f0144ab5aac50d8"},
		{"other seed", New(2, "a"), "0x38bcd16ac76cff4b 0x832236284a357a50"},
		{"member 0", Keyed(1, "a", 0), "0x6fee4157336ba6b2 0xc148820c9ddf208a"},
		{"member 1", Keyed(1, "a", 1), "0x2b5dbf08f5b88f43 0x10f5fe726119b6be"},
	} {
		if got := fmt.Sprintf("%#x %#x", test.stream.Uint64(), test.stream.Uint64()); got != test.want {
			t.Errorf("%s begins with %s, want %s", test.name, got, test.want)
		}
	}
}

// TestNeighbouringStreams: of the first two numbers of ten thousand neighbours, no bit leans to one
// side, nor do neighbours agree in it more or less often than not.
func TestNeighbouringStreams(t *testing.T) {
	const n = 10_000
	for _, family := range []struct {
		name   string
		member func(i int) Stream
	}{
		{"seeds", func(i int) Stream { return New(uint64(i), "a") }},
		{"names", func(i int) Stream { return New(1, fmt.Sprint(i)) }},
		{"keys", func(i int) Stream { return Keyed(1, "service", uint64(i)) }},
		{"requests and attempts", func(i int) Stream { return Keyed(1, "service", uint64(i/10)<<20^uint64(i%10)) }},
	} {
		var ones, agree [128]int
		var last [2]uint64
		for i := range n {
			s := family.member(i)
			x := [2]uint64{s.Uint64(), s.Uint64()}
			for bit := range 128 {
				now, before := x[bit/64]>>(bit%64)&1, last[bit/64]>>(bit%64)&1
				ones[bit] += int(now)
				agree[bit] += int(now ^ before)
			}
			last = x
		}
		for bit := range 128 {
			for _, got := range []int{ones[bit], agree[bit]} {
				if got < n/2-250 || got > n/2+250 { // five standard errors of √n/2
					t.Errorf("%s: bit %d: %d of %d", family.name, bit, got, n)
				}
			}
		}
	}
}

// TestCopy: a copy goes on as the original would have, and neither disturbs the other.
func TestCopy(t *testing.T) {
	s := New(1, "copy")
	s.Uint64()
	other := s
	var want []uint64
	for range 10 {
		want = append(want, s.Uint64())
	}
	for i := range 10 {
		if got := other.Uint64(); got != want[i] {
			t.Errorf("number %d is %#x, want %#x", i, got, want[i])
		}
	}
}

func TestBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := max(1, anyWord().Draw(t, "n"))
		s := New(rapid.Uint64().Draw(t, "seed"), "below")
		for range 10 {
			if got := s.Below(n); got >= n {
				t.Fatalf("%d is not below %d", got, n)
			}
		}
	})
}

// TestBelowIsEven: 3·2⁶² values share 2⁶⁴ numbers, so that without drawing again one value in three
// would come twice as often as the others: those that 3 divides.
func TestBelowIsEven(t *testing.T) {
	const draws = 300_000
	s := New(1, "even")
	var residues [3]int
	for range draws {
		residues[s.Below(3<<62)%3]++
	}
	for r, got := range residues {
		if math.Abs(float64(got)-draws/3) > 4*math.Sqrt(draws*2/9) {
			t.Errorf("%d of %d leave %d", got, draws, r)
		}
	}
	var few [7]int
	for range draws {
		few[s.Below(7)]++
	}
	for x, got := range few {
		if math.Abs(float64(got)-draws/7) > 4*math.Sqrt(draws*6/49) {
			t.Errorf("%d comes %d times in %d", x, got, draws)
		}
	}
}

// TestBelowDrawsAgain exactly where it must: the draw is the whole part of u·n/2⁶⁴ of the first u
// whose fraction is not among the 2⁶⁴ mod n lowest.
func TestBelowDrawsAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := max(1, anyWord().Draw(t, "n"))
		s := New(rapid.Uint64().Draw(t, "seed"), "again")
		oracle := s
		uneven := (math.MaxUint64%n + 1) % n
		whole, frac := bits.Mul64(oracle.Uint64(), n)
		for frac < uneven {
			whole, frac = bits.Mul64(oracle.Uint64(), n)
		}
		if got := s.Below(n); got != whole || s != oracle {
			t.Errorf("below %d comes %d, want %d", n, got, whole)
		}
	})
}
