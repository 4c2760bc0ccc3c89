package accesslog

// tally counts what can be counted in any order.
type tally struct {
	lines, headers, requests, filtered, bad int // lines, of every kind: all, and the sum of the others

	unknown    int // requests whose key is empty
	refused429 int // requests that the log itself shows as refused
	refused503 int
	subtracted int // requests whose duration was subtracted from the end
	untaken    int // requests whose end is known, but not the duration
	zoneless   int // requests whose stamp named no zone

	tick  int64 // ns: the largest power of ten up to a second that divides every stamp; 0 before the first
	stamp int64 // the last stamp that was looked at

	reasons []whyLines // of the malformed lines
}

type whyLines struct {
	why   why
	lines int64
}

// Reason is one thing wrong with lines, and with how many.
type Reason struct {
	Why   string `json:"why"`
	Lines int64  `json:"lines"`
}

func (t *tally) reset() { *t = tally{reasons: t.reasons[:0]} }

// malformed counts n lines with one fault.
func (t *tally) malformed(w why, n int64) {
	t.bad += int(n)
	for i := range t.reasons {
		if t.reasons[i].why == w {
			t.reasons[i].lines += n
			return
		}
	}
	t.reasons = append(t.reasons, whyLines{w, n})
}

// request counts what is notable about a request.
func (t *tally) request(e *Entry, s Stamp, unknown bool) {
	t.requests++
	if e.Time != t.stamp || t.tick == 0 {
		t.stamp = e.Time
		t.tick = tickOf(t.tick, e.Time)
	}
	switch e.Status {
	case 429:
		t.refused429++
	case 503:
		t.refused503++
	}
	if unknown {
		t.unknown++
	}
	if e.Zoneless {
		t.zoneless++
	}
	switch {
	case s != EndLessTaken:
	case e.Duration >= 0:
		t.subtracted++
	default:
		t.untaken++
	}
}

// tickOf is the largest power of ten, at most tick, or a second if that is 0, that divides stamp.
func tickOf(tick, stamp int64) int64 {
	if tick == 0 {
		tick = second
	}
	for tick > 1 && stamp%tick != 0 {
		tick /= 10
	}
	return tick
}

// add adds another tally.
func (t *tally) add(u *tally) {
	t.lines += u.lines
	t.headers += u.headers
	t.requests += u.requests
	t.filtered += u.filtered
	t.unknown += u.unknown
	t.refused429 += u.refused429
	t.refused503 += u.refused503
	t.subtracted += u.subtracted
	t.untaken += u.untaken
	t.zoneless += u.zoneless
	for _, r := range u.reasons {
		t.malformed(r.why, r.lines)
	}
	if u.tick > 0 {
		t.tick = tickOf(t.tick, u.tick)
	}
}
