package draw

import (
	"math"
	"strconv"
	"strings"
)

// thousands writes n in full, in groups of three digits: 1,234,567.
func thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// compact writes n in at most cells, at least 5 of them: in full with thousands, in full without,
// or else to three digits with k, M, G, T, P or E for its thousands.
func compact(n int64, cells int) string {
	if full := thousands(n); len(full) <= cells {
		return full
	}
	value, unit := float64(n), 0
	for ; math.Abs(value) >= 999.5; unit++ {
		value /= 1000
	}
	return threeDigits(value) + "kMGTPE"[unit-1:unit]
}

// threeDigits writes a value of less than 1000 to three digits, without closing zeros.
func threeDigits(value float64) string {
	decimals := 2
	if math.Abs(value) >= 9.995 {
		decimals = 1
	}
	if math.Abs(value) >= 99.95 {
		decimals = 0
	}
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// ratio writes a peak as a multiple of the limit. Rounding never moves it onto 1.00 from above or
// below, since that is the line it is read against.
func (s *Style) ratio(value float64) string {
	times := s.glyphs.times
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0) || value < 0:
		return s.glyphs.none
	case value > 1 && value < 1.005:
		return ">1.00" + times
	case value < 1 && value >= 0.995:
		return "<1.00" + times
	case value < 99.995:
		return strconv.FormatFloat(value, 'f', 2, 64) + times
	case value < 1e15:
		return compact(int64(math.Round(value)), 5) + times
	}
	return ">999T" + times
}

// fraction writes a value from 0 to 1 to three decimals.
func (s *Style) fraction(value float64) string {
	if !(value >= 0 && value <= 1) { // nor is it NaN
		return s.glyphs.none
	}
	return strconv.FormatFloat(value, 'f', 3, 64)
}
