package scenarios

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/b6db88e4/ratesim/algorithms"
	"github.com/b6db88e4/ratesim/sim/servers"
)

// drawSystem puts a system around a scenario that is in order, so that it stays in order.
func drawSystem(t *rapid.T, s *Scenario) {
	s.Key = rapid.SampledFrom([]Key{"", "all", "ip", "user+endpoint", "client+ip+user+endpoint"}).Draw(t, "key")
	drawWho(t, s)
	if rapid.Bool().Draw(t, "servers") {
		drawServers(t, s)
		drawApart(t, s)
		return
	}
	s.OnPartialDeny = rapid.SampledFrom([]string{"", "refund", "keep"}).Draw(t, "partly")
	s.OnLimit = rapid.SampledFrom([]OnLimit{{}, {Action: "reject"}, {Action: "queue"}, {Action: "queue", Queue: 7}, {Action: "degrade"}}).Draw(t, "refused")
	if rapid.Bool().Draw(t, "service") {
		drawService(t, s)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "limits") {
		s.Limits = append(s.Limits, drawRule(t, s, i))
	}
	at := time.Duration(0)
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		at += drawLength(t, "gap", 10*time.Minute)
		s.Changes = append(s.Changes, Change{At: at, Burst: rapid.Int64Range(1, 9).Draw(t, "burst")})
	}
	drawApart(t, s)
}

// drawApart says what is otherwise around some limiters.
func drawApart(t *rapid.T, s *Scenario) {
	for i := range s.Limiters {
		l := &s.Limiters[i]
		l.Key = rapid.SampledFrom([]Key{"", "all", "user"}).Draw(t, "own key")
		l.OnPartialDeny = rapid.SampledFrom([]string{"", "keep"}).Draw(t, "own partly")
		l.Retry = drawRetry(t)
		if s.Load != nil {
			l.Load = rapid.SampledFrom([]string{"", "none"}).Draw(t, "own load")
		}
		if s.Servers == nil {
			l.OnLimit = rapid.SampledFrom([]OnLimit{{}, {Action: "degrade"}, {Action: "queue", Queue: 3}}).Draw(t, "own refused")
			continue
		}
		if l.Retry != nil && l.Retry.Wait == "pace" {
			l.Retry = nil
		}
		if s.Servers.Store != nil || s.Servers.Fail != "" { // a central scheme
			l.Fail = rapid.SampledFrom([]string{"", "open", "closed"}).Draw(t, "own fail")
			l.Store = rapid.SampledFrom([]*Store{nil, {Preset: "nosql"}, {Latency: Length{Constant: 5}}}).Draw(t, "own store")
		}
	}
}

// drawWho says who the clients are and what they ask for.
func drawWho(t *rapid.T, s *Scenario) {
	for i := range rapid.IntRange(0, 3).Draw(t, "tiers") {
		s.Tiers = append(s.Tiers, Tier{Name: fmt.Sprint(i, drawText(t, "tier", 10))})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "endpoints") {
		s.Endpoints = append(s.Endpoints, Endpoint{Path: fmt.Sprint("/", i, drawText(t, "path", 10)), Cost: rapid.Int64Range(0, 3).Draw(t, "cost")})
	}
	who := Source{
		User:    strings.TrimRight(drawText(t, "user", 10), "\n"),
		Address: strings.TrimRight(drawText(t, "address", 10), "\n"),
		Abusive: rapid.Bool().Draw(t, "abusive"), Retry: drawRetry(t),
	}
	if len(s.Tiers) > 0 {
		who.Tier = rapid.SampledFrom(s.Tiers).Draw(t, "tier").Name
	}
	for i := range s.Traffic {
		x := &s.Traffic[i] // all alike, since they may have a client in common
		x.Tier, x.User, x.Address, x.Abusive, x.Retry = who.Tier, who.User, who.Address, who.Abusive, who.Retry
		if x.Requests.Instants == nil {
			drawAim(t, s, x)
		}
	}
}

// drawAim says what the requests of a source ask for.
func drawAim(t *rapid.T, s *Scenario, x *Source) {
	paths := []string{"/elsewhere"}
	if len(s.Endpoints) > 0 {
		paths = nil
	}
	for _, e := range s.Endpoints {
		paths = append(paths, e.Path)
	}
	switch rapid.IntRange(0, 2).Draw(t, "aim") {
	case 1:
		x.Endpoint = rapid.SampledFrom(paths).Draw(t, "endpoint")
	case 2:
		for _, path := range paths {
			x.Endpoints = append(x.Endpoints, EndpointShare{path, rapid.Int64Range(1, mostWeight).Draw(t, "weight")})
		}
	}
}

