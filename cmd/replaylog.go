package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/spf13/cobra"
)

// logFlags say which logs are read and how. replay and tune share them.
type logFlags struct {
	format  string
	columns value[[]accesslog.Column]
	key     value[accesslog.Key]
	where   []string
	since   value[int64]
	until   value[int64]
	costs   []string
	reorder value[time.Duration]
	strict  bool
}

func newLogFlags() logFlags {
	return logFlags{
		columns: value[[]accesslog.Column]{kind: "FIELD=COLUMN,…", read: accesslog.ParseColumns},
		key:     value[accesslog.Key]{kind: "KEY", read: accesslog.ParseKey},
		since:   value[int64]{kind: "INSTANT", read: accesslog.ParseInstant},
		until:   value[int64]{kind: "INSTANT", read: accesslog.ParseInstant},
		reorder: durationFlag(),
	}
}

func (f *logFlags) register(c *cobra.Command) {
	flags := c.Flags()
	choiceFlag(c, &f.format, "log-format", "", "the format of the log", append([]string{"auto"}, accesslog.FormatNames()...)...)
	flags.Var(&f.columns, "columns", "for csv, tsv and jsonl: which column holds what, such as time=ts,client=user,cost=tokens")
	flags.Var(&f.key, "key", "what is limited: client, client/24 (networks of IPv4), client/64 (of IPv6; both leave the other whole), path, user, all, or several joined by + (default client)")
	flags.StringArrayVar(&f.where, "where", nil, "only requests with `FIELD=VALUE`: path=/api/*, method=POST, status=4xx, client=10.0.0.0/8; several on one field are alternatives")
	flags.Var(&f.since, "since", "only requests from this instant on, such as 2025-05-17T10:05 (UTC unless it names a zone)")
	flags.Var(&f.until, "until", "only requests before this instant")
	flags.StringArrayVar(&f.costs, "cost", nil, "what a request costs by its path, `PATH=UNITS`: the first that matches, with * for any text; otherwise its cost column, or 1")
	flags.Var(&f.reorder, "reorder", "how far back in time a line may be out of order (default 2m); further ones make a file be read twice")
	flags.BoolVar(&f.strict, "strict", false, "the first malformed line is an error")
}

// options are the flags as the reader takes them.
func (f *logFlags) options() (accesslog.Options, error) {
	o := accesslog.Options{Columns: f.columns.v, Key: f.key.v, Reorder: f.reorder.v, Strict: f.strict}
	if f.format != "auto" {
		o.Format = f.format
	}
	o.Filter.Since, o.Filter.Until = f.since.pointer(), f.until.pointer()
	for _, text := range f.where {
		if err := o.Filter.Where(text); err != nil {
			return o, fmt.Errorf("--where %q: %w", text, reason(err))
		}
	}
	for _, text := range f.costs {
		cost, err := accesslog.ParsePathCost(text)
		if err != nil {
			return o, fmt.Errorf("--cost %q: %w", text, reason(err))
		}
		o.Costs = append(o.Costs, cost)
	}
	return o, nil
}

// logInputs are the logs by their names; - is standard input.
func logInputs(names []string, stdin io.Reader) ([]accesslog.Input, error) {
	var out []accesslog.Input
	for i, name := range names {
		if name != "-" {
			in, err := accesslog.File(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, cause(err))
			}
			out = append(out, in)
			continue
		}
		for _, before := range names[:i] {
			if before == "-" {
				return nil, errors.New("standard input can be read once only; - is given twice")
			}
		}
		out = append(out, accesslog.Pipe("standard input", stdin))
	}
	return out, nil
}

// readLog hands the requests of the logs to use, once more from the beginning if they are further
// out of order than was thought. more is to be called now and then: it shows progress and reports
// an interruption.
func readLog(ctx context.Context, inputs []accesslog.Input, o accesslog.Options, bar progress,
	use func(s *accesslog.Stream, more func() error) error) error {
	log, err := accesslog.Open(inputs, o)
	if err != nil {
		return err
	}
	defer log.Close()
	began := time.Now()
	return log.Run(func(s *accesslog.Stream) error {
		return use(s, func() error {
			read, total := log.Progress()
			bar.reading(read, total, s.Lines(), time.Since(began))
			return ctx.Err()
		})
	})
}

// noLog is the error for a command line without a log.
func noLog(args []string) error {
	if len(args) == 0 {
		return errors.New("no log given; give one or more files, or - for standard input")
	}
	return nil
}
