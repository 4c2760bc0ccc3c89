package accesslog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Remarks say what notes on a log are made for.
type Remarks struct {
	Length func(time.Duration) string // how to write a length of time

	// Shortest is the shortest period of the limits that the requests are put to; 0 if there is none.
	Shortest time.Duration

	// Spread says how requests within one tick were taken: "" if all come at once.
	Spread string

	// Other names what shows the other reading of ticks; "" if it is there already.
	Other string
}

// Notes say what one should know about the logs to judge an answer that rests on them: what became
// of every line, what the instants are, and what cannot be told from them.
func (r *Report) Notes(m Remarks) []string {
	out := []string{r.sum()}
	for i := range r.Files {
		out = append(out, r.Files[i].notes()...)
	}
	out = append(out, r.faultNotes()...)
	out = append(out, r.orderNotes(m)...)
	out = append(out, r.stampNotes()...)
	out = append(out, r.clockNotes(m)...)
	if refused := r.Refused429 + r.Refused503; refused > 0 {
		out = append(out, fmt.Sprintf("the log itself shows %s as refused (429: %d, 503: %d): these clients would send other requests if they were not",
			counted(refused, "request"), r.Refused429, r.Refused503))
	}
	if r.Unknown > 0 {
		out = append(out, fmt.Sprintf("unknown key: %s, limited as one", counted(r.Unknown, "request")))
	}
	return out
}

// counted writes a number with its noun: 1 request, 2 requests.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(n, 10) + " " + noun + "s"
}

// sum accounts for every line.
func (r *Report) sum() string {
	text := fmt.Sprintf("%s = %s + %d malformed + %d filtered", counted(r.Lines, "line"), counted(r.Requests, "request"), r.Malformed, r.Filtered)
	if r.Headers > 0 {
		text += ", and " + counted(r.Headers, "header line")
	}
	return text
}

// notes are about one file.
func (f *FileReport) notes() []string {
	if f.Empty {
		return []string{f.Name + ": is empty"}
	}
	text := fmt.Sprintf("%s: format %s; %s", f.Name, f.Format, f.Instants)
	if f.Unit != "" {
		text += "; numbers in the time column are in " + f.Unit
	}
	if f.Compression != "" {
		text += "; compressed with " + f.Compression
	}
	if f.Container {
		text += "; lines have the prefix of a container runtime"
	}
	out := []string{text}
	if f.Unended {
		out = append(out, f.Name+": the last line has no line end; it may have been cut short")
	}
	return out
}

// faultNotes say why lines are malformed, and where the first few are.
func (r *Report) faultNotes() []string {
	var out []string
	for _, reason := range r.Reasons {
		text := fmt.Sprintf("malformed: %s, %s", counted(reason.Lines, "line"), reason.Why)
		if places := r.places(reason.Why); places != "" {
			text += "; first at " + places
		}
		out = append(out, text)
	}
	return out
}

// places are the first few lines with one fault, each file named once: a.log:2, 7; b.log:1.
func (r *Report) places(why string) string {
	const most = 5
	var b strings.Builder
	file, n := "", 0
	for _, f := range r.Faults {
		if f.Why != why || n == most {
			continue
		}
		switch {
		case n == 0:
			b.WriteString(f.File + ":")
		case f.File != file:
			b.WriteString("; " + f.File + ":")
		default:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(f.Line))
		file = f.File
		n++
	}
	return b.String()
}

// orderNotes say how the lines stood to the order of time.
func (r *Report) orderNotes(m Remarks) []string {
	var out []string
	if r.OutOfOrder > 0 {
		out = append(out, fmt.Sprintf("out of order: %s, by up to %s; sorted by time, those of one instant in the order of the log",
			counted(r.OutOfOrder, "request"), m.Length(r.Furthest)))
	}
	if r.Steps > 0 {
		out = append(out, fmt.Sprintf("the clock steps back %s: time may have been set, or files be given in the wrong order", counted(r.Steps, "time")))
	}
	return out
}

// stampNotes say where instants are not quite what the lines tell.
func (r *Report) stampNotes() []string {
	var out []string
	if r.Zoneless > 0 {
		out = append(out, fmt.Sprintf("time zone: %s name none and are taken as UTC", counted(r.Zoneless, "stamp")))
	}
	if r.Subtracted > 0 {
		out = append(out, fmt.Sprintf("duration subtracted from the end of %s", counted(r.Subtracted, "request")))
	}
	if r.Untaken > 0 {
		out = append(out, fmt.Sprintf("no duration in %s: their end stands for their start", counted(r.Untaken, "request")))
	}
	return out
}

// clockNotes say how fine the log's clock is, and what that hides.
func (r *Report) clockNotes(m Remarks) []string {
	if r.Requests == 0 {
		return nil
	}
	tick := m.Length(r.Tick)
	text := "the log's clock ticks every " + tick
	if r.Tick > time.Nanosecond && m.Shortest > 0 && m.Shortest <= r.Tick {
		text += ": a limit per " + tick + " or less cannot tell algorithms apart on it; what differs all the same comes from bursts or from the ticks"
		if m.Other != "" {
			text += "; " + m.Other + " shows the other reading"
		}
	}
	if m.Spread == "" {
		return []string{text}
	}
	return []string{text, m.Spread}
}
