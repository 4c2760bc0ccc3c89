package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim/tune"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// frontier is the smallest burst that refuses nothing, by rate: for all keys and for those that need
// most.
func (j *tuneJob) frontier() (*grid, error) {
	needs, err := j.requests.Frontier(j.frontierRates())
	if err != nil {
		return nil, err
	}
	if len(j.flags.rates.rates) == 0 {
		needs = untilFlat(needs)
	}
	keys := neediest(needs, int(j.flags.top.v))
	g := &grid{
		title: "smallest burst that refuses nothing, by rate (token-bucket, gcra, leaky-meter, leaky-bucket)",
		heads: []column{{"limit", "limit", false}, {"burst", "burst", true}, {"key", "worst key", false}}, bars: 1,
	}
	for _, key := range keys {
		name := j.keyName(key)
		g.heads = append(g.heads, column{"burst of " + name, name, true})
	}
	for _, n := range needs {
		g.rows = append(g.rows, j.frontierRow(n, keys))
	}
	return g, nil
}

func (j *tuneJob) frontierRow(n tune.Need, keys []uint32) []string {
	row := []string{scenarios.FormatRate(n.Rate), strconv.FormatInt(n.Burst, 10), j.keyName(n.Worst)}
	if n.Burst == 0 {
		row[1] = ""
	}
	for _, key := range keys {
		row = append(row, strconv.FormatInt(n.Bursts[key], 10))
	}
	return row
}

// keyName is the name of a key.
func (j *tuneJob) keyName(key uint32) string {
	switch {
	case j.requests.Shared:
		return "all"
	case j.requests.Clients.Name(key) == "":
		return "(unknown)"
	}
	return j.requests.Clients.Name(key)
}

// frontierRates are the rates of the flags, or 1, 2, 5, 10, … to a million per period.
func (j *tuneJob) frontierRates() []algorithms.Limit {
	if len(j.flags.rates.rates) > 0 {
		return j.flags.rates.rates
	}
	var out []algorithms.Limit
	for n := int64(1); n <= 1_000_000; n *= 10 {
		for _, times := range []int64{1, 2, 5} {
			out = append(out, algorithms.Limit{N: times * n, Per: j.flags.per.v})
		}
	}
	return out
}

// untilFlat leaves out the rates from which on more of it no longer lets the burst be smaller.
func untilFlat(needs []tune.Need) []tune.Need {
	last := len(needs) - 1
	for last > 0 && needs[last-1].Burst == needs[len(needs)-1].Burst {
		last--
	}
	return needs[:last+1]
}

// neediest are the keys that need the largest bursts at the lowest rate, at most n of them.
func neediest(needs []tune.Need, n int) []uint32 {
	if len(needs) == 0 || len(needs[0].Bursts) < 2 {
		return nil
	}
	bursts := needs[0].Bursts
	var keys []uint32
	for key, burst := range bursts {
		if burst > 0 {
			keys = append(keys, uint32(key))
		}
	}
	slices.SortStableFunc(keys, func(a, b uint32) int { return cmp.Compare(bursts[b], bursts[a]) })
	return keys[:min(n, len(keys))]
}

// chart puts bars in place of the columns after the third: the numbers of one column, on a scale
// from 0 to the largest.
func (g *grid) chart(style *draw.Style, cells int, rows [][]string) {
	room := cells - 2
	for r := range rows {
		rows[r] = rows[r][:3]
	}
	for c := range rows[0] {
		room -= widest(rows, c) + tableGap
	}
	room = min(room, 50)
	if room < 10 {
		return
	}
	most := int64(1)
	values := make([]int64, len(rows))
	for r := 1; r < len(rows); r++ {
		values[r], _ = strconv.ParseInt(strings.TrimSpace(rows[r][g.bars]), 10, 64)
		most = max(most, values[r])
	}
	rows[0] = append(rows[0], fmt.Sprintf("0 to %d", most))
	for r := 1; r < len(rows); r++ {
		rows[r] = append(rows[r], style.HorizontalBar(values[r], most, room))
	}
}
