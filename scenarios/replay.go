package scenarios

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// Texts is one text or a list of them.
type Texts []string

func (t *Texts) bind(d *decoder, n ast.Node, path string) {
	if _, ok := n.(*ast.SequenceNode); ok {
		d.list(n, path, reflect.ValueOf((*[]string)(t)).Elem(), field{})
		return
	}
	if text, ok := d.scalar(n, path, "a text or a list of texts"); ok {
		*t = Texts{text}
	}
}

func (t Texts) yaml() *yamlNode {
	if len(t) == 1 {
		return element(reflect.ValueOf(t[0]))
	}
	return node(reflect.ValueOf([]string(t)))
}

// heldLog is the requests of logs that were read. It is not changed once they are.
type heldLog struct {
	of     Replay // what was read
	folder string // from where its paths count

	rows    []traffic.Request // clients by their ids in the log
	clients *accesslog.Names
	start   int64 // Unix time of the first request, ns
	report  *accesslog.Report
}

// Read reads the logs before a scenario is made of r, which then has them however often it is
// changed. It reports the Unix time of their first request, in ns. The file "-" is standard input,
// which can be read in no other way. more is called now and then with the bytes read, of how many,
// -1 if that is not known, and the lines; its error ends the reading.
func (r *Replay) Read(folder string, stdin io.Reader, more func(read, total, lines int64) error) (start int64, err error) {
	h := &heldLog{folder: folder}
	if _, err := h.read(r, stdin, more); err != nil {
		return 0, err
	}
	r.held = h
	return h.start, nil
}

// holdLogs takes over the logs that were read for the same replays of another scenario.
func (s *Scenario) holdLogs(from *Scenario) {
	for i := range s.Traffic {
		to := s.Traffic[i].Replay
		for j := range from.Traffic {
			if other := from.Traffic[j].Replay; to != nil && other != nil && other.held != nil && other.held.isOf(to) {
				to.held = other.held
			}
		}
	}
}

// isOf reports whether these are the logs of a replay.
func (h *heldLog) isOf(r *Replay) bool {
	bare := *r
	bare.held = nil
	return reflect.DeepEqual(h.of, bare)
}

// replay reads the requests of access logs into a source.
func (c *checker) replay(path string, s *Source, out *source) {
	if c.bad[path] {
		return
	}
	h := s.Replay.held
	fresh := h == nil || h.folder != c.folder
	if fresh {
		h = &heldLog{folder: c.folder}
		if key, err := h.read(s.Replay, nil, nil); err != nil {
			c.fail(join(path, key), "%s", visible(err.Error()))
			return
		}
	}
	rows, own := h.named(c.names, fresh)
	if rows == nil {
		c.fail(join(path, "file"), "file %s: brings the scenario to more than %d clients", quoted(s.Replay.File[0]), maxClients)
		return
	}
	switch {
	case fresh && own:
		s.Replay.held = h
	case fresh:
		s.Replay.held = nil // another scenario's ids are in it
	}
	out.rows, out.name = rows, s.Replay.name()
	// The run ends with the second of the last request: logs are rarely finer, and it reads well.
	out.end = (time.Duration(rows[len(rows)-1].At)/time.Second + 1) * time.Second
	c.notes = append(c.notes, h.notes(c.scenario)...)
}

// name is the replay in a message.
func (r *Replay) name() string {
	if len(r.File) > 1 {
		return fmt.Sprintf("%s and %d more", r.File[0], len(r.File)-1)
	}
	return strings.Join(r.File, "")
}

// options are the keys of a replay as the reader takes them, or an error and the key to blame.
func (r *Replay) options() (o accesslog.Options, key string, err error) {
	o.Format, o.Reorder = r.Format, r.Reorder
	if r.Format != "" {
		if _, err = accesslog.LookupFormat(r.Format); err != nil {
			return o, "format", err
		}
	}
	if r.Columns != "" {
		if o.Columns, err = accesslog.ParseColumns(r.Columns); err != nil {
			return o, "columns", err
		}
	}
	if r.Key != "" {
		if o.Key, err = accesslog.ParseKey(r.Key); err != nil {
			return o, "key", err
		}
	}
	for _, text := range r.Cost {
		cost, err := accesslog.ParsePathCost(text)
		if err != nil {
			return o, "cost", err
		}
		o.Costs = append(o.Costs, cost)
	}
	key, err = r.filter(&o.Filter)
	return o, key, err
}

// filter is which requests count.
func (r *Replay) filter(f *accesslog.Filter) (key string, err error) {
	for _, condition := range r.Where {
		if err := f.Where(condition); err != nil {
			return "where", err
		}
	}
	for _, bound := range []struct {
		key, text string
		to        **int64
	}{{"since", r.Since, &f.Since}, {"until", r.Until, &f.Until}} {
		if bound.text == "" {
			continue
		}
		instant, err := accesslog.ParseInstant(bound.text)
		if err != nil {
			return bound.key, err
		}
		*bound.to = &instant
	}
	return "", nil
}

