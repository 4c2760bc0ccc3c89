package draw

import (
	"strings"
	"testing"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func TestAxis(t *testing.T) {
	style := NewStyle(Options{Profile: termenv.Ascii})
	for _, c := range []struct {
		from, span sim.Time
		columns    int
		labels     string
		ruler      string
	}{
		{0, 2 * minute, 61,
			"0s            30s            1m            1m30s           2m",
			"├──────────────┼──────────────┼──────────────┼──────────────┤"},
		{0, 2 * minute, 41,
			"0s       30s       1m       1m30s      2m",
			"├─────────┼─────────┼─────────┼─────────┤"},
		{0, 10 * second, 40,
			"0s                 5s                10s",
			"├───────────────────┼──────────────────┤"},
		{0, 12, 40,
			"0s             5ns             10ns 12ns",
			"├───────────────┼────────────────┼─────┤"},
		{90 * minute, hour, 45,
			"1h30m    1h45m       2h        2h15m    2h30m",
			"├──────────┼──────────┼──────────┼──────────┤"},
		{0, 3650 * day, 40,
			"0s      1000d      2000d           3650d",
			"├─────────┼──────────┼─────────────────┤"},
		{0, 56*minute + 59*second + 999*millisecond, 63,
			"0s        10m        20m        30m        40m        50m   57m",
			"├──────────┼──────────┼──────────┼──────────┼──────────┼──────┤"},
		{0, 1, 50,
			"0s                                             1ns",
			"├────────────────────────────────────────────────┤"},
		{0, 0, 50,
			"                                                0s",
			"├────────────────────────────────────────────────┤"},
	} {
		labels, ruler := style.axis(c.from, c.span, c.columns)
		if labels != c.labels || ruler != c.ruler {
			t.Errorf("axis of %s from %s on %d columns:\n%s\n%s\nwant\n%s\n%s",
				style.Exact(c.span), style.Exact(c.from), c.columns, labels, ruler, c.labels, c.ruler)
		}
	}
}

func TestAnyAxis(t *testing.T) {
	style := NewStyle(Options{Profile: termenv.Ascii})
	rapid.Check(t, func(t *rapid.T) {
		from, span := anyTime().Draw(t, "from"), anyTime().Draw(t, "span")
		columns := rapid.IntRange(35, 240).Draw(t, "columns")
		labels, ruler := style.axis(from, span, columns)
		if width(labels) != columns || width(ruler) != columns {
			t.Fatalf("%d and %d cells on %d columns", width(labels), width(ruler), columns)
		}
		if !strings.HasSuffix(labels, style.endLabel(from+span)) {
			t.Fatalf("%q does not end with %s", labels, style.endLabel(from+span))
		}
		if ticks := strings.Count(ruler, "┼"); ticks > len(strings.Fields(labels)) {
			t.Fatalf("%d ticks with the labels %q", ticks, labels)
		}
	})
}
