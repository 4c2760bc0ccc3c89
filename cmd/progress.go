package cmd

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long a run may take before a progress bar appears.
const patience = time.Second

// progress is a bar on standard error, there while a run is under way that takes longer than
// patience, and gone when it ends. The zero progress shows nothing.
type progress struct{ bar *progressbar.ProgressBar }

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
	return progress{progressbar.NewOptions64(fullBar,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(label),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
	)}
}

// at shows how much is done, from 0 to 1. The bar is never quite full: it goes away instead.
func (p progress) at(done float64) {
	if p.bar != nil {
		p.bar.Set64(int64(min(max(done, 0), 1) * (fullBar - 1)))
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
