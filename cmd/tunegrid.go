package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/tune"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// grid is an answer of tune as rows: one for each algorithm, rate or policy.
type grid struct {
	title string
	heads []column
	rows  [][]string // as in CSV; "" for nothing
	notes []string

	// bars draws the numbers of one column as a chart beside the table; -1 for none.
	bars int
}

// column is a column of a grid.
type column struct {
	name, title string // in CSV and JSON; for people
	number      bool
}

// forPeople is a value of the column as tables have it: a share in percent.
func (c column) forPeople(text string) string {
	if !strings.HasSuffix(c.name, "_share") {
		return text
	}
	part, _ := strconv.ParseFloat(text, 64)
	return percent(int64(math.Ceil(part*1e12)), 1e12)
}

// tabled are the rows for people.
func (g *grid) tabled() [][]string {
	var rows [][]string
	for _, row := range g.rows {
		row = slices.Clone(row)
		for c, h := range g.heads {
			row[c] = h.forPeople(row[c])
		}
		rows = append(rows, row)
	}
	return rows
}

// smallest is the smallest limit or burst of each algorithm.
func (j *tuneJob) smallest() (*grid, error) {
	quotaOf, what := j.lookedFor()
	first, err := j.limiters(quotaOf(1))
	if err != nil {
		return nil, err
	}
	if len(first) == 0 {
		return nil, errors.New("none of these algorithms has a burst to look for")
	}
	answers, err := j.requests.Smallest(len(first), j.target(), func(i int, n int64) (sim.Limiter, error) {
		all, err := j.limiters(quotaOf(n))
		if err != nil {
			return sim.Limiter{}, err
		}
		return all[i], nil
	})
	if err != nil {
		return nil, err
	}
	g := &grid{title: fmt.Sprintf("smallest %s with at most %s refused", what, j.targetText()), bars: -1, heads: []column{
		{"limiter", "limiter", false}, {"limit", "limit", false}, {"burst", "burst", true}, {"denied", "denied", true},
		{"clients", "clients", true}, {"denied_below", "denied at one less", true}, {"clients_below", "clients", true},
	}}
	for i, a := range answers {
		g.rows = append(g.rows, smallestRow(first[i], quotaOf(a.N), a))
	}
	if j.requests.Mixed() {
		g.notes = append(g.notes, "costs differ, and then refusals need not fall as the "+what+" grows: a smaller one may exist")
	}
	return g, nil
}

// lookedFor is the policy by the number that is looked for, and what that number is.
func (j *tuneJob) lookedFor() (quotaOf func(n int64) quota, what string) {
	if j.flags.limit.given {
		return func(n int64) quota { return quota{j.flags.limit.v.limit, n} }, "burst"
	}
	return func(n int64) quota { return quota{algorithms.Limit{N: n, Per: j.flags.per.v}, j.flags.burst.v} }, "limit"
}

func (j *tuneJob) targetText() string {
	t, all := j.target(), int64(len(j.requests.Requests))
	var parts []string
	if t.Denied < all || !j.flags.clients.given {
		parts = append(parts, count(min(t.Denied, all), "request")+" of "+strconv.FormatInt(all, 10))
	}
	if j.flags.clients.given {
		parts = append(parts, count(min(t.Clients, j.clients), "client")+" of "+strconv.FormatInt(j.clients, 10))
	}
	return strings.Join(parts, " and ")
}

func smallestRow(l sim.Limiter, q quota, a tune.Answer) []string {
	if a.N == 0 {
		return []string{l.Name, "none", "", "", "", "", ""}
	}
	burst := ""
	if l.Spec.Bursts {
		burst = strconv.FormatInt(algorithms.Policy{Limit: q.limit, Burst: q.burst}.Capacity(), 10)
	}
	row := []string{l.Name, scenarios.FormatRate(q.limit), burst, fmt.Sprint(a.At.Denied), fmt.Sprint(a.At.Clients), "", ""}
	if a.N > 1 {
		row[5], row[6] = fmt.Sprint(a.Below.Denied), fmt.Sprint(a.Below.Clients)
	}
	return row
}

