package cmd

import (
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/spf13/cobra"
)

// The things that can be listed.
var listable = [...]string{"scenarios", "algorithms"}

func (a *app) listCommand() *cobra.Command {
	var (
		format string
		l      looks
	)
	c := &cobra.Command{
		Use:     "list [scenarios|algorithms]",
		GroupID: groupRead,
		Short:   "list the built-in scenarios and the algorithms",
		Long: `Lists the built-in scenarios, the algorithms, or both.

The table of algorithms helps to choose one: what it keeps for each key, the most it lets through
in one period P under a limit of N per P and a burst of B, what it does with a burst, whether its
output is smoother than its input, and how exact it is.`,
		Example: "  ratesim list\n  ratesim list algorithms\n  ratesim list scenarios --format json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if err := exactly("list", args); err != nil {
				return err
			}
			if oneOf(args[0], listable[:]) != nil {
				return unknown("list", args[0], listable[:])
			}
			return nil
		},
		ValidArgs: listable[:],
		RunE: func(_ *cobra.Command, args []string) error {
			if format == "json" {
				return a.printJSON(newListing(args))
			}
			cells, style := a.canvas(l)
			return a.print(newListing(args).text(style, cells))
		},
	}
	formatFlag(c, &format, "text", "json")
	looksFlags(c, &l)
	return c
}

// listing is what can be run, as data.
type listing struct {
	Scenarios  []listedScenario  `json:"scenarios,omitempty"`
	Algorithms []listedAlgorithm `json:"algorithms,omitempty"`
}

type listedScenario struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Watch string `json:"watch"`
}

type listedAlgorithm struct {
	Name    string         `json:"name"`
	Summary string         `json:"summary"`
	State   string         `json:"state_per_key"`
	Worst   string         `json:"most_in_a_period"` // units, in N and B
	Burst   string         `json:"burst"`
	Smooths string         `json:"smooths"`
	Exact   string         `json:"exact"`
	Options []listedOption `json:"options"`
}

type listedOption struct {
	Name    string `json:"name"`
	Values  string `json:"values"`
	Default string `json:"default"` // "" where it depends on the policy
	Meaning string `json:"meaning"`
}

// newListing lists what the arguments name, everything without any.
func newListing(args []string) listing {
	var l listing
	if len(args) == 0 || args[0] == "scenarios" {
		for _, b := range scenarios.Builtins() {
			l.Scenarios = append(l.Scenarios, listedScenario{b.Name, b.Title, b.Watch})
		}
	}
	if len(args) == 0 || args[0] == "algorithms" {
		for _, s := range algorithms.Specs() {
			l.Algorithms = append(l.Algorithms, newListedAlgorithm(s))
		}
	}
	return l
}

func newListedAlgorithm(s *algorithms.Spec) listedAlgorithm {
	options := []listedOption{}
	for _, o := range s.Options {
		options = append(options, listedOption{o.Name, o.Values(), o.Default, o.Meaning})
	}
	t := s.Traits
	return listedAlgorithm{s.Name, s.Summary, t.State, t.Worst, t.Burst, t.Smooths, t.Exact, options}
}

// text is the listing as tables.
func (l listing) text(style *draw.Style, cells int) string {
	var parts []string
	if len(l.Scenarios) > 0 {
		parts = append(parts, l.scenarioTable(style, cells)+"\nratesim run NAME runs one, ratesim show NAME prints its file.\n")
	}
	if len(l.Algorithms) > 0 {
		parts = append(parts, l.algorithmTable(style, cells)+"\n"+
			paragraphs(style, "For a limit of N units in each period P, with a burst of B. ratesim show NAME explains one.", cells, 0))
	}
	return strings.Join(parts, "\n")
}

func (l listing) scenarioTable(style *draw.Style, cells int) string {
	const roomy = 110 // cells from which there is room for what to look at
	rows := [][]string{{"scenario", "title", "look at"}}
	for _, s := range l.Scenarios {
		rows = append(rows, []string{s.Name, s.Title, s.Watch})
	}
	if cells < roomy {
		for i := range rows {
			rows[i] = rows[i][:2]
		}
	}
	return table(style, cells, rows)
}

func (l listing) algorithmTable(style *draw.Style, cells int) string {
	rows := [][]string{{"algorithm", "keeps per key", "at most in P", "a burst from idle", "smooths", "exact"}}
	for _, x := range l.Algorithms {
		rows = append(rows, []string{x.Name, x.State, x.Worst, x.Burst, x.Smooths, x.Exact})
	}
	return table(style, cells, rows)
}
