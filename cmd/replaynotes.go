package cmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim"
)

// notes say what one should know about the logs to judge the answer: what became of every line,
// what the instants are, and what cannot be told from them.
func notes(r *replayed) []string {
	log := r.log
	out := []string{sumOfLines(log)}
	for i := range log.Files {
		out = append(out, fileNotes(&log.Files[i])...)
	}
	out = append(out, faultNotes(log)...)
	out = append(out, orderNotes(log)...)
	out = append(out, clockNotes(r)...)
	if refused := log.Refused429 + log.Refused503; refused > 0 {
		out = append(out, fmt.Sprintf("the log itself shows %s as refused (429: %d, 503: %d): these clients would send other requests if they were not",
			count(refused, "request"), log.Refused429, log.Refused503))
	}
	if log.Unknown > 0 {
		out = append(out, fmt.Sprintf("unknown key: %s, limited as one", count(log.Unknown, "request")))
	}
	return out
}

// sumOfLines accounts for every line.
func sumOfLines(log *accesslog.Report) string {
	text := fmt.Sprintf("%s = %s + %d malformed + %d filtered", count(log.Lines, "line"), count(log.Requests, "request"), log.Malformed, log.Filtered)
	if log.Headers > 0 {
		text += fmt.Sprintf(", and %s", count(log.Headers, "header line"))
	}
	return text
}

// fileNotes are about one file.
func fileNotes(f *accesslog.FileReport) []string {
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
func faultNotes(log *accesslog.Report) []string {
	const most = 5 // places for each reason
	var out []string
	for _, r := range log.Reasons {
		var places []string
		for _, f := range log.Faults {
			if f.Why == r.Why && len(places) < most {
				places = append(places, fmt.Sprintf("%s:%d", f.File, f.Line))
			}
		}
		text := fmt.Sprintf("malformed: %s, %s", count(r.Lines, "line"), r.Why)
		if len(places) > 0 {
			text += "; first at " + strings.Join(places, ", ")
		}
		out = append(out, text)
	}
	return out
}

// orderNotes say how the lines stood to the order of time.
func orderNotes(log *accesslog.Report) []string {
	var out []string
	if log.OutOfOrder > 0 {
		out = append(out, fmt.Sprintf("out of order: %s, by up to %s; sorted by time, those of one instant in the order of the log",
			count(log.OutOfOrder, "request"), scenarios.FormatDuration(log.Furthest)))
	}
	if log.Steps > 0 {
		out = append(out, fmt.Sprintf("the clock steps back %s: time may have been set, or files be given in the wrong order", count(log.Steps, "time")))
	}
	if log.Zoneless > 0 {
		out = append(out, fmt.Sprintf("time zone: %s name none and are taken as UTC", count(log.Zoneless, "stamp")))
	}
	if log.Subtracted > 0 {
		out = append(out, fmt.Sprintf("duration subtracted from the end of %s", count(log.Subtracted, "request")))
	}
	if log.Untaken > 0 {
		out = append(out, fmt.Sprintf("no duration in %s: their end stands for their start", count(log.Untaken, "request")))
	}
	return out
}

// clockNotes say how fine the log's clock is, and what that hides.
func clockNotes(r *replayed) []string {
	if r.Requests == 0 {
		return nil
	}
	tick := r.log.Tick
	out := []string{"the log's clock ticks every " + scenarios.FormatDuration(tick)}
	if r.spread {
		out = append(out, "the requests of one tick are spread evenly over it"+once(r))
	}
	if slices.ContainsFunc(r.limiters, func(l sim.Limiter) bool { return l.Policy.Limit.Per <= tick && tick > time.Nanosecond }) {
		out[0] += ": a limit per " + scenarios.FormatDuration(tick) + " or less cannot tell algorithms apart on it; what differs all the same comes from bursts or from the ticks"
		if r.log.Tick > time.Nanosecond && !r.spread {
			out[0] += "; --within-tick spread shows the other reading"
		}
	}
	return out
}

// once says why the other reading of ticks is not there to be compared with, if it is not.
func once(r *replayed) string {
	if r.together != nil {
		return ""
	}
	return "; standard input can be read once only, so what difference that makes is not known"
}
