package draw_test

import (
	"fmt"
	"time"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/tui/draw"
	"github.com/muesli/termenv"
)

// A page of one limiter that denied the last of three requests.
func Example() {
	const buckets = 4
	result := &sim.Result{
		Name:    "one a second",
		Spec:    &algorithms.Spec{Name: "one a second"},
		Policy:  algorithms.Policy{Limit: algorithms.Limit{N: 1, Per: time.Second}},
		Summary: sim.Summary{Offered: 3, Admitted: 2, Denied: 1, UnitsOffered: 3, UnitsAdmitted: 2, UnitsDenied: 1, Peak: 1, PeakRatio: 1, LongestDenials: 1, Clients: 1},
		Grid: sim.Grid{
			Span:     4e9,
			Admitted: []int64{1, 1, 0, 0}, Denied: []int64{0, 0, 1, 0},
			Delayed: make([]int64, buckets), Released: make([]int64, buckets),
		},
	}
	style := draw.NewStyle(draw.Options{Profile: termenv.Ascii, ASCII: true})
	page := draw.Page{Title: "Three requests", Limit: "1/s", Results: []*sim.Result{result}, Rows: 2}
	fmt.Print(page.Render(60, style))
	// Output:
	// Three requests            limit 1/s - 4s - 1 column = 100ms
	//
	//                 0s       1s        2s        3s       4s
	//                 |---------+---------+---------+--------|
	//  3 requests     ##############################
	//
	//  one a second   ####################
	//                 ____________________xxxxxxxxxx__________
	//  # went ahead   x denied
	//
	//                          requests      peak in 1s    denied
	//                   admitted denied  units ratio     in a row
	//  one a second            2      1      1 1.00x ok         1
}
