package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
)

// explainFlags are the flags of explain: those of run that say what is run, and its own.
type explainFlags struct {
	runFlags
	request value[int64]
	reset   string
}

func (a *app) explainCommand() *cobra.Command {
	f := &explainFlags{request: wholeFlag("N", 0, 1<<62)}
	f.limit, f.burst, f.seed, f.duration = rateFlag(), wholeFlag("N", 1, algorithms.MaxUnits), seedFlag(), durationFlag()
	c := &cobra.Command{
		Use:     "explain SCENARIO --request N",
		GroupID: groupRun,
		Short:   "tell what became of one request, and the HTTP answer",
		Long: `Explains what each limiter decided on one request: what it held, what the request needed, what
would have let it through, and the whole HTTP answer that a client would get.

If the scenario has more than limiters alone, it tells the request's story: each time that it was
sent, which limits were asked and what they had left, which refused, how long its client was told
to wait and did wait, the service, and how it ended; and the last HTTP answer.`,
		Example: `  ratesim explain burst --request 6                    denied: why, and what to answer
  ratesim explain burst --request 6 -a gcra            by one algorithm
  ratesim explain burst --request 6 --reset epoch      X-RateLimit-Reset as a Unix time
  ratesim explain burst --request 6 -f json            for a program`,
		Args:              func(_ *cobra.Command, args []string) error { return exactly("scenario", args) },
		ValidArgsFunction: completeScenario,
		RunE:              func(c *cobra.Command, args []string) error { return a.explain(c.Context(), args[0], f) },
	}
	f.register(c)
	return c
}

func (f *explainFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	flags.Var(&f.request, "request", "which request, numbered from 0 as in the ndjson of run")
	f.registerPolicies(c)
	choiceFlag(c, &f.reset, "reset", "", "X-RateLimit-Reset in seconds from the answer, or as a Unix time", "delta", "epoch")
	formatFlag(c, &f.format, "text", "json")
	flags.StringVarP(&f.output, "output", "o", "", "write to a `FILE`, whole or not at all, instead of standard output")
	looksFlags(c, &f.looks)
	completeRunFlags(c)
	c.RegisterFlagCompletionFunc("request", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveNoFileComp))
}

// explain loads a scenario and explains one of its requests.
func (a *app) explain(ctx context.Context, scenario string, f *explainFlags) error {
	if !f.request.given {
		return errors.New("no request given; name one by --request N, numbered from 0 as in: ratesim run SCENARIO -f ndjson")
	}
	loaded, plan, err := a.load(scenario, &f.runFlags)
	if err != nil {
		return err
	}
	out, err := a.output(f.output, loaded.Path)
	if err != nil {
		return err
	}
	form := sim.ResetDelta
	if f.reset == "epoch" {
		form = sim.ResetEpoch
	}
	j := &job{app: a, ctx: ctx, loaded: loaded, plan: plan, flags: &f.runFlags, out: out, bar: a.progress(loaded.Name)}
	x := explainer{job: j, flag: "--request", seq: f.request.v, answer: &form}
	if plan.System != nil {
		err = x.stories(f.format)
	} else {
		err = x.reasons(f.format)
	}
	j.bar.end()
	return out.finish(err)
}

// explainer explains one request to who asked by a flag.
type explainer struct {
	*job
	flag   string
	seq    int64
	answer *sim.ResetForm // of the whole HTTP answer; nil where that is not wanted
}

// perLimiter asks something about the request for every limiter.
func perLimiter[T any](x *explainer, ask func(plan *sim.Plan, limiter int, seq int64) (T, error)) ([]T, error) {
	var all []T
	for i := range x.plan.Limiters {
		one, err := ask(x.plan, i, x.seq)
		if crowded := (*sim.Crowded)(nil); errors.As(err, &crowded) {
			return nil, failed(err)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.flag, err)
		}
		if err := x.ctx.Err(); err != nil {
			return nil, err
		}
		all = append(all, one)
		x.bar.at(float64(i+1) / float64(len(x.plan.Limiters)))
	}
	x.bar.end()
	return all, nil
}

// stories tells what became of the request under limiters that have a system around them.
func (x *explainer) stories(format string) error {
	all, err := perLimiter(x, sim.ExplainCall)
	if err != nil {
		return err
	}
	form := sim.ResetDelta
	if x.answer != nil {
		form = *x.answer
	}
	if format == "json" {
		return x.encode(newJSONStories(x.plan, all, form))
	}
	cells, style := x.canvas()
	_, err = x.out.WriteString(storyText(x.plan, all, style, cells, form))
	return x.out.wrote(err)
}

// storyText is the stories as time lines.
func storyText(plan *sim.Plan, all []*sim.Story, style *draw.Style, cells int, form sim.ResetForm) string {
	var b strings.Builder
	alike := !slices.ContainsFunc(all, func(st *sim.Story) bool { return st.Profile.Retry != all[0].Profile.Retry })
	wanted := style.Wanted(plan, all[0])
	if alike {
		wanted += " " + style.Retries(&all[0].Profile.Retry)
	}
	b.WriteString(paragraphs(style, wanted, cells, 0))
	for _, st := range all {
		b.WriteString("\n" + style.Paint(draw.Title, style.Text(st.Limiter.Name)) + ": " +
			style.Paint(draw.EndingRole(st.Ending), style.Ended(st)) + "\n")
		if !alike {
			b.WriteString(paragraphs(style, style.Retries(&st.Profile.Retry), cells, 2))
		}
		b.WriteString(timeLine(style, style.Moments(plan, st), cells))
		if r, ok := lastAnswer(st); ok {
			b.WriteString(answerText(style, "The last answer of the limits", &r, form))
		}
	}
	return b.String()
}

// timeLine lists moments behind their instants, each written once.
func timeLine(style *draw.Style, moments []draw.Moment, cells int) string {
	widest := 0
	for _, m := range moments {
		widest = max(widest, ansi.StringWidth(style.Exact(m.At)))
	}
	text, before := "", ""
	for _, m := range moments {
		at := style.Exact(m.At)
		if at == before {
			at = ""
		} else {
			before = at
		}
		lines := strings.TrimLeft(paragraphs(style, m.Text, cells, widest+4), " ")
		first, rest, _ := strings.Cut(lines, "\n")
		pad := strings.Repeat(" ", widest-ansi.StringWidth(at))
		text += "  " + style.Paint(draw.Faint, at) + pad + "  " + style.Paint(m.Role, first) + "\n" + rest
	}
	return text
}

// lastAnswer is the last HTTP answer that the limits gave, if there is one.
func lastAnswer(st *sim.Story) (sim.Response, bool) {
	for i := len(st.Sendings) - 1; i >= 0; i-- {
		if r, ok := st.Sendings[i].HTTP(); ok {
			return r, true
		}
	}
	return sim.Response{}, false
}

// answerText is an HTTP answer under a heading, in lines that are not broken.
func answerText(style *draw.Style, heading string, r *sim.Response, form sim.ResetForm) string {
	text := "  " + heading + "\n"
	for _, line := range style.HTTPAnswer(r, form) {
		text += strings.TrimRight("    "+line, " ") + "\n"
	}
	return text
}
