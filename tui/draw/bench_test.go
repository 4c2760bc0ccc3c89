package draw

import (
	"testing"

	"github.com/muesli/termenv"
)

// benchPicture is nine limiters on a page of 200 columns, in colour.
func benchPicture(b *testing.B) (*Picture, Page, *Style) {
	b.Helper()
	style := NewStyle(Options{Profile: termenv.TrueColor, Dark: true})
	for _, s := range scenes() {
		if s.name == "poisson" {
			pg := s.at(b, 200)
			return NewPicture(style, NewLayout(200, longest(pg.Results), names(pg.Results)...), pg.Results...), pg, style
		}
	}
	b.Fatal("no such scene")
	return nil, Page{}, nil
}

func BenchmarkLane(b *testing.B) {
	p, _, _ := benchPicture(b)
	for b.Loop() {
		p.Lane(0, 2)
	}
}

func BenchmarkLevelChart(b *testing.B) {
	p, _, _ := benchPicture(b)
	for b.Loop() {
		p.Chart(0, 5)
	}
}

func BenchmarkPage(b *testing.B) {
	_, pg, style := benchPicture(b)
	for b.Loop() {
		pg.Render(200, style)
	}
}

func BenchmarkSVG(b *testing.B) {
	_, pg, style := benchPicture(b)
	text := pg.Render(200, style)
	for b.Loop() {
		SVG(text, SVGOptions{Dark: true})
	}
}
