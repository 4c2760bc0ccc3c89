package accesslog

import (
	"bytes"
	"encoding/binary"
)

const (
	second = 1_000_000_000 // ns
	minute = 60 * second
	day    = 86_400 * second
)

// clock reads stamps as Apache and nginx write them, 20/May/2015:12:05:17 +0000. Neighbouring lines
// share the minute, so it keeps the last one.
type clock struct {
	text  [26]byte // the last stamp
	start int64    // Unix time of its minute, ns
}

// zoned is the instant of a stamp of exactly 26 bytes.
func (c *clock) zoned(b []byte) (int64, why) {
	if len(b) != len(c.text) {
		return 0, errTime
	}
	if !c.sameMinute(b) {
		start, err := stampMinute(b)
		if err == 0 {
			var zone int64
			if zone, err = zoneOffset(b[20:]); err == 0 && b[20] == ' ' {
				copy(c.text[:], b)
				c.start = start - zone
			}
		}
		if err != 0 || b[20] != ' ' {
			return 0, orTime(err)
		}
	}
	sec := twoDigits(b[18:])
	if b[17] != ':' || sec > 60 {
		return 0, errTime
	}
	return c.start + sec*second, 0
}

// sameMinute compares the first 17 bytes, date to minute, and the last 6, the zone.
func (c *clock) sameMinute(b []byte) bool {
	le := binary.LittleEndian
	return le.Uint64(b) == le.Uint64(c.text[:]) && le.Uint64(b[8:]) == le.Uint64(c.text[8:]) &&
		b[16] == c.text[16] && le.Uint32(b[20:]) == le.Uint32(c.text[20:]) &&
		le.Uint16(b[24:]) == le.Uint16(c.text[24:])
}

func orTime(w why) why {
	if w == 0 {
		return errTime
	}
	return w
}

// stampMinute is the minute of 20/May/2015:12:05 as if in UTC.
func stampMinute(b []byte) (int64, why) {
	if len(b) < 17 || b[2] != '/' || b[6] != '/' || b[11] != ':' || b[14] != ':' {
		return 0, errTime
	}
	year := twoDigits(b[7:])*100 + twoDigits(b[9:])
	start, err := dayStart(year, monthOf(b[3:6]), twoDigits(b))
	if err != 0 {
		return 0, err
	}
	hour, min := twoDigits(b[12:]), twoDigits(b[15:])
	if hour > 23 || min > 59 {
		return 0, errTime
	}
	return start + (hour*60+min)*minute, 0
}

// slashed is the instant of a stamp with slashes of any length: with a fraction of the second or
// not, with a zone or not.
func slashed(b []byte) (ns int64, zoned bool, err why) {
	start, err := stampMinute(b)
	if err != 0 || len(b) < 20 || b[17] != ':' {
		return 0, false, orTime(err)
	}
	sec, rest, err := secondsOf(b[18:])
	if err != 0 {
		return 0, false, err
	}
	zone, zoned, err := zoneOf(rest)
	return start + sec - zone, zoned, err
}

// dashed is the instant of an ISO 8601 stamp: 2015-05-17T10:05:03.25Z, with a space for the T, a
// comma for the point, and without a zone too.
func dashed(b []byte) (ns int64, zoned bool, err why) {
	if len(b) < 19 || b[10] != 'T' && b[10] != ' ' && b[10] != 't' {
		return 0, false, errTime
	}
	start, err := dashedDay(b[:10])
	if err != 0 {
		return 0, false, err
	}
	since, rest, err := timeOfDay(b[11:])
	if err != 0 {
		return 0, false, err
	}
	zone, zoned, err := zoneOf(rest)
	return start + since - zone, zoned, err
}

// dashedDay is the start of 2015-05-17.
func dashedDay(b []byte) (int64, why) {
	if len(b) != 10 || b[4] != '-' || b[7] != '-' {
		return 0, errTime
	}
	return dayStart(twoDigits(b)*100+twoDigits(b[2:]), twoDigits(b[5:]), twoDigits(b[8:]))
}

// timeOfDay reads 10:05:03.25 and returns what follows.
func timeOfDay(b []byte) (since int64, rest []byte, err why) {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' {
		return 0, nil, errTime
	}
	hour, min := twoDigits(b), twoDigits(b[3:])
	sec, rest, err := secondsOf(b[6:])
	if hour > 23 || min > 59 {
		return 0, nil, errTime
	}
	return (hour*60+min)*minute + sec, rest, err
}

// secondsOf reads 03.25: two digits and a fraction, of which the first nine digits count. A leap
// second, 60, is the second after.
func secondsOf(b []byte) (ns int64, rest []byte, err why) {
	sec := twoDigits(b)
	if sec > 60 {
		return 0, nil, errTime
	}
	if b = b[2:]; len(b) < 2 || b[0] != '.' && b[0] != ',' || b[1]-'0' > 9 {
		return sec * second, b, 0
	}
	i, unit, frac := 1, int64(second), int64(0)
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		unit /= 10
		frac += int64(b[i]-'0') * unit
	}
	return sec*second + frac, b[i:], 0
}

// zoneOf reads what follows a time: nothing, Z, +02:00 or +0200, with a space before it or not.
func zoneOf(b []byte) (offset int64, zoned bool, err why) {
	b = bytes.TrimLeft(b, " ")
	switch {
	case len(b) == 0:
		return 0, false, 0
	case string(b) == "Z" || string(b) == "z" || string(b) == "UTC" || string(b) == "GMT":
		return 0, true, 0
	case len(b) == 6 && b[3] == ':':
		short := [5]byte{b[0], b[1], b[2], b[4], b[5]}
		b = short[:]
	}
	offset, err = zoneOffset(b)
	return offset, true, err
}

// zoneOffset is how far +0200 is ahead of UTC; a space before it is skipped.
func zoneOffset(b []byte) (int64, why) {
	if len(b) == 6 {
		b = b[1:]
	}
	if len(b) != 5 || b[0] != '+' && b[0] != '-' {
		return 0, errTime
	}
	hours, minutes := twoDigits(b[1:]), twoDigits(b[3:])
	if hours > 23 || minutes > 59 {
		return 0, errTime
	}
	if b[0] == '-' {
		return -(hours*60 + minutes) * minute, 0
	}
	return (hours*60 + minutes) * minute, 0
}

// twoDigits is the number in b[0] and b[1], or a number beyond every range if they are not digits.
func twoDigits(b []byte) int64 {
	if len(b) < 2 || b[0]-'0' > 9 || b[1]-'0' > 9 {
		return 1 << 20
	}
	return int64(b[0]-'0')*10 + int64(b[1]-'0')
}

// monthOf is 1 for Jan, or 0.
func monthOf(b []byte) int64 {
	const names = "JanFebMarAprMayJunJulAugSepOctNovDec"
	for m := 0; m < len(names); m += 3 {
		if string(b) == names[m:m+3] {
			return int64(m/3 + 1)
		}
	}
	return 0
}

// dayStart is the Unix time of a day of the Gregorian calendar, in ns. Days are counted in years
// that begin in March, so that the leap day is the last.
func dayStart(year, month, dom int64) (int64, why) {
	if month < 1 || month > 12 || dom < 1 || dom > daysIn(year, month) {
		return 0, errTime
	}
	if year < 1970 || year > 2261 {
		return 0, errTimeRange
	}
	if month < 3 {
		year--
		month += 12
	}
	days := 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + dom - 1
	const epoch = 719468 // 1970-01-01 in days since 0000-03-01
	return (days - epoch) * day, 0
}

func daysIn(year, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}
