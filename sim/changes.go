package sim

// Which limits change, as a change's event says: the schedule's entry of a rule, or what the
// service's queue asks for.
const lookAtLoad = -1

// postChanges posts the limits' schedule and the first look at the service's queue.
func (f *flow) postChanges() {
	for _, r := range f.gate.rules {
		for i, c := range r.enforced.Changes {
			f.lane.queue.post(event{at: c.At, kind: change, subject: uint32(r.number), cost: int64(i)})
		}
	}
	f.postLook(0)
}

// postLook posts the next look at the service's queue. Looking ends with the run.
func (f *flow) postLook(now Time) {
	if load := f.sys.Load; load != nil && f.service != nil && later(now, load.Every) < f.lane.plan.Duration {
		f.lane.queue.post(event{at: now + load.Every, kind: change, cost: lookAtLoad})
	}
}

// changeLimits carries out a change of limits.
func (f *flow) changeLimits(e event) {
	if e.cost == lookAtLoad {
		f.followLoad(e.at)
		return
	}
	r := f.gate.rules[e.subject]
	r.scheduled = int(e.cost) + 1
	f.adjust(e.at, r)
}

// followLoad looks at the service's queue.
func (f *flow) followLoad(now Time) {
	n, load := f.service.queue.n, f.sys.Load
	was := f.loaded
	f.loaded = n >= load.Above || was && n > load.Below
	if f.loaded != was {
		for _, r := range f.gate.rules {
			if r.enforced.Loaded != nil {
				f.adjust(now, r)
			}
		}
	}
	f.postLook(now)
}

// adjust puts a rule under the policy that holds now: that of a long queue, or that of its schedule.
func (f *flow) adjust(now Time, r *rule) {
	e := r.enforced
	policy, maker := e.Policy, e.Maker
	switch {
	case f.loaded && e.Loaded != nil:
		policy, maker = e.Loaded.Policy, e.Loaded.Maker
	case r.scheduled > 0:
		policy, maker = e.Changes[r.scheduled-1].Policy, e.Changes[r.scheduled-1].Maker
	}
	f.lane.grid.look(now)
	r.keys.table.Adjust(now, maker)
	r.policy, r.capacity = policy, e.Spec.Capacity(policy)
	if Time(policy.Limit.Per) == r.trail.period {
		r.trail.limit = policy.Limit.N
	}
	f.lane.grid.look(now)
	f.wakeAll(now)
}