func drawRetry(t *rapid.T) *Retry {
	long := 30 * time.Second
	r := rapid.SampledFrom([]*Retry{
		nil, {Wait: "none"}, {Wait: "pace"}, {Wait: "at-once", Attempts: 3}, {Wait: "fixed", First: 5},
		{Wait: "exponential"}, {Wait: "exponential", Jitter: "none", Most: long}, {Wait: "exponential", Jitter: "decorrelated", First: long},
		{Wait: "retry-after", Spread: 1, GiveUp: long},
	}).Draw(t, "retry")
	return r
}

func drawRule(t *rapid.T, s *Scenario, i int) Rule {
	r := Rule{
		Name:  fmt.Sprint(i, strings.TrimRight(drawText(t, "limit", 10), "\n")),
		Limit: drawRate(t, "limit"), Burst: rapid.Int64Range(0, 50).Draw(t, "burst"),
		Key: rapid.SampledFrom([]Key{"", "all", "client"}).Draw(t, "key"),
	}
	if len(s.Tiers) > 0 && rapid.Bool().Draw(t, "one tier") {
		r.Tier = s.Tiers[0].Name
	}
	if len(s.Endpoints) > 0 && rapid.Bool().Draw(t, "one endpoint") {
		r.Endpoint = s.Endpoints[0].Path
	}
	r.Algorithm = rapid.SampledFrom([]string{"fixed-window", "gcra", "concurrency"}).Draw(t, "algorithm")
	switch {
	case r.Algorithm == "concurrency" && s.Service == nil:
		r.Algorithm = "unlimited"
	case r.Algorithm == "concurrency":
		r.Limit, r.Burst, r.InFlight = algorithms.Limit{}, 0, rapid.Int64Range(0, 9).Draw(t, "in flight")
	case r.Algorithm == "fixed-window":
		r.Options = map[string]string{"count_denied": "true"}
	}
	return r
}

func drawService(t *rapid.T, s *Scenario) {
	queue := rapid.SampledFrom([]Waiting{0, 1, 100, unbounded}).Draw(t, "queue")
	s.Service = &Service{Workers: rapid.Int64Range(1, 9).Draw(t, "workers"), Time: drawTime(t), Timeout: time.Duration(rapid.Int64Range(0, 1e10).Draw(t, "timeout"))}
	if rapid.Bool().Draw(t, "queue given") {
		s.Service.Queue = &queue
	} else {
		queue = defaultWaiting
	}
	if queue == unbounded || queue >= 10 {
		s.Load = &UnderLoad{Every: time.Second, Above: 10, Below: rapid.Int64Range(0, 10).Draw(t, "below"), Limit: s.Limit, Burst: rapid.Int64Range(0, 9).Draw(t, "burst")}
	}
	for _, l := range s.Limiters {
		if l.Limit.Per != 0 && l.Limit.Per != s.Limit.Per {
			s.Load = nil // which would change the period of a window
		}
	}
}

func drawTime(t *rapid.T) Length {
	return rapid.SampledFrom([]Length{{Constant: 1}, {Exponential: time.Minute}, {LogNormal: &LogNormal{Median: time.Second, Sigma: 1501}}}).Draw(t, "time")
}

func drawServers(t *rapid.T, s *Scenario) {
	v := &Servers{
		Count:   rapid.Int64Range(1, servers.MostServers).Draw(t, "count"),
		Routing: Routing(rapid.SampledFrom(append(routingNames(), "")).Draw(t, "routing")),
		Scheme:  Scheme(rapid.SampledFrom([]string{"", "central-racy", "independent", "owner"}).Draw(t, "scheme")),
		Skew:    time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "skew")),
	}
	if v.Scheme == "owner" && v.Count > 1 {
		v.Peers = drawTime(t)
		v.Moves = []Move{{At: time.Second, Leaves: 2}, {At: 2 * time.Second, Joins: 2}}
	}
	if v.Scheme == "" || v.Scheme == "central-racy" {
		v.Store = rapid.SampledFrom([]*Store{nil, {}, {Preset: "redis"}, {Preset: "sql", Timeout: 1}, {Latency: Length{Exponential: 5}}}).Draw(t, "store")
		v.Fail = rapid.SampledFrom([]string{"", "open", "closed"}).Draw(t, "fail")
		v.Outages = []Outage{{At: 0, For: time.Second}}
		v.Restarts = []Restart{{At: time.Minute}, {At: 2 * time.Minute, For: 1}}
	}
	s.Servers = v
	for i := range s.Traffic {
		if r := s.Traffic[i].Retry; r != nil && r.Wait == "pace" {
			s.Traffic[i].Retry = nil
		}
	}
}
