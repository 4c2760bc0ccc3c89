package servers

import "github.com/b6db88e4/ratesim/algorithms"

// flight is something under way: a call, or what servers tell each other. A message names its flight.
type flight struct {
	decision algorithms.Decision
	state    algorithms.Limiter // CentralRacy: the key's state, as read or to be written
	at       Time               // when the decision was made
	sent     Time               // when the trip under way began
	trip     Time               // how long it takes, there and back
	cost     int64
	call     uint32
	key      uint32 // Async: which broadcast
	server   uint8  // that was asked
	place    uint8  // Owner: where the request is
	step     step
	failed   Failure
	writes   bool // CentralRacy: the trip is to write, not to read
	silent   bool // its call has been answered
}

// step is what a flight does when its message comes back.
type step uint8

const (
	arriving  step = iota // at the store, or at the owner
	returning             // at the server that was asked, with what the store or the owner answered
	failing               // at the server that was asked, which now knows that there will be no answer
	telling               // Async: a server broadcasts
	hearing               // Async: a server hears a broadcast
)

// flights keeps what is under way. Places are used again, so that a call costs no memory of its own.
type flights struct {
	all  []flight
	free []uint32
}

// add keeps a flight, and names it until it is dropped.
func (f *flights) add(x flight) uint32 {
	if n := len(f.free); n > 0 {
		id := f.free[n-1]
		f.free = f.free[:n-1]
		f.all[id] = x
		return id
	}
	f.all = append(f.all, x)
	return uint32(len(f.all) - 1)
}

// drop ends a flight. Its place may be taken by the next one.
func (f *flights) drop(id uint32) {
	f.all[id].state = nil
	f.free = append(f.free, id)
}
