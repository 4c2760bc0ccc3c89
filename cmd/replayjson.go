package cmd

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/b6db88e4/ratesim/scenarios/accesslog"
	"github.com/b6db88e4/ratesim/sim/replay"
)

// replayDocument is the JSON format, a contract. Instants are Unix times in the notation of RFC
// 3339, lengths of time in nanoseconds.
type replayDocument struct {
	Version int           `json:"version"`
	Replay  jsonReplay    `json:"replay"`
	Log     quiet         `json:"log"`
	Runs    []jsonRefusal `json:"runs"`
	Versus  []jsonShift   `json:"versus,omitempty"`
}

// jsonReplay is what was replayed.
type jsonReplay struct {
	Files    []safe  `json:"files"`
	Key      string  `json:"key"`
	Requests int64   `json:"requests"`
	Clients  int64   `json:"clients"`
	First    string  `json:"first"` // "" if there was no request
	Last     string  `json:"last"`
	Width    int64   `json:"bucket_ns"` // of requests_over_time and denied_over_time, from first on
	Over     []int64 `json:"requests_over_time"`
	Notes    []safe  `json:"notes"`
}

// jsonRefusal is what one limiter would have refused.
type jsonRefusal struct {
	Limiter     safe          `json:"limiter"`
	Algorithm   string        `json:"algorithm"`
	Limit       jsonLimit     `json:"limit"`
	Burst       *int64        `json:"burst"` // null: the algorithm has none
	Options     object        `json:"options"`
	Denied      int64         `json:"denied"`
	DeniedShare float64       `json:"denied_share"`
	Units       int64         `json:"units_denied"`
	Delayed     int64         `json:"delayed"`
	Clients     int64         `json:"clients_refused"`
	Share       float64       `json:"clients_share"`
	Peak        *int64        `json:"peak"` // null unless asked for; units
	PeakRatio   *float64      `json:"peak_ratio"`
	PeakAtLeast bool          `json:"peak_is_lower_bound,omitempty"`
	Together    *int64        `json:"denied_if_together,omitempty"` // with --within-tick spread
	Worst       *jsonMinute   `json:"worst_minute"`                 // null: nothing denied
	Spread      jsonSpread    `json:"spread"`
	Most        []jsonRefused `json:"most_refused"`
	Over        []int64       `json:"denied_over_time"`
}

type jsonMinute struct {
	From   string `json:"from"`
	Denied int64  `json:"denied"`
}

// jsonSpread says how denials are spread over clients.
type jsonSpread struct {
	Half  int64   `json:"clients_with_half"`
	Most  int64   `json:"clients_with_nine_tenths"`
	Bands []int64 `json:"clients_by_share"` // of their requests denied: up to 1%, 10%, 50%, 99%, 100%
}

// jsonRefused is a client and what it was refused.
type jsonRefused struct {
	Client     safe   `json:"client"`
	Requests   int64  `json:"requests"`
	Denied     int64  `json:"denied"`
	First      string `json:"first"`
	Path       *safe  `json:"path"` // the one most refused; null if not known
	PathDenied int64  `json:"path_denied"`

	PathAtLeast bool `json:"path_denied_is_lower_bound,omitempty"`
}

// jsonShift is what the other policy decides differently.
type jsonShift struct {
	This       safe        `json:"this"`
	Other      safe        `json:"other"`
	NowDenied  int64       `json:"allowed_then_denied"`
	NowAllowed int64       `json:"denied_then_allowed"`
	Both       int64       `json:"denied_by_both"`
	Hit        int64       `json:"clients_hit"`
	Freed      int64       `json:"clients_freed"`
	Moved      []jsonMoved `json:"clients_moved"`
}

type jsonMoved struct {
	Client safe  `json:"client"`
	This   int64 `json:"denied_by_this"`
	Other  int64 `json:"denied_by_other"`
}

// json prints the replay as one document on one line.
func (j *replayJob) json(r *replayed) error {
	d := replayDocument{Version: 1, Replay: j.jsonReplay(r), Log: quiet{r.log}, Runs: []jsonRefusal{}}
	for i := range r.Limiters {
		d.Runs = append(d.Runs, j.jsonRefusal(r, i))
	}
	for i := range r.Shifts {
		d.Versus = append(d.Versus, j.jsonShift(r, i))
	}
	return j.encode(d)
}

