package cmd

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// bound is the most that may be refused: a number, or a part of all.
type bound struct {
	number int64 // or millionths of a percent
	part   bool
}

// wholePart is all, in millionths of a percent.
const wholePart = 100 * 1_000_000

// parseBound reads "5" or "0.1%".
func parseBound(text string) (bound, error) {
	percent, part := strings.CutSuffix(text, "%")
	if !part {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return bound{}, errBound
		}
		return bound{number: n}, nil
	}
	whole, decimals, _ := strings.Cut(percent, ".")
	if whole == "" || len(decimals) > 6 || strings.ContainsAny(percent, "+-_") {
		return bound{}, errBound
	}
	n, err := strconv.ParseInt(whole+decimals+strings.Repeat("0", 6-len(decimals)), 10, 64)
	if err != nil || n > wholePart {
		return bound{}, errBound
	}
	return bound{n, true}, nil
}

var errBound = fmt.Errorf("must be a number from 0, such as 5, or a part from 0%% to 100%% with at most six decimals, such as 0.1%%")

// most is the largest number that the bound allows of so many: floor(part·all).
func (b bound) most(all int64) int64 {
	if !b.part {
		return b.number
	}
	hi, lo := bits.Mul64(uint64(all), uint64(b.number))
	q, _ := bits.Div64(hi, lo, wholePart)
	return int64(q)
}

// String is the bound as parseBound reads it.
func (b bound) String() string {
	if !b.part {
		return strconv.FormatInt(b.number, 10)
	}
	text := fmt.Sprintf("%d.%06d", b.number/1_000_000, b.number%1_000_000)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
}

func boundFlag() value[bound] { return value[bound]{kind: "N|P%", read: parseBound} }

// percent is a part of a whole for people: three digits at most, and never 0% of something or 100%
// of less than all.
func percent(part, whole int64) string {
	if part == 0 || whole == 0 {
		return "0%"
	}
	p := 100 * float64(part) / float64(whole)
	switch {
	case part == whole:
		return "100%"
	case p < 0.01:
		return "<0.01%"
	case p < 10:
		return strconv.FormatFloat(p, 'f', 2, 64) + "%"
	case p > 99.9:
		return ">99.9%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}
