package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/b6db88e4/ratesim/sim"
)

// head is where the playhead stands: at an instant, with the selected limiter's calls up to number seq
// behind it. seq is −1 before the first.
type head struct {
	at  sim.Time
	seq int
}

// playback is how the run is played. Speed is a power of two of simulated time by real time.
type playback struct {
	playing bool
	speed   int // 2^speed
	turn    int // of ticks: those of an earlier turn are stale
	last    time.Time
}

// The speeds: from a thousandfold slow motion for runs of milliseconds to a month in seconds.
const (
	slowest = -20
	fastest = 20
)

// factor writes a speed: 8×, 1/16×.
func factor(speed int, times string) string {
	if speed < 0 {
		return fmt.Sprintf("1/%d%s", 1<<-speed, times)
	}
	return fmt.Sprintf("%d%s", 1<<speed, times)
}

// speedFor is the speed at which a length of time takes about ten seconds.
func speedFor(length sim.Time) int {
	speed := 0
	const wanted = sim.Time(10 * time.Second)
	for speed < fastest && length>>speed > wanted*3/2 {
		speed++
	}
	for speed > slowest && speed <= 0 && length<<-speed < wanted*3/4 {
		speed--
	}
	return speed
}

// passed is how much simulated time passes in so much real time.
func (p playback) passed(real time.Duration) sim.Time {
	const most = 250 * time.Millisecond // a program that was stopped does not jump
	real = min(max(real, 0), most)
	if p.speed < 0 {
		return max(sim.Time(real)>>-p.speed, 1)
	}
	return sim.Time(real) << p.speed
}

// frame is how often the playhead moves while playing.
const frame = time.Second / 30

// tickMsg moves the playhead on.
type tickMsg struct {
	turn int
	now  time.Time
}

func tick(turn int) tea.Cmd {
	return tea.Tick(frame, func(now time.Time) tea.Msg { return tickMsg{turn, now} })
}

// start plays on, from the beginning if the playhead stands at the end.
func (m Model) start() (Model, tea.Cmd) {
	if m.head.at >= m.scene.plan.Duration {
		m.head = m.calls().on(-1)
		m.port = m.port.showing(0, m.scene.plan.Duration)
	}
	m.play.playing, m.play.last = true, time.Time{}
	m.play.turn++
	return m, tick(m.play.turn)
}

// stop stops playing.
func (m Model) stop() Model {
	m.play.playing = false
	m.play.turn++
	return m
}

// ticked moves the playhead by the time that has passed since the last tick.
func (m Model) ticked(msg tickMsg) (Model, tea.Cmd) {
	if msg.turn != m.play.turn || !m.play.playing {
		return m, nil
	}
	real := frame
	if !m.play.last.IsZero() {
		real = msg.now.Sub(m.play.last)
	}
	m.play.last = msg.now
	end := m.scene.plan.Duration
	if !m.scene.done {
		end = m.scene.reached
	}
	at := end
	if passed := m.play.passed(real); passed < end-m.head.at {
		at = m.head.at + passed
	}
	m.head = m.calls().upTo(at)
	m.port = m.port.showing(at, m.scene.plan.Duration)
	if at == m.scene.plan.Duration {
		m = m.stop()
		if m.lesson.stage == showing {
			m = m.reveal()
		}
		return m, nil
	}
	return m, tick(m.play.turn)
}
