package accesslog

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Malformed lines are placed with each file named once, and the clock's note warns of limits that it
// cannot tell apart.
func TestNotes(t *testing.T) {
	_, r := inWords(t, Options{},
		Bytes("/var/log/a.log", []byte(lineAt("a", 0)+"x\ny\n"+lineAt("a", 1)+"\n")),
		Bytes("/var/log/b.log", []byte("z\n"+lineAt("a", 2)+"x\n")))
	length := time.Duration.String
	for _, c := range []struct {
		remarks Remarks
		want    []string
		not     string
	}{
		{Remarks{Length: length}, []string{
			"8 lines = 3 requests + 5 malformed + 0 filtered",
			"malformed: 4 lines, client: missing; first at /var/log/a.log:2, 3; /var/log/b.log:1, 3",
			"malformed: 1 line, empty line; first at /var/log/a.log:5",
			"the log's clock ticks every 1s",
		}, "cannot tell"},
		{Remarks{Length: length, Shortest: 2 * time.Second, Other: "X"}, []string{"the log's clock ticks every 1s"}, "cannot tell"},
		{Remarks{Length: length, Shortest: time.Second, Other: "X"}, []string{
			"the log's clock ticks every 1s: a limit per 1s or less cannot tell algorithms apart on it; what differs all the same comes from bursts or from the ticks; X shows the other reading",
		}, "spread"},
		{Remarks{Length: length, Shortest: time.Second, Spread: "spread"}, []string{"spread"}, "other reading"},
	} {
		notes := r.Notes(c.remarks)
		for _, want := range c.want {
			if !slices.Contains(notes, want) {
				t.Errorf("%+v: no %q in\n%s", c.remarks, want, strings.Join(notes, "\n"))
			}
		}
		if strings.Contains(strings.Join(notes, "\n"), c.not) {
			t.Errorf("%+v: %q in\n%s", c.remarks, c.not, strings.Join(notes, "\n"))
		}
	}
}

// A stream that spreads ticks tells each request's instant as logged, too: that of the same request
// in a stream that does not.
func TestLogged(t *testing.T) {
	var w strings.Builder
	if _, err := (Synthetic{Lines: 20_000, Clients: 50, Seed: 5, Rate: 3}).WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	instants := func(spread bool) (at, logged []int64) {
		log, err := Open([]Input{Bytes("log", []byte(w.String()))}, Options{Spread: spread})
		if err != nil {
			t.Fatal(err)
		}
		err = log.Run(func(s *Stream) error {
			for r, ok := s.Next(); ok; r, ok = s.Next() {
				at, logged = append(at, int64(r.At)), append(logged, int64(s.Detail().Logged))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return at, logged
	}
	plain, same := instants(false)
	spread, logged := instants(true)
	if !slices.Equal(plain, same) || !slices.Equal(plain, logged) || slices.Equal(plain, spread) || len(plain) != 20_000 {
		t.Error("the instants as logged are not those of the log")
	}
}

// Globs with what only shells understand are refused with why, wherever they stand.
func TestGlobsRefused(t *testing.T) {
	for _, pattern := range []string{"/[ab]", "[", "/{a,b}", "{"} {
		var f Filter
		if err := f.Where("path=" + pattern); err == nil || !strings.Contains(err.Error(), "has no meaning; * stands for any text") {
			t.Errorf("path=%s: %v", pattern, err)
		}
		if _, err := ParsePathCost(pattern + "=5"); err == nil || !strings.Contains(err.Error(), "has no meaning") {
			t.Errorf("cost %s=5: %v", pattern, err)
		}
	}
}
