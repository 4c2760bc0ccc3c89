package tui

import (
	"slices"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
)

// drawn is what is on screen and what it was made of, so that only what changed is drawn again.
type drawn struct {
	layout  layout
	around  []string // what stands around the limiters
	lanes   canvas   // what board was made of
	board   *draw.Board
	gutters [][]string // what stands beside the small lanes, by limiter on the board
	levels  canvas     // what charts were made of
	charts  []chart
	table   table // what rows were made of
	rows    []string
	screen  string
}

// canvas is what lanes, or charts, depend on.
type canvas struct {
	scene    *scene
	port     port
	layout   layout
	selected int // for charts
	off      []bool
}

func (c canvas) same(o canvas) bool {
	return c.scene == o.scene && c.port == o.port && c.layout == o.layout && c.selected == o.selected && slices.Equal(c.off, o.off)
}

// chart is a level chart that is ready to be shown.
type chart struct {
	plot *draw.Plot // nil if the limiter has no level, or the run is not that far
	lane int        // columns
}

// redraw brings what is on screen up to date. Every change of the model ends here.
func (m Model) redraw() Model {
	if m.width == 0 {
		return m
	}
	if ready(&m) {
		m.drawn.around = m.aroundLines()
		m.drawn.layout = m.layout()
		m = m.explain().tell()
		m = m.prepare()
		m = m.tabulate()
	}
	m.drawn.screen = m.compose()
	return m
}

// layout is how the window is divided at present.
func (m *Model) layout() layout {
	shown := m.shown()
	name := 0
	for _, i := range shown {
		name = max(name, cells(m.style.Text(m.scene.plan.Limiters[i].Name)))
	}
	return newLayout(m.width, m.height, content{
		name: name, limiters: len(shown), selected: max(slices.Index(shown, m.selected), 0), right: m.numbersWidth(),
		around: len(m.drawn.around), chartless: m.chartless(), strips: len(m.scene.strips),
	})
}

// chartless reports whether there is no level to chart: what several servers hold is not one.
func (m *Model) chartless() bool {
	return m.scene.plan.System != nil && m.scene.plan.System.Servers != nil
}

// prepare draws lanes and charts, if what they depend on has changed.
func (m Model) prepare() Model {
	l := m.drawn.layout
	l.first = 0 // the board has all lanes, whichever are in sight
	if lanes := (canvas{m.scene, m.port, l, 0, m.off}); m.drawn.board == nil || !lanes.same(m.drawn.lanes) {
		m.drawn.lanes = lanes
		p := m.picture(m.aligned(), m.scene.counts(m.port, l.lane, m.shown())...).WithStrips(m.scene.strips)
		m.drawn.board, m.drawn.gutters = p.Board(l.rows, l.traffic), nil
		for i := range m.shown() {
			m.drawn.gutters = append(m.drawn.gutters, p.StripGutters(i))
		}
	}
	if levels := (canvas{m.scene, m.port, l, m.selected, m.off}); !levels.same(m.drawn.levels) {
		m.drawn.levels = levels
		m.drawn.charts = m.plots()
	}
	return m
}

// aligned is the layout of what stands in line with the lanes.
func (m *Model) aligned() draw.Layout {
	l := m.drawn.layout
	return draw.Layout{Width: l.gutter + l.lane + 1, Gutter: l.gutter, Lane: l.lane}
}

// picture is the part of the run on screen.
func (m *Model) picture(l draw.Layout, results ...*sim.Result) *draw.Picture {
	p := draw.NewPicture(m.style, l, results...)
	p.From = m.port.from
	return p
}

// plots are the level charts: of the selected limiter in line with the lanes, or where there is room
// for two, beside that of the next one that has a level.
func (m *Model) plots() []chart {
	l := m.drawn.layout
	if !m.scene.leveled() {
		return nil
	}
	if !l.wide {
		return []chart{m.plot(m.selected, m.aligned())}
	}
	half := draw.Layout{Width: l.width / 2, Gutter: l.gutter, Lane: l.width/2 - l.gutter - 1}
	out := []chart{m.plot(m.selected, half)}
	if other := m.companion(); other >= 0 {
		out = append(out, m.plot(other, half))
	}
	return out
}

func (m *Model) plot(limiter int, l draw.Layout) chart {
	return chart{m.picture(l, m.scene.levels(m.port, l.Lane, limiter)).Plot(0, m.drawn.layout.chart-1), l.Lane}
}

// companion is the limiter whose level is charted beside that of the selected one, or −1: the next
// one shown that has a level.
func (m *Model) companion() int {
	shown := m.shown()
	at := slices.Index(shown, m.selected)
	for i := 1; i < len(shown); i++ {
		other := shown[(at+i)%len(shown)]
		if m.scene.plan.Limiters[other].Spec.Gauge.Name != "" {
			return other
		}
	}
	return -1
}

// playhead is where the playhead stands among so many columns.
func (m *Model) playhead(columns int) draw.Playhead {
	h := draw.Playhead{Column: m.port.column(m.head.at, columns), Hide: m.hides()}
	if m.head.at == m.scene.plan.Duration && h.Column == columns && m.port.from+m.port.span == m.head.at {
		h.Column-- // the end of the run is part of its last column
	}
	if h.Hide && m.head.seq < 0 {
		h.Column = -1
	}
	return h
}

// filling marks in the selected lane what fills its window at the playhead; nil if nothing does.
func (m *Model) filling(columns int) *draw.Filling {
	e := m.current()
	if e == nil || !e.Counts || m.hides() || !m.kept(m.head.at) {
		return nil
	}
	f := &draw.Filling{From: max(m.port.column(e.Since, columns), 0), Columns: make([]bool, columns)}
	for _, seq := range e.Filling {
		if col := m.port.column(m.scene.steps.At[seq], columns); col >= 0 && col < columns {
			f.Columns[col] = true
		}
	}
	return f
}
