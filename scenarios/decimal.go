package scenarios

import (
	"math/bits"
	"strconv"
	"strings"
)

// Decimal is an exact decimal fraction, Digits / 10^Scale, never negative. It is kept with the
// smallest Scale that holds it, so equal values are equal structs.
type Decimal struct {
	Digits int64
	Scale  uint8 // 0 to maxDigits
}

// maxDigits is how many significant digits are read: as many as always fit an int64.
const maxDigits = 18

// powerOfTen is 10^k, for k up to maxDigits.
func powerOfTen(k uint8) uint64 {
	p := uint64(1)
	for range k {
		p *= 10
	}
	return p
}

// parseDecimal reads digits with an optional fraction: "100", "0.5". The reason says what is wrong
// otherwise; it is empty when nothing is.
func parseDecimal(text string) (d Decimal, reason string) {
	whole, fraction, point := strings.Cut(text, ".")
	if !allDigits(whole) || point && !allDigits(fraction) {
		return d, "is not a number in plain decimal digits, such as 12 or 0.5"
	}
	fraction = strings.TrimRight(fraction, "0")
	digits := strings.TrimLeft(whole+fraction, "0")
	if len(digits) > maxDigits || len(fraction) > maxDigits {
		return d, "has more than 18 digits"
	}
	if digits == "" {
		return d, ""
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return d, "is out of range"
	}
	return Decimal{Digits: n, Scale: uint8(len(fraction))}, ""
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// String writes the fraction in plain digits: 0.5, 12.
func (d Decimal) String() string {
	text := strconv.FormatInt(d.Digits, 10)
	if d.Scale == 0 {
		return text
	}
	if pad := int(d.Scale) + 1 - len(text); pad > 0 {
		text = strings.Repeat("0", pad) + text
	}
	point := len(text) - int(d.Scale)
	return text[:point] + "." + text[point:]
}

// cmpInt compares d with v, exactly: negative if d < v. v is at least 0.
func (d Decimal) cmpInt(v int64) int {
	hi, lo := bits.Mul64(uint64(v), powerOfTen(d.Scale))
	switch {
	case hi > 0 || lo > uint64(d.Digits):
		return -1
	case lo < uint64(d.Digits):
		return 1
	}
	return 0
}

// cmp compares two fractions exactly: negative if d < e.
func (d Decimal) cmp(e Decimal) int {
	dhi, dlo := bits.Mul64(uint64(d.Digits), powerOfTen(e.Scale))
	ehi, elo := bits.Mul64(uint64(e.Digits), powerOfTen(d.Scale))
	switch {
	case dhi < ehi || dhi == ehi && dlo < elo:
		return -1
	case dhi > ehi || dlo > elo:
		return 1
	}
	return 0
}

// times multiplies the fraction by unit and says whether the product is a whole number that fits an
// int64: 1.5 times 60 is 90, but 0.5 times 1 is not whole.
func (d Decimal) times(unit int64) (product int64, whole, fits bool) {
	hi, lo := bits.Mul64(uint64(d.Digits), uint64(unit))
	p := powerOfTen(d.Scale)
	if hi >= p {
		return 0, true, false
	}
	q, r := bits.Div64(hi, lo, p)
	if q > 1<<63-1 {
		return 0, true, false
	}
	return int64(q), r == 0, true
}
