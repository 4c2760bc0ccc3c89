package cmd

import (
	"strings"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	for _, c := range []struct {
		read, lines int64
		took        time.Duration
		want        string
	}{
		{0, 0, 0, "0 MB, 0 MB/s, 0 lines/s"},
		{1_500_000, 9_000, time.Second, "1 MB, 2 MB/s, 9000 lines/s"},
		{400_000_000, 640_000, 2 * time.Second, "400 MB, 200 MB/s, 320k lines/s"},
		{5_000_000_000, 27_000_000, 10 * time.Second, "5000 MB, 500 MB/s, 2.7M lines/s"},
	} {
		if got := pace(c.read, c.lines, c.took); got != c.want {
			t.Errorf("%d bytes and %d lines in %s: %s, want %s", c.read, c.lines, c.took, got, c.want)
		}
	}
}

// The bar says how fast a log is read, and how much of it is there if that is known.
func TestReadingBar(t *testing.T) {
	var seen strings.Builder
	bar := newProgress(&seen, "reading")
	bar.reading(3_000_000, 6_000_000, 20_000, time.Second)
	time.Sleep(110 * time.Millisecond) // the bar is drawn ten times a second
	bar.reading(3_000_000, 6_000_000, 20_000, time.Second)
	if text := seen.String(); !strings.Contains(text, "3 MB, 3 MB/s, 20k lines/s  50% |") {
		t.Errorf("%q", text)
	}
	seen.Reset()
	bar = newProgress(&seen, "reading")
	bar.reading(3_000_000, -1, 20_000, time.Second)
	time.Sleep(110 * time.Millisecond)
	bar.reading(3_000_000, -1, 20_000, time.Second)
	frames := strings.Split(strings.TrimSpace(seen.String()), "\r")
	if last := frames[len(frames)-1]; !strings.Contains(last, "3 MB, 3 MB/s, 20k lines/s") || strings.Contains(last, "%") {
		t.Errorf("without a known size: %q", frames)
	}
	progress{}.reading(1, 2, 3, time.Second) // shows nothing
}
