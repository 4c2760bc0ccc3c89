package cmd

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// jsonBuckets is how many buckets of time the grids of the JSON format have, whatever the terminal.
const jsonBuckets = 240

// document is the JSON format, a contract. Instants and lengths of time are in nanoseconds.
type document struct {
	Version  int            `json:"version"`
	Scenario jsonScenario   `json:"scenario"`
	Runs     []jsonRun      `json:"runs"`
	Expect   []jsonExpected `json:"expect,omitempty"` // left out where nothing was judged
}

// jsonScenario is what was run, flags included.
type jsonScenario struct {
	Name     safe   `json:"name"`
	Lesson   safe   `json:"lesson"`
	Watch    safe   `json:"watch"`
	Start    string `json:"start"` // the instant 0, RFC 3339 in UTC
	Duration int64  `json:"duration_ns"`
	Seed     uint64 `json:"seed"`
	Key      string `json:"key"` // client or all; of a system the main limit's, as a scenario writes it
	Clients  int    `json:"clients"`
	Notes    []safe `json:"notes,omitempty"`
}

// jsonRun is what one limiter did.
type jsonRun struct {
	Limiter   safe       `json:"limiter"`
	Algorithm string     `json:"algorithm"`
	Limit     jsonLimit  `json:"limit"`
	Burst     *int64     `json:"burst"` // null: the algorithm has none
	Options   object     `json:"options"`
	Summary   object     `json:"summary"`
	Grid      jsonGrid   `json:"grid"`
	Level     *jsonLevel `json:"level"` // null: the algorithm has none

	System *jsonSystem `json:"system,omitempty"` // left out where nothing is around the limiter
}

type jsonLimit struct {
	Units int64 `json:"units"`
	Per   int64 `json:"per_ns"`
}

// jsonGrid counts requests in equal buckets of time: bucket i of n covers
// [ceil(i·span/n), ceil((i+1)·span/n)).
type jsonGrid struct {
	Span          int64   `json:"span_ns"`
	Buckets       int     `json:"buckets"`
	Admitted      []int64 `json:"admitted"` // these three by arrival
	Delayed       []int64 `json:"delayed"`
	Denied        []int64 `json:"denied"`
	Released      []int64 `json:"released"`       // delayed requests by the instant they went ahead
	ReleasedLater int64   `json:"released_later"` // at the span's end or after
	Edges         []int   `json:"edges"`          // the buckets into which a window's edge falls
}

// jsonLevel is the level of one client's limiter by bucket, in thousandths of a unit.
type jsonLevel struct {
	Of       string             `json:"of"` // such as "tokens left"
	Client   safe               `json:"client"`
	Capacity int64              `json:"capacity"` // units
	Low      []algorithms.Milli `json:"low_milli"`
	High     []algorithms.Milli `json:"high_milli"`
}

type jsonExpected struct {
	Limiter safe   `json:"limiter"`
	Measure string `json:"measure"`
	Want    string `json:"want"`
	Got     string `json:"got"`
	Met     bool   `json:"met"`
}

// json prints the whole result as one JSON document on one line.
func (j *job) json() ([]*sim.Result, error) {
	results, err := j.simulate(jsonBuckets)
	if err != nil {
		return nil, err
	}
	d := document{Version: 1, Scenario: j.jsonScenario(), Runs: []jsonRun{}}
	for _, r := range results {
		d.Runs = append(d.Runs, newJSONRun(r))
	}
	for _, v := range j.judge(results) {
		d.Expect = append(d.Expect, jsonExpected{safe(v.Limiter), v.Measure, v.Want, v.Got, v.Met})
	}
	return results, j.encode(d)
}

// encode prints one value as JSON on one line.
func (j *job) encode(v any) error {
	e := json.NewEncoder(j.out)
	e.SetEscapeHTML(false)
	return j.out.wrote(e.Encode(v))
}

