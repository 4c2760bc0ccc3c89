package accesslog

import (
	"bytes"
	"math"
	"net/netip"
	"strings"
)

// Filter says which requests count. Conditions on different fields must all hold; of several on
// one field, one is enough. The zero value takes every request.
type Filter struct {
	paths    []string // globs
	methods  []string
	statuses []statusRange
	networks []netip.Prefix

	// Since and Until bound the arrival instants, [Since, Until), in Unix time, ns. Nil for no bound.
	Since, Until *int64
}

type statusRange struct{ from, to int }

// Where adds a condition: path=/api/*, method=POST, status=404, status=4xx, client=10.0.0.0/8.
func (f *Filter) Where(text string) error {
	field, want, ok := strings.Cut(text, "=")
	if !ok || want == "" {
		field = ""
	}
	switch field {
	case "path":
		if reason := checkGlob(want); reason != "" {
			return wrongly("condition", text, "%s", reason)
		}
		f.paths = append(f.paths, want)
	case "method":
		f.methods = append(f.methods, want)
	case "status":
		return f.whereStatus(text, want)
	case "client":
		return f.whereClient(text, want)
	default:
		return wrongly("condition", text, "must be path=GLOB, method=NAME, status=CODE or client=NETWORK")
	}
	return nil
}

func (f *Filter) whereStatus(text, want string) error {
	code := strings.ReplaceAll(strings.ToLower(want), "x", "0")
	from, ok := statusOf([]byte(code))
	if !ok || len(code) != 3 || want[0]-'1' > 8 {
		return wrongly("condition", text, "a status must be like 404, 40x or 4xx")
	}
	span := 1
	for i := 2; i > 0 && want[i]|0x20 == 'x'; i-- {
		span *= 10
	}
	if strings.Count(strings.ToLower(want), "x") == 1 && span == 1 {
		return wrongly("condition", text, "a status must be like 404, 40x or 4xx")
	}
	f.statuses = append(f.statuses, statusRange{from, from + span - 1})
	return nil
}

func (f *Filter) whereClient(text, want string) error {
	prefix, err := netip.ParsePrefix(want)
	if err != nil {
		var addr netip.Addr
		if addr, err = netip.ParseAddr(want); err == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
	}
	if err != nil {
		return wrongly("condition", text, "a client must be a network like 10.0.0.0/8 or 2001:db8::/32, or an address")
	}
	f.networks = append(f.networks, prefix.Masked())
	return nil
}

// none reports whether every request counts.
func (f *Filter) none() bool {
	return f.Since == nil && f.Until == nil && len(f.paths)+len(f.methods)+len(f.statuses)+len(f.networks) == 0
}

// takes reports whether a request that arrives at this instant counts.
func (f *Filter) takes(e *Entry, at int64) bool {
	if f.Since != nil && at < *f.Since || f.Until != nil && at >= *f.Until {
		return false
	}
	return f.takesPath(e.Path) && f.takesMethod(e.Method) && f.takesStatus(e.Status) && f.takesClient(e.Client)
}

func (f *Filter) takesPath(path []byte) bool {
	for _, p := range f.paths {
		if glob(p, path) {
			return true
		}
	}
	return len(f.paths) == 0
}

func (f *Filter) takesMethod(method []byte) bool {
	for _, m := range f.methods {
		if strings.EqualFold(m, string(method)) {
			return true
		}
	}
	return len(f.methods) == 0
}

func (f *Filter) takesStatus(status int) bool {
	for _, s := range f.statuses {
		if status >= s.from && status <= s.to {
			return true
		}
	}
	return len(f.statuses) == 0
}

func (f *Filter) takesClient(raw []byte) bool {
	if len(f.networks) == 0 {
		return true
	}
	_, addr := clientOf(raw)
	addr = addr.WithZone("")
	for _, n := range f.networks {
		if n.Contains(addr) {
			return true
		}
	}
	return false
}

// ParseInstant reads an instant for Filter.Since and Filter.Until: 2015-05-17T10:05:03Z, with a
// zone or without (then it is UTC), with or without seconds, or a date alone. It reports Unix time
// in ns.
func ParseInstant(text string) (int64, error) {
	b := []byte(strings.TrimSpace(text))
	if len(b) == 10 {
		b = append(b, "T00:00:00"...)
	}
	if len(b) >= 16 && (len(b) == 16 || b[16] != ':') {
		b = append(append(bytes.Clone(b[:16]), ":00"...), b[16:]...)
	}
	ns, _, err := dashed(b)
	if err == errTimeRange || err == 0 && (ns < 0 || ns >= maxTime) {
		return math.MinInt64, wrongly("instant", text, "is out of range; it may be from 1970 to 2261")
	}
	if err != 0 {
		return math.MinInt64, wrongly("instant", text, "must be like 2015-05-17, 2015-05-17T10:05 or 2015-05-17T10:05:03.5+02:00")
	}
	return ns, nil
}
