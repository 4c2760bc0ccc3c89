package sim

import "slices"

// SystemGrid is what a Grid counts of a run with a System, in the same buckets.
type SystemGrid struct {
	Wanted    []int64 // requests, by the instant at which their clients first want to send them
	Degraded  []int64 // calls that got a cheap answer, by decision
	Again     []int64 // calls decided that were not the first of their request
	Succeeded []int64 // requests, by the instant of the full answer
	Queue     []int64 // most calls that waited for a worker; nil without a service
	Latency   []Time  // longest from sending to a full answer, by the instant of the answer; nil without a service

	// What came when the run was over, while it drained, and is in no bucket.
	SucceededLater int64 // requests
	DecidedLater   int64 // calls, however they were decided
}

// flowRecorder fills a SystemGrid. The recorder whose present bucket it follows tells it when a
// bucket ends.
type flowRecorder struct {
	SystemGrid
	length int64 // of the queue now
}

func newFlowRecorder(n int, service bool) *flowRecorder {
	r := &flowRecorder{SystemGrid: SystemGrid{
		Wanted: make([]int64, n), Degraded: make([]int64, n), Again: make([]int64, n), Succeeded: make([]int64, n),
	}}
	if service {
		r.Queue, r.Latency = make([]int64, n), make([]Time, n)
	}
	return r
}

// open begins a bucket with the queue as it stands.
func (r *flowRecorder) open(bucket int) {
	if r.Queue != nil {
		r.Queue[bucket] = r.length
	}
}

// wanted counts a request whose client first wants to send it.
func (g *recorder) wanted() {
	if r := g.flow; g.now < len(r.Wanted) {
		r.Wanted[g.now]++
	}
}

// queued notes the length of the service's queue.
func (g *recorder) queued(n int) {
	r := g.flow
	r.length = int64(n)
	if g.now < len(r.Queue) {
		r.Queue[g.now] = max(r.Queue[g.now], r.length)
	}
}

// succeeded counts a full answer that came so long after its call was sent.
func (g *recorder) succeeded(latency Time) {
	r := g.flow
	if g.now == len(r.Succeeded) {
		r.SucceededLater++
		return
	}
	r.Succeeded[g.now]++
	if r.Latency != nil {
		r.Latency[g.now] = max(r.Latency[g.now], latency)
	}
}

// decided counts, of a call that was decided, that it got a cheap answer and that it was not the first.
func (g *recorder) decided(degraded, again bool) {
	r := g.flow
	if g.now == len(r.Degraded) {
		r.DecidedLater++
		return
	}
	if degraded {
		r.Degraded[g.now]++
	}
	if again {
		r.Again[g.now]++
	}
}

// view is a copy of what has been recorded so far.
func (r *flowRecorder) view() *SystemGrid {
	if r == nil {
		return nil
	}
	return &SystemGrid{
		slices.Clone(r.Wanted), slices.Clone(r.Degraded), slices.Clone(r.Again), slices.Clone(r.Succeeded),
		slices.Clone(r.Queue), slices.Clone(r.Latency),
		r.SucceededLater, r.DecidedLater,
	}
}