func (j *replayJob) encode(v any) error {
	e := json.NewEncoder(j.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func (j *replayJob) jsonReplay(r *replayed) jsonReplay {
	all := r.Timeline.AtMost(timeBuckets)
	out := jsonReplay{Key: j.flags.key.v.String(), Requests: r.Requests, Clients: r.Clients, Width: int64(all.Width()), Over: over(r, &r.Timeline)}
	for _, name := range j.logs {
		out.Files = append(out.Files, safe(name))
	}
	if r.Requests > 0 {
		out.First, out.Last = instant(r.start), instant(r.start+int64(r.Last))
	}
	for _, note := range notes(r) {
		out.Notes = append(out.Notes, safe(note))
	}
	return out
}

// timeBuckets is how many buckets a timeline has at most, and half of them at least.
const timeBuckets = 256

// over is a timeline's counts in as many buckets as that of all requests has, never nil.
func over(r *replayed, t *replay.Timeline) []int64 {
	all := r.Timeline.AtMost(timeBuckets)
	coarse := t.Like(&all)
	if coarse.Counts == nil {
		return []int64{}
	}
	return coarse.Counts
}

func (j *replayJob) jsonRefusal(r *replayed, i int) jsonRefusal {
	l := r.Limiters[i]
	s, spread := &l.Summary, l.Spread()
	out := jsonRefusal{
		Limiter: safe(l.Name), Algorithm: l.Spec.Name, Limit: jsonLimit{l.Policy.Limit.N, int64(l.Policy.Limit.Per)},
		Options: optionObject(l.Result), Denied: s.Denied, DeniedShare: l.DeniedShare(), Units: s.UnitsDenied,
		Delayed: s.Delayed, Clients: l.Touched, Share: l.TouchedShare(),
		Spread: jsonSpread{spread.Half, spread.Most, spread.Bands[:]}, Most: j.jsonMost(r, l), Over: over(r, &l.Timeline),
	}
	if l.Spec.Bursts {
		burst := l.Policy.Capacity()
		out.Burst = &burst
	}
	if j.flags.peak {
		out.Peak, out.PeakRatio, out.PeakAtLeast = &s.Peak, &s.PeakRatio, s.PeakIsLowerBound
	}
	if r.together != nil {
		out.Together = &r.together.Limiters[i].Summary.Denied
	}
	if s.Denied > 0 {
		out.Worst = &jsonMinute{worstMinute(l), l.Worst.Denied}
	}
	return out
}

func (j *replayJob) jsonMost(r *replayed, l *replay.Limiter) []jsonRefused {
	out := []jsonRefused{}
	for _, m := range l.Most(int(j.flags.top.v)) {
		c := jsonRefused{
			Client: safe(r.clients.Name(m.Client)), Requests: m.Requests, Denied: m.Denied,
			First: instant(r.start + int64(m.First)), PathDenied: m.PathDenied, PathAtLeast: m.PathAtLeast,
		}
		if name := safe(r.paths.Name(m.Path)); m.PathDenied > 0 && name != "" {
			c.Path = &name
		}
		out = append(out, c)
	}
	return out
}

func (j *replayJob) jsonShift(r *replayed, i int) jsonShift {
	s := &r.Shifts[i]
	out := jsonShift{
		This: safe(r.limiters[i].Name), Other: safe(r.limiters[r.counts[0]+i].Name),
		NowDenied: s.NowDenied, NowAllowed: s.NowAllowed, Both: s.Both, Hit: s.Hit, Freed: s.Freed, Moved: []jsonMoved{},
	}
	for _, m := range s.Moved[:min(len(s.Moved), int(j.flags.top.v))] {
		out.Moved = append(out.Moved, jsonMoved{safe(r.clients.Name(m.Client)), m.This, m.Other})
	}
	return out
}

// ndjson prints a line for the log, one for each limiter and one for each most refused client.
func (j *replayJob) ndjson(r *replayed) error {
	type logLine struct {
		Kind string `json:"kind"`
		jsonReplay
		Log quiet `json:"log"`
	}
	type limiterLine struct {
		Kind string `json:"kind"`
		jsonRefusal
		Most bool `json:"most_refused,omitempty"` // these have lines of their own
	}
	type clientLine struct {
		Kind    string `json:"kind"`
		Limiter safe   `json:"limiter"`
		jsonRefused
	}
	type versusLine struct {
		Kind string `json:"kind"`
		jsonShift
	}
	lines := []any{logLine{"log", j.jsonReplay(r), quiet{r.log}}}
	for i, l := range r.Limiters {
		lines = append(lines, limiterLine{Kind: "limiter", jsonRefusal: j.jsonRefusal(r, i)})
		for _, m := range j.jsonMost(r, l) {
			lines = append(lines, clientLine{"client", safe(l.Name), m})
		}
	}
	for i := range r.Shifts {
		lines = append(lines, versusLine{"versus", j.jsonShift(r, i)})
	}
	for _, line := range lines {
		if err := j.encode(line); err != nil {
			return err
		}
	}
	return nil
}

// quiet is a report with names from the command line and words from logs in it, which JSON holds
// in a form that no terminal acts on.
type quiet struct{ report *accesslog.Report }

// MarshalJSON implements json.Marshaler.
func (q quiet) MarshalJSON() ([]byte, error) {
	plain, err := json.Marshal(q.report)
	if err != nil {
		return nil, err
	}
	var out []byte
	for rest := plain; len(rest) > 0; {
		if i := bytes.IndexFunc(rest, func(r rune) bool { return r > '~' }); i != 0 {
			if i < 0 {
				i = len(rest)
			}
			out, rest = append(out, rest[:i]...), rest[i:]
			continue
		}
		r, n := utf8.DecodeRune(rest) // beyond ASCII: within a string
		text := appendJSON(nil, string(r))
		out, rest = append(out, text[1:len(text)-1]...), rest[n:]
	}
	return out, nil
}
