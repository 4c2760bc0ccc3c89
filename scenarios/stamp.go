package scenarios

import (
	"strconv"
	"strings"
)

// Instants of the real world are read by hand, not by package time: it is exact to the nanosecond
// whatever the number of digits, takes the forms that logs have, and is several times as fast.

// lastStart is the last instant that may be a scenario's start: a run of ten years from there on
// stays within an int64.
const lastStart = 7_258_118_400_000_000_000 - 1 // 2200-01-01T00:00:00Z

// Years whose instants all fit into an int64 of nanoseconds, whatever the zone.
const firstYear, lastYear = 1700, 2261

const (
	goodStamps = "is not an instant such as 2024-02-29T12:00:00Z, 2024-02-29 12:00:00.5 or 2024-02-29"
	farStamp   = "is out of range; years may be from 1700 to 2261"
)

// parseStamp reads an instant as nanoseconds since the Unix epoch: RFC 3339, a space in place of
// the T, a date alone, any number of digits behind the second (beyond the ninth they are cut off).
// Without a zone it is UTC.
func parseStamp(text string) (ns int64, reason string) {
	year, ok1 := digits(text, 0, 4, 0, 9999)
	month, ok2 := digits(text, 5, 2, 1, 12)
	day, ok3 := digits(text, 8, 2, 1, 31)
	if !ok1 || !ok2 || !ok3 || text[4] != '-' || text[7] != '-' || day > daysIn(year, month) {
		return 0, goodStamps
	}
	if year < firstYear || year > lastYear {
		return 0, farStamp
	}
	seconds := daysFromEpoch(year, month, day) * 86400
	if len(text) == 10 {
		return seconds * 1e9, ""
	}
	if c := text[10]; c != 'T' && c != 't' && c != ' ' {
		return 0, goodStamps
	}
	clock, fraction, zone, ok := parseClock(text[11:])
	if !ok {
		return 0, goodStamps
	}
	offset, ok := parseZone(zone)
	if !ok {
		return 0, goodStamps
	}
	return (seconds+clock-offset)*1e9 + fraction, ""
}

// parseClock reads 18:17:03.97996 and returns seconds, nanoseconds and what follows. A leap
// second, :60, is the second after.
func parseClock(text string) (seconds, ns int64, rest string, ok bool) {
	hour, ok1 := digits(text, 0, 2, 0, 23)
	minute, ok2 := digits(text, 3, 2, 0, 59)
	if !ok1 || !ok2 || text[2] != ':' {
		return 0, 0, "", false
	}
	seconds, rest = hour*3600+minute*60, text[5:]
	if rest == "" || rest[0] != ':' {
		return seconds, 0, rest, true
	}
	second, ok := digits(rest, 1, 2, 0, 60)
	if !ok {
		return 0, 0, "", false
	}
	seconds, rest = seconds+second, rest[3:]
	if rest == "" || rest[0] != '.' && rest[0] != ',' {
		return seconds, 0, rest, true
	}
	ns, rest, ok = parseFraction(rest[1:])
	return seconds, ns, rest, ok
}

// parseFraction reads the digits behind a point as billionths.
func parseFraction(text string) (billionths int64, rest string, ok bool) {
	n := 0
	for unit := int64(1e8); n < len(text) && text[n] >= '0' && text[n] <= '9'; n++ {
		billionths += unit * int64(text[n]-'0')
		unit /= 10
	}
	return billionths, text[n:], n > 0
}

// parseZone reads Z, +01:00, -0730, UTC or nothing as seconds east of UTC.
func parseZone(text string) (east int64, ok bool) {
	text = strings.TrimPrefix(text, " ")
	switch text {
	case "", "Z", "z", "UTC", "GMT":
		return 0, true
	}
	hour, ok1 := digits(text, 1, 2, 0, 23)
	minute, ok2 := digits(strings.Replace(text, ":", "", 1), 3, 2, 0, 59)
	if len(text) == 3 {
		minute, ok2 = 0, true
	}
	plain := len(text) == 3 || len(text) == 5 || len(text) == 6 && text[3] == ':'
	if !ok1 || !ok2 || !plain || text[0] != '+' && text[0] != '-' {
		return 0, false
	}
	east = hour*3600 + minute*60
	if text[0] == '-' {
		east = -east
	}
	return east, true
}

// digits reads a number of so many digits at an offset, within a range.
func digits(text string, at, width int, low, high int64) (n int64, ok bool) {
	if len(text) < at+width {
		return 0, false
	}
	for _, c := range []byte(text[at : at+width]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, n >= low && n <= high
}

func daysIn(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysFromEpoch counts the days from 1970-01-01 to a date of the Gregorian calendar. It counts in
// years that begin with March, so that the leap day is the last: then the months before month m
// have (153·m + 2)/5 days (H. Hinnant, chrono-compatible low-level date algorithms).
func daysFromEpoch(year, month, day int64) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	const marchToEpoch = 719468 // days from 0000-03-01 to 1970-01-01
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - marchToEpoch
}

// parseTick reads a bare number of units, each of so many nanoseconds, as nanoseconds. Digits finer
// than a nanosecond are cut off.
func parseTick(text string, unit int64) (ns int64, reason string) {
	negative := strings.HasPrefix(text, "-")
	whole, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !allDigits(whole) || point && !allDigits(fraction) {
		return 0, "is not a plain decimal number"
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n > (1<<62)/unit {
		return 0, "is out of range"
	}
	billionths, _, _ := parseFraction(fraction)
	ns = n*unit + billionths*unit/1e9
	if negative {
		ns = -ns
	}
	return ns, ""
}
