package accesslog

import "math"

// Units of a number that tells an instant or a length of time, as powers of ten of a nanosecond.
const (
	inNanoseconds  = 0
	inMicroseconds = 3
	inMilliseconds = 6
	inSeconds      = 9
)

// decimal is a number such as 1693840791.7564995 or 2.701e-06, times 10^shift, cut to a whole
// number towards zero. It is exact: no floating point.
func decimal(b []byte, shift int) (n int64, ok bool) {
	negative := len(b) > 0 && b[0] == '-'
	if negative {
		b = b[1:]
	}
	mantissa, digits, point, rest := digitsOf(b)
	exponent, ok := exponentOf(rest)
	if !ok || digits == 0 {
		return 0, false
	}
	n, ok = scale(mantissa, shift+exponent-point)
	if negative {
		n = -n
	}
	return n, ok
}

// digitsOf reads digits with at most one point among them. point is how many of those that count
// stand after it: digits after the 18th count no more, for they tell less than a nanosecond.
func digitsOf(b []byte) (mantissa int64, digits, point int, rest []byte) {
	after := false
	for i, c := range b {
		switch {
		case c == '.' && !after && digits > 0:
			after = true
			continue
		case c-'0' > 9:
			return mantissa, digits, point, b[i:]
		}
		digits++
		full := mantissa > (math.MaxInt64-9)/10
		if !full {
			mantissa = mantissa*10 + int64(c-'0')
		}
		if after && !full {
			point++
		} else if full && !after {
			point--
		}
	}
	return mantissa, digits, point, nil
}

// exponentOf reads e-06, or nothing.
func exponentOf(b []byte) (exponent int, ok bool) {
	if len(b) == 0 {
		return 0, true
	}
	if b[0] != 'e' && b[0] != 'E' {
		return 0, false
	}
	b = b[1:]
	negative := len(b) > 0 && b[0] == '-'
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 3 {
		return 0, false
	}
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		exponent = exponent*10 + int(c-'0')
	}
	if negative {
		return -exponent, true
	}
	return exponent, true
}

// scale is n·10^power, and whether it fits.
func scale(n int64, power int) (int64, bool) {
	for ; power < 0 && n != 0; power++ {
		n /= 10
	}
	for ; power > 0 && n != 0; power-- {
		if n > math.MaxInt64/10 {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

// whole is a number of digits alone, at most 18.
func whole(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// statusOf is a status of three digits; - and 0, for no answer, are 0.
func statusOf(b []byte) (int, bool) {
	if len(b) == 3 && b[0]-'1' < 9 && b[1]-'0' <= 9 && b[2]-'0' <= 9 {
		return int(b[0]-'0')*100 + int(b[1]-'0')*10 + int(b[2]-'0'), true
	}
	none := len(b) == 0 || string(b) == "-" || string(b) == "0" || string(b) == "000" || string(b) == "-1"
	return 0, none
}

// bytesOf is a count of bytes; - is Unknown.
func bytesOf(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) == 1 && b[0] == '-' {
		return Unknown, true
	}
	return whole(b)
}

// magnitude guesses the unit of a bare number that tells an instant: as seconds, milliseconds and
// so on it must lie between 1973 and 5138, which no two units share.
func magnitude(n int64) int {
	switch {
	case n < 100_000_000_000:
		return inSeconds
	case n < 100_000_000_000_000:
		return inMilliseconds
	case n < 100_000_000_000_000_000:
		return inMicroseconds
	}
	return inNanoseconds
}
