package cmd

import (
	"strconv"

	"github.com/b6db88e4/ratesim/sim"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// callFields are the fields that a line has besides where there is a system around the limiters, and
// the line is about a call: one sending of a request.
type callFields struct {
	endpoints []string   // by index; nil where no request names one
	rules     []sim.Rule // by index
	servers   bool       // there are several servers, whose store may fail
}

// newCallFields is nil for limiters alone.
func newCallFields(sys *sim.System) *callFields {
	if sys == nil {
		return nil
	}
	f := &callFields{rules: sys.Rules, servers: sys.Servers != nil}
	if len(sys.Endpoints) > 1 || sys.Endpoints[0] != "" {
		f.endpoints = sys.Endpoints
	}
	return f
}

// head is the names of the fields, after those of every line.
func (f *callFields) head() string {
	if f == nil {
		return ""
	}
	head := ",attempt,decided_ns,limit"
	if f.endpoints != nil {
		head = ",attempt,endpoint,decided_ns,limit"
	}
	if f.servers {
		head += ",failed"
	}
	return head
}

func (f *callFields) appendJSON(b []byte, s *sim.Step) []byte {
	b = strconv.AppendInt(append(b, `,"attempt":`...), s.Attempt, 10)
	if f.endpoints != nil {
		b = appendJSON(append(b, `,"endpoint":`...), f.endpoints[s.Request.Endpoint])
	}
	b = strconv.AppendInt(append(b, `,"decided_ns":`...), int64(s.Decided), 10)
	b = append(b, `,"limit":`...)
	if s.Rule < 0 {
		b = append(b, "null"...)
	} else {
		b = appendJSON(b, f.rules[s.Rule].Name)
	}
	switch {
	case !f.servers:
	case s.Failed == servers.None:
		b = append(b, `,"failed":null`...)
	default:
		b = appendJSON(append(b, `,"failed":`...), s.Failed.String())
	}
	return b
}

func (f *callFields) appendCSV(b []byte, s *sim.Step) []byte {
	b = strconv.AppendInt(append(b, ','), s.Attempt, 10)
	if f.endpoints != nil {
		b = appendCSV(append(b, ','), f.endpoints[s.Request.Endpoint])
	}
	b = append(strconv.AppendInt(append(b, ','), int64(s.Decided), 10), ',')
	if s.Rule >= 0 {
		b = appendCSV(b, f.rules[s.Rule].Name)
	}
	if f.servers {
		b = append(append(b, ','), s.Failed.String()...)
	}
	return b
}
