package cmd

import (
	"errors"
	"strconv"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/spf13/cobra"
)

// registerHTTP adds the flags about HTTP answers.
func (f *runFlags) registerHTTP(c *cobra.Command) {
	c.Flags().BoolVar(&f.http, "http", false, "with -f ndjson: the HTTP answer of every decision, too")
	resetFlag(c, &f.reset)
}

// resetFlag adds the flag for how X-RateLimit-Reset tells when.
func resetFlag(c *cobra.Command, target *string) {
	choiceFlag(c, target, "reset", "", "X-RateLimit-Reset in seconds from the answer, or as a Unix time", "delta", "epoch")
}

func (f *runFlags) resetForm() sim.ResetForm {
	if f.reset == "epoch" {
		return sim.ResetEpoch
	}
	return sim.ResetDelta
}

// checkHTTP finds flags that do not go with those about HTTP answers.
func (f *runFlags) checkHTTP() error {
	switch {
	case f.http && f.format != "ndjson":
		return errors.New("--http needs -f ndjson: an answer is too much for the other formats; ratesim explain shows that of one request")
	case f.reset == "epoch" && !f.http:
		return errors.New("--reset epoch needs --http: it says how HTTP answers tell when the limit is whole again")
	case f.http && f.store.url != "":
		return errors.New("--http and --store do not go together: a store says what it decides, not what is left; without --store the model does")
	}
	return nil
}

// appendAnswer appends the HTTP answer that a decision gives.
func appendAnswer(b []byte, r *sim.Response, form sim.ResetForm) []byte {
	b = strconv.AppendInt(append(b, `,"http":{"status":`...), int64(r.Status), 10)
	b = append(b, `,"headers":`...)
	next := byte('{')
	r.EachField(form, func(name string, value []byte) {
		b = append(b, next, '"')
		b = append(append(b, name...), `":`...)
		b = appendJSON(b, string(value))
		next = ','
	})
	return append(r.AppendBody(append(b, `},"body":`...)), '}')
}
