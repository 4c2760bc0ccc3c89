package cmd

import (
	"fmt"
	"strings"

	"github.com/b6db88e4/ratesim/scenarios"
)

// seedDocument is the JSON format of a sweep over seeds.
type seedDocument struct {
	Version  int          `json:"version"`
	Scenario jsonScenario `json:"scenario"`
	Seeds    jsonSeeds    `json:"seeds"`
	Runs     []seedRun    `json:"runs"`
}

type jsonSeeds struct {
	First uint64 `json:"first"`
	Count int    `json:"count"`
}

// seedRun holds, by measure, an object with lowest, median and highest.
type seedRun struct {
	Limiter safe   `json:"limiter"`
	Summary object `json:"summary"`
}

func (s sweep) document(j *job) seedDocument {
	d := seedDocument{Version: 1, Scenario: j.jsonScenario(), Seeds: jsonSeeds{s.first, s.seeds}, Runs: []seedRun{}}
	for i, name := range s.limiters {
		run := seedRun{Limiter: safe(name), Summary: object{}}
		for k, m := range s.measures {
			x := s.spreads[i][k]
			run.Summary = append(run.Summary, member{m.Name,
				fmt.Sprintf(`{"lowest":%s,"median":%s,"highest":%s}`, x.lowest, x.median, x.highest)})
		}
		d.Runs = append(d.Runs, run)
	}
	return d
}

// csv has a line for each limiter and measure.
func (s sweep) csv() string {
	var b strings.Builder
	b.WriteString("limiter,measure,lowest,median,highest\n")
	for i, name := range s.limiters {
		for k, m := range s.measures {
			x := s.spreads[i][k]
			fmt.Fprintf(&b, "%s,%s,%s,%s,%s\n", appendCSV(nil, name), m.Name, csvValue(x.lowest), csvValue(x.median), csvValue(x.highest))
		}
	}
	return b.String()
}

// csvValue is a value as a field, nothing where there is none.
func csvValue(v scenarios.Value) string {
	if v.None() {
		return ""
	}
	return v.String()
}

// markdown has one table, with a row for each measure and limiter.
func (s sweep) markdown(j *job) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", escapeMarkdown(s.title(j)))
	b.WriteString("| measure | limiter | lowest | median | highest |\n|:---|:---|---:|---:|---:|\n")
	for k, m := range s.measures {
		for i, name := range s.limiters {
			x := s.spreads[i][k]
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", heading(m), escapeMarkdown(name),
				valueText(m, x.lowest), valueText(m, x.median), valueText(m, x.highest))
		}
	}
	return b.String()
}
