package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// replay reads the requests of an access log into a source.
func (c *checker) replay(path string, s *Source, out *source) {
	if c.bad[path] {
		return
	}
	options, key, err := s.Replay.options()
	if err != nil {
		c.fail(join(path, key), "%s", visible(err.Error()))
		return
	}
	file := filepath.FromSlash(s.Replay.File)
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.folder, file)
	}
	r := &logReader{names: c.names}
	if err := r.read(file, options); err != nil {
		c.fail(join(path, "file"), "file %s: %s", quoted(s.Replay.File), visible(cause(err).Error()))
		return
	}
	out.rows, out.name = r.rows, s.Replay.File
	// The run ends with the second of the last request: logs are rarely finer, and it reads well.
	out.end = (time.Duration(out.rows[len(out.rows)-1].At)/time.Second + 1) * time.Second
	c.notes = append(c.notes, r.notes(c.scenario, visible(s.Replay.File))...)
}

// options are the keys of a replay as the reader takes them, or an error and the key to blame.
func (r *Replay) options() (o accesslog.Options, key string, err error) {
	o.Format = r.Format
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
	for _, condition := range r.Where {
		if err = o.Filter.Where(condition); err != nil {
			return o, "where", err
		}
	}
	return o, "", nil
}

// logReader takes the requests of a log, with the scenario's ids for its clients.
type logReader struct {
	names *clientNames
	rows  []traffic.Request
	start int64 // Unix time of the first request, ns
	log   *accesslog.Report
}

// read reads the log.
func (r *logReader) read(path string, options accesslog.Options) error {
	input, err := accesslog.File(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("no such file")
	}
	if err != nil {
		return err
	}
	log, err := accesslog.Open([]accesslog.Input{input}, options)
	if err != nil {
		return err
	}
	defer log.Close()
	if err := log.Run(r.take); err != nil {
		return err
	}
	switch {
	case len(r.rows) == 0:
		return fmt.Errorf("has no request (%s malformed, %d left out by where)", plural(int(r.log.Malformed), "line is", "lines are"), r.log.Filtered)
	case time.Duration(r.rows[len(r.rows)-1].At) >= algorithms.MaxPeriod:
		return fmt.Errorf("covers more than %s", FormatDuration(algorithms.MaxPeriod))
	}
	return nil
}

// take takes the requests of a stream; it begins again if the log has to be read a second time.
func (r *logReader) take(s *accesslog.Stream) error {
	var ids []uint32 // of the scenario, by the log's
	r.rows, r.start = nil, s.Start()
	for {
		request, ok := s.Next()
		if !ok {
			r.log = s.Report()
			return nil
		}
		if len(r.rows) >= maxRows {
			return fmt.Errorf("has more than %d requests", maxRows)
		}
		for len(ids) <= int(request.Client) {
			id, err := r.id(s.Clients().Name(uint32(len(ids))))
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		request.Client = ids[request.Client]
		r.rows = append(r.rows, request)
	}
}

// id is the scenario's id of a client of the log.
func (r *logReader) id(name string) (uint32, error) {
	if id, ok := r.names.Lookup(name); ok {
		return id, nil
	}
	if r.names.Len() >= maxClients {
		return 0, fmt.Errorf("has more than %d clients", maxClients)
	}
	return r.names.ID(name), nil
}

// notes are what one should know about a log that was read.
func (r *logReader) notes(s *Scenario, name string) []string {
	var notes []string
	if r.log.Malformed > 0 {
		places := make([]string, 0, shownRows)
		for _, f := range r.log.Faults[:min(shownRows, len(r.log.Faults))] {
			places = append(places, fmt.Sprintf("line %d: %s", f.Line, f.Why))
		}
		more := ""
		if int(r.log.Malformed) > len(places) {
			more = "; …"
		}
		notes = append(notes, fmt.Sprintf("%s: %s malformed and left out (%s%s)", name,
			plural(int(r.log.Malformed), "line is", "lines are"), visible(strings.Join(places, "; ")), more))
	}
	if r.start != s.startNanos() {
		notes = append(notes, fmt.Sprintf("%s: t = 0 is its first request, of %s, and stands for the scenario's start, %s",
			name, formatStamp(r.start), formatStamp(s.startNanos())))
	}
	return notes
}
