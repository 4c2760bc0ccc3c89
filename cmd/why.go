package cmd

import (
	"fmt"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// why explains the decision of each limiter on one request.
func (j *job) why(format string) error {
	all, err := j.explanations(j.flags.why.v)
	if err != nil {
		return err
	}
	j.bar.end()
	if format == "json" {
		return j.encode(newJSONWhy(j.plan, all))
	}
	cells, style := j.canvas()
	_, err = j.out.WriteString(whyText(j.plan, all, style, cells))
	return j.out.wrote(err)
}

// explanations are those of request number seq, by limiter.
func (j *job) explanations(seq int64) ([]*sim.Explanation, error) {
	var all []*sim.Explanation
	for i := range j.plan.Limiters {
		e, err := sim.Explain(j.plan, i, seq)
		if err != nil {
			return nil, fmt.Errorf("--why: %w", err)
		}
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		all = append(all, e)
		j.bar.at(float64(i+1) / float64(len(j.plan.Limiters)))
	}
	return all, nil
}

// whyText is the explanations as plain sentences.
func whyText(plan *sim.Plan, all []*sim.Explanation, style *draw.Style, cells int) string {
	var b strings.Builder
	b.WriteString(paragraphs(style, style.Asked(all[0], plan.Clients.Name(all[0].Request.Client)), cells, 0))
	for _, e := range all {
		b.WriteString("\n" + style.Paint(draw.Title, style.Text(e.Limiter.Name)) + ": " +
			style.Paint(draw.VerdictRole(e.Decision.Verdict), style.Answered(e)) + "\n")
		for _, sentence := range style.Because(e) {
			b.WriteString(paragraphs(style, sentence, cells, 2))
		}
		change, _ := e.Change()
		if ways := style.Otherwise(e, change); len(ways) > 0 {
			b.WriteString("  It would have been accepted\n" + bullets(style, ways, cells))
		}
	}
	return b.String()
}

// bullets is a list in lines of their own.
func bullets(style *draw.Style, items []string, cells int) string {
	text := ""
	for _, item := range items {
		lines := paragraphs(style, item, cells, 6)
		text += "    - " + strings.TrimLeft(lines, " ")
	}
	return text
}

// jsonWhy is the explanations in JSON.
type jsonWhy struct {
	Version  int           `json:"version"`
	Seq      int64         `json:"seq"`
	At       sim.Time      `json:"at_ns"`
	Client   safe          `json:"client"`
	Cost     int64         `json:"cost"`
	Limiters []jsonBecause `json:"limiters"`
}

// jsonBecause is one limiter's; null is what does not apply.
type jsonBecause struct {
	Limiter   safe      `json:"limiter"`
	Algorithm string    `json:"algorithm"`
	Verdict   string    `json:"verdict"`
	Until     *sim.Time `json:"until_ns"`
	Capacity  int64     `json:"capacity"` // the most that one request may cost
	Before    jsonState `json:"before"`
	After     jsonState `json:"after"`
	Since     *sim.Time `json:"counts_since_ns"` // of a window: the earliest instant that counted
	Filling   []int64   `json:"counts"`          // of a window: the requests that counted, the latest 10,000
	Limit     *int64    `json:"limit_that_admits"`
	Burst     *int64    `json:"burst_that_admits"`
	Headers   object    `json:"headers"` // of the HTTP answer
	Status    int       `json:"status"`  // likewise
}

// jsonState is what a limiter holds.
type jsonState struct {
	Level     *algorithms.Milli `json:"level_milli"`
	Remaining int64             `json:"remaining"` // the largest cost that would be accepted
}

func newJSONWhy(plan *sim.Plan, all []*sim.Explanation) jsonWhy {
	r := all[0].Request
	out := jsonWhy{1, all[0].Seq, r.At, safe(plan.Clients.Name(r.Client)), r.Cost, nil}
	for _, e := range all {
		out.Limiters = append(out.Limiters, newJSONBecause(e))
	}
	return out
}

func newJSONBecause(e *sim.Explanation) jsonBecause {
	change, _ := e.Change()
	b := jsonBecause{
		Limiter: safe(e.Limiter.Name), Algorithm: e.Limiter.Spec.Name, Verdict: e.Decision.Verdict.String(),
		Until: unless(e.Decision.Until, algorithms.Never), Capacity: e.Capacity,
		Before: newJSONState(e, e.Before), After: newJSONState(e, e.After), Filling: e.Filling,
		Limit: unless(change.Limit, 0), Burst: unless(change.Burst, 0), Status: e.Response.Status,
	}
	if e.Counts {
		b.Since = &e.Since
	}
	for _, h := range e.Response.Headers() {
		b.Headers = append(b.Headers, member{h.Name, string(appendJSON(nil, h.Value))})
	}
	return b
}

func newJSONState(e *sim.Explanation, s sim.State) jsonState {
	out := jsonState{Remaining: s.Remaining}
	if e.Limiter.Spec.Gauge.Name != "" {
		out.Level = &s.Level
	}
	return out
}

// unless is v, or nil if it is the value that stands for nothing.
func unless[T comparable](v, nothing T) *T {
	if v == nothing {
		return nil
	}
	return &v
}
