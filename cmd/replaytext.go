package cmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/scenarios"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/replay"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/charmbracelet/x/ansi"
)

// replayPage is a replay being drawn for a terminal.
type replayPage struct {
	*replayJob
	*replayed
	b     strings.Builder
	style *draw.Style
	cells int
}

// text draws the replay for a terminal.
func (j *replayJob) text(r *replayed) error {
	terminal := j.out.draft == nil && isTerminal(j.app.out)
	p := &replayPage{replayJob: j, replayed: r, style: j.style(j.flags.looks, terminal), cells: j.cells(j.flags.looks, terminal)}
	p.title()
	if r.Requests > 0 {
		p.tables()
		p.lanes()
		for _, l := range j.detailed(r) {
			p.refused(l)
		}
		p.shifts()
	}
	p.head("the log")
	for _, note := range notes(r) {
		p.b.WriteString(paragraphs(p.style, note, p.cells, 1))
	}
	_, err := j.out.WriteString(p.b.String())
	return err
}

// title says what was replayed.
func (p *replayPage) title() {
	text := fmt.Sprintf("%s: %s of %s", p.logNames(), count(p.Requests, "request"), count(p.Clients, p.noun()))
	if p.noun() == "key" {
		text += " (" + p.flags.key.v.String() + ")"
	}
	if p.Requests == 0 {
		text = p.logNames() + ": no requests"
	}
	p.b.WriteString(p.style.Paint(draw.Title, strings.TrimSuffix(paragraphs(p.style, text, p.cells, 0), "\n")) + "\n")
	if p.Requests > 0 {
		span := fmt.Sprintf("%s to %s UTC (%s)", clock(p.start), clock(p.start+int64(p.Last)), p.style.Short(p.Last))
		p.b.WriteString(paragraphs(p.style, span, p.cells, 0))
	}
}

// logNames are the logs as one text.
func (j *replayJob) logNames() string {
	names := slices.Clone(j.logs)
	for i, name := range names {
		if name == "-" {
			names[i] = "standard input"
		}
	}
	return strings.Join(names, ", ")
}

// noun is what is limited: a client unless --key says otherwise.
func (j *replayJob) noun() string {
	if j.flags.key.given && j.flags.key.v.String() != "client" {
		return "key"
	}
	return "client"
}

// clock is a Unix time in ns as people read it, in UTC, down to the millisecond it lies in.
func clock(unix int64) string {
	return time.Unix(0, unix).UTC().Format("2006-01-02 15:04:05.999")
}

// moment is an instant of the run in a table, whose page has the years in its title: without the
// year where that is the same all along. layout is the time of day.
func (p *replayPage) moment(unix int64, layout string) string {
	t := time.Unix(0, unix).UTC()
	first, last := time.Unix(0, p.start).UTC(), time.Unix(0, p.start+int64(p.Last)).UTC()
	if first.Year() == last.Year() {
		return t.Format("01-02 " + layout)
	}
	return t.Format("2006-01-02 " + layout)
}

func (p *replayPage) head(text string) {
	lines := strings.TrimSuffix(paragraphs(p.style, text, p.cells, 0), "\n")
	p.b.WriteString("\n" + p.style.Paint(draw.Title, lines) + "\n")
}

// tables has a table of each policy's limiters.
func (p *replayPage) tables() {
	if len(p.counts) > 1 {
		p.beside()
		return
	}
	p.head("denied under " + p.policies[0].title)
	rows := [][]string{p.heads()}
	for i, l := range p.Limiters {
		rows = append(rows, p.row(i, l))
	}
	p.b.WriteString(table(p.style, p.cells, alignRight(rows)))
}

// heads are the heads of the columns of row.
func (p *replayPage) heads() []string {
	h := []string{"limiter", "denied", "share", "clients", "share"}
	if p.delays() {
		h = append(h, "delayed")
	}
	if p.flags.peak {
		h = append(h, "peak")
	}
	if p.together != nil {
		h = append(h, "if together")
	}
	return append(h, "worst minute")
}

// delays reports whether a limiter delays requests.
func (p *replayPage) delays() bool {
	return slices.ContainsFunc(p.Limiters, func(l *replay.Limiter) bool { return l.Summary.Delayed > 0 })
}

// row is a limiter's row of the table.
func (p *replayPage) row(i int, l *replay.Limiter) []string {
	s := &l.Summary
	out := []string{p.style.Cut(p.style.Text(l.Name), 40), number(s.Denied), percent(s.Denied, p.Requests), number(l.Touched), percent(l.Touched, p.Clients)}
	if p.delays() {
		out = append(out, number(s.Delayed))
	}
	if p.flags.peak {
		out = append(out, atLeast(s)+p.style.Ratio(s.PeakRatio))
	}
	if p.together != nil {
		out = append(out, number(p.together.Limiters[i].Summary.Denied))
	}
	worst := ""
	if s.Denied > 0 {
		worst = fmt.Sprintf("%s  %d", p.moment(l.Worst.Unix*int64(time.Second), "15:04"), l.Worst.Denied)
	}
	return append(out, worst)
}

