package cmd

import (
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// why explains the decision of each limiter on one request. Where there is a system around them, a
// decision is a part of a story, which it tells.
func (j *job) why(format string) error {
	x := explainer{job: j, flag: "--why", seq: j.flags.why.v}
	if j.plan.System != nil {
		return x.stories(format)
	}
	return x.reasons(format)
}

// reasons explains the decisions of limiters alone.
func (x *explainer) reasons(format string) error {
	all, err := perLimiter(x, sim.Explain)
	if err != nil {
		return err
	}
	if format == "json" {
		return x.encode(newJSONWhy(x.plan, all, x.answer))
	}
	cells, style := x.canvas()
	_, err = x.out.WriteString(whyText(x.plan, all, style, cells, x.answer))
	return x.out.wrote(err)
}

// whyText is the explanations as plain sentences, with the HTTP answers if that is wanted.
func whyText(plan *sim.Plan, all []*sim.Explanation, style *draw.Style, cells int, answer *sim.ResetForm) string {
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
		if answer != nil {
			b.WriteString(answerText(style, "The answer", &e.Response, *answer))
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
	Headers   *object   `json:"headers,omitempty"` // of the HTTP answer
	Status    int       `json:"status,omitempty"`  // likewise
	HTTP      *jsonHTTP `json:"http,omitempty"`    // the whole answer, where it is wanted, instead of the two
}

// jsonState is what a limiter holds.
type jsonState struct {
	Level     *algorithms.Milli `json:"level_milli"`
	Remaining int64             `json:"remaining"` // the largest cost that would be accepted
}

// newJSONWhy is the explanations, with the whole HTTP answers if they are wanted.
func newJSONWhy(plan *sim.Plan, all []*sim.Explanation, answer *sim.ResetForm) jsonWhy {
	r := all[0].Request
	out := jsonWhy{1, all[0].Seq, r.At, safe(plan.Clients.Name(r.Client)), r.Cost, nil}
	for _, e := range all {
		out.Limiters = append(out.Limiters, newJSONBecause(e, answer))
	}
	return out
}

func newJSONBecause(e *sim.Explanation, answer *sim.ResetForm) jsonBecause {
	change, _ := e.Change()
	b := jsonBecause{
		Limiter: safe(e.Limiter.Name), Algorithm: e.Limiter.Spec.Name, Verdict: e.Decision.Verdict.String(),
		Until: unless(e.Decision.Until, algorithms.Never), Capacity: e.Capacity,
		Before: newJSONState(e, e.Before), After: newJSONState(e, e.After), Filling: e.Filling,
		Limit: unless(change.Limit, 0), Burst: unless(change.Burst, 0),
	}
	if e.Counts {
		b.Since = &e.Since
	}
	if answer != nil {
		b.HTTP = newJSONHTTP(&e.Response, *answer)
		return b
	}
	headers := fieldObject(e.Response.Headers())
	b.Headers, b.Status = &headers, e.Response.Status
	return b
}

// fieldObject is the fields of an HTTP answer.
func fieldObject(fields []sim.Header) object {
	out := object{}
	for _, h := range fields {
		out = append(out, member{h.Name, string(appendJSON(nil, h.Value))})
	}
	return out
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
