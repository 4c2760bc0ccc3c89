package scenarios

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
)

func TestParseRate(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int64
		per  time.Duration
		back string // what FormatRate makes of it
	}{
		{"10/s", 10, time.Second, "10/s"},
		{"100/m", 100, time.Minute, "100/m"}, // the pair stays: not 1 per 600ms
		{"5r/s", 5, time.Second, "5/s"},
		{"0.5/s", 1, 2 * time.Second, "1/2s"},
		{"1.5/m", 3, 2 * time.Minute, "3/2m"},
		{"0.1/s", 1, 10 * time.Second, "1/10s"},
		{"2.0/s", 2, time.Second, "2/s"},
		{"50/1s", 50, time.Second, "50/s"},
		{"7/3s", 7, 3 * time.Second, "7/3s"},
		{"500/7d", 500, 7 * day, "500/7d"},
		{"500/w", 500, 7 * day, "500/7d"},
		{"100/minute", 100, time.Minute, "100/m"},
		{"10 per hour", 10, time.Hour, "10/h"},
		{"1 per 10s", 1, 10 * time.Second, "1/10s"},
		{"10 / s", 10, time.Second, "10/s"},
		{"3/0.1s", 3, 100 * time.Millisecond, "3/100ms"},
		{"3/1m30s", 3, 90 * time.Second, "3/1m30s"},
		{"3/PT1M", 3, time.Minute, "3/m"},
		{"1/ns", 1, 1, "1/ns"},
		{"1000000000000/s", 1e12, time.Second, "1000000000000/s"},
		{"1/3660d", 1, algorithms.MaxPeriod, "1/3660d"},
	} {
		l, err := ParseRate(c.text)
		if err != nil || l.N != c.n || l.Per != c.per {
			t.Errorf("ParseRate(%q) = %d per %v, %v; want %d per %v", c.text, l.N, l.Per, err, c.n, c.per)
		}
		if back := FormatRate(l); back != c.back {
			t.Errorf("FormatRate(%q) = %q, want %q", c.text, back, c.back)
		}
	}
}

func TestParseRateRefuses(t *testing.T) {
	for text, hint := range map[string]string{
		"":                      "is empty",
		"100":                   "has no unit of time; write 100/s or 100/m",
		"10s":                   "is a length of time",
		"100/":                  "nothing behind the slash",
		"100/month":             "a month is not a fixed length of time; write 30d",
		"1/year":                "a year is not a fixed length",
		"1/M":                   "a minute is m",
		"-5/s":                  "is negative",
		"5/-1s":                 "is negative",
		"0/s":                   "is zero",
		"0.0/s":                 "is zero",
		"7/0s":                  "time of zero",
		"7/3":                   "has no unit; write 3ms or 3s",
		"1e3/s":                 "exponent",
		"0x10/s":                "hexadecimal",
		"1_000/s":               "separator",
		"1,000/s":               "separator",
		"NaN/s":                 "not a number",
		"Inf/s":                 "not a number",
		".5/s":                  "not a number",
		"5./s":                  "not a number",
		"1000000000001/s":       "more than 1000000000000 units",
		"0.0000001/3660d":       "longer than 3660d",
		"1/3661d":               "longer than 3660d",
		"1/0.5ns":               "whole number of nanoseconds",
		"9999999999999999999/s": "more than 18 digits",
		"10/fortnight":          `"fortnight" is not a unit of time; units: ns us ms s m h d w`,
		"ten per second":        "not a number",
		"10rps":                 "is not a rate",
		"5/s/s":                 "is not a unit",
		"1\x1b[31m/s":           `\x1b[31m`,
	} {
		_, err := ParseRate(text)
		if err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("ParseRate(%q) = %v, want an error with %q", text, err, hint)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		back string
	}{
		{"250ms", 250 * time.Millisecond, "250ms"},
		{"1m30s", 90 * time.Second, "1m30s"},
		{"90s", 90 * time.Second, "1m30s"},
		{"1d", day, "1d"},
		{"1w", 7 * day, "7d"},
		{"36h", 36 * time.Hour, "1d12h"},
		{"2ns", 2, "2ns"},
		{"PT1S", time.Second, "1s"},
		{"PT1M30S", 90 * time.Second, "1m30s"},
		{"P1DT12H", 36 * time.Hour, "1d12h"},
		{"PT0.1S", 100 * time.Millisecond, "100ms"},
		{"P2W", 14 * day, "14d"},
		{"0.1s", 100 * time.Millisecond, "100ms"},
		{"59.9s", 59900 * time.Millisecond, "59.9s"},
		{"1m0.5s", 60500 * time.Millisecond, "1m0.5s"},
		{"1.5h", 90 * time.Minute, "1h30m"},
		{"1500us", 1500 * time.Microsecond, "1.5ms"},
		{"3µs", 3 * time.Microsecond, "3us"}, // micro sign
		{"3μs", 3 * time.Microsecond, "3us"}, // Greek mu
		{"5 minutes", 5 * time.Minute, "5m"},
		{"1h 30m", 90 * time.Minute, "1h30m"},
		{"0s", 0, "0s"}, // an instant may be zero
		{"3660d", algorithms.MaxPeriod, "3660d"},
	} {
		d, err := ParseDuration(c.text)
		if err != nil || d != c.want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", c.text, d, err, c.want)
		}
		if back := FormatDuration(d); back != c.back {
			t.Errorf("FormatDuration(%q) = %q, want %q", c.text, back, c.back)
		}
	}
}

