package accesslog

import (
	"fmt"
	"time"
)

// Report says what was in the logs and what became of it: Lines = Requests + Malformed + Filtered.
type Report struct {
	Files []FileReport `json:"files"`

	Lines     int64 `json:"lines"` // without header lines
	Requests  int64 `json:"requests"`
	Malformed int64 `json:"malformed"`
	Filtered  int64 `json:"filtered"`
	Headers   int64 `json:"headers"` // lines that name columns, and what else begins with # there

	Faults  []Fault  `json:"faults"`  // the first malformed lines
	Reasons []Reason `json:"reasons"` // of all malformed lines, in the order in which they came up

	First int64 `json:"first_ns"` // Unix time of the first and the last request, ns
	Last  int64 `json:"last_ns"`

	OutOfOrder int64         `json:"out_of_order"` // requests earlier than one before them
	Furthest   time.Duration `json:"furthest_ns"`  // how far the furthest of them was behind
	Steps      int64         `json:"clock_steps"`  // jumps back by more than the reorder window to where the next line stays, too

	// Tick is the log's clock: the largest of 1 s, 100 ms, 10 ms, … 1 ns that divides every stamp.
	Tick time.Duration `json:"tick_ns"`

	Refused429 int64 `json:"refused_429"` // requests that the log itself shows as refused
	Refused503 int64 `json:"refused_503"`
	Clients    int64 `json:"clients"`    // different keys
	Unknown    int64 `json:"unknown"`    // requests whose key is unknown: they share the key ""
	Zoneless   int64 `json:"zoneless"`   // requests whose stamp names no zone, taken as UTC
	Subtracted int64 `json:"subtracted"` // requests whose start is end − duration
	Untaken    int64 `json:"untaken"`    // requests whose duration the line lacks: their end is taken
	Sorted     bool  `json:"sorted"`     // all requests were held and sorted
}

// FileReport is about one input.
type FileReport struct {
	Name        string `json:"name"`
	Format      string `json:"format"`      // "" if there was no line
	Instants    string `json:"instants"`    // which instants of the requests the format gives
	Unit        string `json:"unit"`        // of bare numbers in a named time column; "" if there are none
	Compression string `json:"compression"` // "", gzip or zstd
	Container   bool   `json:"container"`   // lines had the prefix of a container runtime
	Empty       bool   `json:"empty"`
	Unended     bool   `json:"unended"` // the last line has no line end: it may have been cut

	Lines     int64 `json:"lines"`
	Requests  int64 `json:"requests"`
	Malformed int64 `json:"malformed"`
	Filtered  int64 `json:"filtered"`
	Headers   int64 `json:"headers"`
}

// Fault is one malformed line.
type Fault struct {
	File string `json:"file"`
	Line int    `json:"line"` // from 1
	Why  string `json:"why"`
}

// String is the fault as file:line: why.
func (f Fault) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Why) }

// begin fills in what the first bytes told.
func (r *Report) begin(l *Log) {
	r.Sorted, r.Faults = l.opts.Sort, []Fault{} // JSON has [] for none
	for i := range l.inputs {
		in := &l.inputs[i]
		f := FileReport{Name: in.Name, Container: in.cri, Empty: in.empty}
		if in.format != nil {
			f.Format, f.Instants = in.format.Name, in.format.Instants()
		}
		if in.layout != nil && in.format.Named {
			f.Unit = unitName(in.layout.shift)
		}
		r.Files = append(r.Files, f)
	}
}

// end fills in what is known at the end of a file.
func (r *Report) end(c *chunk) {
	f := &r.Files[c.file]
	f.Unended, f.Compression = c.state.unended, c.state.compression
}

// Report is what has been found so far: everything once Next has returned false.
func (s *Stream) Report() *Report {
	r := &s.report
	t := &s.total
	r.Headers, r.Filtered, r.Malformed = int64(t.headers), int64(t.filtered), int64(t.bad)
	r.Lines = int64(t.lines - t.headers)
	r.Requests = int64(t.requests)
	r.Tick = time.Duration(t.tick)
	r.Refused429, r.Refused503 = int64(t.refused429), int64(t.refused503)
	r.Clients, r.Unknown = int64(s.clients.Len()), int64(t.unknown)
	r.Zoneless, r.Subtracted, r.Untaken = int64(t.zoneless), int64(t.subtracted), int64(t.untaken)
	r.Reasons = make([]Reason, 0, len(t.reasons)) // JSON has [] for none
	for _, reason := range t.reasons {
		r.Reasons = append(r.Reasons, Reason{reason.why.Error(), reason.lines})
	}
	for i := range s.files {
		r.Files[i].count(&s.files[i])
	}
	r.order(s.order)
	return r
}

func (f *FileReport) count(t *tally) {
	f.Lines, f.Headers = int64(t.lines-t.headers), int64(t.headers)
	f.Malformed, f.Filtered = int64(t.bad), int64(t.filtered)
	f.Requests = int64(t.requests)
}

func (r *Report) order(s sorter) {
	var o *order
	switch s := s.(type) {
	case *window:
		o = &s.order
	case *fullSort:
		o = &s.order
	}
	r.OutOfOrder, r.Furthest, r.Steps = o.outOfOrder, time.Duration(o.furthest), o.steps
}
