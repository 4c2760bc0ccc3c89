package traffic

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func collect(s Source) []Request {
	var all []Request
	for {
		r, ok := s.Next()
		if !ok {
			return all
		}
		all = append(all, r)
	}
}

// TestMergeIsAStableSort: merging is the same as putting the sources one after the other and sorting
// by time, with equal instants left in order.
func TestMergeIsAStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := make([][]Request, rapid.IntRange(0, 20).Draw(t, "sources"))
		sources := make([]Source, len(lists))
		var want []Request
		for i := range lists {
			instants := rapid.SliceOfN(rapid.Int64Range(0, 30), 0, 12).Draw(t, "instants")
			slices.Sort(instants)
			for n, at := range instants {
				lists[i] = append(lists[i], Request{At: Time(at), Cost: int64(n) + 1, Client: uint32(i)})
			}
			want = append(want, lists[i]...)
			sources[i] = Fixed(lists[i])
		}
		slices.SortStableFunc(want, func(a, b Request) int { return cmp.Compare(a.At, b.At) })
		merged := Merge(sources...)
		if got := collect(merged); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		if r, ok := merged.Next(); ok {
			t.Fatalf("after the end there is %v", r)
		}
	})
}

// TestMergeTakesTheLastInstant: a request at the last instant of all is not taken for the end.
func TestMergeTakesTheLastInstant(t *testing.T) {
	late := Request{At: Time(never), Cost: 1}
	if got := collect(Merge(Fixed([]Request{late}), Fixed(nil), Fixed([]Request{late}))); len(got) != 2 {
		t.Errorf("got %v", got)
	}
}

func TestMergeOfOneIsThatOne(t *testing.T) {
	one := Fixed([]Request{{At: 1, Cost: 1}})
	if Merge(one) != Source(one) {
		t.Error("a source alone is wrapped")
	}
}

func TestFixedSharesItsRequests(t *testing.T) {
	requests := []Request{{At: 1, Cost: 1}, {At: 1, Cost: 5, Client: 3}, {At: 9, Cost: 2}}
	first, second := Fixed(requests), Fixed(requests)
	first.Next()
	if got := collect(second); !slices.Equal(got, requests) {
		t.Errorf("got %v", got)
	}
	if got := collect(first); !slices.Equal(got, requests[1:]) {
		t.Errorf("got %v", got)
	}
}