// atLeast marks a peak that is a lower bound.
func atLeast(s *sim.Summary) string {
	if s.PeakIsLowerBound {
		return "≥"
	}
	return ""
}

// number is a count in full with thousands.
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// beside sets the policies side by side: a row for each limiter, and for each policy the requests
// that it denies, their share, and in brackets the clients that it refuses.
func (p *replayPage) beside() {
	p.head("denied requests, their share, and clients refused (in brackets)")
	heads := []string{"limiter"}
	for _, policy := range p.policies {
		heads = append(heads, policy.title)
	}
	rows := [][]string{heads}
	index := map[string]int{} // row by limiter
	first := 0
	for c, n := range p.counts {
		for _, l := range p.Limiters[first : first+n] {
			name := strings.TrimSuffix(l.Name, " "+p.policies[c].title)
			at, ok := index[name]
			if !ok {
				at = len(rows)
				index[name] = at
				rows = append(rows, make([]string, len(heads)))
				rows[at][0] = p.style.Cut(p.style.Text(name), 40)
			}
			rows[at][c+1] = fmt.Sprintf("%s %6s %4s", number(l.Summary.Denied), percent(l.Summary.Denied, p.Requests), "("+number(l.Touched)+")")
		}
		first += n
	}
	p.b.WriteString(table(p.style, p.cells, alignRight(rows)))
}

// lanes draws denials over time, a line for each limiter, under the requests.
func (p *replayPage) lanes() {
	gutter := len("requests")
	for _, l := range p.Limiters {
		gutter = max(gutter, ansi.StringWidth(p.style.Cut(p.style.Text(l.Name), 32)))
	}
	columns, span := p.cells-gutter-2-8, p.Last+1
	if columns < 16 {
		return
	}
	head := "requests and denials over time (UTC)"
	labels, ruler, ok := p.style.ClockAxis(p.start, span, columns)
	if !ok {
		head = "requests and denials from the first request on"
		labels, ruler = p.style.TimeAxis(span, columns)
	}
	p.head(head)
	indent := strings.Repeat(" ", gutter+2)
	p.b.WriteString(indent + strings.TrimRight(labels, " ") + "\n" + indent + ruler + "\n")
	most := int64(1)
	for _, l := range p.Limiters {
		most = max(most, slices.Max(l.Timeline.Columns(columns, span)))
	}
	offered := p.Timeline.Columns(columns, span)
	p.lane("requests", gutter, p.style.Bars(offered, slices.Max(offered), draw.Offered), slices.Max(offered))
	for _, l := range p.Limiters {
		denied := l.Timeline.Columns(columns, span)
		p.lane(p.style.Cut(p.style.Text(l.Name), 32), gutter, p.style.Bars(denied, most, draw.Denied), slices.Max(denied))
	}
}

// lane writes one lane between its name and the most in one of its columns.
func (p *replayPage) lane(name string, gutter int, bars string, most int64) {
	pad := strings.Repeat(" ", gutter+2-ansi.StringWidth(name))
	p.b.WriteString(p.style.Paint(draw.Title, name) + pad + bars + " " + p.style.Paint(draw.Faint, p.style.Count(most, 7)) + "\n")
}

// refused lists the clients that a limiter refuses most, and how its denials are spread.
func (p *replayPage) refused(l *replay.Limiter) {
	if l.Summary.Denied == 0 {
		p.head(l.Name + " refuses nothing")
		return
	}
	p.head("most refused by " + l.Name)
	if p.flags.top.v == 0 {
		p.spread(l)
		return
	}
	p.b.WriteString(table(p.style, p.cells, p.refusedRows(l)))
	p.spread(l)
}

// refusedRows are the clients that a limiter refuses most, a row each under their heads, the names
// of clients and paths cut so that the table keeps to the page.
func (p *replayPage) refusedRows(l *replay.Limiter) [][]string {
	rows := [][]string{{p.noun(), "denied", "of its requests", "first denied"}}
	paths := []string{"most refused path"}
	for _, m := range l.Most(int(p.flags.top.v)) {
		rows = append(rows, []string{
			p.style.Text(p.clientName(m.Client)), number(m.Denied),
			percent(m.Denied, m.Requests) + " of " + number(m.Requests), p.moment(p.start+int64(m.First), "15:04:05.999"),
		})
		paths = append(paths, p.pathText(m))
	}
	alignRight(rows)
	if strings.Join(paths[1:], "") != "" { // the log has paths
		for r := range rows {
			rows[r] = append(rows[r], paths[r])
		}
	}
	p.narrow(rows)
	return rows
}

