package cmd

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
)

// trace is a recording of real requests that is no part of this project: the instants at which a
// service for language models was called. The test is skipped where it is not at hand.
const trace = "../../shared/traces/azure_llm_2023_code.csv"

// TestRealTrace runs a real trace through every algorithm, and confirms every total by the
// definitions below, which share nothing with the limiters.
func TestRealTrace(t *testing.T) {
	at, err := readTrace(trace)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is not here", trace)
	}
	if err != nil || len(at) != 8819 {
		t.Fatalf("%d requests read: %v", len(at), err)
	}
	scenario := "version: 1\nlimit: 1/s\ntraffic:\n  - requests: {file: " + filepath.ToSlash(trace) + ", time: TIMESTAMP}\n"
	for _, c := range []struct {
		flags    []string
		n, burst int64
	}{
		{[]string{"--limit", "20/m", "--burst", "40"}, 20, 40},
		{[]string{"--limit", "100/m"}, 100, 100},
	} {
		t.Run(strings.Join(c.flags, " "), func(t *testing.T) {
			status, stdout, stderr := inProcess(scenario, append([]string{"run", "-", "-f", "json"}, c.flags...)...)
			if status != 0 {
				t.Fatal(stderr)
			}
			compareTotals(t, stdout, naive{n: c.n, burst: c.burst, per: int64(time.Minute), at: at})
			status, text, stderr := inProcess(scenario, append([]string{"run", "-"}, c.flags...)...)
			if status != 0 || !strings.Contains(text, "8,819 requests") {
				t.Errorf("status %d, drawn as\n%s%s", status, text, stderr)
			}
		})
	}
}

// totals are what is compared.
type totals struct{ Offered, Admitted, Delayed, Denied, Peak int64 }

func compareTotals(t *testing.T, document string, n naive) {
	t.Helper()
	var got struct {
		Runs []struct {
			Algorithm string
			Summary   totals
		}
	}
	if err := json.Unmarshal([]byte(document), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Runs) != len(algorithms.Defaults()) {
		t.Errorf("%d limiters were run", len(got.Runs))
	}
	for _, run := range got.Runs {
		want, ok := n.totals(run.Algorithm)
		if !ok {
			t.Errorf("%s has no definition here", run.Algorithm)
		}
		if run.Summary != want {
			t.Errorf("%s: %+v, by its definition %+v", run.Algorithm, run.Summary, want)
		}
		if run.Algorithm == "fixed-window" && n.n == 100 && run.Summary.Denied != 5054 {
			t.Errorf("fixed-window denies %d, not 5054", run.Summary.Denied)
		}
	}
}

// readTrace reads the instants of a trace in nanoseconds since its first.
func readTrace(path string) ([]int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var at []int64
	for line := range strings.Lines(string(text)) {
		stamp, _, _ := strings.Cut(line, ",")
		instant, err := time.Parse("2006-01-02 15:04:05.9999999", strings.TrimSpace(stamp))
		if err == nil {
			at = append(at, instant.UnixNano())
		}
	}
	if len(at) == 0 {
		return nil, errors.New("no instants")
	}
	slices.Sort(at)
	for i, first := len(at)-1, at[0]; i >= 0; i-- {
		at[i] -= first
	}
	return at, nil
}

// naive decides requests of one unit each by the definitions of the algorithms.
type naive struct {
	n, burst, per int64   // n units in each per ns, and the burst
	at            []int64 // when the requests come, in ns, rising
}

// rule says whether a request at now is accepted, and when it goes ahead, given when all accepted
// before it came.
type rule func(now int64, before []int64) (accepted bool, ahead int64)

// totals puts the requests to the definition of an algorithm.
func (n naive) totals(algorithm string) (totals, bool) {
	decide, ok := n.rules()[algorithm]
	if !ok {
		return totals{}, false
	}
	var came, ahead []int64
	out := totals{Offered: int64(len(n.at))}
	for _, now := range n.at {
		accepted, when := decide(now, came)
		switch {
		case !accepted:
			out.Denied++
			continue
		case when > now:
			out.Delayed++
		default:
			out.Admitted++
		}
		came, ahead = append(came, now), append(ahead, when)
	}
	out.Peak = n.peak(ahead)
	return out, true
}

// peak is the most of the rising instants in any interval (t − per, t].
func (n naive) peak(ahead []int64) int64 {
	most := 0
	for i := range ahead {
		first := i
		for first > 0 && ahead[first-1] > ahead[i]-n.per {
			first--
		}
		most = max(most, i-first+1)
	}
	return int64(most)
}

func (n naive) rules() map[string]rule {
	return map[string]rule{
		"token-bucket":    n.bucket(false),
		"gcra":            n.bucket(false),
		"leaky-meter":     n.bucket(false),
		"leaky-bucket":    n.bucket(true),
		"fixed-window":    n.counted(func(now int64) int64 { return now / n.per * n.per }, n.full),
		"sliding-log":     n.counted(func(now int64) int64 { return now - n.per + 1 }, n.full),
		"sliding-counter": n.counted(func(now int64) int64 { return now/n.per*n.per - n.per }, n.estimate),
		"sliding-buckets": n.counted(func(now int64) int64 { return (now*60/n.per - 59) * n.per / 60 }, n.full),
		"unlimited":       func(now int64, _ []int64) (bool, int64) { return true, now },
	}
}

// bucket has a level that drains by n in each per and may not rise above the burst. A queue lets
// what it accepts go ahead once the level before it has drained. The level is in units of 1/per.
func (n naive) bucket(queue bool) rule {
	level, last := int64(0), int64(0)
	return func(now int64, _ []int64) (bool, int64) {
		level = max(level-(now-last)*n.n, 0)
		last = now
		if level+n.per > n.burst*n.per {
			return false, 0
		}
		ahead := now
		if queue {
			ahead += (level + n.n - 1) / n.n
		}
		level += n.per
		return true, ahead
	}
}

// counted accepts unless what came since an instant is full.
func (n naive) counted(since func(now int64) int64, full func(now int64, recent []int64) bool) rule {
	return func(now int64, before []int64) (bool, int64) {
		first := len(before)
		for first > 0 && before[first-1] >= since(now) {
			first--
		}
		return !full(now, before[first:]), now
	}
}

// full is a plain count.
func (n naive) full(_ int64, recent []int64) bool { return int64(len(recent)) >= n.n }

// estimate weighs the window before this one by how much of it the last per still covers.
func (n naive) estimate(now int64, recent []int64) bool {
	begin, previous := now/n.per*n.per, int64(0)
	for _, at := range recent {
		if at < begin {
			previous++
		}
	}
	current := int64(len(recent)) - previous
	return previous*(n.per-(now-begin))+(current+1)*n.per > n.n*n.per
}
