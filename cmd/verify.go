package cmd

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/redis"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/spf13/cobra"
)

func (a *app) verifyCommand() *cobra.Command {
	f := &runFlags{limit: rateFlag(), burst: wholeFlag("N", 1, algorithms.MaxUnits), seed: seedFlag(), duration: durationFlag()}
	c := &cobra.Command{
		Use:     "verify SCENARIO --store URL",
		GroupID: groupRun,
		Short:   "compare a real Redis with the model, decision by decision",
		Long: `Puts the requests of a scenario to the model and to the scripts of a real Redis, and compares what
they decide: the verdict, and the instant that goes with it. A limiter is compared up to its first
difference, which is printed. The store's keys are removed afterwards.

The status is 0 if all decisions agree, 1 if some do not or the store fails.`,
		Example: `  ratesim verify boundary --store redis://localhost:6379
  ratesim verify on-off --limit 500/m --store redis://localhost/1 -a gcra,sliding-log`,
		Args:              func(_ *cobra.Command, args []string) error { return exactly("scenario", args) },
		ValidArgsFunction: completeScenario,
		RunE:              func(c *cobra.Command, args []string) error { return a.verify(c.Context(), args[0], f) },
	}
	c.Flags().SortFlags = false
	f.store.register(c, "compare with a real Redis")
	f.registerPolicies(c)
	formatFlag(c, &f.format, "text", "json")
	lookFlags(c, &f.looks)
	completeRunFlags(c) // those of its flags that this command has
	return c
}

// verification is a scenario decided by the model and by a store.
type verification struct {
	*job
	checkers [][]*redis.Checker // by limiter
}

// verify runs a scenario in the model, compares it with the store and prints what came of it.
func (a *app) verify(ctx context.Context, scenario string, f *runFlags) error {
	if f.store.url == "" {
		return errors.New("no --store given: the URL of the Redis to compare with, such as redis://localhost:6379")
	}
	loaded, plan, err := a.load(scenario, f)
	if err != nil {
		return err
	}
	store, picked, err := a.openStore(ctx, f, plan)
	if err != nil {
		return err
	}
	defer a.leave(store)
	store.compares = true
	twins, checkers, err := store.Check(picked)
	if err != nil {
		return err
	}
	j := &job{app: a, ctx: ctx, loaded: loaded, plan: twins, flags: f, out: newOutput(a.out, "standard output", nil),
		bar: a.progress(loaded.Name), store: store}
	v := &verification{j, checkers}
	err = v.compare()
	j.bar.end()
	if err == nil {
		err = v.print()
	}
	if err := j.out.finish(err); err != nil {
		return err
	}
	return v.verdict()
}

// compare carries the run out in the model, and compares each of its decisions.
func (v *verification) compare() error {
	run := sim.New(v.plan, sim.Options{Buckets: 1, Workers: workers(), Lean: true, Observers: func(limiter int) sim.Observer {
		return v.checkers[limiter][0]
	}})
	if _, err := v.finish(run, 0, 1); err != nil {
		return err
	}
	for _, rules := range v.checkers {
		for _, c := range rules {
			c.Finish()
		}
	}
	return v.stopped()
}

// compared is how many decisions of limiter i have been compared, and the first that differs, nil if
// none does.
func (v *verification) compared(i int) (int64, *redis.Difference) {
	var first *redis.Difference
	n := int64(0)
	for _, c := range v.checkers[i] {
		n += c.Compared()
		if d := c.Difference(); d != nil && (first == nil || d.At < first.At) {
			first = d
		}
	}
	return n, first
}

// verdict is the error of a store that decides otherwise.
func (v *verification) verdict() error {
	var different []string
	for i, l := range v.plan.Limiters {
		if _, d := v.compared(i); d != nil {
			different = append(different, l.Name)
		}
	}
	if different == nil {
		return nil
	}
	return failed(fmt.Errorf("%s: the store decides otherwise than the model: %s", v.loaded.Name, strings.Join(different, ", ")))
}

// print prints what came of it in the format asked for.
func (v *verification) print() error {
	for _, note := range v.notes() {
		v.say(note)
	}
	if v.flags.format == "json" {
		return v.encode(v.document())
	}
	cells, style := v.canvas()
	_, err := v.out.WriteString(v.text(style, cells))
	return v.out.wrote(err)
}