func (j *job) jsonScenario() jsonScenario {
	s := j.loaded.Scenario
	out := jsonScenario{
		Name: safe(s.Name), Lesson: safe(s.Lesson), Watch: safe(s.Watch),
		Start: time.Unix(0, j.start()).UTC().Format(time.RFC3339Nano), Duration: int64(j.plan.Duration),
		Seed: j.seed(), Key: "client", Clients: j.plan.Clients.Len(),
	}
	if j.plan.Shared {
		out.Key = "all"
	}
	if j.plan.System != nil {
		out.Key = draw.KeyName(j.plan.System.Rules[0].Key)
	}
	for _, note := range j.notes() {
		out.Notes = append(out.Notes, safe(note))
	}
	return out
}

// start is the Unix time of instant 0, which all limiters share.
func (j *job) start() int64 {
	if len(j.plan.Limiters) == 0 {
		return 0
	}
	return j.plan.Limiters[0].Policy.Start
}

// seed is where the run's random draws begin: as the flag says, or the scenario, or 1.
func (j *job) seed() uint64 {
	switch {
	case j.flags.seed.given:
		return j.flags.seed.v
	case j.loaded.Scenario.Seed != nil:
		return *j.loaded.Scenario.Seed
	}
	return 1
}

func newJSONRun(r *sim.Result) jsonRun {
	out := jsonRun{
		Limiter: safe(r.Name), Algorithm: r.Spec.Name,
		Limit:   jsonLimit{r.Policy.Limit.N, int64(r.Policy.Limit.Per)},
		Options: optionObject(r), Summary: summaryObject(&r.Summary), Grid: newJSONGrid(&r.Grid),
	}
	if r.Spec.Bursts {
		burst := r.Policy.Capacity()
		out.Burst = &burst
	}
	if r.Grid.Low != nil {
		gauge, capacity := r.Gauge()
		out.Level = &jsonLevel{gauge.Name, safe(r.Grid.LevelKey), capacity, r.Grid.Low, r.Grid.High}
	}
	if r.Groups != nil {
		out.System = newJSONSystem(r)
	}
	return out
}

func newJSONGrid(g *sim.Grid) jsonGrid {
	out := jsonGrid{
		Span: int64(g.Span), Buckets: g.Len(), Admitted: g.Admitted, Delayed: g.Delayed, Denied: g.Denied,
		Released: g.Released, ReleasedLater: g.ReleasedLater, Edges: []int{},
	}
	for i, edge := range g.Edges {
		if edge {
			out.Edges = append(out.Edges, i)
		}
	}
	return out
}

// optionObject holds the options in the algorithm's order, defaults included; null where the
// default follows from the policy.
func optionObject(r *sim.Result) object {
	out := object{}
	for _, o := range r.Spec.Options {
		text, given := r.Policy.Options[o.Name]
		if !given {
			text = o.Default
		}
		out = append(out, member{o.Name, optionJSON(o, text)})
	}
	return out
}

// optionJSON is a checked value as JSON. Whole numbers and truth values are written alike in both.
func optionJSON(o algorithms.Option, text string) string {
	switch {
	case text == "":
		return "null"
	case o.Kind == algorithms.Choice:
		return string(appendJSON(nil, text))
	}
	return text
}

// summaryObject holds every measure of limiters alone. Two of them may be less than exact in very
// large runs, which members of their own say then.
func summaryObject(s *sim.Summary) object {
	out := measureObject(s, false)
	if s.PeakIsLowerBound {
		out = append(out, member{"peak_is_lower_bound", "true"})
	}
	if s.DelayRounded {
		out = append(out, member{"delay_rounded", "true"})
	}
	return out
}

// measureObject holds the measures of a system, or all others.
func measureObject(s *sim.Summary, system bool) object {
	out := object{}
	for _, m := range scenarios.Measures() {
		if m.System == system {
			out = append(out, member{m.Name, m.Get(s).String()})
		}
	}
	return out
}

// object is a JSON object whose members have an order.
type object []member

type member struct{ name, json string }

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(appendJSON(nil, m.name))
		b.WriteByte(':')
		b.WriteString(m.json)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// safe is a text from a file, which JSON holds in a form that no terminal acts on.
type safe string

// MarshalJSON implements json.Marshaler.
func (s safe) MarshalJSON() ([]byte, error) { return appendJSON(nil, string(s)), nil }
