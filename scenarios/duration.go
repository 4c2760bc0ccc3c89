package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// NotationError says why a text is not the rate, duration, … that was expected.
type NotationError struct {
	What   string // "rate", "duration"
	Text   string // as written
	Reason string // what is wrong with it, and what would be right
}

func (e *NotationError) Error() string { return e.What + " " + quoted(e.Text) + ": " + e.Reason }

// unit is a unit of time with its names, the one that is written first.
type unit struct {
	size  time.Duration
	names []string
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// units are the lengths of time that are fixed, largest first. A day is 24 hours: there is no
// clock change on the time line of a run.
func units() []unit {
	return []unit{
		{week, []string{"w", "week", "weeks"}},
		{day, []string{"d", "day", "days"}},
		{time.Hour, []string{"h", "hour", "hours"}},
		{time.Minute, []string{"m", "min", "minute", "minutes"}},
		{time.Second, []string{"s", "sec", "second", "seconds"}},
		{time.Millisecond, []string{"ms", "millisecond", "milliseconds"}},
		{time.Microsecond, []string{"us", "µs", "μs", "microsecond", "microseconds"}},
		{time.Nanosecond, []string{"ns", "nanosecond", "nanoseconds"}},
	}
}

const (
	unitList      = "ns us ms s m h d w"
	goodDurations = "write a number with its unit, such as 250ms, 1m30s or 1d"
)

// unitSize looks a unit up by any of its names; the reason says why there is no such unit.
func unitSize(name string) (size time.Duration, reason string) {
	for _, u := range units() {
		for _, n := range u.names {
			if n == name {
				return u.size, ""
			}
		}
	}
	switch strings.ToLower(name) {
	case "mo", "mon", "month", "months":
		return 0, "a month is not a fixed length of time; write 30d"
	case "y", "yr", "year", "years":
		return 0, "a year is not a fixed length of time; write 365d"
	}
	if name == "M" {
		return 0, `"M" is not a unit: a minute is m, and a month is not a fixed length of time`
	}
	return 0, quoted(name) + " is not a unit of time; units: " + unitList
}

// ParseDuration reads a length of time: numbers with units from the largest to the smallest
// (250ms, 1m30s, 1.5h, 1d, 2ns, 5 minutes), or ISO 8601 (PT1S, P1DT12H). The result is exact, from
// 0 to algorithms.MaxPeriod. The error is a *NotationError.
func ParseDuration(text string) (time.Duration, error) {
	d, reason := parseDuration(text)
	if reason != "" {
		return 0, &NotationError{"duration", text, reason}
	}
	return d, nil
}

func parseDuration(text string) (time.Duration, string) {
	switch {
	case text == "":
		return 0, "is empty; " + goodDurations
	case text[0] == '-':
		return 0, "is negative; time only runs forward here"
	case text[0] == 'P':
		return parseISO(text)
	}
	if _, bad := parseDecimal(text); bad == "" {
		return 0, fmt.Sprintf("has no unit; write %sms or %ss, whichever is meant (units: %s)", text, text, unitList)
	}
	return parseTerms(text)
}

// parseTerms reads 1m30s: terms of a number and a unit, each unit smaller than the one before.
func parseTerms(text string) (time.Duration, string) {
	var sum time.Duration
	rest, last := text, time.Duration(1<<63-1)
	for rest != "" {
		number, name, tail := cutTerm(rest)
		rest = tail
		if number == "" {
			return 0, "is not a length of time; " + goodDurations
		}
		if reason := exponent(number, name, tail); reason != "" {
			return 0, reason
		}
		size, reason := unitSize(name)
		if reason == "" && size >= last {
			reason = "has its units out of order; write the largest first, as in 1m30s"
		}
		if reason == "" {
			sum, reason = addTerm(sum, number, size)
		}
		if reason != "" {
			return 0, reason
		}
		last = size
	}
	return sum, ""
}

// cutTerm splits "1.5 h30m" into its first number, that number's unit and the rest, without the
// single spaces that may stand between them.
func cutTerm(text string) (number, name, rest string) {
	i := strings.IndexFunc(text, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if i < 0 {
		return text, "", ""
	}
	number, rest = text[:i], strings.TrimPrefix(text[i:], " ")
	j := strings.IndexAny(rest, " .0123456789")
	if j < 0 {
		return number, rest, ""
	}
	return number, rest[:j], strings.TrimPrefix(rest[j:], " ")
}

// exponent recognises 1e3, 0x10 and 1_000, which are not read, and says so.
func exponent(number, name, rest string) string {
	more := rest != "" && rest[0] >= '0' && rest[0] <= '9'
	switch {
	case (name == "e" || name == "E") && more, name == "e+", name == "e-":
		return "has an exponent; write the number out in digits"
	case number == "0" && (name == "x" || name == "X"):
		return "is hexadecimal; write the number in decimal digits"
	case (name == "_" || name == ",") && more:
		return "has a separator between its digits; write them together"
	}
	return ""
}

// addTerm adds number·size to sum, exactly.
func addTerm(sum time.Duration, number string, size time.Duration) (time.Duration, string) {
	d, reason := parseDecimal(number)
	if reason != "" {
		return 0, reason
	}
	n, whole, fits := d.times(int64(size))
	if !fits || n > int64(algorithms.MaxPeriod-sum) {
		return 0, "is longer than " + FormatDuration(algorithms.MaxPeriod) + ", the longest there is"
	}
	if !whole {
		return 0, "is not a whole number of nanoseconds, the smallest step of time"
	}
	return sum + time.Duration(n), ""
}

// parseISO reads the ISO 8601 form: P, days or weeks, then T and hours, minutes, seconds.
func parseISO(text string) (time.Duration, string) {
	const good = "is not an ISO 8601 duration such as PT1S, PT1M30S or P1D"
	date, clock, hasClock := strings.Cut(text[1:], "T")
	if date == "" && clock == "" || hasClock && clock == "" {
		return 0, good
	}
	if strings.ContainsAny(date, "YM") {
		return 0, "has months or years, which are not a fixed length of time; write days, such as P30D"
	}
	var sum time.Duration
	for _, part := range []struct {
		text, letters string
		sizes         []time.Duration
	}{
		{date, "WD", []time.Duration{week, day}},
		{clock, "HMS", []time.Duration{time.Hour, time.Minute, time.Second}},
	} {
		from := 0 // the letters before this one are used up
		for rest := part.text; rest != ""; {
			i := strings.IndexAny(rest, part.letters)
			if i < 1 {
				return 0, good
			}
			letter := strings.IndexByte(part.letters, rest[i])
			if letter < from {
				return 0, good
			}
			var reason string
			if sum, reason = addTerm(sum, rest[:i], part.sizes[letter]); reason != "" {
				return 0, reason
			}
			from, rest = letter+1, rest[i+1:]
		}
	}
	return sum, ""
}

// FormatDuration writes d so that ParseDuration reads it back: 1m30s, 59.9s, 250ms, 1d, 2ns, 0s.
// What is a second or more is written in whole units down to decimal seconds, what is less in
// decimals of its largest unit.
func FormatDuration(d time.Duration) string {
	if d < 0 {
		return "-" + FormatDuration(-d)
	}
	var text strings.Builder
	for _, u := range units()[1:] { // days, not weeks: 500/7d stays as it is
		if u.size > time.Second && d >= u.size {
			text.WriteString(strconv.FormatInt(int64(d/u.size), 10) + u.names[0])
			d %= u.size
		} else if u.size <= time.Second && d >= u.size {
			text.WriteString(fraction(d, u.size) + u.names[0])
			return text.String()
		} else if u.size == time.Second && text.Len() > 0 && d > 0 {
			text.WriteString(fraction(d, u.size) + u.names[0])
			return text.String()
		}
	}
	if text.Len() == 0 {
		return "0s"
	}
	return text.String()
}

// fraction writes d/size in decimals, exactly: size is a power of ten.
func fraction(d, size time.Duration) string {
	whole, rest := strconv.FormatInt(int64(d/size), 10), int64(d%size)
	if rest == 0 {
		return whole
	}
	width := len(strconv.FormatInt(int64(size), 10)) - 1
	return whole + "." + strings.TrimRight(fmt.Sprintf("%0*d", width, rest), "0")
}

// formatNanos is FormatDuration for a count of nanoseconds.
func formatNanos(n int64) string { return FormatDuration(time.Duration(n)) }
