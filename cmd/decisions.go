package cmd

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// rowFormat writes decisions as lines, one each.
type rowFormat struct {
	head string // the names of the fields, as a line before all others; "" for none

	// row appends the line of one decision.
	row func(line []byte, w *rowWriter, s *sim.Step) []byte
}

// decisions prints every decision, limiter by limiter, each as soon as it is made. Nothing of them
// is kept, so there may be any number.
func (j *job) decisions(f rowFormat) ([]*sim.Result, error) {
	system := newCallFields(j.plan.System)
	if f.head != "" {
		j.out.WriteString(f.head + system.head() + "\n")
	}
	var results []*sim.Result
	for i := range j.plan.Limiters {
		w := &rowWriter{out: j.out, clients: j.plan.Clients, limiter: &j.plan.Limiters[i], format: f, system: system, form: j.flags.resetForm(), store: j.store}
		run := sim.New(alone(j.plan, i), sim.Options{Buckets: 1, Observer: w, Responses: j.flags.http})
		result, err := j.stream(run, w, i)
		if err != nil {
			return nil, err
		}
		results = append(results, result...)
	}
	return results, nil
}

// stream carries out the run of limiter i as long as its decisions can be written.
func (j *job) stream(run *sim.Run, w *rowWriter, i int) ([]*sim.Result, error) {
	for run.Step() {
		if err := j.stopped(); err != nil {
			return nil, err
		}
		if w.err != nil {
			return nil, j.out.wrote(w.err)
		}
		j.bar.at((float64(i) + float64(run.Reached())/float64(j.plan.Duration)) / float64(len(j.plan.Limiters)))
	}
	if w.err != nil {
		return nil, j.out.wrote(w.err)
	}
	return run.Results(), j.ended(run)
}

// rowWriter is a sim.Observer that writes the decisions of one limiter.
type rowWriter struct {
	out     *output
	clients sim.Clients
	limiter *sim.Limiter
	format  rowFormat
	system  *callFields   // nil for limiters alone
	form    sim.ResetForm // of the HTTP answers
	store   *remote       // nil: the model decides, which does not fail
	line    []byte
	err     error
}

// Asked implements sim.Observer.
func (w *rowWriter) Asked(sim.Step, algorithms.Limiter) {}

// Answered implements sim.Observer.
func (w *rowWriter) Answered(s sim.Step) {
	if w.err != nil || w.store.failure() != nil {
		return
	}
	w.line = w.format.row(w.line[:0], w, &s)
	_, w.err = w.out.Write(w.line)
}

// ndjson is one JSON object a line, a contract byte for byte.
func ndjson() rowFormat {
	return rowFormat{row: func(b []byte, w *rowWriter, s *sim.Step) []byte {
		b = append(b, `{"limiter":`...)
		b = appendJSON(b, w.limiter.Name)
		b = append(b, `,"algorithm":"`...)
		b = append(b, w.limiter.Spec.Name...)
		b = append(b, `","seq":`...)
		b = strconv.AppendInt(b, s.Seq, 10)
		b = append(b, `,"at_ns":`...)
		b = strconv.AppendInt(b, int64(s.Request.At), 10)
		b = append(b, `,"client":`...)
		b = appendJSON(b, w.clients.Name(s.Request.Client))
		b = append(b, `,"cost":`...)
		b = strconv.AppendInt(b, s.Request.Cost, 10)
		b = append(b, `,"verdict":"`...)
		b = append(b, sim.VerdictName(s.Decision.Verdict)...)
		b = append(b, `","until_ns":`...)
		b = appendUntil(b, s.Decision.Until, "null")
		if w.system != nil {
			b = w.system.appendJSON(b, s)
		}
		if s.Response != nil {
			b = appendAnswer(b, s.Response, w.form)
		}
		return append(b, "}\n"...)
	}}
}

// csv is one comma-separated line each, after RFC 4180 but for the line ends, which are those of
// ndjson.
func csv() rowFormat {
	return rowFormat{
		head: "limiter,algorithm,seq,at_ns,client,cost,verdict,until_ns",
		row: func(b []byte, w *rowWriter, s *sim.Step) []byte {
			b = append(appendCSV(b, w.limiter.Name), ',')
			b = append(append(b, w.limiter.Spec.Name...), ',')
			b = append(strconv.AppendInt(b, s.Seq, 10), ',')
			b = append(strconv.AppendInt(b, int64(s.Request.At), 10), ',')
			b = append(appendCSV(b, w.clients.Name(s.Request.Client)), ',')
			b = append(strconv.AppendInt(b, s.Request.Cost, 10), ',')
			b = append(append(b, sim.VerdictName(s.Decision.Verdict)...), ',')
			b = appendUntil(b, s.Decision.Until, "")
			if w.system != nil {
				b = w.system.appendCSV(b, s)
			}
			return append(b, '\n')
		},
	}
}

// appendUntil appends an instant in ns, or never where there is none.
func appendUntil(b []byte, until sim.Time, never string) []byte {
	if until == algorithms.Never {
		return append(b, never...)
	}
	return strconv.AppendInt(b, int64(until), 10)
}

// appendJSON appends text as a JSON string. Beyond what JSON asks for, it escapes every character
// that a terminal may act on or not show, so that a name from a file is harmless there too; a byte
// that is not UTF-8 becomes U+FFFD.
func appendJSON(b []byte, text string) []byte {
	b = append(b, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= ' ' && r <= '~', r > 0xff && unicode.IsPrint(r), r >= 0xa0 && r <= 0xff && r != 0xad:
			b = utf8.AppendRune(b, r)
		default:
			b = appendEscape(b, r)
		}
	}
	return append(b, '"')
}

// appendEscape appends a character as \uXXXX, beyond 16 bits as two of them (RFC 8259, section 7).
func appendEscape(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	if r > 0xffff {
		r -= 0x10000
		b = appendEscape(b, 0xd800|r>>10)
		r = 0xdc00 | r&0x3ff
	}
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// appendCSV appends text as a field, in quotes where it needs them. Control characters become
// visible escapes such as \x1b, since CSV has none of its own.
func appendCSV(b []byte, text string) []byte {
	text = draw.Clean(text)
	quote := text != "" && (text[0] == ' ' || text[len(text)-1] == ' ')
	for i := range len(text) {
		quote = quote || text[i] == ',' || text[i] == '"'
	}
	if !quote {
		return append(b, text...)
	}
	b = append(b, '"')
	for i := range len(text) {
		if text[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, text[i])
	}
	return append(b, '"')
}
