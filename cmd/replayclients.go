package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/b6db88e4/ratesim/sim/replay"
)

// clientsOutput opens the place for the table of all clients, nil if none is asked for. It is
// prepared before the logs are read, so that a wrong path is reported at once.
func (a *app) clientsOutput(f *replayFlags, logs []string) (*output, error) {
	if f.clients == "" {
		return nil, nil
	}
	if samePlace(f.clients, f.output) {
		return nil, fmt.Errorf("--clients %q and -o %q are one file; give two names", f.clients, f.output)
	}
	for _, log := range logs {
		if sameFile(f.clients, log) {
			return nil, fmt.Errorf("--clients %q: would take the place of what is read; give the name of another file", f.clients)
		}
	}
	a.clients.flag = "--clients"
	if err := a.clients.open(f.clients); err != nil {
		return nil, err
	}
	return newOutput(a.clients.file, f.clients, &a.clients), nil
}

// samePlace reports whether two paths lead to one file, which need not be there yet. A device may
// well be written to twice.
func samePlace(a, b string) bool {
	if a == "" || b == "" || b == "-" {
		return false
	}
	if sameFile(a, b) {
		return true
	}
	info, err := os.Stat(a)
	return place(a) == place(b) && (err != nil || info.Mode().IsRegular())
}

// place is the absolute path of a file that need not be there, the links of its folder followed.
func place(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(absolute))
	if err != nil {
		return absolute
	}
	return filepath.Join(folder, filepath.Base(absolute))
}

// writeClients writes what each limiter refused each client: one line a client, in the order in
// which the log first names them. The path is the one that a client was refused most.
func (j *replayJob) writeClients(r *replayed) error {
	line := []byte("client,requests")
	var paths [][]replay.PathDenied
	for _, l := range r.Limiters {
		for _, column := range []string{"denied", "first", "path"} {
			line = appendCSV(append(line, ','), l.Name+" "+column)
		}
		paths = append(paths, l.Paths())
	}
	j.table.Write(append(line, '\n'))
	for id := range uint32(r.clients.Len()) {
		if r.RequestsOf(id) == 0 {
			continue
		}
		line = appendCSV(line[:0], r.clients.Name(id))
		line = fmt.Appendf(line, ",%d", r.RequestsOf(id))
		for i, l := range r.Limiters {
			line = fmt.Appendf(line, ",%d,%s,", l.DeniedTo(id), firstDenied(r, l, id))
			if int(id) < len(paths[i]) && paths[i][id].Denied > 0 {
				line = appendCSV(line, r.paths.Name(paths[i][id].Path))
			}
		}
		j.table.Write(append(line, '\n'))
	}
	if slices.ContainsFunc(r.Limiters, (*replay.Limiter).PathsUnsure) {
		j.say(fmt.Sprintf("--clients %q: too many pairs of a client and a path to count each of them; a path may not be the one refused most, and is left out for clients that were refused rarely", j.flags.clients))
	}
	return j.table.finish(nil)
}

// firstDenied is when a client was first refused, "" if it was not.
func firstDenied(r *replayed, l *replay.Limiter, id uint32) string {
	if l.DeniedTo(id) == 0 {
		return ""
	}
	return instant(r.start + int64(l.FirstTo(id)))
}
