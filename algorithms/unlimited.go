package algorithms

func unlimitedSpec() *Spec {
	s := &Spec{
		Name:    "unlimited",
		Summary: "admits everything: what the others protect you from",
		Traits: Traits{
			State:   "nothing",
			Time:    "constant",
			Worst:   "no bound",
			Burst:   "passes everything",
			Smooths: "no",
			Exact:   "no",
		},
		Page:  `It admits every request at once, whatever the limit. It is the baseline: what reaches the service without a limiter.`,
		Worst: func(Policy) int64 { return -1 },
	}
	s.Build = func(p Policy) (Maker, error) {
		return s.read(p).make(func() Maker { return maker(unlimited{}) })
	}
	return s
}

// unlimited keeps the latest instant only, so that it too never goes back in time.
type unlimited struct{ seen Time }

// When implements Limiter.
func (u *unlimited) When(now Time, _ int64) Time { return max(now, u.seen) }

// Decide implements Limiter.
func (u *unlimited) Decide(now Time, _ int64) Decision {
	u.seen = max(now, u.seen)
	return Decision{Admit, u.seen}
}