func TestParseDurationRefuses(t *testing.T) {
	for text, hint := range map[string]string{
		"":              "is empty",
		"100":           "has no unit; write 100ms or 100s",
		"0":             "has no unit",
		"1.5":           "has no unit",
		"-1s":           "is negative",
		"1month":        "a month is not a fixed length of time; write 30d",
		"2 years":       "a year is not a fixed length",
		"P1M":           "months or years",
		"P1Y":           "months or years",
		"1M":            "a minute is m",
		"30s1m":         "units out of order",
		"1s1s":          "units out of order",
		"1e3s":          "exponent",
		"1e+3s":         "exponent",
		"0x10s":         "hexadecimal",
		"1_000s":        "separator",
		"NaN":           "is not a length of time",
		"s":             "is not a length of time",
		".5s":           "plain decimal digits",
		"1..5s":         "plain decimal digits",
		"0.5ns":         "whole number of nanoseconds",
		"0.0000000001s": "whole number of nanoseconds",
		"3660d1ns":      "longer than 3660d",
		"99999999999d":  "longer than 3660d",
		"P":             "ISO 8601",
		"PT":            "ISO 8601",
		"P1DT":          "ISO 8601",
		"PT1S1M":        "ISO 8601",
		"PTS":           "ISO 8601",
		"1:30":          `":" is not a unit`,
		"1m  30s":       "is not a length of time",
	} {
		_, err := ParseDuration(text)
		if err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("ParseDuration(%q) = %v, want an error with %q", text, err, hint)
		}
	}
}

// Whatever is formatted is read back as the same pair, over the whole accepted range.
func TestNotationsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(algorithms.MaxPeriod)).Draw(t, "duration"))
		if back, err := ParseDuration(FormatDuration(d)); err != nil || back != d {
			t.Fatalf("duration %d: %q reads %d, %v", d, FormatDuration(d), back, err)
		}
		l := algorithms.Limit{N: rapid.Int64Range(1, algorithms.MaxUnits).Draw(t, "n"), Per: max(d, 1)}
		if back, err := ParseRate(FormatRate(l)); err != nil || back != l {
			t.Fatalf("rate %v: %q reads %v, %v", l, FormatRate(l), back, err)
		}
	})
}

// A decimal count is the exact fraction: N·10^k units over 10^k times as long.
func TestDecimalRatesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := rapid.Int64Range(1, 999_999).Draw(t, "digits")
		scale := rapid.Uint8Range(0, 6).Draw(t, "scale")
		text := Decimal{digits, scale}.String() + "/s"
		l, err := ParseRate(text)
		if err != nil {
			t.Fatal(err)
		}
		if left, right := l.N*int64(powerOfTen(scale))*int64(time.Second), digits*int64(l.Per); left != right {
			t.Fatalf("%s is not %v", text, l)
		}
	})
}

func FuzzRate(f *testing.F) {
	for _, s := range []string{"10/s", "0.5/s", "500/7d", "1 per 10s", "5r/s", "3/PT1M", "1e3/s", "-1/s", "1/month", "100"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseRate(text)
		if err != nil {
			return
		}
		if back, err := ParseRate(FormatRate(l)); err != nil || back != l {
			t.Errorf("%q: %v is written %q, which reads %v, %v", text, l, FormatRate(l), back, err)
		}
		if l.N < 1 || l.N > algorithms.MaxUnits || l.Per < 1 || l.Per > algorithms.MaxPeriod {
			t.Errorf("%q: %v is out of range", text, l)
		}
	})
}

func FuzzDuration(f *testing.F) {
	for _, s := range []string{"250ms", "1m30s", "1d", "2ns", "PT1S", "P1DT12H", "5 minutes", "1.5h", "30s1m", "0.5ns", "µs"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration(text)
		if err != nil {
			return
		}
		if back, err := ParseDuration(FormatDuration(d)); err != nil || back != d {
			t.Errorf("%q: %d is written %q, which reads %d, %v", text, d, FormatDuration(d), back, err)
		}
		if d < 0 || d > algorithms.MaxPeriod {
			t.Errorf("%q: %d is out of range", text, d)
		}
	})
}
