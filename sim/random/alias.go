package random

import (
	"math/bits"
	"slices"
)

// Alias draws one of n choices with unequal chances from a single 64-bit uniform, in constant time:
// Walker's method (1974), with the table built as Vose does (1991). The uniform picks a column; the
// column is its own choice up to a threshold and one other choice beyond it.
//
// It takes 12 bytes a choice.
type Alias struct {
	keep  []uint64 // threshold of the column, as a fraction of 2⁶⁴
	other []uint32 // the choice beyond the threshold
}

// Draw draws a choice.
func (a *Alias) Draw(s *Stream) uint32 { return a.choose(s.Uint64()) }

// choose turns a 64-bit uniform into a choice. Column and place within it are the whole part and the
// fraction of uniform·n/2⁶⁴, so a column's chance is 1/n within 2⁻⁶⁴.
func (a *Alias) choose(uniform uint64) uint32 {
	column, place := bits.Mul64(uniform, uint64(len(a.keep)))
	choice, other := uint32(column), a.other[column]
	if place >= a.keep[column] {
		choice = other
	}
	return choice
}

// NewAlias makes the table for chances in proportion to the weights. There must be at least one
// and fewer than 2³² of them, and their sum must be positive and below 2⁶⁴.
func NewAlias(weights []uint64) *Alias {
	b := aliasBuilder{
		Alias: Alias{make([]uint64, len(weights)), make([]uint32, len(weights))},
		whole: make([]uint32, len(weights)),
	}
	b.fill(weights)
	b.pair()
	return &b.Alias
}

// aliasBuilder holds what each choice has left to give, as a multiple of a column: whole columns,
// and a fraction of 2⁶⁴ in keep. All of it together is exactly n columns, so no rounding is left
// over at the end.
type aliasBuilder struct {
	Alias
	whole        []uint32
	short, ample []uint32 // choices with less than a column left, and with one or more
}

// fill sets out n·weight/sum columns for each choice. Chances are rounded down to multiples of 2⁻⁶⁴;
// what that leaves, less than n·2⁻⁶⁴, goes to the heaviest.
func (b *aliasBuilder) fill(weights []uint64) {
	n, sum := uint64(len(weights)), uint64(0)
	for _, w := range weights {
		sum += w
	}
	left := uint64(0) // 2⁶⁴ minus the chances given so far, modulo 2⁶⁴
	heaviest := slices.Index(weights, slices.Max(weights))
	for i, w := range weights {
		if i != heaviest {
			chance, _ := bits.Div64(w, 0, sum)
			b.give(i, chance, n)
			left -= chance
		}
	}
	if left == 0 { // the heaviest is the only one with a chance: 2⁶⁴, a fraction too large for a word
		b.whole[heaviest] = uint32(n)
	} else {
		b.give(heaviest, left, n)
	}
	for i := range weights {
		b.sort(uint32(i))
	}
}

func (b *aliasBuilder) give(i int, chance, n uint64) {
	whole, frac := bits.Mul64(chance, n)
	b.whole[i], b.keep[i] = uint32(whole), frac
}

func (b *aliasBuilder) sort(i uint32) {
	b.other[i] = i
	if b.whole[i] == 0 {
		b.short = append(b.short, i)
	} else {
		b.ample = append(b.ample, i)
	}
}

// pair fills up the column of each short choice from an ample one, which may become short by it.
// A choice left over has exactly one column: it is its own other.
func (b *aliasBuilder) pair() {
	for len(b.short) > 0 {
		s := b.short[len(b.short)-1]
		b.short = b.short[:len(b.short)-1]
		a := b.ample[len(b.ample)-1]
		b.other[s] = a
		frac, carry := bits.Add64(b.keep[a], b.keep[s], 0) // a gives 1 − keep[s]
		b.keep[a] = frac
		b.whole[a] = b.whole[a] - 1 + uint32(carry)
		if b.whole[a] == 0 {
			b.ample = b.ample[:len(b.ample)-1]
			b.short = append(b.short, a)
		}
	}
}
