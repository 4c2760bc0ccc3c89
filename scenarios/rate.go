package scenarios

import (
	"strconv"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

const (
	goodRates = "write a number per time, such as 10/s, 100/m or 7/3s"
	zeroRate  = "is zero, which lets nothing through; the smallest count is 1 over any time, such as 1/d"
)

// ParseRate reads a rate: 10/s, 100/m, 5r/s, 0.5/s, 7/3s, 500/7d, 100/minute, 10 per hour,
// 1 per 10s. It keeps the exact pair that was written, 100/m as 100 per 60 s; a decimal count
// becomes the smallest whole one over a longer time, 0.5/s as 1 per 2 s. Units go from 1 to
// algorithms.MaxUnits, the time from 1 ns to algorithms.MaxPeriod. The error is a *NotationError.
func ParseRate(text string) (algorithms.Limit, error) {
	l, reason := parseRate(text)
	if reason == "" && l.N == 0 {
		reason = zeroRate
	}
	if reason != "" {
		return algorithms.Limit{}, &NotationError{"rate", text, reason}
	}
	return l, nil
}

// parseRate reads a rate that may be zero, as a ramp may begin or end at.
func parseRate(text string) (algorithms.Limit, string) {
	var none algorithms.Limit
	if text == "" {
		return none, "is empty; " + goodRates
	}
	if text[0] == '-' {
		return none, "is negative; " + goodRates
	}
	count, period, ok := strings.Cut(text, "/")
	if !ok {
		count, period, ok = strings.Cut(text, " per ")
	}
	if !ok {
		return none, noRate(text)
	}
	per, reason := parsePeriod(strings.TrimPrefix(period, " "))
	if reason != "" {
		return none, reason
	}
	n, reason := parseCount(strings.TrimSuffix(count, " "))
	if reason != "" {
		return none, reason
	}
	return scaleRate(n, per)
}

// noRate says what to write instead of a text without a time.
func noRate(text string) string {
	if _, bad := parseDecimal(text); bad == "" {
		return "has no unit of time; write " + text + "/s or " + text + "/m, whichever is meant"
	}
	if _, bad := parseDuration(text); bad == "" {
		return "is a length of time; " + goodRates
	}
	return "is not a rate; " + goodRates
}

// parsePeriod reads what stands behind the slash: a unit alone, or a duration.
func parsePeriod(text string) (time.Duration, string) {
	if text == "" {
		return 0, "has nothing behind the slash; " + goodRates
	}
	if !strings.ContainsAny(text, "0123456789-") {
		return unitSize(text)
	}
	per, reason := parseDuration(text)
	if reason != "" {
		return 0, "time " + quoted(text) + " " + reason
	}
	if per == 0 {
		return 0, "has a time of zero; the shortest is 1ns"
	}
	return per, ""
}

// parseCount reads what stands before the slash: a number, with r for requests if one likes.
func parseCount(text string) (Decimal, string) {
	number := strings.TrimSuffix(text, "r")
	if number != "" {
		n, name, rest := cutTerm(number)
		if reason := exponent(n, name, rest); reason != "" {
			return Decimal{}, reason
		}
	}
	d, reason := parseDecimal(number)
	if reason != "" {
		return Decimal{}, "count " + quoted(text) + " " + reason
	}
	return d, ""
}

// scaleRate makes n per time a pair of whole numbers: the fraction Digits/10^Scale in lowest
// terms, its denominator going into the time.
func scaleRate(n Decimal, per time.Duration) (algorithms.Limit, string) {
	if n.Digits == 0 {
		return algorithms.Limit{Per: per}, ""
	}
	denominator := int64(powerOfTen(n.Scale))
	g := gcd(n.Digits, denominator)
	count, stretch := n.Digits/g, denominator/g
	if count > algorithms.MaxUnits {
		return algorithms.Limit{}, "is more than " + strconv.FormatInt(algorithms.MaxUnits, 10) + " units, the most there can be"
	}
	if stretch > int64(algorithms.MaxPeriod/per) {
		return algorithms.Limit{}, "comes to a time longer than " + FormatDuration(algorithms.MaxPeriod) + ", the longest there is"
	}
	return algorithms.Limit{N: count, Per: per * time.Duration(stretch)}, ""
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// FormatRate writes l so that ParseRate reads back the same pair: 100/m, 7/3s, 1/2s.
func FormatRate(l algorithms.Limit) string {
	per := FormatDuration(l.Per)
	if unitName, one := strings.CutPrefix(per, "1"); one && !strings.ContainsAny(unitName, "0123456789.") {
		per = unitName
	}
	return strconv.FormatInt(l.N, 10) + "/" + per
}
