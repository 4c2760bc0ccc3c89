package draw

import (
	"strings"
	"testing"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

// counts of one column.
type counts struct{ admitted, delayed, denied, released int64 }

// drawn is a lane of these columns, from its first to its last, without the free ones after them.
func drawn(t *testing.T, o Options, rows int, lane ...counts) []string {
	t.Helper()
	layout := NewLayout(MinWidth, 0)
	g := emptyGrid(layout.Lane, sim.Time(layout.Lane))
	for i, c := range lane {
		g.Admitted[i], g.Delayed[i], g.Denied[i], g.Released[i] = c.admitted, c.delayed, c.denied, c.released
	}
	p := NewPicture(NewStyle(o), layout, &sim.Result{Name: "x", Spec: windowSpec("x"), Policy: policy(1, time.Second), Grid: g})
	var out []string
	for _, line := range p.lane(&p.columns[0], rows) {
		out = append(out, p.style.paint(line[:len(lane)]))
	}
	return out
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		story                   string
		in                      counts
		two, one, ascii, asciiO string // bar and mark; all in one row; the same in ASCII
	}{
		{"nothing", counts{}, " ▔", " ", " _", " "},
		{"all went ahead", counts{admitted: 80}, "█▔", "█", "#_", "#"},
		{"one of many went ahead", counts{admitted: 1}, "▁▔", "▁", "._", "."},
		{"half went ahead", counts{admitted: 40}, "▄▔", "▄", ":_", ":"},
		{"a few denied", counts{denied: 40}, " ×", "×", " x", "x"},
		{"many denied", counts{denied: 41}, " ╳", "╳", " X", "X"},
		{"some of each", counts{admitted: 40, denied: 40}, "▄×", "▚", ":x", "&"},
		{"had to wait", counts{delayed: 3}, " o", "o", " o", "o"},
		{"one at once, the rest had to wait", counts{admitted: 1, delayed: 9}, "▁o", "▁", ".o", "."},
		{"some had to wait, some were denied", counts{delayed: 3, denied: 3}, " ø", "▚", " %", "&"},
		{"released", counts{released: 80}, "⣿▔", "⣿", "=_", "="},
		{"a few released", counts{released: 20}, "⣀▔", "⣀", "-_", "-"},
		{"most of what went ahead had waited", counts{admitted: 1, released: 2}, "⣀▔", "⣀", "-_", "-"},
		{"released while others are denied", counts{released: 20, denied: 1}, "⣀×", "▚", "-x", "&"},
	} {
		full := counts{admitted: 80} // sets the scale
		for _, v := range []struct {
			ascii bool
			rows  int
			want  string
		}{{false, 2, c.two}, {false, 1, c.one}, {true, 2, c.ascii}, {true, 1, c.asciiO}} {
			lane := drawn(t, Options{Profile: termenv.Ascii, ASCII: v.ascii}, v.rows, c.in, full)
			got := ""
			for _, row := range lane {
				got += string([]rune(row)[:1])
			}
			if got != v.want {
				t.Errorf("%s, on %d rows, ASCII %t: %q, want %q", c.story, v.rows, v.ascii, got, v.want)
			}
		}
	}
}

