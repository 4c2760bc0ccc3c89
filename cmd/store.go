package cmd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/redis"
	"github.com/spf13/cobra"
)

// storeFlags say where a real store is that decides.
type storeFlags struct {
	url    urlFlag // "" for none
	prefix string  // "" for one of its own
}

// urlFlag is the address of a store. An empty one, as of a variable that is not set, is refused: the
// model would decide, and nothing say that it is not the store.
type urlFlag string

// String is the address.
func (u *urlFlag) String() string { return string(*u) }

// Type is the word for the flag's value in the help.
func (u *urlFlag) Type() string { return "URL" }

// Set takes the address.
func (u *urlFlag) Set(text string) error {
	if text == "" {
		return errors.New("must be an address such as redis://localhost:6379; leave the flag out for the model to decide")
	}
	*u = urlFlag(text)
	return nil
}

func (f *storeFlags) register(c *cobra.Command, usage string) {
	c.Flags().Var(&f.url, "store", usage+", at this `URL`, such as redis://localhost:6379")
	c.RegisterFlagCompletionFunc("store", cobra.FixedCompletions([]string{"redis://", "rediss://", "unix://"}, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

func (f *storeFlags) registerPrefix(c *cobra.Command) {
	c.Flags().StringVar(&f.prefix, "store-prefix", "", "share the limits with others that give the same `NAME`; they stay in the store for an hour")
	c.RegisterFlagCompletionFunc("store-prefix", cobra.NoFileCompletions)
}

// prefixes are the good ones.
var prefixes = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// check finds flags of run that do not go with a store.
func (f *storeFlags) check(run *runFlags) error {
	switch {
	case f.url == "" && f.prefix != "":
		return errors.New("--store-prefix needs --store: it says under which keys a store keeps the limits")
	case f.url == "":
		return nil
	case f.prefix != "" && !prefixes.MatchString(f.prefix):
		return fmt.Errorf("--store-prefix %q: must be 1 to 64 letters, digits, dots, hyphens and underscores", f.prefix)
	case run.seeds.given:
		return errors.New("--seeds and --store do not go together: for what is random, the model is enough, which verify compares with the store")
	case run.why.given:
		return errors.New("--why and --store do not go together: a store says what it decides, not why; without --store the model does")
	case run.client != "":
		return errors.New("--client and --store do not go together: a store shows no level")
	}
	return nil
}

// remote is a store that decides the limiters of a plan, those that it can decide.
type remote struct {
	*redis.Store
	keep     bool     // its keys are left to others
	compares bool     // the model decides, and is compared with it
	left     []string // limiters that it cannot decide
	why      []string // and why not, one note for each reason
}

// patienceInterrupted is how long an interrupted command that has keys in a store may take to remove
// them.
const patienceInterrupted = 2 * time.Second

// openStore connects to the store, and picks the limiters that it can decide. Names of them that were
// asked for must be among these.
func (a *app) openStore(ctx context.Context, f *runFlags, plan *sim.Plan) (*remote, *sim.Plan, error) {
	address, err := redis.ParseAddress(string(f.store.url))
	if err != nil {
		return nil, nil, failed(fmt.Errorf("--store: %w", err)) // whatever keeps a store from deciding has one status
	}
	r := &remote{keep: f.store.prefix != ""}
	picked, err := r.pick(plan, f.algorithms.names != nil)
	if err != nil {
		return nil, nil, err
	}
	prefix := f.store.prefix
	if prefix == "" {
		prefix = "ratesim-" + rand.Text()
	}
	if r.Store, err = redis.Open(ctx, address, prefix); err != nil {
		return nil, nil, failed(err)
	}
	a.tidying.Store(int64(patienceInterrupted))
	return r, picked, nil
}

// decideIn has the store of the flags decide the plan. Without one it changes nothing, and there is no
// store.
func (a *app) decideIn(ctx context.Context, f *runFlags, plan *sim.Plan) (*remote, *sim.Plan, error) {
	if f.store.url == "" {
		return nil, plan, nil
	}
	store, picked, err := a.openStore(ctx, f, plan)
	if err != nil {
		return nil, nil, err
	}
	decided, err := store.Plan(picked)
	if err != nil {
		a.leave(store)
		return nil, nil, err
	}
	return store, decided, nil
}

// pick is the plan with those limiters that a store can decide. The others are left out, unless they
// were asked for by name.
func (r *remote) pick(plan *sim.Plan, named bool) (*sim.Plan, error) {
	picked, byReason := *plan, map[error][]string{}
	picked.Limiters = nil
	known := "there are scripts of " + enumerate(redis.Algorithms())
	for i := range plan.Limiters {
		l := &plan.Limiters[i]
		reason := redis.Fits(plan, l)
		switch {
		case reason == nil:
			picked.Limiters = append(picked.Limiters, *l)
		case named:
			return nil, fmt.Errorf("-a %s: a store cannot decide it, %w; %s", l.Name, reason, known)
		default:
			r.left = append(r.left, l.Name)
			byReason[reason] = append(byReason[reason], l.Name)
		}
	}
	for _, reason := range []error{redis.ErrScript, redis.ErrChange, redis.ErrScheme} {
		if names := byReason[reason]; names != nil {
			r.why = append(r.why, fmt.Sprintf("left out, %s: %s", reason, strings.Join(names, ", ")))
		}
	}
	if picked.Limiters == nil {
		return nil, fmt.Errorf("a store can decide no limiter of the scenario; %s\n  %s", known, strings.Join(r.why, "\n  "))
	}
	return &picked, nil
}

// failure is the store's error, which ends the run.
func (r *remote) failure() error {
	if r == nil || r.Err() == nil {
		return nil
	}
	return failed(r.Err())
}

// notes are what one should know of a run that a store decides.
func (r *remote) notes() []string {
	if r == nil {
		return nil
	}
	var notes []string
	if !r.compares {
		notes = append(notes, "decided by "+r.Address().String())
	}
	return append(notes, r.why...)
}

// partial reports whether limiters were left out.
func (r *remote) partial() bool { return r != nil && len(r.left) > 0 }

// leave removes what the run left in the store, and disconnects.
func (a *app) leave(r *remote) {
	if r == nil {
		return
	}
	broken := r.Err() != nil && !errors.Is(r.Err(), context.Canceled)
	if err := r.Close(r.keep); err != nil && !broken { // of a broken store one complaint is enough
		a.say(fmt.Sprintf("%v; its keys are left, and expire within an hour", err))
	}
}

// stopped is why a run ends early: it was interrupted, or its store failed.
func (j *job) stopped() error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	return j.store.failure()
}
