package cmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/sim/replay"
)

// csv prints a line for each limiter.
func (j *replayJob) csv(r *replayed) error {
	b := []byte("limiter,algorithm,limit,burst,requests,denied,denied_share,clients,clients_refused,clients_share,delayed,peak,peak_ratio,worst_minute,worst_minute_denied\n")
	for _, l := range r.Limiters {
		_, burst := limitOf(l)
		peak, ratio := "", ""
		if j.flags.peak {
			peak, ratio = fmt.Sprint(l.Summary.Peak), fmt.Sprint(l.Summary.PeakRatio)
		}
		b = append(appendCSV(b, l.Name), ',')
		b = fmt.Appendf(b, "%s,%s,%s,%d,%d,%v,%d,%d,%v,%d,%s,%s,%s,%d\n", l.Spec.Name, limitTextOf(l), burst,
			r.Requests, l.Summary.Denied, l.DeniedShare(), r.Clients, l.Touched, l.TouchedShare(), l.Summary.Delayed,
			peak, ratio, worstMinute(l), l.Worst.Denied)
	}
	_, err := j.out.Write(b)
	return err
}

// worstMinute is when the worst minute begins, "" if nothing is denied.
func worstMinute(l *replay.Limiter) string {
	if l.Summary.Denied == 0 {
		return ""
	}
	return time.Unix(l.Worst.Unix, 0).UTC().Format(time.RFC3339)
}

// markdown prints the table of limiters.
func (j *replayJob) markdown(r *replayed) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s of %s.\n\n", escapeMarkdown(j.logNames()), count(r.Requests, "request"), count(r.Clients, "client"))
	b.WriteString("| limiter | limit | denied | share | clients | share |")
	rule := "\n|:---|:---|---:|---:|---:|---:|"
	if j.flags.peak {
		b.WriteString(" peak |")
		rule += "---:|"
	}
	b.WriteString(rule + "\n")
	for _, l := range r.Limiters {
		limit := limitTextOf(l)
		if _, burst := limitOf(l); burst != "" {
			limit += " burst " + burst
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %d | %s |", escapeMarkdown(l.Name), limit, l.Summary.Denied,
			escapeMarkdown(percent(l.Summary.Denied, r.Requests)), l.Touched, escapeMarkdown(percent(l.Touched, r.Clients)))
		if j.flags.peak {
			fmt.Fprintf(&b, " %s%.2f |", atLeast(&l.Summary), l.Summary.PeakRatio)
		}
		b.WriteString("\n")
	}
	_, err := j.out.WriteString(b.String())
	return err
}

// instant is a Unix time in ns in the notation of RFC 3339, in UTC.
func instant(unix int64) string { return time.Unix(0, unix).UTC().Format(time.RFC3339Nano) }
