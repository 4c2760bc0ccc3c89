package draw

import (
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/muesli/termenv"
)

// Labels of the clock are of one kind all along the axis, with a date where there are several days.
func TestClockAxis(t *testing.T) {
	s := NewStyle(Options{ASCII: true, Profile: termenv.Ascii})
	for _, c := range []struct {
		story, from string
		span        time.Duration
		columns     int
		want        []string
	}{
		{"half a minute", "2025-06-01T10:00:50Z", 31 * time.Second, 60, []string{"10:00:50", "10:01:00", "10:01:10", "10:01:20"}},
		{"a quarter of an hour", "2026-03-02T09:00:10Z", 15 * time.Minute, 60, []string{"09:02", "09:04", "09:06", "09:08", "09:10", "09:12", "09:14"}},
		{"a day", "2026-03-02T00:00:00Z", 24 * time.Hour, 60, []string{"03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00"}},
		{"over midnight", "2026-03-02T23:30:00Z", time.Hour, 60, []string{"03-02 23:45", "03-03 00:00", "03-03 00:15"}},
		{"a month", "2026-03-02T12:00:00Z", 30 * 24 * time.Hour, 40, []string{"03-08", "03-18", "03-28"}},
		{"over the turn of the year", "2025-12-30T12:00:00Z", 4 * 24 * time.Hour, 60, []string{"2025-12-31", "2026-01-01", "2026-01-02", "2026-01-03"}},
	} {
		t.Run(c.story, func(t *testing.T) {
			from, err := time.Parse(time.RFC3339, c.from)
			if err != nil {
				t.Fatal(err)
			}
			labels, ruler, ok := s.ClockAxis(from.UnixNano(), sim.Time(c.span), c.columns)
			if !ok || len(labels) != c.columns || len(ruler) != c.columns {
				t.Fatalf("%v\n%s\n%s", ok, labels, ruler)
			}
			if got := strings.Fields(labels); strings.Join(got, " ") != strings.Join(c.want, " ") {
				t.Errorf("got %v, want %v\n%s\n%s", got, c.want, labels, ruler)
			}
		})
	}
	if _, _, ok := s.ClockAxis(0, sim.Time(300*time.Millisecond), 60); ok {
		t.Error("a clock for less than a second")
	}
}
