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

func TestLevelsThatDecideHaveALineOfTheirOwn(t *testing.T) {
	tokens := gaugeScale{capacity: 10 * unit, top: 5, restsFull: true}
	count := gaugeScale{capacity: 10 * unit, top: 5}
	for _, c := range []struct {
		story string
		scale gaugeScale
		level int64
		want  int
	}{
		{"no token", tokens, 0, 0},
		{"not quite one token denies like none", tokens, 999, 0},
		{"one token", tokens, 1000, 1},
		{"about half", tokens, 5500, 3},
		{"not quite full", tokens, 9999, 4},
		{"full", tokens, 10_000, 5},
		{"beyond full", tokens, 20_000, 5},
		{"below nothing", tokens, -1, 0},
		{"nothing counted", count, 0, 0},
		{"a thousandth", count, 1, 1},
		{"room for just one more", count, 9000, 4},
		{"no room for one more", count, 9001, 5},
		{"full", count, 10_000, 5},
		{"a capacity of one has no lines between", gaugeScale{capacity: unit, top: 5, restsFull: true}, 999, 0},
		{"and is full with one", gaugeScale{capacity: unit, top: 5, restsFull: true}, 1000, 5},
		{"counted half of one", gaugeScale{capacity: unit, top: 5}, 500, 5},
	} {
		if got := c.scale.row(c.level); got != c.want {
			t.Errorf("%s: level %d is on line %d, want %d", c.story, c.level, got, c.want)
		}
	}
}

func TestAHigherLevelIsNeverOnALowerLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := gaugeScale{capacity: rapid.Int64Range(1, algorithms.MaxUnits).Draw(t, "capacity") * unit,
			top: rapid.IntRange(3, 20).Draw(t, "top"), restsFull: rapid.Bool().Draw(t, "rests full")}
		a, b := anyCount().Draw(t, "a"), anyCount().Draw(t, "b")
		if g.row(min(a, b)) > g.row(max(a, b)) || g.row(b) < 0 || g.row(b) > g.top {
			t.Fatalf("levels %d and %d are on lines %d and %d of %d", a, b, g.row(a), g.row(b), g.top)
		}
	})
}

func TestChartShowsBothExtremesOfAColumn(t *testing.T) {
	g := flat(emptyGrid(43, 43), 4000)
	g.Low[10] = 0                      // all spent within one column, and there again at its end
	g.Low[20], g.High[20] = 2000, 3000 // falls
	for i := 21; i < 43; i++ {         // and stays
		g.Low[i], g.High[i] = 2000, 2000 //
	}
	g.High[30] = 4000 // full for a moment
	r := &sim.Result{Name: "bucket", Spec: bucketSpec("bucket"), Policy: policy(4, time.Second), Grid: g}
	p := NewPicture(NewStyle(Options{Profile: termenv.Ascii}), NewLayout(MinWidth, 43, r.Name), r)
	want := strings.Join([]string{
		"              4┼──────────╮╭────────╮┄┄┄┄┄┄┄┄┄┊┄┄┄┄┄┄┄┄┄┄┄┄ ",
		" bucket        ┤          ││        │         ┊             ",
		" tokens left   ┤          ││        ╰────────────────────── ",
		"               ┤          ││                                ",
		"              0┤          ╰╯                                ",
	}, "\n")
	if got := strings.Join(p.Chart(0, 4), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoChartWithoutALevel(t *testing.T) {
	spec := &algorithms.Spec{Name: "unlimited"}
	p := NewPicture(NewStyle(Options{}), NewLayout(80, 5),
		&sim.Result{Name: "a", Spec: spec, Grid: flat(emptyGrid(5, 5), 1)},
		&sim.Result{Name: "b", Spec: windowSpec("b"), Grid: emptyGrid(5, 5)})
	if p.Chart(0, 5) != nil || p.Chart(1, 5) != nil {
		t.Error("a chart of nothing")
	}
}
