package sim

import "github.com/b6db88e4/ratesim/sim/traffic"

type fixedT struct {
	r []traffic.Request
	i int
}

func (f *fixedT) Next() (traffic.Request, bool) {
	if f.i == len(f.r) {
		return traffic.Request{}, false
	}
	f.i++
	return f.r[f.i-1], true
}
