package servers

import (
	"cmp"
	"slices"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/random"
)

// owner passes each request on to the server that owns its key, which decides by its own clock. Only
// servers that belong to the ring are asked; all of them know at once who does.
type owner struct {
	*Cluster
	ring  ring
	draw  random.Stream
	moves []Move // still to come, in order of time
	keys  []owned
}

// owned is a key and its owner.
type owned struct {
	limiter algorithms.Limiter // nil: nobody has asked yet
	server  uint8
	moved   bool   // and nobody has asked since
	window  uint64 // 1 + number of the window that what follows belongs to
	times   int64  // how many times the limit its owners may have admitted
	moves   int64  // how often it moved between two requests
}

func newOwner(c *Cluster) way {
	o := &owner{
		Cluster: c, ring: newRing(c.cfg),
		draw:  random.New(c.cfg.Seed, "servers peers"),
		moves: slices.Clone(c.cfg.Moves),
	}
	slices.SortStableFunc(o.moves, byTime)
	c.router.live = members(c.cfg.Count, o.moves)
	return o
}

func byTime(a, b Move) int { return cmp.Compare(a.At, b.At) }

// members is who belongs to the ring at first: all but those whose first move is to join.
func members(count int, moves []Move) uint64 {
	all, moved := uint64(1)<<count-1, uint64(0)
	for _, m := range moves {
		if bit := uint64(1) << m.Server; moved&bit == 0 {
			moved |= bit
			if m.Joins {
				all &^= bit
			}
		}
	}
	return all
}

// after is who belongs to the ring after a move.
func (m Move) after(members uint64) uint64 {
	if m.Joins {
		return members | 1<<m.Server
	}
	return members &^ (1 << m.Server)
}

// advance implements way: servers leave and join. Keys that have another owner begin afresh.
func (o *owner) advance(now Time) {
	for len(o.moves) > 0 && o.moves[0].At <= now {
		o.router.live = o.moves[0].after(o.router.live)
		o.moves = o.moves[1:]
		for key := range o.keys {
			k := &o.keys[key]
			if k.limiter == nil {
				continue
			}
			if to := o.ring.owner(uint32(key), o.router.live); to != k.server {
				k.server, k.moved, k.limiter = to, true, o.limit.Maker.New()
			}
		}
	}
}

// of is a key, with an owner.
func (o *owner) of(key uint32) *owned {
	if int(key) >= len(o.keys) {
		o.keys = extended(o.keys, key)
	}
	k := &o.keys[key]
	if k.limiter == nil {
		k.server, k.limiter = o.ring.owner(key, o.router.live), o.limit.Maker.New()
	}
	return k
}

// ask implements way.
func (o *owner) ask(now Time, id uint32) { o.arrive(now, id) }

// take implements way.
func (o *owner) take(now Time, id uint32) {
	if o.all[id].step == returning {
		o.finish(now, id)
		return
	}
	o.arrive(now, id)
}

// arrive decides where the key's owner is, and otherwise passes the request on: half a round trip,
// however often. The answer goes straight back to the server that was asked, which takes the other
// half.
func (o *owner) arrive(now Time, id uint32) {
	f := &o.all[id]
	k := o.of(f.key)
	if f.place != k.server {
		f.place, f.trip = k.server, o.cfg.Peer.Draw(&o.draw)
		o.after(now, f.trip/2, id, arriving)
		return
	}
	o.decide(now, f, k.limiter)
	o.enforced(k)
	if f.place == f.server {
		o.finish(now, id)
		return
	}
	o.after(now, f.trip-f.trip/2, id, returning)
}

// enforced notes which owners have decided within the window: each may admit the limit once, and
// twice if its clock cuts the window.
func (o *owner) enforced(k *owned) {
	cuts := o.clocks.cuts(int(k.server), o.ledger.period)
	switch {
	case k.window != o.ledger.window+1:
		k.window, k.times, k.moves = o.ledger.window+1, cuts, 0
	case k.moved:
		k.times += cuts
		k.moves++
	}
	k.moved = false
	o.ledger.report.Moves = max(o.ledger.report.Moves, k.moves)
	o.ledger.bound(k.times)
}

// report implements way.
func (o *owner) report(*Report) {}