// sweep is what each policy of a grid refuses.
func (j *tuneJob) sweep() (*grid, error) {
	var limiters []sim.Limiter
	seen := map[algorithms.Limit]bool{}
	for _, q := range j.flags.sweep.quotas() {
		some, err := j.limiters(q)
		if err != nil {
			return nil, err
		}
		for _, l := range some {
			if l.Spec.Bursts || !seen[q.limit] { // another burst means nothing to a window
				limiters = append(limiters, l)
			}
		}
		seen[q.limit] = true
	}
	results, err := j.requests.Measure(limiters)
	if err != nil {
		return nil, err
	}
	all := int64(len(j.requests.Requests))
	g := &grid{title: fmt.Sprintf("denied of %s, and refused of %s", count(all, "request"), count(j.clients, "client")), bars: -1, heads: []column{
		{"limiter", "limiter", false}, {"limit", "limit", false}, {"burst", "burst", true},
		{"denied", "denied", true}, {"denied_share", "share", true}, {"clients", "clients", true}, {"clients_share", "share", true},
	}}
	for i, l := range limiters {
		burst := ""
		if l.Spec.Bursts {
			burst = strconv.FormatInt(l.Policy.Capacity(), 10)
		}
		r := results[i]
		g.rows = append(g.rows, []string{
			l.Name, scenarios.FormatRate(l.Policy.Limit), burst, fmt.Sprint(r.Denied), share(r.Denied, all), fmt.Sprint(r.Clients), share(r.Clients, j.clients),
		})
	}
	return g, nil
}

// share is a part of a whole as a number from 0 to 1.
func share(part, whole int64) string {
	return strconv.FormatFloat(float64(part)/float64(max(whole, 1)), 'g', 6, 64)
}

// print prints an answer in the format that was asked for.
func (j *tuneJob) print(g *grid) error {
	var err error
	switch j.flags.format {
	case "csv":
		_, err = j.out.Write(g.csv())
	case "json":
		err = json.NewEncoder(j.out).Encode(g.document(j))
	case "markdown":
		_, err = j.out.WriteString(g.markdown())
	default:
		terminal := j.out.draft == nil && isTerminal(j.app.out)
		_, err = j.out.WriteString(g.text(j.style(j.flags.looks, terminal), j.cells(j.flags.looks, terminal)))
	}
	if j.flags.format != "text" && j.flags.format != "json" {
		for _, note := range g.notes {
			j.say(note)
		}
	}
	return err
}

func (g *grid) csv() []byte {
	var b []byte
	for c, h := range g.heads {
		if c > 0 {
			b = append(b, ',')
		}
		b = appendCSV(b, h.name)
	}
	b = append(b, '\n')
	for _, row := range g.rows {
		for c, text := range row {
			if c > 0 {
				b = append(b, ',')
			}
			b = appendCSV(b, text)
		}
		b = append(b, '\n')
	}
	return b
}

// tuneDocument is the JSON format of tune, a contract.
type tuneDocument struct {
	Version  int      `json:"version"`
	Sources  []safe   `json:"sources"`
	Requests int      `json:"requests"`
	Clients  int64    `json:"clients"`
	Title    safe     `json:"title"`
	Rows     []object `json:"rows"`
	Notes    []safe   `json:"notes"`
}

func (g *grid) document(j *tuneJob) tuneDocument {
	d := tuneDocument{Version: 1, Requests: len(j.requests.Requests), Clients: j.clients, Title: safe(g.title), Rows: []object{}, Notes: []safe{}}
	for _, name := range j.names {
		d.Sources = append(d.Sources, safe(name))
	}
	for _, row := range g.rows {
		o := object{}
		for c, h := range g.heads {
			o = append(o, member{h.name, h.json(row[c])})
		}
		d.Rows = append(d.Rows, o)
	}
	for _, note := range g.notes {
		d.Notes = append(d.Notes, safe(note))
	}
	return d
}

// json is a value of the column as JSON; null for nothing.
func (c column) json(text string) string {
	switch {
	case text == "":
		return "null"
	case c.number:
		return text
	}
	return string(appendJSON(nil, text))
}

func (g *grid) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n|", escapeMarkdown(g.title))
	for _, h := range g.heads {
		b.WriteString(" " + escapeMarkdown(h.title) + " |")
	}
	b.WriteString("\n|")
	for _, h := range g.heads {
		if h.number {
			b.WriteString("---:|")
		} else {
			b.WriteString(":---|")
		}
	}
	for _, row := range g.tabled() {
		b.WriteString("\n|")
		for _, text := range row {
			b.WriteString(" " + escapeMarkdown(text) + " |")
		}
	}
	return b.String() + "\n"
}

// text draws the grid for a terminal.
func (g *grid) text(style *draw.Style, cells int) string {
	heads := make([]string, len(g.heads))
	for c, h := range g.heads {
		heads[c] = h.title
	}
	rows := alignRight(append([][]string{heads}, g.tabled()...))
	if g.bars >= 0 {
		g.chart(style, cells, rows)
	}
	out := style.Paint(draw.Title, strings.TrimSuffix(paragraphs(style, g.title, cells, 0), "\n")) + "\n" + table(style, cells, rows)
	for _, note := range g.notes {
		out += paragraphs(style, note, cells, 1)
	}
	return out
}