// read reads the logs of r. An error comes with the key to blame.
func (h *heldLog) read(r *Replay, stdin io.Reader, more func(read, total, lines int64) error) (key string, err error) {
	options, key, err := r.options()
	if err != nil {
		return key, err
	}
	h.of = *r
	h.of.held = nil
	inputs, err := h.inputs(stdin)
	if err != nil {
		return "file", err
	}
	log, err := accesslog.Open(inputs, options)
	if err != nil {
		return "file", r.blame(err)
	}
	defer log.Close()
	err = log.Run(func(s *accesslog.Stream) error {
		return h.take(s, func() error {
			if more == nil {
				return nil
			}
			read, total := log.Progress()
			return more(read, total, s.Lines())
		})
	})
	if err == nil {
		err = h.check()
	}
	return "file", r.blame(err)
}

// inputs are the files, called as the replay calls them.
func (h *heldLog) inputs(stdin io.Reader) ([]accesslog.Input, error) {
	var out []accesslog.Input
	for i, name := range h.of.File {
		switch {
		case name == "-" && slices.Contains(h.of.File[:i], "-"):
			return nil, errors.New(`file "-": standard input can be read once only`)
		case name == "-" && stdin == nil:
			return nil, errors.New(`file "-": standard input was read when this scenario was made and is gone; write the log to a file and name that`)
		case name == "-":
			out = append(out, accesslog.Pipe("standard input", stdin))
			continue
		}
		path := filepath.FromSlash(name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(h.folder, path)
		}
		in, err := accesslog.File(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("no such file")
		}
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", quoted(name), cause(err))
		}
		in.Name = name
		out = append(out, in)
	}
	return out, nil
}

// blame is an error of reading with the file that it is about named once: file "a.log": line 2: ….
func (r *Replay) blame(err error) error {
	if err == nil || errors.As(err, new(*stopped)) {
		return err
	}
	text := err.Error()
	for _, name := range r.File {
		if rest, ok := strings.CutPrefix(text, name+": "); ok {
			return fmt.Errorf("file %s: %s", quoted(name), rest)
		}
		if rest, ok := strings.CutPrefix(text, name+":"); ok {
			return fmt.Errorf("file %s: line %s", quoted(name), rest)
		}
	}
	if strings.HasPrefix(text, "standard input") {
		return err
	}
	return fmt.Errorf("file %s: %w", quoted(r.name()), err)
}

// stopped is an error that does not come from the log but ended its reading.
type stopped struct{ error }

func (s *stopped) Unwrap() error { return s.error }

// take takes the requests of a stream; it begins again if the log has to be read a second time.
func (h *heldLog) take(s *accesslog.Stream, more func() error) error {
	h.rows, h.start, h.clients = nil, s.Start(), s.Clients()
	for {
		if len(h.rows)%4096 == 0 {
			if err := more(); err != nil {
				return &stopped{err}
			}
		}
		request, ok := s.Next()
		if !ok {
			h.report = s.Report()
			return nil
		}
		if len(h.rows) >= maxRows {
			return fmt.Errorf("has more than %d requests", maxRows)
		}
		h.rows = append(h.rows, request)
	}
}

// check sees to it that there is something to replay.
func (h *heldLog) check() error {
	switch {
	case len(h.rows) == 0:
		return fmt.Errorf("has no request (%s malformed, %d left out by where, since and until)",
			plural(int(h.report.Malformed), "line is", "lines are"), h.report.Filtered)
	case time.Duration(h.rows[len(h.rows)-1].At) >= algorithms.MaxPeriod:
		return fmt.Errorf("covers more than %s", FormatDuration(algorithms.MaxPeriod))
	}
	return nil
}

// named are the requests with the scenario's ids for their clients, nil if these become too many.
// own says that they are h's own requests, as they were; those of a fresh h are changed in place
// rather than copied where the ids differ.
func (h *heldLog) named(names *clientNames, fresh bool) (rows []traffic.Request, own bool) {
	ids := make([]uint32, h.clients.Len())
	own = true
	for i := range ids {
		name := h.clients.Name(uint32(i))
		id, ok := names.Lookup(name)
		if !ok {
			if names.Len() >= maxClients {
				return nil, false
			}
			id = names.ID(name)
		}
		ids[i], own = id, own && id == uint32(i)
	}
	if rows = h.rows; own {
		return rows, true
	}
	if !fresh {
		rows = slices.Clone(rows)
	}
	for i := range rows {
		rows[i].Client = ids[rows[i].Client]
	}
	return rows, false
}

// notes are what one should know about logs that were read.
func (h *heldLog) notes(s *Scenario) []string {
	remarks := accesslog.Remarks{Length: FormatDuration}
	for _, c := range s.candidates() {
		if per := c.policy.Limit.Per; remarks.Shortest == 0 || per > 0 && per < remarks.Shortest {
			remarks.Shortest = per
		}
	}
	notes := h.report.Notes(remarks)
	if h.start != s.startNanos() {
		notes = append(notes, fmt.Sprintf("t = 0 is the first request, of %s, and stands for the scenario's start, %s",
			formatStamp(h.start), formatStamp(s.startNanos())))
	}
	for i, note := range notes {
		ofFile := slices.ContainsFunc(h.of.File, func(name string) bool { return strings.HasPrefix(note, name+": ") })
		if len(s.Traffic) > 1 && !ofFile { // whose requests these are
			note = h.of.name() + ": " + note
		}
		notes[i] = visible(note)
	}
	return notes
}