// narrow cuts the texts of rows to what the page has room for: paths first, then clients.
func (p *replayPage) narrow(rows [][]string) {
	const fewest = 17 // cells that say something yet, and the head of the paths
	over := -tableGap - p.cells
	for c := range rows[0] {
		over += widest(rows, c) + tableGap
	}
	for _, c := range []int{4, 0} {
		if c >= len(rows[0]) {
			continue
		}
		width := widest(rows, c)
		room := max(width-max(over, 0), min(width, fewest))
		over -= width - room
		for r := range rows {
			rows[r][c] = strings.TrimRight(p.style.Cut(rows[r][c], room), " ")
		}
	}
}

// widest is the width of a column.
func widest(rows [][]string, column int) int {
	cells := 0
	for _, row := range rows {
		cells = max(cells, ansi.StringWidth(row[column]))
	}
	return cells
}

// clientName is a client's name, or a word for those whose name the log does not tell.
func (r *replayed) clientName(id uint32) string {
	if name := r.clients.Name(id); name != "" {
		return name
	}
	return "(unknown)"
}

// pathText is the path that a client was refused most, and how often.
func (p *replayPage) pathText(m replay.Refused) string {
	if m.PathDenied == 0 || p.paths.Name(m.Path) == "" {
		return ""
	}
	mark := ""
	if m.PathAtLeast {
		mark = "≥"
	}
	return fmt.Sprintf("%s%d %s", mark, m.PathDenied, p.style.Text(p.paths.Name(m.Path)))
}

// spread says how denials are spread over clients.
func (p *replayPage) spread(l *replay.Limiter) {
	s := l.Spread()
	text := fmt.Sprintf("half of all denials fall on %s, nine tenths on %s of %s refused.",
		count(s.Half, p.noun()), number(s.Most), number(l.Touched))
	var bands []string
	for i, name := range replay.BandNames() {
		if s.Bands[i] > 0 {
			bands = append(bands, fmt.Sprintf("%s: %s", name, number(s.Bands[i])))
		}
	}
	nouns := map[string]string{"client": "Clients", "key": "Keys"}
	text += " " + nouns[p.noun()] + " by the share of their requests that is denied: " + strings.Join(bands, ", ") + "."
	p.b.WriteString(paragraphs(p.style, text, p.cells, 1))
}

// shifts says what the other policy decides differently.
func (p *replayPage) shifts() {
	if len(p.Shifts) == 0 {
		return
	}
	p.head(fmt.Sprintf("%s instead of %s", p.policies[1].title, p.policies[0].title))
	rows := [][]string{{"limiter", "now denied", "now allowed", "clients hit", "clients freed"}}
	for i := range p.Shifts {
		s := &p.Shifts[i]
		rows = append(rows, []string{p.algorithm(i), number(s.NowDenied), number(s.NowAllowed), number(s.Hit), number(s.Freed)})
	}
	p.b.WriteString(table(p.style, p.cells, alignRight(rows)))
	for i := range p.Shifts {
		if moved := p.movedText(&p.Shifts[i]); moved != "" {
			p.b.WriteString(paragraphs(p.style, p.algorithm(i)+": "+moved, p.cells, 1))
		}
	}
}

// algorithm is the name of limiter i of the first policy without the policy.
func (p *replayPage) algorithm(i int) string {
	return strings.TrimSuffix(p.limiters[i].Name, " "+p.policies[0].title)
}

// movedText lists the clients that a shift moves most.
func (p *replayPage) movedText(s *replay.Shift) string {
	var texts []string
	for _, m := range s.Moved[:min(len(s.Moved), 5)] {
		texts = append(texts, fmt.Sprintf("%s %d to %d", p.clientName(m.Client), m.This, m.Other))
	}
	if len(s.Moved) > 5 {
		texts = append(texts, fmt.Sprintf("and %d more", len(s.Moved)-5))
	}
	return strings.Join(texts, ", ")
}

// limitOf is a limiter's limit and, where it has one, its burst.
func limitOf(l *replay.Limiter) (algorithms.Limit, string) {
	if l.Spec.Bursts {
		return l.Policy.Limit, strconv.FormatInt(l.Policy.Capacity(), 10)
	}
	return l.Policy.Limit, ""
}

// limitText is a limiter's limit as a scenario has it.
func limitTextOf(l *replay.Limiter) string { return scenarios.FormatRate(l.Policy.Limit) }
