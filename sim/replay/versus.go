package replay

import (
	"cmp"
	"slices"
)

// Shift is what another policy would have decided differently.
type Shift struct {
	NowDenied  int64 // requests that this policy allows and the other denies
	NowAllowed int64 // requests that this policy denies and the other allows
	Both       int64 // requests that both deny

	// Moved lists the clients whose denials differ in number, the largest difference first.
	Moved []Moved

	Hit   int64 // clients that the other policy refuses and this one does not
	Freed int64 // clients that this policy refuses and the other does not
}

// Moved is a client whose number of denials differs between two policies.
type Moved struct {
	Client      uint32
	This, Other int64 // denials under each
}

// compare takes in the numbers of the requests that each policy denied, in order.
func (s *Shift) compare(this, other []int64) {
	both := int64(0)
	for i, j := 0, 0; i < len(this) && j < len(other); {
		switch {
		case this[i] < other[j]:
			i++
		case this[i] > other[j]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	s.Both += both
	s.NowAllowed += int64(len(this)) - both
	s.NowDenied += int64(len(other)) - both
}

// clients takes in the clients' denials under each policy.
func (s *Shift) clients(this, other []tally) {
	denied := func(t []tally, id int) int64 {
		if id >= len(t) {
			return 0
		}
		return t[id].denied
	}
	for id := range max(len(this), len(other)) {
		a, b := denied(this, id), denied(other, id)
		switch {
		case a == 0 && b > 0:
			s.Hit++
		case a > 0 && b == 0:
			s.Freed++
		}
		if a != b {
			s.Moved = append(s.Moved, Moved{uint32(id), a, b})
		}
	}
	slices.SortStableFunc(s.Moved, func(x, y Moved) int { return cmp.Compare(y.difference(), x.difference()) })
}

func (m Moved) difference() int64 { return max(m.This-m.Other, m.Other-m.This) }