func TestBarsOfSeveralRows(t *testing.T) {
	got := strings.Join(drawn(t, Options{Profile: termenv.Ascii}, 4,
		counts{admitted: 240}, counts{admitted: 160}, counts{admitted: 85}, counts{admitted: 1, denied: 1}, counts{}), "\n")
	want := "" +
		"█    \n" +
		"██▁  \n" +
		"███▁ \n" +
		"▔▔▔×▔"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestScaleIsTheLimitersOwnUnderAFloodOfRequests(t *testing.T) {
	result := func(name string, admitted, denied int64) *sim.Result {
		g := emptyGrid(40, 40)
		g.Admitted[0], g.Denied[0] = admitted, denied
		return &sim.Result{Name: name, Spec: windowSpec(name), Policy: policy(1, time.Second), Grid: g}
	}
	for _, c := range []struct {
		story   string
		results []*sim.Result
		scale   int64
		traffic rune // on top of the traffic's bar
	}{
		{"nobody holds anything back", []*sim.Result{result("a", 100, 0)}, 100, '█'},
		{"half is let through", []*sim.Result{result("a", 50, 50)}, 100, '█'},
		{"little is let through", []*sim.Result{result("a", 10, 90), result("b", 20, 80)}, 20, '▲'},
		{"little, beside one that lets all through", []*sim.Result{result("a", 10, 90), result("b", 100, 0)}, 10, '▲'},
		{"nothing is let through", []*sim.Result{result("a", 0, 100)}, 100, '█'},
		{"nothing came", []*sim.Result{result("a", 0, 0)}, 1, ' '},
	} {
		p := NewPicture(NewStyle(Options{Profile: termenv.Ascii}), NewLayout(MinWidth, 40), c.results...)
		if top := p.traffic(2)[0][0].glyph; p.scale != c.scale || top != c.traffic {
			t.Errorf("%s: scale %d, the traffic's top is %c; want %d and %c", c.story, p.scale, top, c.scale, c.traffic)
		}
	}
}

func TestEdgesAreDrawnWhereTheyTellSomething(t *testing.T) {
	const n = 40
	for _, c := range []struct {
		story string
		every int
		want  int
	}{{"few", 10, 4}, {"as many as there is room for", 5, 8}, {"one in every column", 1, 0}, {"none", 1000, 0}} {
		g := emptyGrid(n, n)
		for i := c.every - 1; i < n; i += c.every {
			g.Edges[i] = true
		}
		p := NewPicture(NewStyle(Options{}), Layout{Width: 60, Gutter: 19, Lane: n, Gap: 1},
			&sim.Result{Name: "x", Spec: windowSpec("x"), Policy: policy(1, time.Second), Grid: g})
		if got := strings.Count(p.Lane(0, 2)[0], "┊"); got != c.want {
			t.Errorf("%s: %d edges drawn, want %d", c.story, got, c.want)
		}
	}
}

func TestColumnsKeepEveryRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lane := rapid.IntRange(1, 250).Draw(t, "columns")
		counts := rapid.SliceOfN(rapid.Int64Range(0, 1e12), lane, 4*lane).Draw(t, "buckets")
		var want, got int64
		for _, n := range counts {
			want += n
		}
		for _, n := range sums(counts, len(counts), lane) {
			got += n
		}
		if got != want {
			t.Fatalf("%d requests in %d buckets became %d in %d columns", want, len(counts), got, lane)
		}
	})
}

func TestColumnsOfFewBucketsRepeatThem(t *testing.T) {
	g := sim.Grid{Span: 3, Admitted: []int64{1, 2, 3}, Low: []algorithms.Milli{1, 2, 3}, High: []algorithms.Milli{4, 5, 6}, Edges: []bool{false, true, false}}
	c := newColumns(&g, 7)
	for i, want := range []int64{1, 1, 2, 2, 3, 3, 3} {
		if c.admitted[i] != want || c.low[i] != want || c.high[i] != want+3 {
			t.Errorf("column %d: %d admitted, level %d to %d", i, c.admitted[i], c.low[i], c.high[i])
		}
		if c.edge[i] != (i == 2) {
			t.Errorf("column %d: an edge is %t", i, c.edge[i])
		}
	}
}

func TestColumnsOfManyBucketsKeepExtremes(t *testing.T) {
	g := sim.Grid{Span: 4, Admitted: []int64{1, 2, 3, 4}, Low: []algorithms.Milli{5, 1, 7, 9}, High: []algorithms.Milli{6, 8, 7, 10}}
	c := newColumns(&g, 2)
	if c.admitted[0] != 3 || c.admitted[1] != 7 || c.low[0] != 1 || c.high[0] != 8 || c.low[1] != 7 || c.high[1] != 10 {
		t.Errorf("got %+v", c)
	}
}

func TestTicksBeginColumnsWhereTheyCan(t *testing.T) {
	for _, c := range []struct {
		story string
		span  sim.Time
		cells int
		want  int // columns of the lanes
	}{
		{"two minutes in halves and quarters", 2 * minute, 60, 43 - 43%4},
		{"ten seconds in steps of two", 10 * second, 80, 63 - 63%5},
		{"a length that nothing divides", 3_419_996_812_000, 80, 63},
		{"no length", 0, 80, 63},
	} {
		got := LaneWidth(c.cells, c.span)
		if got != c.want {
			t.Errorf("%s: %d columns, want %d", c.story, got, c.want)
		}
	}
}

func TestBurstsOnBothSidesOfARoundInstantStandInTwoColumns(t *testing.T) {
	s := scenes()[0] // 100 requests just before 1m, 100 just after
	for cells := MinWidth; cells <= MaxWidth; cells += 5 {
		pg := s.at(t, cells)
		p := NewPicture(NewStyle(Options{}), NewLayout(cells, longest(pg.Results), names(pg.Results)...), pg.Results...)
		if p.scale != 100 {
			t.Errorf("at %d cells the fullest column has %d requests", cells, p.scale)
		}
	}
}
