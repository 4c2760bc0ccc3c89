package tui

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/traffic"
)

// million is a plan of a million requests and all algorithms. Of several clients the first sends
// every other request.
func million(b *testing.B, clients int) *sim.Plan {
	const n = 1_000_000
	requests := make([]traffic.Request, n)
	names := make([]string, clients)
	for i := range names {
		names[i] = fmt.Sprintf("client-%d", i)
	}
	for i := range requests {
		at := sim.Time(i)*1e6 + sim.Time(i*7919%1000)*900
		requests[i] = traffic.Request{At: at, Cost: 1, Client: uint32(i % 2 * (i / 2 % clients))}
	}
	limit := algorithms.Limit{N: 1000, Per: 2 * time.Second}
	return planOf(b, requests, n*time.Millisecond, algorithms.Policy{Limit: limit, Burst: 100}, names...)
}

// BenchmarkOpen is from the start to the first picture of a run of a million requests, at 200×60.
func BenchmarkOpen(b *testing.B) {
	for _, clients := range []int{1, 1000} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			plan := million(b, clients)
			for b.Loop() {
				m := NewRun(Options{Style: plainStyle()}, "million", plan)
				next, _ := m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
				next, _ = next.Update(m.Init()())
				if next.(Model).drawn.board == nil {
					b.Fatal("no picture")
				}
			}
		})
	}
}

// BenchmarkKey is a key in a run of a million requests, at 200×60, up to the new picture.
func BenchmarkKey(b *testing.B) {
	for _, clients := range []int{1, 1000} {
		m := opened(b, NewRun(Options{Style: plainStyle()}, "million", million(b, clients)), 200, 60)
		for _, state := range []struct{ name, before, key, back string }{
			{"step", "end left left", "left", "right"},
			{"step-close", "end z left left", "left", "right"},
			{"denial", "end", "N", "n"},
			{"column", "end H H H H H H H H H", "H", "L"},
			{"zoom", "end H H H H H H", "+", "-"},
			{"zoom-close", "end H H H H + + + + + +", "+", "-"},
			{"algorithm", "end", "j", "k"},
		} {
			b.Run(fmt.Sprintf("%s/clients=%d", state.name, clients), func(b *testing.B) {
				m := press(m, state.before)
				for i := 0; b.Loop(); i++ {
					key := state.key
					if i%2 == 1 {
						key = state.back
					}
					next, _ := m.Update(keyOf(key))
					m = next.(Model)
				}
			})
		}
	}
}

// BenchmarkView is View alone; BenchmarkTick a frame of playing.
func BenchmarkView(b *testing.B) {
	m := press(opened(b, NewRun(Options{Style: plainStyle()}, "million", million(b, 1)), 200, 60), "end left")
	for b.Loop() {
		_ = m.View()
	}
}

func BenchmarkTick(b *testing.B) {
	m := press(opened(b, NewRun(Options{Style: plainStyle()}, "million", million(b, 1)), 200, 60), "space")
	for i := int64(0); b.Loop(); i++ {
		next, _ := m.Update(tickMsg{m.play.turn, time.Unix(0, i*int64(frame))})
		m = next.(Model)
		if !m.play.playing {
			m = press(m, "home space")
		}
	}
}

// BenchmarkMemory reports what the program holds once a run of a million requests is shown.
func BenchmarkMemory(b *testing.B) {
	plan := million(b, 1)
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		m := opened(b, NewRun(Options{Style: plainStyle()}, "million", plan), 200, 60)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB-held")
		runtime.KeepAlive(m)
	}
}