// text is a table, and each limiter's first difference below.
func (v *verification) text(style *draw.Style, cells int) string {
	rows, verdicts, differences := [][]string{{"limiter", "decisions"}}, []string{"model and store"}, ""
	for i, l := range v.plan.Limiters {
		n, d := v.compared(i)
		verdict := "agree"
		if d != nil {
			verdict = "differ at the last of these"
			differences += "\n" + v.difference(style, cells, l.Name, d)
		}
		rows, verdicts = append(rows, []string{l.Name, strconv.FormatInt(n, 10)}), append(verdicts, verdict)
	}
	for i, row := range alignRight(rows) {
		rows[i] = append(row, verdicts[i])
	}
	title := v.title() + ": the model and " + v.store.Address().String()
	return style.Paint(draw.Title, strings.TrimSuffix(paragraphs(style, title, cells, 0), "\n")) + "\n\n" +
		table(style, cells, rows) + differences
}

// difference is one decision that differs, in words.
func (v *verification) difference(style *draw.Style, cells int, limiter string, d *redis.Difference) string {
	what := fmt.Sprintf("Decision %d, on key %d, at %s: %s.", d.Number, d.Key, style.Exact(d.At), count(d.Cost, "unit"))
	if r := d.Request; r != nil {
		what = style.Asked(&sim.Explanation{Seq: r.Seq, Request: r.Request}, v.plan.Clients.Name(r.Request.Client))
	}
	return paragraphs(style, limiter+". "+what, cells, 0) +
		"  model  " + decided(style, d.Model) + "\n  store  " + decided(style, d.Store) + "\n"
}

// decided is a decision in words, to the nanosecond.
func decided(style *draw.Style, d algorithms.Decision) string {
	word := map[algorithms.Verdict]string{algorithms.Admit: "admits at", algorithms.Delay: "delays until", algorithms.Deny: "denies until"}[d.Verdict]
	if d.Until == algorithms.Never {
		return strings.TrimSuffix(word, "until") + "for ever"
	}
	return word + " " + style.Exact(d.Until)
}

// jsonVerify is the JSON format.
type jsonVerify struct {
	Version  int          `json:"version"`
	Scenario jsonScenario `json:"scenario"`
	Store    string       `json:"store"` // without user and password
	LeftOut  []safe       `json:"left_out"`
	Limiters []jsonTwin   `json:"limiters"`
}

// jsonTwin is one limiter, compared.
type jsonTwin struct {
	Limiter    safe            `json:"limiter"`
	Algorithm  string          `json:"algorithm"`
	Compared   int64           `json:"compared"`   // decisions, up to and with the first that differs
	Difference *jsonDifference `json:"difference"` // null: all agree
}

// jsonDifference is one decision that differs.
type jsonDifference struct {
	Seq    *int64     `json:"seq"`    // of the request; null where a run does not tell
	Client *safe      `json:"client"` // likewise
	At     sim.Time   `json:"at_ns"`
	Cost   int64      `json:"cost"`
	Model  jsonAnswer `json:"model"`
	Store  jsonAnswer `json:"store"`
}

type jsonAnswer struct {
	Verdict string    `json:"verdict"`
	Until   *sim.Time `json:"until_ns"` // null: never
}

func (v *verification) document() jsonVerify {
	out := jsonVerify{Version: 1, Scenario: v.jsonScenario(), Store: v.store.Address().String(), LeftOut: []safe{}, Limiters: []jsonTwin{}}
	for _, name := range v.store.left {
		out.LeftOut = append(out.LeftOut, safe(name))
	}
	for i, l := range v.plan.Limiters {
		n, d := v.compared(i)
		out.Limiters = append(out.Limiters, jsonTwin{safe(l.Name), l.Spec.Name, n, v.jsonDifference(d)})
	}
	return out
}

func (v *verification) jsonDifference(d *redis.Difference) *jsonDifference {
	if d == nil {
		return nil
	}
	out := &jsonDifference{At: d.At, Cost: d.Cost, Model: newJSONAnswer(d.Model), Store: newJSONAnswer(d.Store)}
	if r := d.Request; r != nil {
		client := safe(v.plan.Clients.Name(r.Request.Client))
		out.Seq, out.Client = &r.Seq, &client
	}
	return out
}

func newJSONAnswer(d algorithms.Decision) jsonAnswer {
	return jsonAnswer{d.Verdict.String(), unless(d.Until, algorithms.Never)}
}
