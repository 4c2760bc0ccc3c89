package cmd

import (
	"strconv"

	"github.com/b6db88e4/ratesim/sim"
)

// callFields are the fields that a line has besides where there is a system around the limiters, and
// the line is about a call: one sending of a request.
type callFields struct {
	endpoints []string   // by index; nil where no request names one
	rules     []sim.Rule // by index
}

// newCallFields is nil for limiters alone.
func newCallFields(sys *sim.System) *callFields {
	if sys == nil {
		return nil
	}
	f := &callFields{rules: sys.Rules}
	if len(sys.Endpoints) > 1 || sys.Endpoints[0] != "" {
		f.endpoints = sys.Endpoints
	}
	return f
}

// head is the names of the fields, after those of every line.
func (f *callFields) head() string {
	switch {
	case f == nil:
		return ""
	case f.endpoints == nil:
		return ",attempt,decided_ns,limit"
	}
	return ",attempt,endpoint,decided_ns,limit"
}

func (f *callFields) appendJSON(b []byte, s *sim.Step) []byte {
	b = strconv.AppendInt(append(b, `,"attempt":`...), s.Attempt, 10)
	if f.endpoints != nil {
		b = appendJSON(append(b, `,"endpoint":`...), f.endpoints[s.Request.Endpoint])
	}
	b = strconv.AppendInt(append(b, `,"decided_ns":`...), int64(s.Decided), 10)
	b = append(b, `,"limit":`...)
	if s.Rule < 0 {
		return append(b, "null"...)
	}
	return appendJSON(b, f.rules[s.Rule].Name)
}

func (f *callFields) appendCSV(b []byte, s *sim.Step) []byte {
	b = strconv.AppendInt(append(b, ','), s.Attempt, 10)
	if f.endpoints != nil {
		b = appendCSV(append(b, ','), f.endpoints[s.Request.Endpoint])
	}
	b = append(strconv.AppendInt(append(b, ','), int64(s.Decided), 10), ',')
	if s.Rule < 0 {
		return b
	}
	return appendCSV(b, f.rules[s.Rule].Name)
}
