package cmd

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/schollz/progressbar/v3"
)

// patience is how long a run may take before a progress bar appears.
const patience = time.Second

// progress is a bar on standard error, there while a run is under way that takes longer than
// patience, and gone when it ends. The zero progress shows nothing. It may be used from several
// goroutines.
type progress struct {
	bar *progressbar.ProgressBar
	mu  *sync.Mutex // the bar's own steps are relative, and so depend on each other
}

// fullBar is how many steps the bar knows.
const fullBar = 1000

// progress begins one, if standard error is a terminal.
func (a *app) progress(label string) progress {
	if !isTerminal(a.err) {
		return progress{}
	}
	return newProgress(&lateWriter{w: a.err, from: time.Now().Add(patience)}, label)
}

func newProgress(w io.Writer, label string) progress {
	bar := progressbar.NewOptions64(fullBar,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(draw.Clean(label)),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
	)
	return progress{bar, &sync.Mutex{}}
}

// at shows how much is done, from 0 to 1. The bar is never empty, which would begin it anew, and
// never quite full: it goes away instead.
func (p progress) at(done float64) {
	if p.bar != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.bar.Set64(min(max(int64(done*fullBar), 1), fullBar-1))
		p.bar.RenderBlank() // Set64 itself draws only what is a whole percent further
	}
}

// reading shows how far a log has been read: so many bytes of all, -1 if that is not known, and how
// fast.
func (p progress) reading(read, total, lines int64, took time.Duration) {
	if p.bar == nil {
		return
	}
	p.describe(pace(read, lines, took))
	if total > 0 {
		p.at(float64(read) / float64(total))
	} else if p.bar.GetMax64() > 0 {
		p.bar.ChangeMax64(-1) // a mark that turns instead of a bar that never fills
	}
}

// pace is how much has been read, and how fast, in words.
func pace(read, lines int64, took time.Duration) string {
	seconds := max(took.Seconds(), 1e-3)
	rate := float64(lines) / seconds
	text := fmt.Sprintf("%.2gM", rate/1e6)
	switch {
	case rate < 1e4:
		text = fmt.Sprintf("%.0f", rate)
	case rate < 1e6:
		text = fmt.Sprintf("%.0fk", rate/1e3)
	}
	return fmt.Sprintf("%d MB, %.0f MB/s, %s lines/s", read/1e6, float64(read)/1e6/seconds, text)
}

// describe changes what stands before the bar.
func (p progress) describe(text string) {
	if p.bar != nil {
		p.bar.Describe(text)
	}
}

// end removes the bar.
func (p progress) end() {
	if p.bar != nil {
		p.bar.Clear()
	}
}

// lateWriter drops what is written before an instant, and once something got through, all of the
// rest.
type lateWriter struct {
	w    io.Writer
	from time.Time
}

func (l *lateWriter) Write(p []byte) (int, error) {
	if time.Now().Before(l.from) {
		return len(p), nil
	}
	return l.w.Write(p)
}
